// SPDX-License-Identifier: MIT
/* perf sched: analyses of scheduler events. */
#include "cmd/sched/sched_opts.h"

#include "cmd/front/dispatch.h"
#include "cmd/options/words/live_words.h"
#include "cmd/subcommand.h"

#include <string.h>

#define AT(field) offsetof(struct sched_opts, field)

const struct opt sched_opts[] = {
	{OPT_BOOL, 'D', "dump-raw-trace", AT(dump), NULL, "dump raw trace in ASCII"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{sched_opts, 0}, {0}};

bool sched_instead(const struct sched_opts *o, struct env *env, int argc, char **argv, int *status,
		   struct err *err)
{
	static const char *const words[] = {"perf", "sched", "record"};
	struct command_words w = {0};

	if (!argc && !o->dump)
		return false;
	command_words_add_all(&w, words, ARRAY_SIZE(words));
	if (argc)
		*status = live_words_run(&w, env, &o->input, argc, argv, err);
	else
		*status = input_dump(&o->input, &o->symbols, o->strict, env, err);
	command_words_release(&w);
	return true;
}

int sched_check(const struct recording *rec, struct err *err)
{
	if (event_set_find_name(&rec->m.events, "sched:sched_switch"))
		return 0;
	if (input_lost_tracepoints(rec, err))
		return -1;
	return err_set(err, ERR_INPUT,
		       "No sched_switch events found. Have you run 'perf sched record'?");
}

struct recording *sched_open(const struct sched_opts *o, struct env *env, struct err *err)
{
	struct recording *rec = input_open_recording(&o->input, env->out, err);

	if (!rec || rec->is_pipe || !sched_check(rec, err))
		return rec;
	recording_free(rec);
	return NULL;
}

int sched_account(const struct sched_opts *o, const struct recording *rec, const char *what,
		  uint64_t n, uint64_t ns, struct err *err)
{
	if (sched_check(rec, err))
		return -1;
	input_tell_doubts(rec, what, n, ns);
	return input_account(rec, "perf: ", o->strict);
}

/* Records the scheduler's events. Kernels without scheduler statistics lack the events in
 * some[]. */
static int sched_record(struct env *env, int argc, char **argv)
{
	static const char *const first[] = {"record", "-a", "-R", "-m", "1024", "-c", "1"};
	static const char *const some[] = {"sched_stat_wait", "sched_stat_sleep",
					   "sched_stat_iowait"};
	static const char *const all[] = {"sched_stat_runtime", "sched_process_fork",
					  "sched_wakeup_new", "sched_migrate_task"};
	struct command_words w = {0};

	command_words_add_all(&w, first, ARRAY_SIZE(first));
	command_words_add_event(&w, "sched", "sched_switch");
	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		if (command_words_has_event(&w, "sched", some[i]))
			command_words_add_event(&w, "sched", some[i]);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		command_words_add_event(&w, "sched", all[i]);
	command_words_add_event(&w, "sched",
				command_words_has_event(&w, "sched", "sched_waking")
					? "sched_waking"
					: "sched_wakeup");
	return command_words_run(&w, env, argc - 1, argv + 1);
}

static const char *const usage[] = {
	"sched [<options>] {record|latency|map|replay|script|timehist|stats}", NULL};

static const struct cmd *const subcommands[] = {&cmd_sched_latency, &cmd_sched_map,
						&cmd_sched_replay,  &cmd_sched_timehist,
						&cmd_sched_stats,   NULL};

static int cmd_sched_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)opts;
	if (argc && subcommand_is(argv[0], "record"))
		return sched_record(env, argc, argv);
	if (argc && !strcmp(argv[0], "script"))
		return command_run(command_find("script"), env, argc, argv);
	return subcommand_refuse(env->cmd, "sched", argv[0], err);
}

static void sched_defaults(void *v, const struct env *env)
{
	struct sched_opts *o = v;

	o->sort = "avg, max, switch, runtime";
	o->chains = true;
	o->max_stack = 5;
	o->repeat = 10;
	symbol_opts_defaults(&o->symbols, env);
}

const struct cmd cmd_sched = {
	.name = "sched",
	.summary = "Tool to trace/measure scheduler properties (latencies)",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct sched_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = sched_defaults,
	.subcommands = subcommands,
	.words = "record latency map replay script timehist stats",
	.run = cmd_sched_run,
};
