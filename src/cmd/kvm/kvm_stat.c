// SPDX-License-Identifier: MIT
#include "cmd/kvm/kvm_opts.h"
#include "cmd/options/words/command_words.h"
#include "cmd/subcommand.h"

#include "analysis/kvm/kvm.h"

static const struct opt no_options[] = {{OPT_END}};
static const struct opt_group groups[] = {{no_options, 0}, {0}};

/* Adds the tracepoints that this kernel has. Where it has none, record says so of the first. */
static void add_events(struct command_words *w)
{
	bool found = false;

	for (const struct kvm_tracepoint *t = kvm_tracepoints; t->name; t++)
		if (command_words_has_event(w, t->system, t->name)) {
			command_words_add_event(w, t->system, t->name);
			found = true;
		}
	if (!found)
		command_words_add_event(w, kvm_tracepoints->system, kvm_tracepoints->name);
}

static int kvm_stat_record(struct env *env, const struct kvm_opts *o, int argc, char **argv)
{
	static const char *const first[] = {"record", "-R", "-m", "1024", "-c", "1"};
	struct command_words w = {0};

	command_words_add_all(&w, first, ARRAY_SIZE(first));
	add_events(&w);
	command_words_add(&w, "-o");
	command_words_add(&w, kvm_file(o));
	return command_words_run(&w, env, argc - 1, argv + 1);
}

static int cmd_kvm_stat_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	if (argc && subcommand_is(argv[0], "record"))
		return kvm_stat_record(env, opts, argc, argv);
	return kvm_hand_on(env, opts, "stat", NULL, argc, argv, err);
}

extern const struct cmd cmd_stat;

static const char *const usage[] = {"kvm stat record [<options>] [<command>]",
				    "kvm stat report [<options>]", "kvm stat live [<options>]",
				    "kvm stat [<options of stat>] [<command>]", NULL};
static const struct cmd *const subcommands[] = {&cmd_kvm_stat_report, &cmd_kvm_stat_live, NULL};

const struct cmd cmd_kvm_stat = {
	.name = "stat",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.hands_on_to = &cmd_stat,
	.subcommands = subcommands,
	.words = "record report live",
	.run = cmd_kvm_stat_run,
};
