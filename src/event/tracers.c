// SPDX-License-Identifier: MIT
/*
 * Source: the man page perf-intel-pt(1), and Intel's SDM, volume 3, chapter 33: capabilities are
 * bit masks of the values that a field of the configuration may have.
 */
#include "event/tracers.h"

#include "os/machine/pmu.h"
#include "os/rights/rights.h"

#include <stdlib.h>
#include <string.h>

static bool is_pt(const struct event *ev)
{
	return ev->pmu && !strcmp(ev->pmu, "intel_pt");
}

bool tracers_is(const struct event *ev)
{
	return is_pt(ev) || (ev->pmu && !strcmp(ev->pmu, "intel_bts"));
}

static uint64_t mask_of(const struct pmu *pmu, const char *root, const char *caps,
			const char *needs, struct arena *arena)
{
	const char *values = pmu_text(root, pmu->name, caps, arena);
	const char *has = pmu_text(root, pmu->name, needs, arena);

	/* 0 is always possible */
	return 1 | (values && !(has && has[0] == '0') ? strtoull(values, NULL, 16) : 0);
}

static int check_value(const struct event *ev, const struct pmu *pmu, const char *term,
		       uint64_t mask, struct err *err)
{
	const struct pmu_format *f = pmu_format_find(pmu, term);
	struct buf valid = {0};
	uint64_t v;

	if (!f || f->word || !f->bits)
		return 0;
	v = (ev->attr.config & f->bits) >> __builtin_ctzll(f->bits);
	if (v < 64 && mask >> v & 1)
		return 0;
	for (unsigned int i = 0; i < 64; i++)
		if (mask >> i & 1)
			buf_printf(&valid, "%s%u", valid.n ? ", " : "", i);
	err_set(err, ERR_USAGE, "this processor has no %s of %llu ('%s')", term,
		(unsigned long long)v, ev->name);
	err_hint(err, "it has: %s", buf_text(&valid));
	buf_release(&valid);
	return -1;
}

/* Sets the configuration of a tracer. Without the pass-through bit (pt) the kernel refuses the
 * other settings. */
static int configure(const struct tracer_options *o, struct event *ev, struct buf *notices,
		     struct err *err)
{
	static const char *const fields[][3] = {
		{"cyc_thresh", "caps/cycle_thresholds", "caps/psb_cyc"},
		{"mtc_period", "caps/mtc_periods", "caps/mtc"},
		{"psb_period", "caps/psb_periods", "caps/psb_cyc"},
	};
	const char *root = o->pmu_root ? o->pmu_root : PMU_ROOT;
	struct arena arena = {0};
	struct pmu pmu;
	int got = 0;

	if (!pmu_read(root, ev->pmu, &arena, &pmu))
		return 0;
	if (pmu_format_find(&pmu, "pt") && !(ev->attr.config & 1)) {
		ev->attr.config |= 1;
		buf_printf(notices, "warning: '%s' traces nothing with pt=0: pt=1 it is\n",
			   ev->name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields) && !got; i++)
		got = check_value(ev, &pmu, fields[i][0],
				  mask_of(&pmu, root, fields[i][1], fields[i][2], &arena), err);
	pmu_release(&pmu);
	arena_release(&arena);
	return got;
}

static int tracers_check(const struct tracer_options *o, const struct event *ev,
			 const struct event *other, struct err *err)
{
	if (other && strcmp(other->pmu, ev->pmu))
		return err_set(err, ERR_USAGE, "'%s' and '%s' cannot trace together", other->name,
			       ev->name);
	if (other)
		return err_set(err, ERR_USAGE, "there can be one event of %s only: '%s', '%s'",
			       ev->pmu, other->name, ev->name);
	if (o->use_clockid)
		return err_set(err, ERR_USAGE, "'%s' has the processor's clock: -k is not possible",
			       ev->name);
	if (!is_pt(ev) && !o->per_thread) {
		err_set(err, ERR_USAGE, "'%s' traces threads, not CPUs", ev->name);
		return err_hint(err, "record it with --per-thread");
	}
	return 0;
}

/* Moves the leader's group to the front of the set. */
static void to_front(struct event_set *events, uint32_t leader)
{
	const size_t n = events->events.n;
	struct event **order = mem_alloc(n * sizeof(struct event *));
	uint32_t *new_index = mem_alloc(n * sizeof(*new_index));
	size_t at = 0;

	for (int first = 1; first >= 0; first--)
		for (size_t i = 0; i < n; i++)
			if ((events->events.at[i]->leader == leader) == first)
				order[at++] = events->events.at[i];
	for (size_t i = 0; i < n; i++)
		new_index[order[i]->index] = (uint32_t)i;
	for (size_t i = 0; i < n; i++) {
		order[i]->index = (uint32_t)i;
		order[i]->leader = new_index[order[i]->leader];
		events->events.at[i] = order[i];
	}
	free(order);
	free(new_index);
}

int tracers_prepare(const struct tracer_options *o, struct event_set *events, struct buf *notices,
		    struct err *err)
{
	struct event *tracer = NULL;

	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (!tracers_is(ev))
			continue;
		if (tracers_check(o, ev, tracer, err) ||
		    (is_pt(ev) && configure(o, ev, notices, err)))
			return -1;
		tracer = ev;
		if (!(ev->fixed & (FIXED_PERIOD | FIXED_FREQ)))
			ev->attr.sample_period = 1;
	}
	if (tracer && tracer->leader)
		to_front(events, tracer->leader);
	if (tracer)
		buf_printf(notices,
			   "warning: '%s' is set up, but what the processor writes (its AUX area) "
			   "is not "
			   "recorded yet\n",
			   tracer->name);
	return 0;
}

static uint64_t aux_bytes(const struct tracer_options *o)
{
	const bool privileged = rights_perfmon("/proc") || rights_paranoid("/proc") < 0;

	return o->aux_size ? o->aux_size : privileged ? 4u << 20 : 128u << 10;
}

void tracers_finish(const struct tracer_options *o, struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (!is_pt(ev))
			continue;
		ev->attr.aux_watermark = (uint32_t)MIN(aux_bytes(o) / 4, UINT32_MAX);
		if (!o->per_thread)
			ev->attr.sample_type |= SAMPLE_CPU;
		if (!(ev->attr.flags & ATTR_EXCLUDE_HOST))
			ev->attr.flags &= ~ATTR_EXCLUDE_GUEST;
	}
}
