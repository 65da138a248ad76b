// SPDX-License-Identifier: MIT
#include "cmd/options/opts_rows.h"
#include "cmd/report/report_opts.h"

#define DEFAULT_SORT	    "comm,dso,symbol"
#define DEFAULT_SORT_WALL   "comm,state,reason"
#define DEFAULT_SORT_TASKS  "task,state,reason"
#define DEFAULT_SORT_BRANCH "comm,dso_from,symbol_from,symbol_to,cycles"
#define DEFAULT_SORT_MEMORY                                                                        \
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,"  \
	"local_p_stage_cyc"

static uint64_t sample_types(const struct recording *rec)
{
	uint64_t all = 0;

	/* a pipe's events are not known yet */
	for (size_t i = 0; i < rec->m.events.events.n && !rec->is_pipe; i++)
		all |= rec->m.events.events.at[i]->attr.sample_type;
	/* an instruction trace can be decoded to any kind of samples */
	if (recording_has(rec, FEATURE_AUXTRACE) && !rec->is_pipe)
		all |= SAMPLE_CALLCHAIN;
	return all;
}

/* True when the first event of each type samples the CPU. */
static bool have_cpus(const struct recording *rec)
{
	bool seen[TYPE_MAX] = {false};

	for (size_t i = 0; i < rec->m.events.events.n && !rec->is_pipe; i++) {
		const struct attr *a = &rec->m.events.events.at[i]->attr;

		if (a->type >= TYPE_MAX || seen[a->type])
			continue;
		seen[a->type] = true;
		if (!(a->sample_type & SAMPLE_CPU))
			return false;
	}
	return true;
}

static bool all_tracepoints(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		if (rec->m.events.events.at[i]->attr.type != TYPE_TRACEPOINT)
			return false;
	return rec->m.events.events.n && !rec->is_pipe;
}

static enum sample_mode mode_of(const struct report_opts *o, const struct recording *rec)
{
	bool branches = recording_has(rec, FEATURE_BRANCH_STACK) && !rec->is_pipe;

	if (o->wall)
		return MODE_WALL;
	/* tracepoints alone are sorted by their fields, whatever mode is asked for */
	if (all_tracepoints(rec) && !o->sort && (!o->fields || o->fields[0] == '+'))
		return MODE_NORMAL;
	if (o->branch_given ? o->branch : branches)
		return MODE_BRANCH;
	return o->memory ? MODE_MEMORY : MODE_NORMAL;
}

static const char *default_sort(const struct report_opts *o, const struct recording *rec,
				enum sample_mode mode)
{
	if (mode == MODE_WALL)
		return o->pairs.n ? DEFAULT_SORT_TASKS : DEFAULT_SORT_WALL;
	if (mode != MODE_NORMAL)
		return mode == MODE_BRANCH ? DEFAULT_SORT_BRANCH : DEFAULT_SORT_MEMORY;
	if (all_tracepoints(rec))
		return o->raw_trace ? "trace_fields" : "trace";
	return DEFAULT_SORT;
}

/* Plans whether samples have chains, whether callers get own entries, and how chains are shown. */
static int plan_chains(struct report_plan *plan, const struct report_opts *o,
		       const struct recording *rec, struct err *err)
{
	const enum sample_mode mode = plan->samples.mode;
	struct table_options *t = &plan->table;
	bool chains = sample_types(rec) & SAMPLE_CALLCHAIN;
	bool children = o->children && mode != MODE_BRANCH;

	plan->tree = o->tree;
	if (o->inverted) {
		plan->tree.order = ORDER_CALLER;
		plan->tree.order_given = true;
	}
	if (!plan->tree.order_given)
		plan->tree.order = children ? ORDER_CALLER : ORDER_CALLEE;
	if (mode == MODE_MEMORY && !(sample_types(rec) & SAMPLE_DATA_SRC) && !rec->is_pipe)
		return err_set(err, ERR_INPUT, "Selected --mem-mode but no mem data. "
					       "Did you call perf record without -d?");
	if (!chains && !rec->is_pipe) {
		if (o->parent || (o->sort && strstr(o->sort, "parent")))
			return err_set(err, ERR_INPUT,
				       "Selected --sort parent, but no callchain data. "
				       "Did you call 'perf record' without -g?");
		if (o->tree_given && !o->tree_off)
			return err_set(err, ERR_INPUT,
				       "Selected -g or --branch-history but no callchain or branch "
				       "data. Did you call 'perf record' without -g?");
	}
	plan->trees = (chains || rec->is_pipe) && !o->tree_off && mode != MODE_BRANCH;
	t->chains = plan->trees;
	t->children = children && mode == MODE_NORMAL && chains && !o->hierarchy;
	t->caller_order = plan->tree.order == ORDER_CALLER;
	plan->samples.chain_lines = plan->tree.key != CALLTREE_BY_FUNCTION;
	plan->samples.keep_outer = t->caller_order;
	plan->samples.max_stack = (uint32_t)MAX(o->max_stack, 0);
	return 0;
}

