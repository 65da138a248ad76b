// SPDX-License-Identifier: MIT
#include "cmd/top/top_opts.h"

#include "cmd/options/opts_absent.h"
#include "cmd/options/opts_chains.h"
#include "cmd/options/opts_events.h"
#include "cmd/options/opts_symbols.h"
#include "event/branch.h"

#include <stdlib.h>
#include <string.h>

#define AT(member)     offsetof(struct top_opts, member)
#define RECORD(member) offsetof(struct top_opts, record.member)
#define SAY(member)    offsetof(struct top_opts, record.sampling.member)
#define FILES(member)  offsetof(struct top_opts, files.member)

#define DELAY_DEFAULT 2 /* seconds */

void top_defaults(void *v, const struct env *env)
{
	struct top_opts *o = v;

	record_defaults(&o->record, env);
	record_usual_chains(&o->record, env, config_find(env->config, "top.call-graph"));
	o->record.output = "perf.data"; /* never written: top makes no recording */
	symbol_opts_defaults(&o->files, env);
	code_opts_defaults(&o->code, env);
	calltree_params_default(&o->tree, false);
	chains_from_config(&o->tree, env->config);
	o->children = true;
	o->group_index = -1;
	o->max_stack = MAX_STACK_DEFAULT;
	o->delay = DELAY_DEFAULT;
}

/* Returns the length of the recording part of -g's value: "dwarf,4096" in
 * "dwarf,4096,graph,0.5,caller". */
static size_t recording_part(const char *text)
{
	static const char *const modes[] = {"fp", "dwarf", "lbr", "no"};
	size_t n = strcspn(text, ",");
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		known |= strlen(modes[i]) == n && !strncmp(text, modes[i], n);
	if (!known)
		return 0;
	if (text[n] && (strspn(text + n + 1, "0123456789") == strcspn(text + n + 1, ",") ||
			!strncmp(text + n + 1, "auto", 4) || !strncmp(text + n + 1, "defer", 5)))
		n += 1 + strcspn(text + n + 1, ",");
	return n;
}

static int callgraph_call(void *place, const struct opt *opt, const char *value, bool unset,
			  struct err *err)
{
	struct top_opts *o = (struct top_opts *)((char *)place - SAY(callgraph));
	struct sampling *s = &o->record.sampling;
	size_t n = value ? recording_part(value) : 0;
	AUTO_CHAR *mode = NULL;

	(void)opt;
	if (unset) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (n)
		mode = mem_printf("%.*s", (int)n, value);
	else if (!s->callgraph)
		mode = mem_strdup(o->record.usual_chains ? o->record.usual_chains : "fp");
	if (mode && value_callgraph(mode, s, err))
		return -1;
	if (!value || !value[n])
		return 0;
	return chains_parse(&o->tree, value + n + (value[n] == ','), err);
}

static int branch_call(void *place, const struct opt *opt, const char *value, bool unset,
		       struct err *err)
{
	(void)opt;
	if (!unset)
		return branch_parse(value, place, err);
	*(uint64_t *)place = 0;
	return 0;
}

static int limit_call(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	struct top_opts *o = (struct top_opts *)((char *)place - AT(percent_limit));
	char *end;

	(void)opt;
	o->percent_limit = unset ? 0 : strtod(value, &end);
	if (!unset && (*end || end == value))
		return err_set(err, ERR_USAGE, "'%s' is not a percentage", value);
	/* the limit for rows is also the limit for branches of call trees */
	o->tree.min_percent = o->percent_limit;
	return 0;
}

