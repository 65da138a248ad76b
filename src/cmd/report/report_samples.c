// SPDX-License-Identifier: MIT
/* --samples: lists single samples of a row, and shows one with its surroundings. */
#include "cmd/report/report_shown.h"
#include "profile/table/key/key.h"

#include <stdlib.h>

#define CONTEXT_NS 10000000 /* shown before and after a sample, perf's default */
#define NS_PER_S   1000000000u

struct row_sample {
	uint64_t time;
	uint32_t cpu; /* UINT32_MAX: not known */
	uint32_t tid;
};
struct row_samples {
	VEC(struct row_sample) all;
};

void report_samples_ask(struct samples_options *wanted)
{
	wanted->columns |= COL_BIT(COL_TIME) | COL_BIT(COL_CPU) | COL_BIT(COL_THREAD);
	wanted->time_quantum = 1;
}

static int by_time(const void *a, const void *b)
{
	const struct row_sample *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* Gathers the samples of an entry: the entries of exact that have the entry's keys. exact has more
 * keys, by which each of its entries is one sample. */
static void gather_samples(const struct hist *h, const struct table *exact,
			   const struct entry *entry, struct row_samples *out)
{
	const struct event_entries *ev = &exact->events.at[h->event];
	const size_t keys = h->table->layout.keys.n;
	AUTO_BUF text = {0};
	const uint64_t wanted = hist_identity(h->table, keys, entry, &text);

	for (size_t i = 0; i < ev->entries.n; i++) {
		const struct entry *e = ev->entries.at[i];
		const struct cell *cell = table_first(exact, e);
		uint64_t v[COLUMNS];

		if (e->filtered || hist_identity(exact, keys, e, &text) != wanted)
			continue;
		cells_spread(&exact->samples->cells, e->first.cell, v);
		vec_add(&out->all, ((struct row_sample){v[COL_TIME], (uint32_t)v[COL_CPU],
							cell->thread->tid}));
	}
	if (out->all.n)
		qsort(out->all.at, out->all.n, sizeof(*out->all.at), by_time);
}

/* Keeps at most so many samples, evenly spread over the list. */
static void thin_out(struct row_samples *s, size_t most)
{
	const size_t n = s->all.n;

	if (n <= most)
		return;
	for (size_t i = 0; i < most; i++)
		s->all.at[i] = s->all.at[i * n / most];
	s->all.n = most;
}

static int find_samples(const struct hist *h, const struct report_shown *b,
			const struct entry *entry, struct row_samples *out, struct err *err)
{
	struct table_options opts = h->opts;
	AUTO(table) *exact = NULL;
	AUTO_BUF keys = {0};

	hist_current_keys(h, &keys);
	buf_str(&keys, ",time,cpu,pid");
	opts.layout.sort = buf_text(&keys);
	opts.layout.fields = NULL;
	exact = table_new(&opts, err);
	if (!exact || table_make(exact, report_shown_samples(b), err))
		return -1;
	gather_samples(h, exact, entry, out);
	thin_out(out, (size_t)b->reading->o->saved_samples);
	return 0;
}

static const char *sample_text(struct arena *a, const struct row_sample *s)
{
	const unsigned long long seconds = s->time / NS_PER_S, ns = s->time % NS_PER_S;

	if (s->cpu == UINT32_MAX)
		return arena_printf(a, "%llu.%09llu  tid %u", seconds, ns, s->tid);
	return arena_printf(a, "%llu.%09llu  CPU %u  tid %u", seconds, ns, s->cpu, s->tid);
}

static void add_time(struct arena *a, const char **words, uint64_t from, uint64_t to)
{
	*words = arena_printf(a, "%llu.%09llu,%llu.%09llu", (unsigned long long)(from / NS_PER_S),
			      (unsigned long long)(from % NS_PER_S),
			      (unsigned long long)(to / NS_PER_S),
			      (unsigned long long)(to % NS_PER_S));
}

/* Adds script's options for the time around a sample, on its CPU; on its thread when CPUs are
 * unknown. */
static void add_surroundings(struct command_words *w, const struct row_sample *s, uint64_t context)
{
	const bool on_cpu = s->cpu != UINT32_MAX;
	const char *words[] = {
		"--ns", "--time", NULL, on_cpu ? "--cpu" : "--tid",
		arena_printf(&w->arena, "%u", on_cpu ? s->cpu : s->tid)};

	add_time(&w->arena, &words[2], s->time - MIN(s->time, context), s->time + context);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		command_words_add(w, words[i]);
}

const char *report_choose_sample(struct hist *h, const struct report_shown *b,
				 const struct entry *entry, struct command_words *w)
{
	const long context = config_int(b->config, "samples.context", CONTEXT_NS);
	struct row_samples samples = {0};
	const char **items, *sought = NULL;
	struct err err = {0};
	long chosen = -1;

	if (h->table->samples->opts.no_times) {
		browse_say(&h->browse, "the samples were recorded without times");
		return NULL;
	}
	if (find_samples(h, b, entry, &samples, &err)) {
		browse_say_error(&h->browse, &err);
		return NULL;
	}
	items = mem_alloc((samples.all.n + 1) * sizeof(*items));
	for (size_t i = 0; i < samples.all.n; i++)
		items[i] = sample_text(&w->arena, &samples.all.at[i]);
	if (samples.all.n)
		chosen = browse_choose(&h->browse, "Samples of the row", items, samples.all.n);
	if (chosen >= 0) {
		const struct row_sample *s = &samples.all.at[chosen];

		add_surroundings(w, s, (uint64_t)MAX(context, 0));
		sought = arena_printf(&w->arena, "%llu.%09llu:",
				      (unsigned long long)(s->time / NS_PER_S),
				      (unsigned long long)(s->time % NS_PER_S));
	}
	free(items);
	vec_release(&samples.all);
	return sought;
}
