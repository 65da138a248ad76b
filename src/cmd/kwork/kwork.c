// SPDX-License-Identifier: MIT
/* perf kwork: interrupts, soft interrupts and work queues. */
#include "cmd/kwork/kwork_opts.h"

#include "analysis/kwork/kwork.h"
#include "cmd/options/words/live_words.h"
#include "cmd/subcommand.h"

#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct kwork_opts, field)

const struct opt kwork_opts[] = {
	{OPT_BOOL, 'D', "dump-raw-trace", AT(dump), NULL, "dump raw trace in ASCII"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_COUNT, 'v', "verbose", AT(symbols.verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_END},
};

const struct opt kwork_class_opts[] = {
	{OPT_STRING, 'k', "kwork", AT(classes), "kwork",
	 "list of kwork to profile:", .words = "irq softirq workqueue sched", .joined = ", "},
	{OPT_END},
};

static const struct opt_group groups[] = {{kwork_opts, 0}, {kwork_class_opts, 0}, {0}};

bool kwork_instead(const struct kwork_opts *o, const char *classes, struct env *env, int argc,
		   char **argv, int *status, struct err *err)
{
	static const char *const words[] = {"perf", "kwork"};
	struct command_words w = {0};

	if (!argc && !o->dump)
		return false;
	command_words_add_all(&w, words, ARRAY_SIZE(words));
	command_words_add_option(&w, "-k", o->classes ? o->classes : classes);
	command_words_add(&w, "record");
	if (argc)
		*status = live_words_run(&w, env, &o->input, argc, argv, err);
	else
		*status = input_dump(&o->input, &o->symbols, o->strict, env, err);
	command_words_release(&w);
	return true;
}

/* True for an event that one of the classes of works is made of. */
static bool kwork_has_part(const struct event *e)
{
	static const char *const parts[] = {"irq:", "workqueue:", "sched:"};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (!strncmp(e->name, parts[i], strlen(parts[i])))
			return true;
	return false;
}

int kwork_check(const struct recording *rec, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < rec->m.events.events.n && !any; i++)
		any = kwork_has_part(rec->m.events.events.at[i]);
	if (any)
		return 0;
	err_set(err, ERR_INPUT, "the recording has no events of interrupts or work items");
	return err_hint(err, "'perf kwork record' records them");
}

struct recording *kwork_open(const struct kwork_opts *o, struct env *env, struct filter *filter,
			     struct err *err)
{
	struct recording *rec = NULL;

	if (!o->cpus || !number_list_parse(&filter->cpus, o->cpus, "cpus", err))
		rec = input_open_recording(&o->input, env->out, err);
	if (rec && (input_lost_tracepoints(rec, err) ||
		    (o->time && filter_times_parse(filter, o->time, rec->first_sample_time,
						   rec->last_sample_time, err)))) {
		recording_free(rec);
		return NULL;
	}
	return rec;
}

void kwork_say_begun(const struct kwork_opts *o)
{
	if (o->command)
		return;
	puts("Starting trace, Hit <Ctrl+C> to stop and report");
	fflush(stdout);
}

int kwork_account(const struct kwork_opts *o, const struct recording *rec, uint64_t n, uint64_t ns)
{
	input_tell_doubts(rec, "works", n, ns);
	return input_account(rec, "perf: ", o->strict);
}

static int kwork_record(struct env *env, const struct kwork_opts *o, int argc, char **argv,
			struct err *err)
{
	static const char *const first[] = {"record", "-a", "-R", "-m", "1024", "-c", "1"};
	struct kwork_classes classes;
	struct command_words w = {0};

	if (kwork_classes_parse(&classes, o->classes ? o->classes : KWORK_CLASSES, err))
		return -1;
	command_words_add_all(&w, first, ARRAY_SIZE(first));
	for (uint32_t i = 0; i < classes.n; i++)
		for (const char *const *e = kwork_class_events(classes.at[i]); *e; e++) {
			command_words_add(&w, "-e");
			command_words_add(&w, *e);
		}
	return command_words_run(&w, env, argc - 1, argv + 1);
}

static const char *const usage[] = {"kwork [<options>] {record|report|latency|timehist|top}", NULL};
static const struct cmd *const subcommands[] = {&cmd_kwork_report, &cmd_kwork_latency,
						&cmd_kwork_timehist, &cmd_kwork_top, NULL};

static int cmd_kwork_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	if (argc && subcommand_is(argv[0], "record"))
		return kwork_record(env, opts, argc, argv, err);
	return subcommand_refuse(env->cmd, "kwork", argv[0], err);
}

static void kwork_defaults(void *v, const struct env *env)
{
	struct kwork_opts *o = v;

	o->max_stack = 5;
	symbol_opts_defaults(&o->symbols, env);
}

const struct cmd cmd_kwork = {
	.name = "kwork",
	.summary = "Tool to trace/measure kernel work properties (latencies)",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct kwork_opts),
	.stop_at_word = true,
	.defaults = kwork_defaults,
	.subcommands = subcommands,
	.words = "record report latency timehist top",
	.run = cmd_kwork_run,
};
