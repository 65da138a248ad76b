// SPDX-License-Identifier: MIT
#include "cmd/bench/bench_run.h"

#include <string.h>

static const struct opt options[] = {
	{OPT_STRING, 'f', "format", offsetof(struct bench_opts, format), "default|simple|json",
	 "Specify the output formatting style", .words = "default simple json"},
	{OPT_UINT, 'r', "repeat", offsetof(struct bench_opts, repeat), "n",
	 "Specify amount of times to repeat the run",
	 .given_offset = offsetof(struct bench_opts, repeat_given)},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};
static const struct opt no_options[] = {{OPT_END}};
static const struct opt_group no_groups[] = {{no_options, 0}, {0}};

static int check_common(const struct bench_opts *o, struct err *err)
{
	if (!o->repeat)
		return err_set(err, ERR_USAGE,
			       "Invalid repeat option: Must specify a positive value");
	if (o->format && strcmp(o->format, "default") && strcmp(o->format, "simple") &&
	    strcmp(o->format, "json"))
		return err_set(err, ERR_USAGE, "Unknown format descriptor: '%s'", o->format);
	return 0;
}

static int run_suite(struct env *env, const struct bench_opts *o, enum bench_slot slot, int argc,
		     char **argv, struct err *err)
{
	if (argc)
		return err_set(err, ERR_USAGE, "'%s' takes no arguments: '%s'",
			       bench_rows[slot].name, argv[0]);
	return check_common(o, err) ? -1 : bench_run(env, o, slot, false, err);
}

#define SUITE(id, collection, title, summary, table)                                               \
	static const struct opt_group groups_##id[] = {                                            \
		{table,                                                                            \
		 offsetof(struct bench_opts, slots) + SLOT_##id * sizeof(struct bench_slot_opts)}, \
		{0}};                                                                              \
	static const char *const usage_##id[] = {"bench " #collection " " title " <options>",      \
						 NULL};                                            \
	static int run_##id(struct env *env, void *o, int argc, char **argv, struct err *err)      \
	{                                                                                          \
		return run_suite(env, o, SLOT_##id, argc, argv, err);                              \
	}                                                                                          \
	static const struct cmd cmd_##id = {                                                       \
		.name = title, .usage = usage_##id, .groups = groups_##id, .run = run_##id};
BENCH_SUITES(SUITE)

static void list_suites(const char *collection, const char *all, struct buf *out)
{
	buf_printf(out, "\n        # List of available benchmarks for collection '%s':\n\n",
		   collection);
	for (enum bench_slot i = 0; i < BENCH_SLOTS; i++)
		if (!strcmp(bench_rows[i].collection, collection)) {
			buf_right(out, bench_rows[i].name, 14);
			buf_printf(out, ": %s\n", bench_rows[i].summary);
		}
	if (*all)
		buf_printf(out, "           all: %s\n", all);
	buf_char(out, '\n');
}

/* more: a word behind "all", or NULL. */
static int run_all(struct env *env, const struct bench_opts *o, const char *collection,
		   const char *more, struct err *err)
{
	return more ? err_set(err, ERR_USAGE, "'all' takes no arguments: '%s'", more)
		    : bench_run_all(env, o, collection);
}

static int run_collection(struct env *env, const struct bench_opts *o, const char *collection,
			  const char *all, char **argv, struct err *err)
{
	if (check_common(o, err))
		return -1;
	if (!argv[0]) {
		list_suites(collection, all, &env->out->buf);
		return 0;
	}
	if (!strcmp(argv[0], "all"))
		return run_all(env, o, collection, argv[1], err);
	return err_set(err, ERR_USAGE, "Unknown benchmark: '%s' for collection '%s'", argv[0],
		       collection);
}

static void offer_suites(const char *collection, bool all, struct buf *out)
{
	for (enum bench_slot i = 0; i < BENCH_SLOTS; i++)
		if (!strcmp(bench_rows[i].collection, collection))
			buf_printf(out, "%s ", bench_rows[i].name);
	buf_str(out, all ? "all" : "");
}

#define SUITE_CMD(id, collection, title, summary, table) &cmd_##id,
#define COLLECTION(id, suites, summary, all)                                                       \
	static const struct cmd *const subcommands_##id[] = {suites(SUITE_CMD) NULL};              \
	static const char *const usage_##id[] = {"bench " #id " <benchmark> [<options>]", NULL};   \
	static int run_##id(struct env *env, void *o, int argc, char **argv, struct err *err)      \
	{                                                                                          \
		(void)argc;                                                                        \
		return run_collection(env, o, #id, all, argv, err);                                \
	}                                                                                          \
	static void offer_##id(const struct opt_typed *typed, struct buf *out)                     \
	{                                                                                          \
		(void)typed;                                                                       \
		offer_suites(#id, *all, out);                                                      \
	}                                                                                          \
	static const struct cmd cmd_##id = {.name = #id,                                           \
					    .usage = usage_##id,                                   \
					    .groups = no_groups,                                   \
					    .stop_at_word = true,                                  \
					    .subcommands = subcommands_##id,                       \
					    .list_words = offer_##id,                              \
					    .run = run_##id};
BENCH_COLLECTIONS(COLLECTION)

#define COLLECTION_CMD(id, suites, summary, all) &cmd_##id,
static const struct cmd *const collections[] = {BENCH_COLLECTIONS(COLLECTION_CMD) NULL};

#define COLLECTION_ROW(id, suites, summary, all) {#id, summary},
static const struct {
	const char *name, *summary;
} rows[] = {BENCH_COLLECTIONS(COLLECTION_ROW){"all", "All benchmarks"}};

static int run_bench(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct buf *out = &env->out->buf;

	if (check_common(v, err))
		return -1;
	if (argc && !strcmp(argv[0], "all"))
		return run_all(env, v, NULL, argv[1], err);
	if (argc)
		return err_set(err, ERR_USAGE, "Unknown collection: '%s'", argv[0]);
	buf_str(out,
		"Usage: \n\tperf bench [<common options>] <collection> <benchmark> [<options>]\n\n"
		"        # List of all available benchmark collections:\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		buf_right(out, rows[i].name, 14);
		buf_printf(out, ": %s\n", rows[i].summary);
	}
	buf_char(out, '\n');
	return 0;
}

static void set_defaults(void *v, const struct env *env)
{
	struct bench_opts *o = v;

	(void)env;
	o->repeat = BENCH_REPEAT;
	for (enum bench_slot i = 0; i < BENCH_SLOTS; i++)
		memcpy(&o->slots[i], bench_rows[i].suite->defaults, bench_rows[i].suite->opts_size);
}

static void offer_collections(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		buf_printf(out, "%s ", rows[i].name);
}

static const char *const usage[] = {"bench [<common options>] <collection> <benchmark> [<options>]",
				    NULL};

const struct cmd cmd_bench = {
	.name = "bench",
	.summary = "General framework for benchmark suites",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct bench_opts),
	.stop_at_word = true,
	.defaults = set_defaults,
	.subcommands = collections,
	.list_words = offer_collections,
	.run = run_bench,
};
