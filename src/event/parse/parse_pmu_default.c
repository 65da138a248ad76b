// SPDX-License-Identifier: MIT
/*
 * The default settings of a processor's tracer, before the user's terms. Intel PT then traces
 * branches, with time stamps and those timing and synchronisation packets that cost little.
 *
 * Source: the man page perf-intel-pt(1), "config terms", and Intel's SDM, volume 3, chapter 33: the
 * capabilities are bit masks of the values that a period may have.
 */
#include "event/parse/parse_state.h"

static bool can(struct parser *ps, const char *pmu, const char *what)
{
	const char *text = pmu_text(ps->host->pmu_root, pmu, what, &ps->arena);

	return text && text[0] == '1';
}

/* The highest value of up to 3 that the mask allows. */
static unsigned int up_to_3(struct parser *ps, const char *pmu, const char *mask)
{
	const char *text = pmu_text(ps->host->pmu_root, pmu, mask, &ps->arena);
	unsigned long values = text ? strtoul(text, NULL, 16) & 15 : 0;

	return values ? 63 - (unsigned int)__builtin_clzl(values) : 0;
}

static void parse_pmu_default_set(const struct pmu *pmu, struct attr *a, const char *term,
				  unsigned int v)
{
	const struct pmu_format *f = pmu_format_find(pmu, term);

	if (f && !f->word && f->bits)
		a->config |= (uint64_t)v << __builtin_ctzll(f->bits) & f->bits;
}

void parse_pmu_default(struct parser *ps, const struct pmu *pmu, struct attr *a)
{
	if (strcmp(pmu->name, "intel_pt"))
		return;
	parse_pmu_default_set(pmu, a, "pt", 1);
	parse_pmu_default_set(pmu, a, "branch", 1);
	parse_pmu_default_set(pmu, a, "tsc", 1);
	if (can(ps, pmu->name, "caps/mtc")) {
		unsigned int period = up_to_3(ps, pmu->name, "caps/mtc_periods");

		parse_pmu_default_set(pmu, a, "mtc", period != 0);
		parse_pmu_default_set(pmu, a, "mtc_period", period);
	}
	if (can(ps, pmu->name, "caps/psb_cyc"))
		parse_pmu_default_set(pmu, a, "psb_period",
				      up_to_3(ps, pmu->name, "caps/psb_periods"));
}
