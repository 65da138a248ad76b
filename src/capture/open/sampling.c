// SPDX-License-Identifier: MIT
#include "capture/open/sampling.h"

#include "event/filter/filter.h"
#include "event/tracers.h"

#include <string.h>

#define SOFTWARE_DUMMY 9

/* What a call stack recorded by the branch unit needs (PERF_SAMPLE_BRANCH_*). */
#define BRANCH_LBR_STACK (1ull << 0 | 1ull << 11 | 1ull << 14 | 1ull << 15 | 1ull << 17)

static void callgraph(const struct sampling *s, struct event *ev)
{
	enum callgraph_mode mode = ev->fixed & FIXED_CALLGRAPH ? ev->callgraph : s->callgraph;
	struct attr *a = &ev->attr;

	if (mode == CALLGRAPH_NONE || tracers_is(ev))
		return;
	a->sample_type |= SAMPLE_CALLCHAIN;
	if (!(ev->fixed & FIXED_MAX_STACK))
		a->sample_max_stack = s->max_stack;
	if (s->kernel_callchains)
		a->flags |= ATTR_EXCLUDE_CALLCHAIN_USER;
	if (s->user_callchains)
		a->flags |= ATTR_EXCLUDE_CALLCHAIN_KERNEL;
	if (mode == CALLGRAPH_FP && s->defer && !s->kernel_callchains &&
	    !(a->flags & ATTR_EXCLUDE_USER))
		a->flags |= ATTR_DEFER_CALLCHAIN;
	if (mode == CALLGRAPH_LBR && !s->branch && !(a->flags & ATTR_EXCLUDE_USER)) {
		a->sample_type |= SAMPLE_BRANCH_STACK;
		a->branch_sample_type = BRANCH_LBR_STACK;
	}
	if (mode == CALLGRAPH_DWARF && !s->keep_stack) {
		ev->unwind_stack = ev->stack_dump ? ev->stack_dump : s->stack_dump;
		ev->unwind_regs = s->all_user_regs;
		ev->unwind_auto = s->stack_auto && !ev->stack_dump && !ev->side_band &&
				  event_is_leader(ev) && ev->members == 1 && !ev->by_program &&
				  a->type != TYPE_BREAKPOINT;
		if (a->sample_type & SAMPLE_REGS_USER)
			a->sample_regs_user |= s->all_user_regs;
	} else if (mode == CALLGRAPH_DWARF) {
		a->sample_type |= SAMPLE_REGS_USER | SAMPLE_STACK_USER;
		a->sample_regs_user |= s->all_user_regs;
		a->sample_stack_user = ev->stack_dump ? ev->stack_dump : s->stack_dump;
		a->flags |= ATTR_EXCLUDE_CALLCHAIN_USER;
		a->sample_type |= SAMPLE_ADDR | SAMPLE_DATA_SRC;
	}
}

static void sampling_rate(const struct sampling *s, struct event *ev)
{
	struct attr *a = &ev->attr;

	if (!(ev->fixed & (FIXED_PERIOD | FIXED_FREQ)) && (!a->sample_period || s->rate_given)) {
		a->flags &= ~ATTR_FREQ;
		if (s->frequency) {
			a->flags |= ATTR_FREQ;
			a->sample_freq = s->frequency;
		} else {
			a->sample_period = s->period;
		}
	}
	if (a->flags & ATTR_FREQ)
		a->sample_type |= SAMPLE_PERIOD;
	if (s->no_samples)
		a->sample_freq = 0;
}

