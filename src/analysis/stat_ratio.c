// SPDX-License-Identifier: MIT
/*
 * The ratios that stand beside a count, as perf 6.1 names, formats and judges them. Numerator and
 * denominator come from the same place, the same cgroup and, where levels matter, from events that
 * count on the same levels (user, kernel, ...).
 */
#include "analysis/stat_private.h"

#include <linux/perf_event.h>
#include <math.h>

/* A PMU's own hardware and cache events carry its number in the upper half of config. */
#define HARDWARE_CONFIG 0xffffffffULL

static enum stat_kind hardware_kind(uint64_t config)
{
	static const enum stat_kind kinds[] = {
		[PERF_COUNT_HW_CPU_CYCLES] = KIND_CYCLES,
		[PERF_COUNT_HW_INSTRUCTIONS] = KIND_INSTRUCTIONS,
		[PERF_COUNT_HW_CACHE_REFERENCES] = KIND_CACHE_REFS,
		[PERF_COUNT_HW_CACHE_MISSES] = KIND_CACHE_MISSES,
		[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = KIND_BRANCHES,
		[PERF_COUNT_HW_BRANCH_MISSES] = KIND_BRANCH_MISSES,
		[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = KIND_STALLED_FRONT,
		[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = KIND_STALLED_BACK,
	};

	return config < ARRAY_SIZE(kinds) ? kinds[config] : KIND_NONE;
}

/* Reads only: what is divided are load misses by loads. */
static enum stat_kind cache_kind(uint64_t config)
{
	static const enum stat_kind loads[] = {
		[PERF_COUNT_HW_CACHE_L1D] = KIND_L1D,	[PERF_COUNT_HW_CACHE_L1I] = KIND_L1I,
		[PERF_COUNT_HW_CACHE_LL] = KIND_LL,	[PERF_COUNT_HW_CACHE_DTLB] = KIND_DTLB,
		[PERF_COUNT_HW_CACHE_ITLB] = KIND_ITLB,
	};
	uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16;

	if (cache >= ARRAY_SIZE(loads) || op != PERF_COUNT_HW_CACHE_OP_READ || result > 1)
		return KIND_NONE;
	return loads[cache] + result;
}

static enum stat_kind named_kind(const struct event *ev)
{
	static const struct {
		const char *name;
		enum stat_kind kind;
	} names[] = {
		{"cpu/cycles-t/", KIND_TX_CYCLES},
		{"cpu/cycles-ct/", KIND_TX_CYCLES_KEPT},
		{"cpu/tx-start/", KIND_TX_STARTS},
		{"cpu/el-start/", KIND_ELISIONS},
		{"topdown-total-slots", KIND_SLOTS},
		{"topdown-slots-issued", KIND_SLOTS_ISSUED},
		{"topdown-slots-retired", KIND_SLOTS_RETIRED},
		{"topdown-fetch-bubbles", KIND_FETCH_BUBBLES},
		{"topdown-recovery-bubbles", KIND_RECOVERY_BUBBLES},
		{"topdown-retiring", KIND_RETIRING},
		{"topdown-bad-spec", KIND_BAD_SPECULATION},
		{"topdown-fe-bound", KIND_FRONTEND},
		{"topdown-be-bound", KIND_BACKEND},
		{"topdown-heavy-ops", KIND_HEAVY_OPS},
		{"topdown-br-mispredict", KIND_MISPREDICTS},
		{"topdown-fetch-lat", KIND_FETCH_LATENCY},
		{"topdown-mem-bound", KIND_MEMORY},
		{"msr/smi/", KIND_SMI},
		{"msr/aperf/", KIND_APERF},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(ev->name, names[i].name) ||
		    (ev->pmu && strstr(ev->name, names[i].name) && strstr(ev->name, ev->pmu)))
			return names[i].kind;
	return KIND_NONE;
}

enum stat_kind stat_kind_of(const struct event *ev)
{
	enum stat_kind kind = KIND_NONE;

	if (ev->tool != TOOL_NONE || ev->readout.kind != READOUT_NONE)
		return KIND_NONE;
	if (ev->attr.type == TYPE_SOFTWARE && (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
					       ev->attr.config == PERF_COUNT_SW_TASK_CLOCK))
		return KIND_CLOCK;
	if (ev->attr.type == TYPE_HARDWARE)
		kind = hardware_kind(ev->attr.config & HARDWARE_CONFIG);
	else if (ev->attr.type == TYPE_HW_CACHE)
		kind = cache_kind(ev->attr.config & HARDWARE_CONFIG);
	return kind != KIND_NONE ? kind : named_kind(ev);
}

/* Where denominators are looked for. */
struct ratio {
	const struct stat *s;
	const struct event *event;
	uint32_t place;
	double value;
	struct stat_metrics *out;
};

static bool same_levels(const struct attr *a, const struct attr *b)
{
	const uint64_t levels = ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV |
				ATTR_EXCLUDE_IDLE | ATTR_EXCLUDE_HOST;

	return (a->flags & levels) == (b->flags & levels);
}

/* Do two events count on the same kind of cores? */
static bool same_cores(const struct stat *s, const struct event *a, const struct event *b)
{
	return !stat_is_hybrid(a) || !stat_is_hybrid(b) || !strcmp(a->pmu, b->pmu) ||
	       s->events.at[a->index].shows_others;
}

static bool fits(const struct ratio *r, enum stat_kind kind, const struct event *ev)
{
	const char *cgroup = ev->cgroup ? ev->cgroup : "";

	return (kind == KIND_CLOCK || same_levels(&ev->attr, &r->event->attr)) &&
	       same_cores(r->s, ev, r->event) &&
	       !strcmp(cgroup, r->event->cgroup ? r->event->cgroup : "");
}

/* The mean over all events of a kind that fit; *n says how many there are. */
static double mean_of(const struct ratio *r, enum stat_kind kind, size_t *n)
{
	const struct stat *s = r->s;
	double sum = 0;

	*n = 0;
	for (size_t i = 0; i < s->of_kind[kind].n; i++) {
		uint32_t index = s->of_kind[kind].at[i];
		const struct stat_event *se = &s->events.at[index];
		const struct event *ev = s->set->events.at[index];
		const struct stat_cell *cell = stat_cell_of(se, r->place);

		if (se->state != COUNT_OPEN || se->shown_by != index || !cell || !cell->present ||
		    !fits(r, kind, ev))
			continue;
		sum += cell->value.mean * (kind == KIND_CLOCK ? 1 : ev->scale);
		++*n;
	}
	return *n ? sum / (double)*n : 0;
}

static double mean(const struct ratio *r, enum stat_kind kind)
{
	size_t n;

	return mean_of(r, kind, &n);
}

static void stat_ratio_put(struct ratio *r, const char *format, const char *unit, double value,
			   enum stat_judgement judgement)
{
	vec_add(&r->out->all,
		(struct stat_metric){
			.value = value, .format = format, .unit = unit, .judgement = judgement});
}

static void put_none(struct ratio *r, const char *unit)
{
	stat_ratio_put(r, NULL, unit, NAN, STAT_NOT_JUDGED);
}

/* Above which percentages a ratio is notable, worse, bad. */
struct limits {
	double notable, worse, bad;
};

static enum stat_judgement judge(const struct limits *l, double percent)
{
	if (percent > l->bad)
		return STAT_BAD;
	if (percent > l->worse)
		return STAT_WORSE;
	return percent > l->notable ? STAT_NOTABLE : STAT_PLAIN;
}

static const struct limits front_limits = {10, 30, 50}, back_limits = {20, 50, 75},
			   miss_limits = {5, 10, 20};

static void instructions(struct ratio *r)
{
	double cycles = mean(r, KIND_CYCLES);
	double stalled = fmax(mean(r, KIND_STALLED_FRONT), mean(r, KIND_STALLED_BACK));

	if (cycles != 0)
		stat_ratio_put(r, "%7.2f ", "insn per cycle", r->value / cycles, STAT_NOT_JUDGED);
	else
		put_none(r, "insn per cycle");
	if (stalled != 0 && r->value != 0) {
		stat_ratio_put(r, "%7.2f ", "stalled cycles per insn", stalled / r->value,
			       STAT_NOT_JUDGED);
		vec_last(&r->out->all)->own_line = true;
	}
}

static void stalled(struct ratio *r, const char *unit, const struct limits *limits)
{
	double cycles = mean(r, KIND_CYCLES);
	double percent = cycles != 0 ? 100 * r->value / cycles : 0;

	/* perf leaves out only the frontend's nothing */
	if (percent != 0 || limits == &back_limits)
		stat_ratio_put(r, "%7.2f%%", unit, percent, judge(limits, percent));
	else
		put_none(r, unit);
}

static void gigahertz(struct ratio *r)
{
	double clock = mean(r, KIND_CLOCK);

	if (clock != 0)
		stat_ratio_put(r, "%8.3f", "GHz", r->value / clock, STAT_NOT_JUDGED);
	else
		put_none(r, "Ghz");
}

static void utilization(struct ratio *r)
{
	double elapsed = r->s->elapsed.mean;

	if (elapsed != 0)
		stat_ratio_put(r, "%8.3f", "CPUs utilized", r->value / (elapsed * r->event->scale),
			       STAT_NOT_JUDGED);
	else
		put_none(r, "CPUs utilized");
}

/* The rate per second of CPU time. */
static void stat_ratio_rate(struct ratio *r)
{
	static const char *const units[] = {"/sec", "K/sec", "M/sec", "G/sec"};
	size_t n, unit = 0;
	double clock = mean_of(r, KIND_CLOCK, &n);
	double value = clock != 0 ? 1e9 * r->value / clock : 0;

	if (!n)
		return;
	while (unit + 1 < ARRAY_SIZE(units) && value > 1000) {
		value /= 1000;
		unit++;
	}
	stat_ratio_put(r, "%8.3f", units[unit], value, STAT_NOT_JUDGED);
}

/* A part of what another kind counts, which stands in the same row of the table. */
struct part {
	enum stat_kind kind, of;
	const char *unit, *format;
};

static const struct part parts[] = {
	{KIND_BRANCH_MISSES, KIND_BRANCHES, "of all branches", "%7.2f%%"},
	{KIND_L1D_MISSES, KIND_L1D, "of all L1-dcache accesses", "%7.2f%%"},
	{KIND_L1I_MISSES, KIND_L1I, "of all L1-icache accesses", "%7.2f%%"},
	{KIND_DTLB_MISSES, KIND_DTLB, "of all dTLB cache accesses", "%7.2f%%"},
	{KIND_ITLB_MISSES, KIND_ITLB, "of all iTLB cache accesses", "%7.2f%%"},
	{KIND_LL_MISSES, KIND_LL, "of all LL-cache accesses", "%7.2f%%"},
	{KIND_CACHE_MISSES, KIND_CACHE_REFS, "of all cache refs", "%8.3f %%"},
};

static bool part_of(struct ratio *r, enum stat_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		size_t n;
		double all, percent;

		if (parts[i].kind != kind)
			continue;
		all = mean_of(r, parts[i].of, &n);
		percent = all != 0 ? 100 * r->value / all : 0;
		if (n)
			stat_ratio_put(r, parts[i].format, parts[i].unit, percent,
				       kind == KIND_CACHE_MISSES ? STAT_NOT_JUDGED
								 : judge(&miss_limits, percent));
		else
			put_none(r, parts[i].unit);
		return true;
	}
	return false;
}

/* Transactional memory: how many of the cycles, how many in vain, how long one lasts. */
static void transactions(struct ratio *r, enum stat_kind kind)
{
	double cycles = mean(r, KIND_CYCLES);
	size_t n;
	double inside = mean_of(r, KIND_TX_CYCLES, &n);
	const char *unit = kind == KIND_TX_CYCLES	 ? "transactional cycles"
			   : kind == KIND_TX_CYCLES_KEPT ? "aborted cycles"
			   : kind == KIND_TX_STARTS	 ? "cycles / transaction"
							 : "cycles / elision";

	if (kind == KIND_TX_CYCLES && cycles != 0)
		stat_ratio_put(r, "%7.2f%%", unit, 100 * r->value / cycles, STAT_NOT_JUDGED);
	else if (kind == KIND_TX_CYCLES_KEPT && cycles != 0)
		stat_ratio_put(r, "%7.2f%%", unit,
			       100 * (fmax(inside, r->value) - r->value) / cycles, STAT_NOT_JUDGED);
	else if ((kind == KIND_TX_STARTS || kind == KIND_ELISIONS) && n)
		stat_ratio_put(r, "%8.0f", unit, r->value != 0 ? inside / r->value : 0,
			       STAT_NOT_JUDGED);
	else
		put_none(r, unit);
}

/* The cost of system management interrupts: cycles that the cycle counter does not count. */
static void smi(struct ratio *r)
{
	double cycles = mean(r, KIND_CYCLES), aperf = mean(r, KIND_APERF);
	double cost = r->value != 0 ? 100 * (aperf - cycles) / aperf : 0;

	if (cycles == 0 || aperf == 0)
		return;
	stat_ratio_put(r, "%8.1f%%", "SMI cycles%", cost, cost > 10 ? STAT_BAD : STAT_NOT_JUDGED);
	stat_ratio_put(r, "%4.0f", "SMI#", r->value, STAT_NOT_JUDGED);
}

static void put_share(struct ratio *r, const char *unit, double share,
		      enum stat_judgement judgement)
{
	stat_ratio_put(r, "%8.1f%%", unit, 100 * share, judgement);
}

static enum stat_judgement bad_if(bool bad)
{
	return bad ? STAT_BAD : STAT_NOT_JUDGED;
}

static double never_negative(double share)
{
	/* counters that are not read at the same moment make small errors */
	return share < 0 && share >= -0.02 ? 0 : share;
}

/* Where the slots of the pipeline went, from counts of slots. */
static void slots(struct ratio *r, enum stat_kind kind)
{
	double total = mean(r, KIND_SLOTS), retired = mean(r, KIND_SLOTS_RETIRED);
	size_t n;
	double recovering = mean_of(r, KIND_RECOVERY_BUBBLES, &n);
	double in_vain = mean(r, KIND_SLOTS_ISSUED) - retired + recovering;
	double retiring = total != 0 ? retired / total : 0;
	double frontend = total != 0 ? mean(r, KIND_FETCH_BUBBLES) / total : 0;
	double bad = total != 0 ? never_negative(in_vain / total) : 0;
	double sum = retiring + frontend + bad;
	double backend = sum != 0 ? never_negative(1 - sum) : 0;
	const char *rest = n ? "backend bound" : "backend bound/bad spec";

	if (kind == KIND_SLOTS_RETIRED)
		put_share(r, "retiring", retiring, retiring > 0.7 ? STAT_GOOD : STAT_NOT_JUDGED);
	else if (kind == KIND_FETCH_BUBBLES)
		put_share(r, "frontend bound", frontend, bad_if(frontend > 0.2));
	else if (kind == KIND_RECOVERY_BUBBLES)
		put_share(r, "bad speculation", bad, bad_if(bad > 0.1));
	else if (total > 0)
		put_share(r, rest, backend, bad_if(backend > 0.2));
	else
		put_none(r, rest);
}

/* A part of the slots, and of it what is of one cause; the rest has another. */
static void stat_ratio_split(struct ratio *r, double part, double share, const char *one,
			     const char *rest, const double above[3])
{
	put_share(r, one, share, bad_if(part > above[0] && share > above[1]));
	put_share(r, rest, part - share, bad_if(part > above[0] && part - share > above[2]));
}

/* What the slots of the pipeline are, of which counters hold parts. */
struct pipeline {
	double sum, retiring, bad, frontend, backend;
};

/* False when a part is not known: then no share is. */
static bool pipeline_of(const struct ratio *r, struct pipeline *p)
{
	*p = (struct pipeline){.retiring = mean(r, KIND_RETIRING),
			       .bad = mean(r, KIND_BAD_SPECULATION),
			       .frontend = mean(r, KIND_FRONTEND),
			       .backend = mean(r, KIND_BACKEND)};
	p->sum = p->retiring + p->bad + p->frontend + p->backend;
	if (!(p->retiring > 0 && p->bad > 0 && p->frontend > 0 && p->backend > 0))
		return false;
	p->retiring /= p->sum;
	p->bad /= p->sum;
	p->frontend /= p->sum;
	p->backend /= p->sum;
	return true;
}

static void second_level(struct ratio *r, enum stat_kind kind, const struct pipeline *p)
{
	double share = mean(r, kind) / p->sum, light = p->retiring - share;

	if (kind == KIND_MISPREDICTS) {
		stat_ratio_split(r, p->bad, share, "Branch Mispredict", "Machine Clears",
				 (const double[]){0.1, 0.05, 0.05});
	} else if (kind == KIND_FETCH_LATENCY) {
		stat_ratio_split(r, p->frontend, share, "Fetch Latency", "Fetch Bandwidth",
				 (const double[]){0.2, 0.15, 0.1});
	} else if (kind == KIND_MEMORY) {
		stat_ratio_split(r, p->backend, share, "Memory Bound", "Core Bound",
				 (const double[]){0.2, 0.2, 0.1});
	} else {
		put_share(r, "Heavy Operations", share,
			  p->retiring > 0.7 && share > 0.1 ? STAT_GOOD : STAT_NOT_JUDGED);
		put_share(r, "Light Operations", light,
			  p->retiring > 0.7 && light > 0.6 ? STAT_GOOD : STAT_NOT_JUDGED);
	}
}

/* Where the slots of the pipeline went, from counters that hold each part. */
static bool topdown(struct ratio *r, enum stat_kind kind)
{
	struct pipeline p;

	if (!pipeline_of(r, &p))
		return false;
	if (kind == KIND_RETIRING)
		put_share(r, "Retiring", p.retiring,
			  p.retiring > 0.7 ? STAT_GOOD : STAT_NOT_JUDGED);
	else if (kind == KIND_FRONTEND)
		put_share(r, "Frontend Bound", p.frontend, bad_if(p.frontend > 0.2));
	else if (kind == KIND_BACKEND)
		put_share(r, "Backend Bound", p.backend, bad_if(p.backend > 0.2));
	else if (kind == KIND_BAD_SPECULATION)
		put_share(r, "Bad Speculation", p.bad, bad_if(p.bad > 0.1));
	else if (r->s->opts.topdown_level >= 2)
		second_level(r, kind, &p);
	else
		return false;
	return true;
}

void stat_ratios(const struct stat *s, const struct stat_row *row, uint32_t place,
		 struct stat_metrics *out)
{
	struct ratio r = {s, row->event, place, row->value, out};
	enum stat_kind kind = s->events.at[row->event->index].kind;

	switch (kind) {
	case KIND_INSTRUCTIONS:
		instructions(&r);
		return;
	case KIND_STALLED_FRONT:
		stalled(&r, "frontend cycles idle", &front_limits);
		return;
	case KIND_STALLED_BACK:
		stalled(&r, "backend cycles idle", &back_limits);
		return;
	case KIND_CYCLES:
		gigahertz(&r);
		return;
	case KIND_CLOCK:
		utilization(&r);
		return;
	case KIND_TX_CYCLES:
	case KIND_TX_CYCLES_KEPT:
	case KIND_TX_STARTS:
	case KIND_ELISIONS:
		transactions(&r, kind);
		return;
	default:
		break;
	}
	if (kind >= KIND_SLOTS_ISSUED && kind <= KIND_RECOVERY_BUBBLES)
		slots(&r, kind);
	else if (!(kind >= KIND_RETIRING && kind <= KIND_MEMORY && topdown(&r, kind)) &&
		 !part_of(&r, kind))
		stat_ratio_rate(&r);
	if (kind == KIND_SMI && !out->all.n)
		smi(&r);
}
