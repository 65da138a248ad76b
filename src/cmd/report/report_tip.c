// SPDX-License-Identifier: MIT
#include "cmd/report/report_tip.h"

/* True when most user chains by frame pointers have one frame: the code has no frame pointers. */
static bool chains_of_one_frame(const struct table *table)
{
	const struct frames *f = &table->samples->frames;
	size_t of_one = 0, of_user = 0;

	if (!measurement_follows_frame_pointers(table->samples->m))
		return false;
	for (uint32_t i = 0; i < table->chains->all.n; i++) {
		const uint32_t n = chain_set_length(table->chains, i);
		size_t user = 0;

		for (uint32_t j = 0; j < n; j++)
			user += f->frames.at[chain_set_frame(table->chains, i, j)].cpumode ==
				MISC_USER;
		of_user += user > 0;
		of_one += user == 1;
	}
	return of_one > of_user / 2;
}

/* True when more than a fifth of the frames have no name. */
static bool many_nameless(const struct table *table)
{
	uint64_t all = 0;

	for (int i = 0; i < NAMELESS_KINDS; i++)
		all += table->losses.frames[i];
	return all - table->losses.frames[NAMELESS_NOT] > all / 5;
}

static bool all_tracepoints(const struct event_set *set)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (set->events.at[i]->attr.type != TYPE_TRACEPOINT)
			return false;
	return set->events.n;
}

/* True when the reports of several events follow each other. */
static bool several_events(const struct table *table)
{
	size_t n = 0;

	for (size_t i = 0; i < table->events.n; i++) {
		const struct event *ev = table->events.at[i].event;
		bool apart = !table->opts.group || event_is_leader(ev);

		n += apart && table->events.at[i].samples;
	}
	return n > 1;
}

const char *report_tip(const struct report_opts *o, const struct table *table)
{
	const struct measurement *m = table->samples->m;
	bool chains = measurement_samples_any(m, SAMPLE_CALLCHAIN);

	if (chains && chains_of_one_frame(table))
		return "most call chains have one frame of user space: perf record --call-graph "
		       "dwarf gets the rest";
	if (all_tracepoints(&m->events) && !o->sort)
		return "each event with its fields is shown by: perf script; grouped by them: perf "
		       "report -s trace_fields";
	if (many_nameless(table) && table->layout.flags & KEY_SYMBOL && o->verbose <= 0)
		return "why functions have no names is told of each file by: perf report -v";
	if (several_events(table))
		return "several events are shown side by side by: perf report --group";
	if (table->samples->opts.mode == MODE_BRANCH && !o->total_cycles)
		return "the blocks of code that took most cycles are shown by: perf report "
		       "--total-cycles";
	if (table->samples->opts.mode == MODE_NORMAL && measurement_samples_any(m, SAMPLE_DATA_SRC))
		return "what memory the samples touched is shown by: perf report --mem-mode";
	if (!chains)
		return "who calls what is hot is recorded by: perf record -g";
	if (!table->opts.caller_order)
		return "more of a function's callers and callees is shown by: perf report -g "
		       "caller";
	return "a flame graph is made by: perf report --folded | flamegraph.pl >flame.svg";
}