static void fields(const struct sampling *s, struct event *ev)
{
	const bool takes_none = ev->side_band || tracers_is(ev);
	const bool branch = ev->fixed & FIXED_BRANCH ? ev->attr.branch_sample_type != 0
						     : s->branch && !takes_none;
	const struct {
		bool wanted;
		uint64_t bits;
	} table[] = {
		{s->address, SAMPLE_ADDR},
		{s->data_src, SAMPLE_DATA_SRC},
		{s->phys_addr, SAMPLE_PHYS_ADDR},
		{s->data_page_size, SAMPLE_DATA_PAGE_SIZE},
		{s->code_page_size, SAMPLE_CODE_PAGE_SIZE},
		{s->weight, SAMPLE_WEIGHT_STRUCT},
		{s->transaction, SAMPLE_TRANSACTION},
		{s->cgroups, SAMPLE_CGROUP},
		{s->cpu || s->system_wide, SAMPLE_CPU},
		{s->raw, SAMPLE_RAW | SAMPLE_TIME | SAMPLE_CPU},
		/* Of threads' rings, too (perf: not of those): only times put the records of two
		 * rings in order. */
		{s->time != NO, SAMPLE_TIME},
		{s->intr_regs && !takes_none, SAMPLE_REGS_INTR},
		{s->user_regs && !takes_none, SAMPLE_REGS_USER},
		{branch, SAMPLE_BRANCH_STACK},
	};
	struct attr *a = &ev->attr;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].wanted)
			a->sample_type |= table[i].bits;
	if (s->intr_regs && !takes_none)
		a->sample_regs_intr = s->intr_regs;
	if (s->user_regs && !takes_none)
		a->sample_regs_user |= s->user_regs;
	if (branch)
		a->branch_sample_type |= s->branch;
}

static uint64_t tracking(const struct sampling *s)
{
	return ATTR_MMAP | ATTR_MMAP2 | ATTR_COMM | ATTR_COMM_EXEC | ATTR_TASK | ATTR_KSYMBOL |
	       (s->address ? ATTR_MMAP_DATA : 0) | (s->bpf_events ? ATTR_BPF_EVENT : 0) |
	       (s->namespaces ? ATTR_NAMESPACES : 0) | (s->cgroups ? ATTR_CGROUP : 0) |
	       (s->text_poke ? ATTR_TEXT_POKE : 0) | (s->build_ids ? ATTR_BUILD_ID : 0) |
	       (s->switch_events ? ATTR_CONTEXT_SWITCH : 0) | (s->defer ? ATTR_DEFER_OUTPUT : 0);
}

static void sampling_one(const struct sampling *s, struct event_set *events, struct event *ev)
{
	struct attr *a = &ev->attr;
	bool no_inherit = !s->inherit || ev->no_inherit;

	a->size = a->config3 ? a->size : ATTR_SIZE_6_1;
	a->flags |= ATTR_SAMPLE_ID_ALL;
	a->read_format |= READ_ID | READ_LOST;
	a->sample_type |= SAMPLE_IP | SAMPLE_TID;
	if (ev->leader_sampling) {
		a->sample_type |= SAMPLE_READ | SAMPLE_ID;
		if (events->events.at[ev->leader]->members > 1) {
			a->read_format |= READ_GROUP;
			no_inherit = true;
		}
	}
	sampling_rate(s, ev);
	fields(s, ev);
	callgraph(s, ev);
	if ((ev->fixed & FIXED_INHERIT) ? !ev->no_inherit : !no_inherit)
		a->flags |= ATTR_INHERIT;
	if ((ev->fixed & FIXED_OVERWRITE) ? ev->overwrite : s->overwrite)
		a->flags |= ATTR_WRITE_BACKWARD;
	if (s->inherit_stat) {
		a->flags |= ATTR_INHERIT_STAT;
		a->read_format |= READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	}
	if (s->running_time)
		a->read_format |= READ_TOTAL_TIME_ENABLED | READ_TOTAL_TIME_RUNNING;
	if (s->no_buffering)
		a->wakeup_events = 1;
	if (s->use_clockid) {
		a->flags |= ATTR_USE_CLOCKID;
		a->clockid = s->clockid;
	}
	if (event_is_leader(ev) && !ev->side_band) {
		a->flags |= ATTR_DISABLED;
		if (s->starts_command && !s->delayed)
			a->flags |= ATTR_ENABLE_ON_EXEC;
	}
	if (ev->precise_max)
		a->flags |= ATTR_PRECISE_MASK;
	if (s->all_user)
		a->flags = (a->flags | ATTR_EXCLUDE_KERNEL) & ~ATTR_EXCLUDE_USER;
	if (s->all_kernel)
		a->flags = (a->flags | ATTR_EXCLUDE_USER) & ~ATTR_EXCLUDE_KERNEL;
	if (ev->fixed & FIXED_TIME)
		a->sample_type = ev->no_time ? a->sample_type & ~SAMPLE_TIME
					     : a->sample_type | SAMPLE_TIME;
	if (s->sample_period == YES)
		a->sample_type |= SAMPLE_PERIOD;
	if (s->sample_period == NO)
		a->sample_type &= ~SAMPLE_PERIOD;
	if (ev->by_program) /* the kernel has no period for these samples */
		a->sample_type &= ~SAMPLE_PERIOD;
	if (a->type == TYPE_SOFTWARE && a->config == SOFTWARE_DUMMY)
		a->sample_type &= ~SAMPLE_BRANCH_STACK;
}

