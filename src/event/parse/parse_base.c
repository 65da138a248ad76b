// SPDX-License-Identifier: MIT
/* Events by names that every machine has. */
#include "event/parse/parse_state.h"

#include "event/names.h"

#include <ctype.h>

static const char *const tool_names[] = {
	[TOOL_DURATION_TIME] = "duration_time",
	[TOOL_USER_TIME] = "user_time",
	[TOOL_SYSTEM_TIME] = "system_time",
};

#define SOFTWARE_DUMMY	    9
#define SOFTWARE_BPF_OUTPUT 10

static struct event *add(struct parser *ps, const char *name, uint32_t type, uint64_t config,
			 uint32_t *first)
{
	struct event *ev = event_set_add(ps->set, name);

	ev->attr.type = type;
	ev->attr.config = config;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	*first = ev->index;
	return ev;
}

/*
 * On a machine with two kinds of cores an event of the cores is one for each kind: the upper half
 * of the config names the PMU, or the PMU's type is that of a raw event. Names are as in perf 6.1.
 */
static void add_of_cores(struct parser *ps, const char *name, uint32_t type, uint64_t config,
			 uint32_t *first)
{
	static const char *const kinds[] = {"cpu_core", "cpu_atom"};
	struct pmu pmus[ARRAY_SIZE(kinds)] = {0};
	const char *root = ps->host->pmu_root;
	bool both = root && pmu_read(root, kinds[0], &ps->arena, &pmus[0]) &&
		    pmu_read(root, kinds[1], &ps->arena, &pmus[1]);
	uint32_t added;

	if (!both)
		add(ps, name, type, config, first);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (both) {
			const char *full = arena_printf(&ps->arena, "%s/%s/", kinds[i], name);
			struct event *ev =
				type == TYPE_RAW
					? add(ps, full, pmus[i].type, config, &added)
					: add(ps, full, type, config | (uint64_t)pmus[i].type << 32,
					      &added);

			ev->pmu = kinds[i];
			if (pmus[i].cpus)
				ev->cpus = arena_strdup(&ps->set->arena, pmus[i].cpus);
			*first = i ? *first : added;
		}
		pmu_release(&pmus[i]);
	}
}

static int find_symbolic(const struct event_name *names, size_t n, struct span_of base)
{
	for (size_t i = 0; i < n; i++)
		if (span_is(base, names[i].name) ||
		    (names[i].alias && span_is(base, names[i].alias)))
			return (int)i;
	return -1;
}

/* Which row begins s with one of its spellings, the longest that does; passes over it. A spelling
 * ends where s ends or at a '-'. */
static int take_spelling(struct span_of *s, const char *const names[][8], int rows)
{
	size_t best = 0;
	int row = -1;

	for (int i = 0; i < rows; i++)
		for (int j = 0; j < 8 && names[i][j]; j++) {
			size_t n = strlen(names[i][j]);

			if (n > best && n <= s->n && !memcmp(names[i][j], s->p, n) &&
			    (n == s->n || s->p[n] == '-')) {
				best = n;
				row = i;
			}
		}
	s->p += best;
	s->n -= best;
	return row;
}

/* cache [-op] [-result], the last two in either order. 1, 0, or -1 when there is no such event. */
static int find_cache(struct parser *ps, struct span_of base, uint64_t *config)
{
	struct span_of s = base;
	int cache = take_spelling(&s, cache_names, CACHE_KINDS), op = -1, result = -1;

	if (cache < 0)
		return 0;
	while (s.n) {
		s.p++;
		s.n--;
		if (op < 0) {
			op = take_spelling(&s, cache_op_names, CACHE_OPS);
			if (op >= 0)
				continue;
		}
		if (result >= 0)
			return 0;
		result = take_spelling(&s, cache_result_names, CACHE_RESULTS);
		if (result < 0)
			return 0;
	}
	op = MAX(op, 0);
	result = MAX(result, 0);
	if (!cache_event_valid((unsigned int)cache, (unsigned int)op))
		return parse_fail(ps, base.p, "there are no %s events of %s", cache_op_names[op][0],
				  cache_names[cache][0]);
	*config = (uint64_t)cache | (uint64_t)op << 8 | (uint64_t)result << 16;
	return 1;
}