static void plan_layout(struct report_plan *plan, const struct report_opts *o,
			const struct recording *rec)
{
	struct layout_options *l = &plan->table.layout;

	l->sort = plan->samples.blocks ? NULL : o->sort;
	l->fields = o->fields;
	l->mode = plan->samples.mode;
	l->default_sort = default_sort(o, rec, l->mode);
	l->children = plan->table.children;
	l->children_dropped = o->children && plan->samples.mode != MODE_BRANCH && !o->hierarchy &&
			      !l->children && !(o->fields && o->fields[0] != '+');
	l->show_cpu_utilization = o->cpu_utilization;
	l->guest = o->files.guests.wanted;
	l->show_samples = o->samples;
	l->latency = o->latency;
	l->show_period = o->period;
	l->hierarchy = o->hierarchy;
	l->raw_trace = o->raw_trace;
	l->widths = o->widths;
	l->parent = o->parent != NULL;
	filter_elided(&plan->table.filter, plan->elided);
	l->elided = plan->elided;
	l->arch_is_powerpc = rec->m.arch && !strncmp(rec->m.arch, "ppc", 3);
	l->events = rec->is_pipe ? NULL : &rec->m.events;
}

static void plan_view(struct report_plan *plan, const struct report_opts *o)
{
	struct report_view *v = &plan->view;

	v->tree = plan->trees ? &plan->tree : NULL;
	v->separator = rows_separator(o->separator);
	v->memory = o->memory && plan->samples.mode != MODE_BRANCH;
	v->sort = o->sort;
	if (v->memory && o->sort && strstr(o->sort, "symbol"))
		v->sort = arena_printf(&plan->arena, "%s,ipc_null", o->sort);
	v->fields = o->fields;
	v->time_slices = o->filter.time;
	v->percent_limit = o->percent_limit;
	v->quiet = o->quiet;
	v->skip_empty = o->skip_empty;
	v->memory_sort = DEFAULT_SORT_MEMORY;
	v->reference_callgraph = o->reference_callgraph;
}

/* Sets the options of samples that do not depend on the table's keys. */
static int plan_samples(struct samples_options *s, const struct report_opts *o,
			const struct recording *rec, struct err *err)
{
	s->time_quantum = 100000000;
	if (o->quantum && report_quantum(o->quantum, &s->time_quantum, err))
		return -1;
	s->mode = mode_of(o, rec);
	s->blocks = o->total_cycles && s->mode == MODE_BRANCH;
	/* Inlined functions are shown on request. By default they are shown for chains that were
	 * unwound from stacks, whose unwind information comes from the compiler. */
	s->inlines = o->inline_frames && (o->inline_given || recording_has(rec, FEATURE_CHAINS) ||
					  measurement_samples_any(&rec->m, SAMPLE_STACK_USER));
	s->full_paths = o->full_source_path;
	s->no_times = !rec->is_pipe && !(measurement_samples_any(&rec->m, SAMPLE_TIME));
	return 0;
}

static void plan_table(struct table_options *t, const struct report_opts *o)
{
	t->hide_unresolved = o->hide_unresolved;
	t->exclude_other = o->exclude_other;
	t->parent = o->parent;
	t->ignore_callees = o->ignore_callees;
	t->group = o->group;
	t->group_sort_index = o->group_index;
	t->nanoseconds = o->nanoseconds;
	t->verbose = o->verbose > 0;
	t->separated = o->separator;
}

static int plan_tasks(struct report_plan *plan, const struct report_opts *o, struct err *err)
{
	struct wall_tasks *tasks = &plan->tasks;

	for (size_t i = 0; i < o->pairs.n; i++)
		if (event_pairs_add(&tasks->pairs, &tasks->arena, o->pairs.at[i], err))
			return -1;
	return 0;
}

int report_plan(struct report_plan *plan, const struct report_opts *o,
		struct recording *rec, struct err *err)
{
	struct table_options *t = &plan->table;

	memset(plan, 0, sizeof(*plan));
	if (rows_opts_check(o->separator, o->percentage, &t->relative, err))
		return -1;
	if (o->hierarchy && o->fields)
		return err_set(err, ERR_USAGE,
			       "--hierarchy and --fields options cannot be used together");
	if (plan_samples(&plan->samples, o, rec, err))
		return -1;
	plan_table(t, o);
	if (o->filter.cpus && !have_cpus(rec))
		return err_set(err, ERR_INPUT, "File does not contain CPU events. "
					       "Remove -C option to proceed.");
	if (plan_chains(plan, o, rec, err) || report_filters(&t->filter, o, rec, err))
		return -1;
	plan->samples.filter = t->filter;
	if (o->folded)
		t->chains = t->own_chains = true;
	plan_layout(plan, o, rec);
	plan->symbols = o->files;
	plan->symbols.force = o->input.force;
	plan->symbols.verbose = o->verbose;
	plan_view(plan, o);
	return plan_tasks(plan, o, err);
}

void report_plan_groups(struct report_plan *plan, const struct report_opts *o,
			struct event_set *set)
{
	if (!o->group_given) /* --no-group counts as given, too: perf's headings are the same */
		return;
	for (size_t i = 0; i < set->events.n; i++)
		if (set->events.at[i]->members > 1)
			return;
	for (size_t i = 0; i < set->events.n; i++) {
		set->events.at[i]->leader = 0;
		set->events.at[i]->members = 1;
	}
	if (set->events.n)
		set->events.at[0]->members = (uint32_t)set->events.n;
	plan->view.forced_group = true;
}

void report_plan_release(struct report_plan *plan)
{
	filter_release(&plan->table.filter);
	wall_tasks_release(&plan->tasks);
	arena_release(&plan->arena);
}