/* Members of a group that is read with its leader's samples take none of their own. */
static void follow_leader(struct event_set *events, struct event *ev)
{
	struct event *leader = events->events.at[ev->leader];

	if (!leader->leader_sampling || ev == leader)
		return;
	if (!(ev->fixed & FIXED_FREQ) || !(ev->attr.flags & ATTR_FREQ)) {
		if (ev->attr.flags & ATTR_FREQ || !(ev->fixed & FIXED_PERIOD))
			ev->attr.sample_period = 0;
		ev->attr.flags &= ~ATTR_FREQ;
	}
	if (!(ev->fixed & FIXED_OVERWRITE))
		ev->attr.flags &= ~ATTR_WRITE_BACKWARD;
	ev->attr.sample_type = leader->attr.sample_type;
}

/* Makes the event of each record known: by an id where all layouts agree, else by an identifier up
 * front. */
static void identify(const struct sampling *s, struct event_set *events)
{
	bool identifier = s->identifier;
	const struct event *first = events->events.at[0];

	for (size_t i = 1; i < events->events.n; i++)
		if (events->events.at[i]->attr.sample_type != first->attr.sample_type)
			identifier = true;
	if (!identifier && events->events.n < 2)
		return;
	for (size_t i = 0; i < events->events.n; i++) {
		struct attr *a = &events->events.at[i]->attr;

		a->sample_type &= ~SAMPLE_ID;
		a->sample_type |= identifier ? SAMPLE_IDENTIFIER : SAMPLE_ID;
	}
}

/* Two events that reload each other's counters overflow at the ratio that was asked for. */
static int ratios(struct event_set *events, struct err *err)
{
	for (size_t i = 1; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];
		struct attr *before = &events->events.at[i - 1]->attr;
		double period = (double)ev->attr.sample_period / (ev->ratio ? ev->ratio : 1);

		if (!ev->ratio)
			continue;
		if (ev->attr.flags & ATTR_FREQ || !ev->attr.sample_period)
			return err_set(err, ERR_USAGE,
				       "ratio-to-prev of '%s' needs a period, by period= or -c",
				       ev->name);
		if (period < 1 || period > 1e18)
			return err_set(err, ERR_USAGE, "no period of '%s' gives that ratio to '%s'",
				       events->events.at[i - 1]->name, ev->name);
		before->sample_period = (uint64_t)(period + 0.5);
		before->flags &= ~ATTR_FREQ;
	}
	return 0;
}

/* The fields that filters test must be in the samples. */
static int check_filters(const struct event_set *events, struct err *err)
{
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		if (ev->sample_filter && filter_check_samples(ev->sample_filter, ev, err))
			return -1;
	}
	return 0;
}

