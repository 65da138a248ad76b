// SPDX-License-Identifier: MIT
/* perf kvm: samples of guests by the commands that know samples, and why guests exit. */
#include "cmd/kvm/kvm_opts.h"

#include "cmd/options/words/command_words.h"
#include "cmd/subcommand.h"

#include <string.h>

#define AT(field) offsetof(struct kvm_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 'i', "input", AT(file), "file", "Input file name"},
	{OPT_STRING, 'o', "output", AT(file), "file", "Output file name"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show counter open errors, etc)"},
	{OPT_BOOL, 0, "guest", AT(symbols.guests.wanted), NULL, "Collect guest os data"},
	{OPT_BOOL, 0, "host", AT(host), NULL, "Collect host os data"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {guest_opts, AT(symbols)}, {0}};

static void kvm_defaults(void *v, const struct env *env)
{
	struct kvm_opts *o = v;

	o->event = "vmexit";
	o->key = "sample";
	o->vcpu = -1;
	o->delay_s = 1;
	symbol_opts_defaults(&o->symbols, env);
	o->symbols.guests.wanted = true;
}

const char *kvm_file(const struct kvm_opts *o)
{
	if (o->file)
		return o->file;
	if (!o->host)
		return "perf.data.guest";
	return o->symbols.guests.wanted ? "perf.data.kvm" : "perf.data.host";
}

int kvm_hand_on(struct env *env, struct kvm_opts *o, const char *command, const char *file_option,
		int argc, char **argv, struct err *err)
{
	const char *const verbose[] = {"-v"};
	struct command_words w = {0};
	struct env inner = *env;

	o->symbols.guests.without_host = !o->host;
	if (!o->host)
		o->symbols.guests.wanted = true;
	if (symbol_opts_check(&o->symbols, err))
		return -1;
	inner.guests = &o->symbols.guests;
	command_words_add(&w, command);
	command_words_add_option(&w, file_option ? file_option : "",
				 file_option ? kvm_file(o) : NULL);
	for (int i = 0; i < o->verbose; i++)
		command_words_add_all(&w, verbose, 1);
	return command_words_run(&w, &inner, argc, argv);
}

static int cmd_kvm_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	static const struct {
		const char *name, *file_option;
	} others[] = {{"record", "-o"},
		      {"report", "-i"},
		      {"diff", NULL},
		      {"top", NULL},
		      {"buildid-list", "-i"}};

	for (size_t i = 0; argc && i < ARRAY_SIZE(others); i++)
		if (subcommand_is(argv[0], others[i].name))
			return kvm_hand_on(env, opts, others[i].name, others[i].file_option,
					   argc - 1, argv + 1, err);
	return subcommand_refuse(env->cmd, "kvm", argv[0], err);
}

static const char *const usage[] = {"kvm [<options>] {top|record|report|diff|buildid-list|stat}",
				    NULL};
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
	.words = "top record report diff buildid-list stat",
	.run = cmd_kvm_run,
};
