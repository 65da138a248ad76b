// SPDX-License-Identifier: MIT
/* perf c2c: cache lines that move between CPUs. */
#include "cmd/c2c/c2c_opts.h"

#include "cmd/subcommand.h"

#define AT(field) offsetof(struct c2c_opts, field)

static const struct opt options[] = {
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show counter open errors, etc)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

static void c2c_defaults(void *v, const struct env *env)
{
	struct c2c_opts *o = v;

	o->memory.latency = MEMORY_LATENCY_USUAL;
	o->coalesce = "iaddr";
	o->source = true;
	symbol_opts_defaults(&o->symbols, env);
	calltree_params_default(&o->tree, false);
	chains_from_config(&o->tree, env->config);
}

static int cmd_c2c_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)opts;
	(void)argc;
	return subcommand_refuse(env->cmd, "c2c", argv[0], err);
}

static const char *const usage[] = {"c2c {record|report}", NULL};
static const struct cmd *const subcommands[] = {&cmd_c2c_record, &cmd_c2c_report, NULL};

const struct cmd cmd_c2c = {
	.name = "c2c",
	.summary = "Shared Data C2C/HITM Analyzer.",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct c2c_opts),
	.stop_at_word = true,
	.defaults = c2c_defaults,
	.subcommands = subcommands,
	.words = "record report",
	.run = cmd_c2c_run,
};