static int limit(const struct sampling *s, struct event_set *events, struct buf *notices,
		 struct err *err)
{
	uint64_t max = s->max_frequency;
	bool told = false;

	for (size_t i = 0; i < events->events.n; i++) {
		struct attr *a = &events->events.at[i]->attr;

		if (!(a->flags & ATTR_FREQ) || !max || a->sample_freq <= max)
			continue;
		if (s->strict_frequency) {
			err_set(err, ERR_SYSTEM,
				"%llu Hz is more than the system's limit of %llu Hz",
				(unsigned long long)a->sample_freq, (unsigned long long)max);
			return err_hint(err, "use a lower -F, or raise "
					     "/proc/sys/kernel/perf_event_max_sample_rate");
		}
		if (!told)
			buf_printf(
				notices,
				"warning: %llu Hz is more than the system's limit: sampling at "
				"%llu Hz.\n         The limit is "
				"/proc/sys/kernel/perf_event_max_sample_rate; the kernel lowers\n"
				"         it when samples take too long. --strict-freq refuses "
				"instead.\n",
				(unsigned long long)a->sample_freq, (unsigned long long)max);
		told = true;
		a->sample_freq = max;
	}
	return 0;
}

/* Tells which events keep the size of their stack dumps. A dump grows by a change to another
 * counter: a group cannot change, a program writes to one, and there are few breakpoints. */
static void tell_fixed(const struct sampling *s, const struct event_set *events,
		       struct buf *notices)
{
	for (size_t i = 0; s->stack_auto && i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		if (ev->unwind_stack && !ev->unwind_auto && !ev->stack_dump && !ev->side_band)
			buf_printf(
				notices,
				"Copies of stacks stay at %u bytes for '%s': events in groups, "
				"of BPF programs, and breakpoints cannot grow them.\n",
				ev->unwind_stack, ev->name);
	}
}

static struct event *add_tracker(struct event_set *events)
{
	struct event *ev = event_set_add(events, "dummy:HG");

	ev->attr.type = TYPE_SOFTWARE;
	ev->attr.config = SOFTWARE_DUMMY;
	ev->attr.sample_period = 1;
	ev->side_band = true;
	return ev;
}

struct event *sampling_tracker(struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->side_band)
			return events->events.at[i];
	return events->events.n ? events->events.at[0] : NULL;
}

int sampling_apply(const struct sampling *s, struct event_set *events, struct buf *notices,
		   struct err *err)
{
	const struct tracer_options tracing = {.per_thread = s->per_thread,
					       .use_clockid = s->use_clockid,
					       .aux_size = s->aux_size,
					       .pmu_root = s->pmu_root};
	struct event *tracker;

	if (!events->events.n)
		return err_set(err, ERR_USAGE, "there is no event to record");
	if (s->group)
		for (size_t i = 0; i < events->events.n; i++) {
			events->events.at[i]->leader = 0;
			events->events.at[0]->members = (uint32_t)events->events.n;
		}
	if (tracers_prepare(&tracing, events, notices, err))
		return -1;
	tracker = events->events.at[0];
	if (s->system_wide || s->delayed)
		tracker = add_tracker(events);
	for (size_t i = 0; i < events->events.n; i++)
		sampling_one(s, events, events->events.at[i]);
	tracers_finish(&tracing, events);
	tracker->attr.flags |= tracking(s);
	if (tracker->attr.sample_type & SAMPLE_STACK_USER)
		tracker->attr.flags |= ATTR_MMAP_DATA;
	if (tracker->side_band && s->starts_command)
		tracker->attr.flags |= ATTR_ENABLE_ON_EXEC | ATTR_DISABLED;
	for (size_t i = 0; i < events->events.n; i++)
		follow_leader(events, events->events.at[i]);
	identify(s, events);
	tell_fixed(s, events, notices);
	if (ratios(events, err) || check_filters(events, err))
		return -1;
	return limit(s, events, notices, err);
}
