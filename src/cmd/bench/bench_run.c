// SPDX-License-Identifier: MIT
#include "cmd/bench/bench_run.h"

#include "cmd/front/dispatch.h"
#include "view/bench.h"

#include <math.h>
#include <string.h>

#define BENCH_ROW(id, collection, name, summary, options) {&bench_##id, #collection, name, summary},
const struct bench_row bench_rows[BENCH_SLOTS] = {BENCH_SUITES(BENCH_ROW)};

static void send_text(void *env)
{
	out_flush(((struct env *)env)->out);
}

/* Returns the words after the names of the collection and the suite. */
static char *words_of_suite(const struct env *env, const struct bench_row *row)
{
	AUTO_BUF out = {0};
	int i = 1;

	while (i + 1 < env->argc && (strcmp(env->argv[i], row->collection) != 0 ||
				     strcmp(env->argv[i + 1], row->name) != 0))
		i++;
	for (i += 2; i < env->argc; i++)
		buf_printf(&out, "%s%s", out.n ? " " : "", env->argv[i]);
	return mem_strdup(buf_text(&out));
}

/* Runs a suite once, and adds its values to series. */
static int run_once(const struct bench_opts *o, enum bench_slot slot, struct bench *b,
		    struct bench_series *series, struct err *err)
{
	const struct bench_suite *suite = bench_rows[slot].suite;
	int got;

	b->repeat = o->repeat;
	got = suite->measure(b, &o->slots[slot], err);
	bench_series_add(series, b);
	return got;
}

/* Runs a suite several times, and shows the text of the run whose first value is nearest to the
 * median. */
static int run_many(struct env *env, const struct bench_opts *o, enum bench_slot slot, bool simple,
		    const char *words, struct bench_series *series, struct err *err)
{
	struct run {
		struct buf text;
		double first;
	} *runs = mem_zero(o->repeat * sizeof(*runs)), *middle = runs;
	double *sorted = mem_zero(o->repeat * sizeof(*sorted));
	struct bench_spread spread;
	int got = 0;

	for (unsigned int i = 0; i < o->repeat && !got; i++) {
		struct bench b = {
			.text = &runs[i].text, .simple = simple, .words = words};

		got = run_once(o, slot, &b, series, err);
		runs[i].first = sorted[i] = b.values.n ? b.values.at[0].v : 0;
		vec_release(&b.values);
	}
	if (!got) {
		bench_spread(sorted, o->repeat, &spread);
		for (unsigned int i = 1; i < o->repeat; i++)
			if (fabs(runs[i].first - spread.median) <
			    fabs(middle->first - spread.median))
				middle = &runs[i];
	}
	if (got >= 0)
		buf_add(&env->out->buf, middle->text.at, middle->text.n);
	for (unsigned int i = 0; i < o->repeat; i++)
		buf_release(&runs[i].text);
	free(sorted);
	free(runs);
	return got;
}

int bench_run(struct env *env, const struct bench_opts *o, enum bench_slot slot, bool among,
	      struct err *err)
{
	const struct bench_row *row = &bench_rows[slot];
	const bool simple = o->format && !strcmp(o->format, "simple"),
		   json = o->format && !strcmp(o->format, "json");
	const bool many = o->repeat_given && o->repeat > 1 && !row->suite->repeats;
	AUTO_CHAR *name = mem_printf("%s/%s", row->collection, row->name);
	AUTO_CHAR *words = words_of_suite(env, row);
	struct bench_series series = {0};
	struct buf unseen = {0};
	struct buf *out = &env->out->buf;
	int got;

	if (among && !json)
		buf_printf(out, "# Running %s benchmark...\n", name);
	else if (!simple && !json)
		buf_printf(out, "# Running '%s' benchmark:\n", name);
	send_text(env);
	if (many && !json) {
		got = run_many(env, o, slot, simple, words, &series, err);
	} else {
		struct bench b = {.words = words,
				  .text = json ? &unseen : out,
				  .simple = simple,
				  .flush = json ? NULL : send_text,
				  .ctx = env};

		got = 0;
		for (unsigned int i = 0; i < (many ? o->repeat : 1) && !got; i++) {
			got = run_once(o, slot, &b, &series, err);
			vec_clear(&b.values);
		}
		vec_release(&b.values);
	}
	if (got > 0 && json) /* the suite printed a text instead of measuring */
		buf_add(out, unseen.at, unseen.n);
	else if (!got && json)
		bench_show_json(&series, name, out);
	else if (!got && !simple && o->repeat_given && o->repeat > 1)
		bench_show_spread(&series, out);
	buf_release(&unseen);
	bench_series_release(&series);
	return got;
}

int bench_run_all(struct env *env, const struct bench_opts *o, const char *collection)
{
	const bool json = o->format && !strcmp(o->format, "json");
	int status = 0;

	for (enum bench_slot i = 0; i < BENCH_SLOTS; i++) {
		struct err err = {0};
		int got;

		if (collection && strcmp(collection, bench_rows[i].collection))
			continue;
		got = bench_run(env, o, i, true, &err);
		if (got)
			status = 1;
		send_text(env);
		if (got < 0)
			show_err(&err);
		if (!json)
			buf_char(&env->out->buf, '\n');
		send_text(env);
	}
	return status;
}