static const struct opt measured[] = {
	{OPT_HEADING, .help = "What is measured"},
	{OPT_CALL, 'e', "event", RECORD(selects), "event",
	 "events to sample; 'perf list' names them", .value = SELECT_EVENTS,
	 .call = event_select_call, .offer = event_words, .joined = ",{"},
	{OPT_CALL, 0, "pfm-events", RECORD(selects), "event",
	 "events to sample, by libpfm4's names", .value = SELECT_PFM, .call = event_select_call,
	 .offer = pfm_words, .joined = ",{"},
	EVENTS_DIR_OPTION(RECORD(events_dir)),
	{OPT_CALL, 0, "filter", RECORD(selects), "filter", "kernel filter of the events before it",
	 .value = SELECT_FILTER, .call = event_select_call},
	{OPT_BOOL, 'a', "all-cpus", RECORD(target.system_wide), NULL,
	 "the whole machine (the default)"},
	{OPT_STRING, 'C', "cpu", RECORD(target.cpus), "cpu", "only these CPUs: 0-3,8"},
	{OPT_STRING, 'p', "pid", RECORD(target.pids), "pid", "processes that run"},
	{OPT_STRING, 't', "tid", RECORD(target.tids), "tid", "threads that run"},
	{OPT_STRING, 'u', "uid", RECORD(target.user), "user", "all processes of a user"},
	{OPT_CALL, 'G', "cgroup", RECORD(selects), "name", "only in these control groups (with -a)",
	 .value = SELECT_CGROUPS, .call = event_select_call},
	{OPT_BOOL, 'i', "no-inherit", RECORD(no_inherit), NULL, "not in children and new threads"},
	{OPT_BOOL, 0, "group", SAY(group), NULL, "all events in one group, and shown together"},
	{OPT_STRING, 'F', "freq", RECORD(frequency), "freq or 'max'", "samples a second",
	 .words = "max"},
	{OPT_U64, 'c', "count", RECORD(period), "n", "events a sample"},
	{OPT_CALL, 'g', NULL, SAY(callgraph), NULL, "call chains, recorded and shown", OPT_NO_VALUE,
	 .call = callgraph_call},
	{OPT_CALL, 0, "call-graph", SAY(callgraph),
	 "mode[,size],print_type,threshold[,print_limit],order,sort_key[,branch]",
	 "call chains by fp[,FRAMES], dwarf[,BYTES] or lbr, shown as -g of report says. Words:",
	 .call = callgraph_call, .words = "fp dwarf lbr", .list = chains_words, .joined = ","},
	{OPT_BOOL, 'b', "branch-any", RECORD(branch_any), NULL, "the last branches of any kind"},
	{OPT_CALL, 'j', "branch-filter", SAY(branch), "kinds", "the last branches of these kinds:",
	 .call = branch_call, .list = branch_names, .joined = ",|"},
	{OPT_BOOL, 0, "namespaces", SAY(namespaces), NULL, "namespaces of processes"},
	{OPT_BOOL, 0, "all-cgroups", SAY(cgroups), NULL, "control groups"},
	{OPT_BOOL, 0, "no-bpf-event", RECORD(no_bpf_event), NULL,
	 "not the loading of BPF programs"},
	{OPT_STRING, 'm', "mmap-pages", RECORD(ring), "pages", "size of the rings: 128 or 1M"},
	{OPT_BOOL, 0, "overwrite", SAY(overwrite), NULL,
	 "rings that keep the newest samples when they are full, not the oldest"},
	{OPT_INT, 'r', "realtime", RECORD(realtime), "n", "run at this SCHED_FIFO priority"},
	{OPT_UINT, 0, "proc-map-timeout", RECORD(map_timeout), "n", "ms to read a process's maps"},
	{OPT_UINT, 0, "num-thread-synthesize", RECORD(synth_threads), "n", "taken, and not needed"},
	{OPT_END},
};

