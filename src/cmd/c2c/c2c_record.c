// SPDX-License-Identifier: MIT
#include "cmd/c2c/c2c_opts.h"

#define AT(field) offsetof(struct c2c_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'k', "all-kernel", AT(memory.all_kernel), NULL,
	 "collect only kernel level data"},
	{OPT_UINT, 'l', "ldlat", AT(memory.latency), "n", "setup mem-loads latency"},
	{OPT_BOOL, 'u', "all-user", AT(memory.all_user), NULL, "collect only user level data"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {memory_opts, AT(memory)}, {0}};

static int cmd_c2c_record_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct c2c_opts *o = v;

	o->memory.verbose += o->verbose;
	return memory_record(env, &o->memory, true, argc, argv, err);
}

static const char *const usage[] = {
	"c2c record [<options>] [<command>]",
	"c2c record [<options>] -- [<record command options>] <command>", NULL};

extern const struct cmd cmd_record;

const struct cmd cmd_c2c_record = {
	.name = "record",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.hands_on_to = &cmd_record,
	.run = cmd_c2c_record_run,
};