/* r1a8 */
static bool find_raw(struct span_of base, uint64_t *config)
{
	*config = 0;
	if (base.n < 2 || base.n > 17 || base.p[0] != 'r')
		return false;
	for (size_t i = 1; i < base.n; i++) {
		unsigned char c = (unsigned char)base.p[i];

		if (!isxdigit(c))
			return false;
		*config = *config << 4 | (uint64_t)(isdigit(c) ? c - '0' : (c | 32) - 'a' + 10);
	}
	return true;
}

int parse_base(struct parser *ps, struct span_of base, const char *name, uint32_t *first)
{
	uint64_t config = 0;
	int i;

	i = find_symbolic(hardware_events, HARDWARE_EVENTS, base);
	if (i >= 0) {
		add_of_cores(ps, name, TYPE_HARDWARE, (uint64_t)i, first);
		return 1;
	}
	i = find_symbolic(software_events, SOFTWARE_EVENTS, base);
	if (i >= 0) {
		struct event *ev = add(ps, name, TYPE_SOFTWARE, (uint64_t)i, first);

		if (i == SOFTWARE_BPF_OUTPUT) {
			ev->attr.sample_period = 1;
			ev->attr.sample_type =
				SAMPLE_RAW | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD;
		}
		return 1;
	}
	for (i = 1; i < (int)ARRAY_SIZE(tool_names); i++)
		if (span_is(base, tool_names[i])) {
			struct event *ev = add(ps, name, TYPE_SOFTWARE, SOFTWARE_DUMMY, first);

			ev->tool = (enum event_tool)i;
			ev->unit = "ns";
			return 1;
		}
	i = find_cache(ps, base, &config);
	if (i) {
		if (i > 0)
			add_of_cores(ps, name, TYPE_HW_CACHE, config, first);
		return i;
	}
	if (!find_raw(base, &config))
		return 0;
	add_of_cores(ps, name, TYPE_RAW, config, first);
	return 1;
}

/* A name that nobody knows: suggests what is nearest among all that could stand here. */
int parse_unknown(struct parser *ps, struct span_of base)
{
	struct names names = {0};
	struct buf b = {0};

	for (size_t i = 0; i < HARDWARE_EVENTS; i++) {
		vec_add(&names, hardware_events[i].name);
		if (hardware_events[i].alias)
			vec_add(&names, hardware_events[i].alias);
	}
	for (size_t i = 0; i < SOFTWARE_EVENTS; i++) {
		vec_add(&names, software_events[i].name);
		if (software_events[i].alias)
			vec_add(&names, software_events[i].alias);
	}
	for (size_t i = 1; i < ARRAY_SIZE(tool_names); i++)
		vec_add(&names, tool_names[i]);
	for (unsigned int cache = 0; cache < CACHE_KINDS; cache++)
		for (unsigned int op = 0; op < CACHE_OPS; op++)
			for (unsigned int result = 0; result < CACHE_RESULTS; result++) {
				if (!cache_event_valid(cache, op))
					continue;
				buf_clear(&b);
				cache_event_name(cache | op << 8 | result << 16, &b);
				vec_add(&names, arena_strdup(&ps->arena, buf_text(&b)));
			}
	if (ps->host->pmu_root) {
		struct names pmus = {0};

		pmu_names(ps->host->pmu_root, &ps->arena, &pmus, NULL);
		for (size_t i = 0; i < pmus.n; i++)
			pmu_alias_names(ps->host->pmu_root, pmus.at[i], &ps->arena, &names);
		for (size_t i = 0; i < pmus.n && base.p[base.n] == '/'; i++)
			vec_add(&names, pmus.at[i]);
		vec_release(&pmus);
	}
	parse_elsewhere_names(ps, &names);
	parse_fail(ps, base.p, "no event%s is called '%s'", base.p[base.n] == '/' ? " or PMU" : "",
		   span_text(ps, base));
	parse_suggest(ps, span_text(ps, base), names.at, names.n);
	vec_release(&names);
	buf_release(&b);
	return -1;
}
