// SPDX-License-Identifier: MIT
/* perf kvm: why guests exit, and how long exits take. */
#include "cmd/kvm/kvm_opts.h"

#include "cmd/subcommand.h"

#include <string.h>

#define AT(field) offsetof(struct kvm_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 'i', "input", AT(input.path), "file", "Input file name"},
	{OPT_STRING, 'o', "output", AT(output), "file", "Output file name"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show counter open errors, etc)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

static void kvm_defaults(void *v, const struct env *env)
{
	struct kvm_opts *o = v;

	o->input.path = KVM_FILE;
	o->output = KVM_FILE;
	o->event = "vmexit";
	o->key = "sample";
	o->vcpu = -1;
	symbol_opts_defaults(&o->symbols, env);
}

/* Refuses subcommands of perf's kvm that need the guests' symbols. */
static int cmd_kvm_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	static const char *const absent[] = {"top", "record", "report", "diff", "buildid-list"};

	(void)opts;
	for (size_t i = 0; argc && i < ARRAY_SIZE(absent); i++)
		if (!strcmp(argv[0], absent[i])) {
			err_set(err, ERR_UNSUPPORTED, "'kvm %s' is not possible yet", absent[i]);
			return err_hint(err, "perf record -a -e cycles:G samples guests, without "
					     "their symbols");
		}
	return subcommand_refuse(env->cmd, "kvm", argv[0], err);
}

static const char *const usage[] = {"kvm [<options>] stat {record|report}", NULL};
static const struct cmd *const subcommands[] = {&cmd_kvm_stat, NULL};

const struct cmd cmd_kvm = {
	.name = "kvm",
	.summary = "Tool to trace/measure kvm guest os",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct kvm_opts),
	.stop_at_word = true,
	.defaults = kvm_defaults,
	.subcommands = subcommands,
	.words = "stat",
	.run = cmd_kvm_run,
};
