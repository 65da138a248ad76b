// SPDX-License-Identifier: MIT
#include "cmd/c2c/c2c_opts.h"
#include "cmd/options/opts_absent.h"
#include "view/c2c/c2c.h"

#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct c2c_opts, field)

static int c2c_set_tree(void *place, const struct opt *opt, const char *value, bool unset,
			struct err *err)
{
	struct c2c_opts *o = (struct c2c_opts *)((char *)place - AT(tree));
	const bool none = unset || (value && *value && !strncmp("none", value, strlen(value)));

	(void)opt;
	o->tree_given = !none;
	if (none)
		o->tree.mode = CALLTREE_NONE;
	if (none || (value && *value))
		return none ? 0 : chains_parse(&o->tree, value, err);
	return chains_parse(&o->tree, "graph,0.5,caller,function,percent", err);
}

static const struct opt options[] = {
	{OPT_STRING, 'c', "coalesce", AT(coalesce), "coalesce fields",
	 "coalesce fields:", .words = "pid tid iaddr dso", .joined = ","},
	{OPT_STRING, 'C', "cpu", AT(filter.cpus), "cpu", "only accesses of these CPUs: 0-3,8"},
	{OPT_STRING, 0, "comms", AT(filter.comms), "comm[,comm...]",
	 "only accesses of these comms"},
	{OPT_STRING, 'd', "display", AT(display), "Switch HITM output type",
	 "what lines are sorted by:", .words = "tot lcl rmt peer"},
	{OPT_CALL, 'g', "call-graph", AT(tree),
	 "print_type,threshold[,print_limit],order,sort_key[,branch],value",
	 "Display call graph (stack chain/backtrace). Default: graph,0.5,caller,function,percent. "
	 "Words:",
	 OPT_OPTIONAL_NEXT, .call = c2c_set_tree, .list = chains_words, .joined = ","},
	{OPT_BOOL, 'T', "type-profile", AT(types), NULL,
	 "Show the type and the member of the data, too"},
	{OPT_STRING, 'k', "vmlinux", AT(symbols.vmlinux), "file", "vmlinux pathname"},
	{OPT_STRING, 0, "kallsyms", AT(symbols.kallsyms), "file", "kallsyms pathname"},
	{OPT_STRING, 0, "symfs", AT(symbols.symfs), "directory",
	 "Look for files with symbols relative to this directory"},
	{OPT_COUNT, 'N', "node-info", AT(node_info), NULL,
	 "show extra node info in report (repeat for more info)"},
	{OPT_BOOL, 0, "double-cl", AT(double_line), NULL,
	 "Cache lines of 128 bytes: two are loaded at once"},
	{OPT_BOOL, 0, "full-symbols", AT(full_symbols), NULL, "Display full length of symbols"},
	{OPT_BOOL, 0, "source", AT(source), NULL, "Display Source Line column (default on)"},
	{OPT_BOOL, 0, "show-all", AT(show_all), NULL, "Show all captured HITM lines."},
	{OPT_BOOL, 0, "stats", AT(stats), NULL, "Display only statistic tables (implies --stdio)"},
	{OPT_BOOL, 0, "stdio", AT(stdio), NULL, "Use the stdio interface"},
	{OPT_STRING, 0, "pid", AT(filter.pids), "pid[,pid...]", "only accesses of these processes"},
	STITCH_LBR_OPTION,
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_STRING, 0, "tid", AT(filter.tids), "tid[,tid...]", "only accesses of these threads"},
	{OPT_STRING, 0, "time", AT(filter.time), "str",
	 "Time span of interest (start,stop): accesses in it"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{options, 0}, {form_opts, AT(form)}, {input_opts, AT(input)}, {0}};

static const struct {
	const char *name, *title;
} displays[] = {[C2C_TOTAL] = {"tot", "Total HITMs"},
		[C2C_LOCAL] = {"lcl", "Local HITMs"},
		[C2C_REMOTE] = {"rmt", "Remote HITMs"},
		[C2C_PEERS] = {"peer", "Peer Snoop"}};

/* Finds the display type. The default is "peer" on Arm, whose samples tell peer snoops instead of
 * modified lines. */
static int display_find(const char *name, const struct recording *rec, enum c2c_display *out,
			struct err *err)
{
	if (!name)
		name = rec->m.arch && !strcmp(rec->m.arch, "aarch64") ? "peer" : "tot";
	for (size_t i = 0; i < ARRAY_SIZE(displays); i++)
		if (!strcmp(name, displays[i].name)) {
			*out = (enum c2c_display)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "failed: unknown display type: %s", name);
}