static const struct opt shown[] = {
	{OPT_HEADING, .help = "What is shown"},
	{OPT_STRING, 's', "sort", AT(sort), "key[,key2...]",
	 "sort by key(s), those of branches with -b:", .list = layout_words, .joined = ","},
	{OPT_STRING, 0, "fields", AT(fields), "key[,keys...]",
	 "output field(s):", .list = layout_words, .joined = ","},
	{OPT_BOOL, 'n', "show-nr-samples", AT(samples), NULL,
	 "a column with the number of samples"},
	{OPT_BOOL, 0, "show-total-period", AT(period), NULL, "a column with the sum of periods"},
	{OPT_BOOL, 0, "hierarchy", AT(hierarchy), NULL, "entries in a hierarchy"},
	{OPT_BOOL, 0, "children", AT(children), NULL,
	 "with call chains: callers have rows of their own"},
	{OPT_INT, 0, "max-stack", AT(max_stack), "n", "depth to which call chains are shown"},
	{OPT_STRING, 0, "parent", AT(parent), "regex",
	 "what 'parent' among the sort keys looks for"},
	{OPT_STRING, 0, "ignore-callees", AT(ignore_callees), "regex",
	 "call chains begin at the functions that are named"},
	{OPT_INT, 0, "group-sort-idx", AT(group_index), "n", "sort groups by their n-th event"},
	{OPT_STRING, 0, "comms", AT(filter.comms), "comm[,comm...]", "only these comms"},
	{OPT_STRING, 0, "dsos", AT(filter.dsos), "dso[,dso...]", "only symbols in these dsos"},
	{OPT_STRING, 0, "symbols", AT(filter.symbols), "symbol[,symbol...]", "only these symbols"},
	{OPT_BOOL, 'K', "hide_kernel_symbols", AT(hide_kernel), NULL, "not the kernel's symbols"},
	{OPT_BOOL, 'U', "hide_user_symbols", AT(hide_user), NULL, "not those of user space"},
	{OPT_UINT, 'f', "count-filter", AT(least_samples), "n",
	 "only rows with at least so many samples"},
	{OPT_CALL, 0, "percent-limit", AT(percent_limit), "percent",
	 "only rows with at least so much", .call = limit_call},
	{OPT_STRING, 0, "percentage", AT(percentage), "relative|absolute",
	 "percentages of what filters leave, or of all", .words = "relative absolute"},
	{OPT_STRING, 'w', "column-widths", AT(widths), "width[,width...]",
	 "fixed widths of columns"},
	{OPT_BOOL, 0, "raw-trace", AT(raw_trace), NULL, "tracepoints by their fields"},
	{OPT_STRING, 0, "switch-on", AT(switch_on), "event", "samples count from this event on"},
	{OPT_STRING, 0, "switch-off", AT(switch_off), "event", "samples count up to this event"},
	{OPT_BOOL, 0, "show-on-off-events", AT(show_switches), NULL, "those two events, too"},
	{OPT_HEADING, .help = "Symbols"},
	{OPT_STRING, 'k', "vmlinux", FILES(vmlinux), "file", "vmlinux pathname"},
	{OPT_STRING, 0, "kallsyms", FILES(kallsyms), "file", "kallsyms pathname"},
	{OPT_BOOL, 0, "ignore-vmlinux", FILES(ignore_vmlinux), NULL,
	 "don't load vmlinux even if found"},
	{OPT_BOOL, 0, "demangle-kernel", FILES(demangle_kernel), NULL,
	 "demangle the kernel's symbols"},
	{OPT_BOOL, 'D', "dump-symtab", AT(dump_symbols), NULL,
	 "the symbols of all files that were seen, at the end"},
	{OPT_BOOL, 0, "force", FILES(force), NULL, "files of other users are read, too"},
	{OPT_HEADING, .help = "The screen"},
	{OPT_UINT, 'd', "delay", AT(delay), "n", "seconds between refreshes (2)"},
	{OPT_UINT, 'E', "entries", AT(entries), "n",
	 "rows of the table; else as many as there is room for"},
	{OPT_BOOL, 'z', "zero", AT(zero), NULL,
	 "samples are forgotten at each refresh, and don't fade"},
	{OPT_BOOL, 0, "stdio", AT(stdio), NULL, "text, the default elsewhere"},
	{OPT_BOOL, 0, "tui", AT(tui), NULL, "the browser, which is the default on a terminal"},
	{OPT_STRING, 0, "html", AT(html), "file",
	 "at the end, write a page that shows the last samples in a web browser"},
	{OPT_COUNT, 'v', "verbose", RECORD(verbose), NULL, "more messages, and names in full"},
	{OPT_HEADING, .help = "Not possible yet"},
	STITCH_LBR_OPTION,
	BRANCH_HISTORY_OPTION,
	{OPT_HEADING, .help = "Annotated code (key s)"},
	{OPT_STRING, 0, "sym-annotate", AT(annotated), "symbol",
	 "the instructions of a symbol instead of the table"},
	{OPT_END},
};

const struct cmd_variable top_variables[] = {
	OBJDUMP_VARIABLE,
	DISASSEMBLER_STYLE_VARIABLE,
	{"annotate.demangle_kernel", "demangle-kernel"},
	{"core.proc-map-timeout", "proc-map-timeout"},
	{"top.children", "children"},
	{"hist.percentage", "percentage"},
	{NULL, NULL},
};

const struct opt_group top_opt_groups[] = {{measured, 0}, {shown, 0}, {code_opts, AT(code)}, {0}};
