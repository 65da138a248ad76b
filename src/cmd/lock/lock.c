// SPDX-License-Identifier: MIT
/* perf lock: who waits for the kernel's locks. */
#include "cmd/lock/lock_opts.h"

#include "cmd/dispatch.h"
#include "os/tracefs.h"

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

/* A command line. */
struct lock_words {
	VEC(char *) words;
	struct arena arena;
};

static void record_add_words(struct lock_words *w, const char *const *words)
{
	for (; *words; words++)
		vec_add(&w->words, arena_strdup(&w->arena, *words));
}

/* lock_* when the kernel checks its locks (lockdep), else contention_*. */
static int record_run(struct env *env, int argc, char **argv)
{
	static const char *const first[] = {"record", "-R", "-m", "1024", "-c", "1", "--synth",
					    "task", NULL};
	static const char *const lockdep[] = {"-e", "lock:lock_acquire", "-e", "lock:lock_acquired",
					      "-e", "lock:lock_contended", "-e",
					      "lock:lock_release", NULL};
	static const char *const contention[] = {"-e", "lock:contention_begin/max-stack=8/", "-e",
						 "lock:contention_end/max-stack=8/", "--call-graph",
						 "fp", NULL};
	struct lock_words w = {0};
	const char *root = tracefs_find(NULL, &w.arena);
	uint64_t id;
	int status;

	record_add_words(&w, first);
	record_add_words(&w, root && !tracefs_id(root, "lock", "lock_acquire", &id, NULL)
				     ? lockdep
				     : contention);
	for (int i = 1; i < argc; i++)
		vec_add(&w.words, argv[i]);
	vec_add(&w.words, NULL);
	status = command_run(command_find("record"), env, (int)w.words.n - 1, w.words.at);
	vec_release(&w.words);
	arena_release(&w.arena);
	return status;
}

static const char *const usage[] = {"lock [<options>] {record|report|script|info|contention}",
				    NULL};

static const struct cmd *const subcommands[] = {&cmd_lock_report, &cmd_lock_info,
						&cmd_lock_contention, NULL};

static int run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)opts;
	if (!argc)
		return err_set(err, ERR_USAGE,
			       "which one: record, report, script, info or contention?");
	if (strlen(argv[0]) > 2 && !strncmp(argv[0], "record", strlen(argv[0])))
		return record_run(env, argc, argv);
	if (!strcmp(argv[0], "script"))
		return command_run(command_find("script"), env, argc, argv);
	return err_set(err, ERR_USAGE,
		       "lock has no '%s': record, report, script, info and contention", argv[0]);
}

static void list_subcommands(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	buf_str(out, "record report script info contention");
}

static void defaults(void *v, const struct env *env)
{
	struct lock_opts *o = v;

	o->max_stack = 8;
	o->stack_skip = 3;
	symbol_opts_defaults(&o->symbols, env);
}

const struct cmd cmd_lock = {
	.name = "lock",
	.summary = "Analyze lock events",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct lock_opts),
	.stop_at_word = true,
	.defaults = defaults,
	.subcommands = subcommands,
	.words = list_subcommands,
	.run = run,
};
