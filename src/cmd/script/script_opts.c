// SPDX-License-Identifier: MIT
#include "cmd/script/script_opts.h"

#include "cmd/options/opts_absent.h"

#include <stddef.h>

#define AT(field)      offsetof(struct script_opts, field)
#define FILTERS_ABSENT "filter the text, or by --comms, --dsos, --symbols, --time"

/* Offers event types: only the first word of a value may begin with one. */
static void type_words(const struct opt_typed *typed, struct buf *out)
{
	if (typed->word == typed->value)
		script_type_names(out);
}

static const struct opt opts[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(all_cpus), NULL, "system-wide collection from all CPUs"},
	{OPT_BOOL, 'd', "debug-mode", AT(debug), NULL,
	 "do various checks like samples ordering and lost events"},
	{OPT_BOOL, 'D', "dump-raw-trace", AT(dump), NULL, "dump raw trace in ASCII"},
	{OPT_STRINGS, 'F', "fields", AT(fields), "str",
	 "comma separated output fields prepend with 'type:'. +field to add and -field to remove. "
	 "Valid types: hw,sw,trace,raw,break,synth. Fields:",
	 .list = script_field_names, .offer = type_words, .joined = ",:"},
	{OPT_STRING, 'g', "gen-script", AT(generate), "lang",
	 "generate perf-script.xx script in specified language"},
	{OPT_BOOL, 'G', "hide-call-graph", AT(hide_chains), NULL,
	 "When printing symbols do not display call chain"},
	{OPT_BOOL, 'I', "show-info", AT(info), NULL,
	 "display extended information from perf.data file"},
	{OPT_BOOL, 'L', "Latency", AT(latency), NULL,
	 "show latency attributes (irqs/preemption disabled, etc)"},
	{OPT_BOOL, 'l', "list", AT(list), NULL, "list available scripts"},
	{OPT_STRING, 's', "script", AT(script), "name",
	 "script file name (lang:script name, script name, or *)"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_UINT, 0, "addr-range", AT(address_range), "n",
	 "Use with -S to list traced records within address range"},
	{OPT_ABSENT, 0, "call-ret-trace", 0, "...", "Decode calls and returns from itrace",
	 OPT_OPTIONAL, .why = TRACES_ABSENT},
	{OPT_ABSENT, 0, "call-trace", 0, "...", "Decode calls from itrace", OPT_OPTIONAL,
	 .why = TRACES_ABSENT},
	{OPT_BOOL, 0, "deltatime", AT(deltatime), NULL,
	 "Show time stamps relative to previous event"},
	{OPT_ABSENT, 0, "dlarg", 0, "argument", "an argument of the filter of --dlfilter",
	 .why = FILTERS_ABSENT},
	{OPT_ABSENT, 0, "dlfilter", 0, "file", "filter samples by a shared object",
	 .why = FILTERS_ABSENT},
	{OPT_STRING, 0, "dsos", AT(filter.dsos), "dso[,dso...]",
	 "only consider symbols in these DSOs"},
	{OPT_BOOL, 0, "dump-unsorted-raw-trace", AT(dump_unsorted), NULL,
	 "dump unsorted raw trace in ASCII"},
	{OPT_BOOL, 0, "full-source-path", AT(full_source_path), NULL,
	 "Show full source file name path for source lines"},
	{OPT_ABSENT, 0, "graph-function", 0, "symbol[,symbol...]",
	 "with --call-trace, only what these functions call", .why = TRACES_ABSENT},
	{OPT_BOOL, 0, "header", AT(header), NULL, "Show data header."},
	{OPT_BOOL, 0, "header-only", AT(header_only), NULL, "Show only data header."},
	{OPT_BOOL, 0, "no-inline", AT(no_inline), NULL, "Show no inline functions"},
	{OPT_STRING, 0, "html", AT(html), "file",
	 "write a page that shows the samples in a web browser"},
	{OPT_ABSENT, 0, "insn-trace", 0, "raw|disasm", "Decode instructions from itrace",
	 OPT_OPTIONAL, .why = TRACES_ABSENT},
	ITRACE_OPTION,
	{OPT_BOOL, 0, "list-dlfilters", AT(list_filters), NULL, "list available dlfilters"},
	{OPT_UINT, 0, "max-blocks", AT(max_blocks), "n",
	 "Maximum number of code blocks to dump with brstackinsn"},
	{OPT_UINT, 0, "max-stack", AT(max_stack), "n",
	 "Set the maximum stack depth when parsing the callchain, anything beyond the specified "
	 "depth "
	 "will be ignored. Default: kernel.perf_event_max_stack or 127"},
	{OPT_BOOL, 0, "ns", AT(ns), NULL, "Use 9 decimal places when displaying time"},
	{OPT_BOOL, 0, "per-event-dump", AT(per_event_dump), NULL,
	 "Dump trace output to files named by the monitored events"},
	{OPT_BOOL, 0, "reltime", AT(reltime), NULL, "Show time stamps relative to start"},
	{OPT_BOOL, 0, "show-bpf-events", AT(show_bpf), NULL,
	 "Show bpf related events (if recorded)"},
	{OPT_BOOL, 0, "show-cgroup-events", AT(show_cgroup), NULL,
	 "Show cgroup events (if recorded)"},
	{OPT_BOOL, 0, "show-kernel-path", AT(kernel_path), NULL,
	 "Show the path of [kernel.kallsyms]"},
	{OPT_BOOL, 0, "show-lost-events", AT(show_lost), NULL, "Show lost events (if recorded)"},
	{OPT_BOOL, 0, "show-mmap-events", AT(show_mmap), NULL, "Show the mmap events"},
	{OPT_BOOL, 0, "show-namespace-events", AT(show_namespaces), NULL,
	 "Show namespace events (if recorded)"},
	{OPT_BOOL, 0, "show-on-off-events", AT(show_on_off), NULL,
	 "Show the on/off switch events, used with --switch-on and --switch-off"},
	{OPT_BOOL, 0, "show-round-events", AT(show_round), NULL, "Show round events (if recorded)"},
	{OPT_BOOL, 0, "show-switch-events", AT(show_switch), NULL,
	 "Show context switch events (if recorded)"},
	{OPT_BOOL, 0, "show-task-events", AT(show_task), NULL, "Show the fork/comm/exit events"},
	{OPT_BOOL, 0, "show-text-poke-events", AT(show_text_poke), NULL,
	 "Show text poke related events (if recorded)"},
	STITCH_LBR_OPTION,
	{OPT_STRING, 0, "stop-bt", AT(stop_bt), "symbol[,symbol...]",
	 "Stop display of callgraph at these symbols"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_STRING, 0, "switch-off", AT(switch_off), "event",
	 "Stop considering events after the ocurrence of this event"},
	{OPT_STRING, 0, "switch-on", AT(switch_on), "event",
	 "Consider events after the ocurrence of this event"},
	{OPT_BOOL, 0, "tui", AT(tui), NULL,
	 "Show the text in the browser, where it can be searched"},
	{OPT_ABSENT, 0, "xed", 0, "...", "disassemble instruction traces by xed", OPT_OPTIONAL,
	 .why = TRACES_ABSENT},
	{OPT_END},
};

