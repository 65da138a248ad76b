// SPDX-License-Identifier: MIT
/* perf lock: waits for locks of the kernel. */
#include "cmd/lock/lock_opts.h"

#include "cmd/front/dispatch.h"
#include "cmd/options/words/command_words.h"
#include "cmd/subcommand.h"

#include <string.h>

#define AT(field) offsetof(struct lock_opts, field)

const struct opt lock_opts[] = {
	{OPT_BOOL, 'D', "dump-raw-trace", AT(dump), NULL, "dump raw trace in ASCII"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL, "Do not show any warnings or messages"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_STRING, 0, "kallsyms", AT(symbols.kallsyms), "file", "kallsyms pathname"},
	{OPT_STRING, 0, "output", AT(output), "file", "output file name"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_STRING, 0, "vmlinux", AT(symbols.vmlinux), "file", "vmlinux pathname"},
	{OPT_END},
};

static const struct opt_group groups[] = {{lock_opts, 0}, {0}};

/* Records lock_* events when the kernel has lockdep, else contention_*. */
static int lock_record(struct env *env, int argc, char **argv)
{
	static const char *const first[] = {"record", "-R", "-m",      "1024",
					    "-c",     "1",  "--synth", "task"};
	static const char *const lockdep[] = {"lock_acquire", "lock_acquired", "lock_contended",
					      "lock_release"};
	static const char *const contention[] = {
		"-e",		"lock:contention_begin/max-stack=8/",
		"-e",		"lock:contention_end/max-stack=8/",
		"--call-graph", "fp"};
	struct command_words w = {0};

	command_words_add_all(&w, first, ARRAY_SIZE(first));
	if (!command_words_has_event(&w, "lock", "lock_acquire"))
		command_words_add_all(&w, contention, ARRAY_SIZE(contention));
	else
		for (size_t i = 0; i < ARRAY_SIZE(lockdep); i++)
			command_words_add_event(&w, "lock", lockdep[i]);
	return command_words_run(&w, env, argc - 1, argv + 1);
}

static const char *const usage[] = {"lock [<options>] {record|report|script|info|contention}",
				    NULL};

static const struct cmd *const subcommands[] = {&cmd_lock_report, &cmd_lock_info,
						&cmd_lock_contention, NULL};

static int cmd_lock_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)opts;
	if (argc && subcommand_is(argv[0], "record"))
		return lock_record(env, argc, argv);
	if (argc && !strcmp(argv[0], "script"))
		return command_run(command_find("script"), env, argc, argv);
	return subcommand_refuse(env->cmd, "lock", argv[0], err);
}

static void lock_defaults(void *v, const struct env *env)
{
	struct lock_opts *o = v;

	o->max_stack = 8;
	o->stack_skip = 3;
	o->rows = 16384;
	symbol_opts_defaults(&o->symbols, env);
}

const struct cmd cmd_lock = {
	.name = "lock",
	.summary = "Analyze lock events",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct lock_opts),
	.stop_at_word = true,
	.defaults = lock_defaults,
	.subcommands = subcommands,
	.words = "record report script info contention",
	.run = cmd_lock_run,
};
