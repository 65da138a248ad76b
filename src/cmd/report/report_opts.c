// SPDX-License-Identifier: MIT
#include "cmd/report/report_opts.h"

#include "cmd/options/opts_absent.h"
#include "cmd/options/opts_chains.h"
#include "cmd/options/opts_debuginfod.h"

#define AT(member) offsetof(struct report_opts, member)

void report_defaults(void *v, const struct env *env)
{
	struct report_opts *o = v;

	o->children = o->group = o->inline_frames = o->skip_empty = true;
	o->max_stack = MAX_STACK_DEFAULT;
	o->socket = -1;
	o->verbose = env->verbose;
	symbol_opts_defaults(&o->files, env);
	code_opts_defaults(&o->code, env);
	calltree_params_default(&o->tree, false);
	chains_from_config(&o->tree, env->config);
}

static int set_tree(void *place, const struct opt *opt, const char *value, bool unset,
		    struct err *err)
{
	struct report_opts *o = (struct report_opts *)((char *)place - AT(tree));

	(void)opt;
	o->tree_given = true;
	o->tree_off = unset || (value && *value && !strncmp("none", value, strlen(value)));
	if (o->tree_off || !value)
		return 0;
	return chains_parse(&o->tree, value, err);
}

static int set_limit(void *place, const struct opt *opt, const char *value, bool unset,
		     struct err *err)
{
	struct report_opts *o = (struct report_opts *)((char *)place - AT(percent_limit));

	(void)opt;
	(void)unset;
	(void)err;
	/* the limit for rows is also the limit for branches of call trees */
	o->percent_limit = o->tree.min_percent = value ? strtod(value, NULL) : 0;
	return 0;
}