const struct opt_group script_opt_groups[] = {{input_opts, AT(input)},
					      {symbol_opts, AT(symbols)},
					      {guest_opts, AT(symbols)},
					      {filter_opts, AT(filter)},
					      {opts, 0},
					      {0}};

void script_defaults(void *place, const struct env *env)
{
	struct script_opts *o = place;

	o->max_stack = MAX_STACK_DEFAULT;
	symbol_opts_defaults(&o->symbols, env);
}

static unsigned int shown(const struct script_opts *o)
{
	return (o->show_task ? SHOW_TASK : 0) | (o->show_mmap ? SHOW_MMAP : 0) |
	       (o->show_switch ? SHOW_SWITCH : 0) | (o->show_namespaces ? SHOW_NAMESPACES : 0) |
	       (o->show_lost ? SHOW_LOST : 0) | (o->show_round ? SHOW_ROUND : 0) |
	       (o->show_bpf ? SHOW_BPF : 0) | (o->show_cgroup ? SHOW_CGROUP : 0) |
	       (o->show_text_poke ? SHOW_TEXT_POKE : 0);
}

static int check_cpus(const struct recording *rec, struct err *err)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct attr *a = &rec->m.events.events.at[i]->attr;

		if (a->type >= TYPE_MAX || (seen & 1ull << a->type))
			continue;
		seen |= 1ull << a->type;
		if (!(a->sample_type & SAMPLE_CPU))
			return err_set(err, ERR_INPUT, "File does not contain CPU events. "
						       "Remove -C option to proceed.");
	}
	return 0;
}

/* Adds the names of -S that are addresses: with 0x in front. */
static void add_addresses(struct script *s)
{
	for (size_t i = 0; i < s->filter.symbols.names.entries.n; i++) {
		const char *name = intern_text(&s->filter.symbols.names, (uint32_t)i);
		uint64_t address;

		if (!strncmp(name, "0x", 2) && !parse_u64(name, &address))
			vec_add(&s->addresses, address);
	}
}

static int set_filter(const struct script_opts *o, struct script *s, struct err *err)
{
	if (filter_opts_apply(&o->filter, s->rec, &s->filter, err) ||
	    (o->filter.cpus && check_cpus(s->rec, err)))
		return -1;
	add_addresses(s);
	return 0;
}

int script_configure(const struct script_opts *o, struct script *s, struct err *err)
{
	s->latency = o->latency;
	s->address_range = o->address_range ? o->address_range - 1 : 0;
	s->ns = o->ns;
	s->reltime = o->reltime;
	s->deltatime = o->deltatime;
	s->debug = o->debug;
	s->show = shown(o);
	s->switches.show = o->show_on_off;
	s->frames.kernel_path = o->kernel_path;
	s->frames.no_inlines = o->no_inline;
	s->frames.full_paths = o->full_source_path;
	script_frames_max_stack(&s->frames, o->max_stack);
	s->max_blocks = o->max_blocks;
	if (o->stop_bt)
		name_list_add(&s->stop_at, o->stop_bt, ",");
	if (o->reltime && o->deltatime)
		return err_set(err, ERR_USAGE,
			       "reltime and deltatime - the two don't get along well. "
			       "Please limit to --reltime or --deltatime.");
	script_fields_init(&s->fields, !o->hide_chains);
	for (size_t i = 0; i < o->fields.n; i++)
		if (script_fields_parse(&s->fields, o->fields.at[i], err))
			return -1;
	if (replay_switches_find(&s->switches, &s->rec->m.events, o->switch_on, o->switch_off, err))
		return -1;
	if (set_filter(o, s, err))
		return -1;
	return script_fields_check(&s->fields, s->rec, err);
}
