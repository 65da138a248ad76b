// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"
#include "cmd/options/words/command_words.h"
#include "cmd/timechart/timechart_opts.h"

#include <unistd.h>

#define AT(field) offsetof(struct timechart_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'g', "callchain", AT(chains), NULL, "record callchain"},
	{OPT_BOOL, 'I', "io-only", AT(io), NULL, "record only IO data"},
	{OPT_BOOL, 'P', "power-only", AT(view.power_only), NULL, "record power data only"},
	{OPT_BOOL, 'T', "tasks-only", AT(view.tasks_only), NULL, "record processes data only"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

/* Adds all calls of input and output that this kernel has, but not the recorder's own. */
static void timechart_add_calls(struct command_words *w)
{
	AUTO_CHAR *others = mem_printf("common_pid != %d", getpid());

	for (const char *const *call = timechart_calls; *call; call++)
		for (int end = 0; end < 2; end++) {
			AUTO_CHAR *name = mem_printf("sys_%s_%s", end ? "exit" : "enter", *call);

			if (!command_words_has_event(w, "syscalls", name))
				continue;
			command_words_add_event(w, "syscalls", name);
			command_words_add(w, "--filter");
			command_words_add(w, others);
		}
}

static int timechart_record(struct env *env, const struct timechart_opts *o, int argc, char **argv,
			    struct err *err)
{
	static const char *const tasks[] = {"-e", "sched:sched_wakeup", "-e", "sched:sched_switch"};
	static const char *const power[] = {"-e", "power:cpu_frequency", "-e", "power:cpu_idle"};
	static const char *const first[] = {"record", "-a", "-R", "-c", "1", "-g"};
	struct command_words w = {0};

	if (timechart_check_sections(o, err))
		return -1;
	if (o->io && (o->view.power_only || o->view.tasks_only))
		return err_set(err, ERR_USAGE,
			       "-I records neither power nor tasks: -P and -T do not go with it");
	command_words_add_all(&w, first, ARRAY_SIZE(first) - !o->chains);
	if (o->io)
		timechart_add_calls(&w);
	if (!o->io && !o->view.power_only)
		command_words_add_all(&w, tasks, ARRAY_SIZE(tasks));
	if (!o->io && !o->view.tasks_only)
		command_words_add_all(&w, power, ARRAY_SIZE(power));
	return command_words_run(&w, env, argc, argv);
}

static int cmd_timechart_record_run(struct env *env, void *v, int argc, char **argv,
				    struct err *err)
{
	struct timechart_opts *o = v;
	const int status = timechart_record(env, o, argc, argv, err);

	vec_release(&o->view.shown);
	return status;
}

static const char *const usage[] = {
	"timechart record [<options>] [<command>]",
	"timechart record [<options>] -- [<record command options>] <command>", NULL};

extern const struct cmd cmd_record;

const struct cmd cmd_timechart_record = {
	.name = "record",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.hands_on_to = &cmd_record,
	.run = cmd_timechart_record_run,
};
