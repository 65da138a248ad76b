/* SPDX-License-Identifier: MIT */
/* report's options as typed, and their translation for samples, table and view. */
#ifndef CMD_REPORT_OPTS_H
#define CMD_REPORT_OPTS_H

#include "cmd/options/opts_code.h"
#include "cmd/options/output/opts_export.h"
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "analysis/waits/wait_lanes.h"
#include "view/report/report.h"

struct report_opts {
	/* input */
	struct input_opts input;
	bool pipe_order_off;
	/* output instead of the profile */
	bool dump, header, header_only, show_info, stats, tasks, mmaps, threads;
	/* layout */
	const char *sort, *fields, *separator, *widths, *pretty;
	bool samples, period, cpu_utilization, hierarchy, group, group_given;
	int group_index;
	bool quiet, raw_trace, nanoseconds, full_source_path, skip_empty;
	int verbose, saved_samples;
	bool stdio, tui;
	const char *colour;
	/* chains */
	struct calltree_params tree;
	bool tree_given, tree_off;
	bool children, inverted, inline_frames, inline_given, reference_callgraph;
	int max_stack;
	const char *parent, *ignore_callees;
	const char *folded; /* "period" or "samples" */
	struct export_opts exports; /* files for other programs */
	/* modes */
	bool branch, branch_given, memory, total_cycles;
	/* filters */
	struct filter_opts filter;
	const char *symbol_filter;
	const char *percentage, *quantum, *switch_on, *switch_off, *parallelism;
	struct opt_strings pairs; /* around turns of tasks, for --wall */
	double percent_limit;
	bool hide_unresolved, exclude_other, show_switches, strict, latency, wall;
	int socket;
	struct symbol_options files; /* where symbols are found */
	struct code_opts code;	     /* of functions in the browser and on pages */
};

extern const struct opt_group report_opt_groups[];
extern const struct cmd_variable report_variables[];
void report_defaults(void *opts, const struct env *env);

/* The options' meaning for one recording. */
struct report_plan {
	struct samples_options samples;
	struct table_options table; /* owns the filter's lists */
	struct symbol_options symbols;
	struct calltree_params tree;
	struct report_view view;
	struct wall wall; /* result of --wall, after reading */
	struct wait_lanes lanes; /* of --wall, for exporters that show lanes */
	struct wall_tasks tasks; /* of --pair */
	struct arena arena;
	const char *elided[4]; /* filter_elided() */
	bool trees; /* rows have call trees */
};
/* Adjusts options for exports: the table then only counts losses. */
void report_export_opts(struct report_opts *o);
/* --folded: overrides options of the table. 0, or -1 with *err. */
int report_fold_opts(struct report_opts *o, struct err *err);
/* Refuses options that would have no effect: -1 with *err. */
int report_refuse(struct report_opts *o, struct err *err);
int report_plan(struct report_plan *plan, const struct report_opts *o,
		struct recording *rec, struct err *err);
/* --group without recorded groups: makes one group of all events. Call it after reading, because a
 * pipe defines events on the way. */
void report_plan_groups(struct report_plan *plan, const struct report_opts *o,
			struct event_set *set);
/* Shows latencies beside overheads, where the text of a recording by record --latency has no
 * columns that were asked for. */
void report_plan_latency(struct report_plan *plan, const struct report_opts *o,
			 const struct recording *rec);
/* Makes the table anew without that column when one thread ran at nearly all samples. To be called
 * after reading. 0, or -1 with *err. */
int report_drop_latency(struct report_plan *plan, const struct samples *samples,
			struct table **table, struct err *err);
void report_plan_release(struct report_plan *plan);
/* Parts of report_plan(): sets the filter; parses "100ms" to nanoseconds. 0, or -1 with *err. */
int report_filters(struct filter *f, const struct report_opts *o, const struct recording *rec,
		   struct err *err);
int report_quantum(const char *s, uint64_t *ns, struct err *err);

#endif