static const struct opt opts[] = {
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL, "Do not show any warnings or messages"},
	{OPT_BOOL, 'D', "dump-raw-trace", AT(dump), NULL, "dump raw trace in ASCII"},
	{OPT_BOOL, 0, "stats", AT(stats), NULL, "Display event stats"},
	{OPT_BOOL, 0, "tasks", AT(tasks), NULL, "Display recorded tasks"},
	{OPT_BOOL, 0, "mmaps", AT(mmaps), NULL, "Display recorded tasks memory maps"},
	{OPT_BOOL, 'n', "show-nr-samples", AT(samples), NULL,
	 "Show a column with the number of samples"},
	{OPT_BOOL, 'T', "threads", AT(threads), NULL, "Show per-thread event counters"},
	{OPT_STRING, 0, "pretty", AT(pretty), "key", "pretty printing style key: normal raw",
	 .words = "normal raw"},
	{OPT_BOOL, 0, "tui", AT(tui), NULL, "Use the TUI interface"},
	{OPT_BOOL, 0, "stdio", AT(stdio), NULL, "Use the stdio interface"},
	{OPT_BOOL, 0, "header", AT(header), NULL, "Show data header."},
	{OPT_BOOL, 0, "header-only", AT(header_only), NULL, "Show only data header."},
	{OPT_STRING, 's', "sort", AT(sort), "key[,key2...]",
	 "sort by key(s), those of branches with -b, of memory accesses with --mem-mode:",
	 .list = layout_words, .joined = ","},
	{OPT_STRING, 'F', "fields", AT(fields), "key[,keys...]",
	 "output field(s):", .list = layout_words, .joined = ","},
	{OPT_BOOL, 0, "show-cpu-utilization", AT(cpu_utilization), NULL,
	 "Show sample percentage for different cpu modes"},
	{OPT_BOOL, 0, "showcpuutilization", AT(cpu_utilization), NULL, "the same", OPT_HIDDEN},
	{OPT_STRING, 'p', "parent", AT(parent), "regex",
	 "regex filter to identify parent, see: '--sort parent'"},
	{OPT_BOOL, 'x', "exclude-other", AT(exclude_other), NULL,
	 "Only display entries with parent-match"},
	{OPT_CALL, 'g', "call-graph", AT(tree),
	 "print_type,threshold[,print_limit],order,sort_key[,branch],value",
	 "Display call graph (stack chain/backtrace). Default: graph,0.5,caller,function,percent. "
	 "Words:",
	 OPT_OPTIONAL_NEXT, .call = set_tree, .list = chains_words, .joined = ","},
	{OPT_STRING, 0, "folded", AT(folded), "period|samples",
	 "Show a line for each different stack, what flame graphs are drawn from", OPT_OPTIONAL,
	 .missing = "period", .words = "period samples"},
	{OPT_BOOL, 0, "children", AT(children), NULL,
	 "Accumulate callchains of children and show total overhead as well. "
	 "Enabled by default, use --no-children to disable."},
	{OPT_INT, 0, "max-stack", AT(max_stack), "n",
	 "Set the maximum stack depth when parsing the callchain"},
	{OPT_BOOL, 'G', "inverted", AT(inverted), NULL, "alias for inverted call graph"},
	{OPT_STRING, 0, "ignore-callees", AT(ignore_callees), "regex",
	 "ignore callees of these functions in call graphs"},
	{OPT_STRING, 'd', "dsos", AT(filter.dsos), "dso[,dso...]",
	 "only consider symbols in these dsos"},
	{OPT_STRING, 0, "symbol-filter", AT(symbol_filter), "filter",
	 "only show symbols that (partially) match with this filter"},
	{OPT_STRING, 'w', "column-widths", AT(widths), "width[,width...]",
	 "don't try to adjust column width, use these fixed values"},
	{OPT_STRING, 't', "field-separator", AT(separator), "separator",
	 "separator for columns, no spaces will be added between columns '.' is reserved."},
	{OPT_BOOL, 'U', "hide-unresolved", AT(hide_unresolved), NULL,
	 "Only display entries resolved to a symbol"},
	{OPT_BOOL, 'I', "show-info", AT(show_info), NULL,
	 "Display extended information about perf.data file"},
	{OPT_BOOL, 0, "show-total-period", AT(period), NULL,
	 "Show a column with the sum of periods"},
	{OPT_BOOL, 0, "group", AT(group), NULL, "Show event group information together",
	 .given_offset = AT(group_given)},
	{OPT_INT, 0, "group-sort-idx", AT(group_index), "n",
	 "Sort the output by the event at the index n in group"},
	{OPT_BOOL, 'b', "branch-stack", AT(branch), NULL,
	 "use branch records for per branch histogram filling", .given_offset = AT(branch_given)},
	BRANCH_HISTORY_OPTION,
	{OPT_BOOL, 0, "mem-mode", AT(memory), NULL, "mem access profile"},
	{OPT_INT, 0, "samples", AT(saved_samples), "n",
	 "Number of samples to save per histogram entry for individual browsing"},
	{OPT_CALL, 0, "percent-limit", AT(percent_limit), "percent",
	 "Don't show entries under that percent", .call = set_limit},
	{OPT_STRING, 0, "percentage", AT(percentage), "relative|absolute",
	 "how to display percentage of filtered entries", .words = "relative absolute"},
	ITRACE_OPTION,
	{OPT_BOOL, 0, "full-source-path", AT(full_source_path), NULL,
	 "Show full source file name path for source lines"},
	{OPT_BOOL, 0, "show-ref-call-graph", AT(reference_callgraph), NULL,
	 "Show callgraph from reference event"},
	STITCH_LBR_OPTION,
	{OPT_INT, 0, "socket-filter", AT(socket), "n",
	 "only show processor socket that match with this filter"},
	{OPT_BOOL, 0, "raw-trace", AT(raw_trace), NULL,
	 "Show raw trace event output (do not use print fmt or plugins)"},
	{OPT_BOOL, 'H', "hierarchy", AT(hierarchy), NULL, "Show entries in a hierarchy"},
	{OPT_STRING, 0, "stdio-color", AT(colour), "mode",
	 "'always' (default), 'never' or 'auto' only applicable to --stdio mode",
	 .words = "always never auto"},
	{OPT_BOOL, 0, "inline", AT(inline_frames), NULL, "Show inline function",
	 .given_offset = AT(inline_given)},
	{OPT_BOOL, 0, "ns", AT(nanoseconds), NULL, "Show times in nanosecs"},
	{OPT_STRING, 0, "time-quantum", AT(quantum), "time (ms|us|ns|s)",
	 "Set time quantum for time sort key (default 100ms)"},
	{OPT_STRING, 0, "switch-on", AT(switch_on), "event",
	 "Consider events after the ocurrence of this event"},
	{OPT_STRING, 0, "switch-off", AT(switch_off), "event",
	 "Stop considering events after the ocurrence of this event"},
	{OPT_BOOL, 0, "show-on-off-events", AT(show_switches), NULL,
	 "Show the on/off switch events, used with --switch-on and --switch-off"},
	{OPT_BOOL, 0, "total-cycles", AT(total_cycles), NULL,
	 "Sort all blocks by 'Sampled Cycles%'"},
	{OPT_BOOL, 0, "disable-order", AT(pipe_order_off), NULL, "Disable raw trace ordering"},
	{OPT_BOOL, 0, "skip-empty", AT(skip_empty), NULL,
	 "Do not display empty (or dummy) events in the output"},
	{OPT_BOOL, 0, "latency", AT(latency), NULL, "Weigh by wall-clock time instead of CPU time"},
	{OPT_BOOL, 0, "wall", AT(wall), NULL,
	 "Show all of the time of threads, on CPUs and waiting (recorded with --wall)"},
	{OPT_STRINGS, 0, "pair", AT(pairs), "begin,end[,field]",
	 "with --wall: tasks, by events around their turns on threads (recorded with --pair)"},
	{OPT_STRING, 0, "parallelism", AT(parallelism), "n[,n-m...]",
	 "only consider samples taken while so many threads ran"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_END},
};

const struct cmd_variable report_variables[] = {
	{"report.group", "group"},
	{"report.children", "children"},
	{"report.skip-empty", "skip-empty"},
	{"report.percent-limit", "percent-limit"},
	{"report.sort_order", "sort"},
	{"hist.percentage", "percentage"},
	OBJDUMP_VARIABLE,
	DISASSEMBLER_STYLE_VARIABLE,
	DEMANGLE_VARIABLES,
	DEBUGINFOD_VARIABLE,
	{NULL, NULL},
};

const struct opt_group report_opt_groups[] = {{input_opts, AT(input)},
					      {symbol_opts, AT(files)},
					      {filter_opts, AT(filter)},
					      {export_opts, AT(exports)},
					      {code_opts, AT(code)},
					      {opts, 0},
					      {0}};

void report_export_opts(struct report_opts *o)
{
	o->sort = o->wall ? NULL : "comm";
	o->fields = o->parent = NULL;
	o->children = o->hierarchy = false;
	o->tree_off = true;
}

int report_fold_opts(struct report_opts *o, struct err *err)
{
	if (strcmp(o->folded, "period") && strcmp(o->folded, "samples"))
		return err_set(err, ERR_USAGE, "--folded is period or samples, not '%s'",
			       o->folded);
	o->sort = o->wall ? NULL : "comm";
	o->fields = o->parent = NULL;
	o->tree.order = ORDER_CALLEE;
	o->tree.order_given = o->branch_given = true;
	o->inverted = o->children = o->hierarchy = o->group = o->branch = o->memory = false;
	o->tree_off = o->tree_given = o->header = false;
	o->quiet = true;
	return 0;
}
