// SPDX-License-Identifier: MIT
/* Translates top's options for the session, the live profile and its view. */
#include "cmd/top/top_opts.h"

#include "cmd/options/opts_rows.h"
#include "cmd/options/opts_symbols.h"

#include <string.h>

#define DEFAULT_SORT	    "dso,symbol"
#define DEFAULT_SORT_BRANCH "comm,dso_from,symbol_from,symbol_to,cycles"

static int refuse_options(const struct top_opts *o, struct err *err)
{
	const struct {
		bool given;
		const char *option, *why;
	} table[] = {
		{o->record.sampling.defer, "--call-graph fp,defer",
		 "chains are shown as soon as they come"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].given) {
			err_set(err, ERR_UNSUPPORTED, "'%s' is not possible yet", table[i].option);
			return err_hint(err, "%s", table[i].why);
		}
	return 0;
}

int top_plan_session(struct top_plan *plan, struct top_opts *o, const struct env *env,
		     struct event_set *events, struct err *err)
{
	if (refuse_options(o, err) || code_opts_check(&o->code, err) ||
	    symbol_opts_check(&o->files, err) ||
	    rows_opts_check(NULL, o->percentage, &plan->profile.table.relative, err))
		return -1;
	if (o->hierarchy && o->fields)
		return err_set(err, ERR_USAGE,
			       "--hierarchy and --fields options cannot be used together");
	if (!o->delay)
		return err_set(err, ERR_USAGE, "-d is at least one second");
	return record_plan(&o->record, env, NULL, &plan->recorder, events, NULL, err);
}

static bool only_tracepoints(const struct measurement *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->events.events.n; i++) {
		const struct event *ev = m->events.events.at[i];

		if (ev->side_band)
			continue;
		if (ev->attr.type != TYPE_TRACEPOINT)
			return false;
		n++;
	}
	return n;
}

static const char *default_sort(const struct top_opts *o, const struct measurement *m,
				enum sample_mode mode)
{
	if (mode == MODE_BRANCH)
		return DEFAULT_SORT_BRANCH;
	if (only_tracepoints(m))
		return o->raw_trace ? "trace_fields" : "trace";
	return DEFAULT_SORT;
}

static void plan_layout(struct top_plan *plan, const struct top_opts *o,
			const struct measurement *m)
{
	struct layout_options *l = &plan->profile.table.layout;

	l->sort = o->sort;
	l->fields = o->fields;
	l->mode = plan->profile.samples.mode;
	l->default_sort = default_sort(o, m, l->mode);
	l->children = plan->profile.table.children;
	l->show_samples = o->samples;
	l->show_period = o->period;
	l->hierarchy = o->hierarchy;
	l->raw_trace = o->raw_trace;
	l->widths = o->widths;
	l->parent = o->parent != NULL;
	filter_elided(&plan->profile.table.filter, plan->elided);
	l->elided = plan->elided;
	l->arch_is_powerpc = m->arch && !strncmp(m->arch, "ppc", 3);
	l->events = &m->events;
}

static void plan_chains(struct top_plan *plan, const struct top_opts *o,
			const struct measurement *m)
{
	struct live_profile_options *p = &plan->profile;
	bool chains =
		measurement_samples_any(m, SAMPLE_CALLCHAIN) && p->samples.mode != MODE_BRANCH;

	plan->tree = o->tree;
	p->table.chains = chains;
	p->table.children = chains && o->children && !o->hierarchy;
	if (!plan->tree.order_given)
		plan->tree.order = p->table.children ? ORDER_CALLER : ORDER_CALLEE;
	p->table.caller_order = plan->tree.order == ORDER_CALLER;
	p->samples.chain_lines = plan->tree.key != CALLTREE_BY_FUNCTION;
	p->samples.keep_outer = p->table.caller_order;
	p->samples.max_stack = (uint32_t)MAX(o->max_stack, 0);
	/* chains that were unwound from stacks show inlined functions */
	p->samples.inlines = m->chains_made;
	plan->view.tree = chains ? &plan->tree : NULL;
}

int top_plan_profile(struct top_plan *plan, const struct top_opts *o, const struct measurement *m,
		     struct err *err)
{
	struct live_profile_options *p = &plan->profile;
	struct table_options *t = &p->table;

	p->samples.mode = plan->recorder.session.sampling.branch ? MODE_BRANCH : MODE_NORMAL;
	p->samples.long_names = o->record.verbose > 0;
	p->code = true;
	p->symbols = o->files;
	p->symbols.verbose = o->record.verbose;
	p->switch_on = o->switch_on;
	p->switch_off = o->switch_off;
	p->show_switches = o->show_switches;
	t->parent = o->parent;
	t->ignore_callees = o->ignore_callees;
	t->group = true;
	t->group_sort_index = o->group_index;
	t->verbose = o->record.verbose > 0;
	t->hide_idle = true;
	t->filter.socket = -1;
	if (filter_opts_apply(&o->filter, NULL, &t->filter, err))
		return -1;
	if ((o->parent || (o->sort && strstr(o->sort, "parent"))) &&
	    !measurement_samples_any(m, SAMPLE_CALLCHAIN))
		return err_set(err, ERR_USAGE, "'parent' needs call chains: -g records them");
	plan_chains(plan, o, m);
	plan_layout(plan, o, m);
	p->samples.filter = t->filter;
	plan->view.quiet = true; /* rows only */
	plan->view.sort = o->sort;
	plan->view.fields = o->fields;
	plan->view.percent_limit = o->percent_limit;
	return 0;
}

void top_plan_release(struct top_plan *plan)
{
	filter_release(&plan->profile.table.filter);
}
