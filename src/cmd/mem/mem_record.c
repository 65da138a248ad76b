// SPDX-License-Identifier: MIT
#include "cmd/mem/mem_opts.h"

#define AT(field) offsetof(struct mem_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'K', "all-kernel", AT(memory.all_kernel), NULL,
	 "collect only kernel level data"},
	{OPT_BOOL, 'U', "all-user", AT(memory.all_user), NULL, "collect only user level data"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{memory_opts, AT(memory)}, {memory_type_opts, AT(memory)}, {options, 0}, {0}};

static int cmd_mem_record_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct mem_opts *o = v;

	return memory_record(env, &o->memory, false, argc, argv, err);
}

static const char *const usage[] = {"mem record [<options>] [<command>]",
				    "mem record [<options>] -- <command> [<options>]", NULL};

extern const struct cmd cmd_record;

const struct cmd cmd_mem_record = {
	.name = "record",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.hands_on_to = &cmd_record,
	.run = cmd_mem_record_run,
};
