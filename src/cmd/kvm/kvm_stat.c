// SPDX-License-Identifier: MIT
#include "cmd/dispatch.h"
#include "cmd/kvm/kvm_opts.h"
#include "os/tracefs.h"

#include <string.h>

static const struct opt no_options[] = {{OPT_END}};
static const struct opt_group groups[] = {{no_options, 0}, {0}};

struct record_words {
	struct opt_words words;
	struct arena arena;
};

static void add_word(struct record_words *w, const char *word)
{
	vec_add(&w->words, arena_strdup(&w->arena, word));
}

/* Accesses to devices and ports have tracepoints on x86 alone. */
static void add_events(struct record_words *w)
{
	static const char *const names[] = {"kvm_entry", "kvm_exit", "kvm_mmio", "kvm_pio"};
	const char *root = tracefs_find(NULL, &w->arena);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t id;

		if (i > 1 && (!root || tracefs_id(root, "kvm", names[i], &id, NULL)))
			continue;
		add_word(w, "-e");
		vec_add(&w->words, arena_printf(&w->arena, "kvm:%s", names[i]));
	}
}

static int record_run(struct env *env, const struct kvm_opts *o, int argc, char **argv)
{
	static const char *const first[] = {"record", "-R", "-m", "1024", "-c", "1"};
	struct record_words w = {0};
	int status;

	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		add_word(&w, first[i]);
	add_events(&w);
	add_word(&w, "-o");
	add_word(&w, o->output);
	for (int i = 1; i < argc; i++)
		add_word(&w, argv[i]);
	vec_add(&w.words, NULL);
	status = command_run(command_find("record"), env, (int)w.words.n - 1, w.words.at);
	vec_release(&w.words);
	arena_release(&w.arena);
	return status;
}

static int run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	if (!argc)
		return err_set(err, ERR_USAGE, "which one: record or report?");
	if (strlen(argv[0]) > 2 && !strncmp(argv[0], "record", strlen(argv[0])))
		return record_run(env, opts, argc, argv);
	if (!strcmp(argv[0], "live")) {
		err_set(err, ERR_UNSUPPORTED, "'kvm stat live' is not possible yet");
		return err_hint(err, "perf kvm stat record, then perf kvm stat report");
	}
	return err_set(err, ERR_USAGE, "kvm stat has no '%s': record and report", argv[0]);
}

static void list_subcommands(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	buf_str(out, "record report");
}

static const char *const usage[] = {"kvm stat record [<options>] [<command>]",
				    "kvm stat report [<options>]", NULL};
static const struct cmd *const subcommands[] = {&cmd_kvm_stat_report, NULL};

const struct cmd cmd_kvm_stat = {
	.name = "stat",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.subcommands = subcommands,
	.words = list_subcommands,
	.run = run,
};