/* Sets what -g and the recording's events say of call chains: those that are there are shown, of
 * any weight, as in perf. */
static void c2c_plan_chains(struct c2c_opts *o, const struct recording *rec,
			    struct c2c_options *how)
{
	const bool any = measurement_samples_any(&rec->m, SAMPLE_CALLCHAIN) || rec->m.chains_made ||
			 (measurement_samples_any(&rec->m, SAMPLE_STACK_USER) &&
			  measurement_samples_any(&rec->m, SAMPLE_REGS_USER));

	if (o->tree_given && !any)
		fputs("perf: -g shows nothing: the recording has no call chains (perf c2c record "
		      "-g)\n",
		      stderr);
	o->tree.min_percent = 0;
	how->chains = any && o->tree.mode != CALLTREE_NONE && !o->stats;
	how->caller_order = o->tree.order == ORDER_CALLER;
	how->chain_lines = how->chains && o->tree.key != CALLTREE_BY_FUNCTION;
}

static int c2c_report_refuse(int argc, char **argv, struct err *err)
{
	if (argc)
		return err_set(err, ERR_USAGE,
			       "c2c report takes no argument: '%s' (-i names a file)", argv[0]);
	return 0;
}

/* Prints warnings about missing CPUs and nodes. */
static void tell_gaps(const struct c2c *c)
{
	if (c->no_cpu)
		fputs("WARNING: no sample cpu value", stderr);
	if (c->no_node)
		fputs(c->nodes.memory.n ? "WARNING: failed to find node\n"
					: "No memory nodes, is CONFIG_MEMORY_HOTPLUG enabled?\n",
		      stderr);
}

static int c2c_report_print(struct env *env, const struct c2c_opts *o, const struct c2c_view *v,
			    struct err *err)
{
	struct form_output f;

	if (form_is_rows(&o->form)) {
		if (form_begin(&f, &o->form, env, env->out, err))
			return -1;
		c2c_show_rows(v, f.out, &f.rows);
		return form_end(&f, err);
	}
	c2c_show_stats(v);
	if (!o->stats) {
		c2c_show_lines(v);
		c2c_show_places(v);
	}
	return 0;
}

static int c2c_report_show(struct env *env, const struct c2c_opts *o, const struct c2c_options *how,
			   struct recording *rec, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct c2c c2c;
	int failed = c2c_read(&c2c, how, rec, world, err);
	const struct c2c_view v = {.c2c = &c2c,
				   .events = &rec->m.events,
				   .world = world,
				   .out = env->out,
				   .display = displays[how->display].title,
				   .keys = o->coalesce,
				   .node_info = MIN(o->node_info, 2),
				   .full_symbols = o->full_symbols,
				   .no_source = !o->source,
				   .tree = how->chains ? &o->tree : NULL};

	if (!failed) {
		tell_gaps(&c2c);
		failed = c2c_report_print(env, o, &v, err);
	}
	if (!failed && c2c.losses)
		fprintf(stderr,
			"perf: records were lost %llu times: counts are too small, and lines may "
			"be missing\n",
			(unsigned long long)c2c.losses);
	c2c_release(&c2c);
	return failed ? -1 : input_account(rec, "perf: ", o->strict);
}

static int cmd_c2c_report_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct c2c_opts *o = v;
	struct c2c_options how = {.show_all = o->show_all,
				  .double_line = o->double_line,
				  .types = o->types && !o->stats,
				  .no_lines = !o->source || o->stats};
	struct filter filter = {.socket = -1};
	AUTO(recording) *rec = NULL;
	int status = -1;

	o->symbols.force = o->input.force;
	how.filter = &filter;
	if (c2c_report_refuse(argc, argv, err) || form_opts_check(&o->form, err) ||
	    symbol_opts_check(&o->symbols, err) || c2c_keys_parse(&how, o->coalesce, err))
		return -1;
	rec = input_open_recording(&o->input, env->out, err);
	if (rec && !display_find(o->display, rec, &how.display, err) &&
	    !filter_opts_apply(&o->filter, rec, &filter, err)) {
		c2c_plan_chains(o, rec, &how);
		status = c2c_report_show(env, o, &how, rec, err);
	}
	filter_release(&filter);
	return status;
}

static const char *const usage[] = {"c2c report", NULL};

const struct cmd cmd_c2c_report = {
	.name = "report",
	.usage = usage,
	.groups = groups,
	.pager = true,
	.run = cmd_c2c_report_run,
};
