// SPDX-License-Identifier: MIT
/* perf mem: memory accesses of a program, and their latencies. */
#include "cmd/mem/mem_opts.h"

#include "cmd/subcommand.h"

#define AT(field) offsetof(struct mem_opts, field)

const struct opt mem_opts[] = {
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "list of cpus to profile"},
	{OPT_BOOL, 'D', "dump-raw-samples", AT(dump), NULL, "dump raw samples in ASCII"},
	{OPT_BOOL, 'U', "hide-unresolved", AT(hide_unresolved), NULL,
	 "Only display entries resolved to a symbol"},
	{OPT_STRING, 'x', "field-separator", AT(separator), "separator",
	 "separator for columns, no spaces will be added between columns '.' is reserved."},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{input_opts, AT(input)}, {memory_type_opts, AT(memory)}, {mem_opts, 0}, {0}};

static void mem_defaults(void *v, const struct env *env)
{
	struct mem_opts *o = v;

	o->memory.latency = MEMORY_LATENCY_USUAL;
	symbol_opts_defaults(&o->symbols, env);
	mem_leaks_defaults(&o->leaks, env);
}

static int cmd_mem_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)opts;
	(void)argc;
	return subcommand_refuse(env->cmd, "mem", argv[0], err);
}

static const char *const usage[] = {"mem [<options>] {record|report|leaks}", NULL};
static const struct cmd *const subcommands[] = {&cmd_mem_record, &cmd_mem_report, &cmd_mem_leaks,
						NULL};

const struct cmd cmd_mem = {
	.name = "mem",
	.summary = "Profile memory accesses",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct mem_opts),
	.stop_at_word = true,
	.defaults = mem_defaults,
	.subcommands = subcommands,
	.words = "record report leaks",
	.run = cmd_mem_run,
};
