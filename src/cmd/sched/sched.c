// SPDX-License-Identifier: MIT
/* perf sched: what the scheduler did. */
#include "cmd/sched/sched_opts.h"

#include "cmd/dispatch.h"
#include "os/tracefs.h"

#include <stdio.h>
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

struct recording *sched_open(const struct sched_opts *o, struct env *env, int argc, char **argv,
			     struct err *err)
{
	struct recording *rec;

	if (argc) {
		err_set(err, ERR_USAGE, "sched %s takes no argument: '%s' (-i names a file)",
			env->cmd->name, argv[0]);
		return NULL;
	}
	if (o->dump) {
		err_set(err, ERR_UNSUPPORTED, "sched shows no raw records ('-D')");
		err_hint(err, "'perf report -D' does");
		return NULL;
	}
	rec = input_open_recording(&o->input, env->out, err);
	if (!rec || rec->is_pipe || event_set_find_name(&rec->m.events, "sched:sched_switch"))
		return rec;
	err_set(err, ERR_INPUT, "No sched_switch events found. Have you run 'perf sched record'?");
	recording_free(rec);
	return NULL;
}

int sched_account(const struct sched_opts *o, const struct recording *rec, uint64_t n, uint64_t ns)
{
	if (n)
		fprintf(stderr,
			"perf: records were lost during %llu waits, of %.3f ms in all: those may "
			"be wrong\n",
			(unsigned long long)n, (double)ns / 1e6);
	return input_account(rec, "perf: ", o->strict);
}

/* A command line. Parsing it may move the words: the arena owns them. */
struct sched_words {
	VEC(char *) words;
	struct arena arena;
	const char *root; /* tracefs, or NULL */
};

static void record_add_word(struct sched_words *w, const char *word)
{
	vec_add(&w->words, arena_strdup(&w->arena, word));
}

static bool record_has_event(const struct sched_words *w, const char *name)
{
	uint64_t id;

	return w->root && !tracefs_id(w->root, "sched", name, &id, NULL);
}

static void record_add_event(struct sched_words *w, const char *name)
{
	record_add_word(w, "-e");
	vec_add(&w->words, arena_printf(&w->arena, "sched:%s", name));
}

/* Kernels without statistics of the scheduler lack the first three. */
static int record_run(struct env *env, int argc, char **argv)
{
	static const char *const first[] = {"record", "-a", "-R", "-m", "1024", "-c", "1"};
	static const char *const some[] = {"sched_stat_wait", "sched_stat_sleep",
					   "sched_stat_iowait"};
	static const char *const all[] = {"sched_stat_runtime", "sched_process_fork",
					  "sched_wakeup_new", "sched_migrate_task"};
	struct sched_words w = {0};
	int status;

	w.root = tracefs_find(NULL, &w.arena);
	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		record_add_word(&w, first[i]);
	record_add_event(&w, "sched_switch");
	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		if (record_has_event(&w, some[i]))
			record_add_event(&w, some[i]);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		record_add_event(&w, all[i]);
	record_add_event(&w,
			 record_has_event(&w, "sched_waking") ? "sched_waking" : "sched_wakeup");
	for (int i = 1; i < argc; i++)
		record_add_word(&w, argv[i]);
	vec_add(&w.words, NULL);
	status = command_run(command_find("record"), env, (int)w.words.n - 1, w.words.at);
	vec_release(&w.words);
	arena_release(&w.arena);
	return status;
}

static const char *const usage[] = {"sched [<options>] {record|latency|map|replay|script|timehist}",
				    NULL};

static const struct cmd *const subcommands[] = {&cmd_sched_latency, &cmd_sched_map,
						&cmd_sched_replay, &cmd_sched_timehist, NULL};

static int run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)opts;
	if (!argc)
		return err_set(err, ERR_USAGE,
			       "which one: record, latency, map, replay, script or timehist?");
	if (strlen(argv[0]) > 2 && !strncmp(argv[0], "record", strlen(argv[0])))
		return record_run(env, argc, argv);
	if (!strcmp(argv[0], "script"))
		return command_run(command_find("script"), env, argc, argv);
	return err_set(err, ERR_USAGE,
		       "sched has no '%s': record, latency, map, replay, script and timehist",
		       argv[0]);
}

static void list_subcommands(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	buf_str(out, "record latency map replay script timehist");
}

static void defaults(void *v, const struct env *env)
{
	struct sched_opts *o = v;

	o->sort = "avg, max, switch, runtime";
	o->cpu = -1;
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
	.defaults = defaults,
	.subcommands = subcommands,
	.words = list_subcommands,
	.run = run,
};
