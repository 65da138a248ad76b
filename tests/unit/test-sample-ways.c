// SPDX-License-Identifier: MIT
/* Samples of one file come to the same table, losses and status in whatever way they are read: in
 * order by one thread, or in parallel decoded one by one, tallied by thread, or in bulk. */
#include "unit.h"

#include "profile/samples/read.h"
#include "profile/samples/reading/read_parallel.h"
#include "profile/table/table.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of keys and options: what they ask of samples decides which way is taken. */
static const struct asking {
	const char *keys;
	bool chains, children;
	const char *cpus;
} askings[] = {
	{"comm", false, false, NULL},	       /* tallied */
	{"pid,comm", false, false, NULL},      /* tallied */
	{"comm,dso,sym", true, true, NULL},    /* in bulk, with chains */
	{"pid,sym", true, false, "0-1000"},    /* a filter of CPUs needs each sample decoded */
	{"cpu,trace,sym", false, false, NULL}, /* so do these keys */
};

static void show_entries(const struct table *t, struct buf *out)
{
	for (size_t i = 0; i < t->events.n; i++) {
		const struct event_entries *ev = &t->events.at[i];

		buf_printf(out, "%s %llu\n", ev->event->name, (unsigned long long)ev->period);
		for (size_t k = 0; k < ev->entries.n; k++) {
			const struct entry *e = ev->entries.at[k];

			buf_printf(out, "%llu %llu %llu %llu %u/%u:",
				   (unsigned long long)e->self->period,
				   (unsigned long long)e->self->samples,
				   (unsigned long long)e->self->sys, (unsigned long long)e->total,
				   e->hits.n, e->max_depth);
			for (size_t n = 0; n < t->layout.keys.n; n++) {
				key_text(t, &t->layout.keys.at[n], e, out);
				buf_char(out, '|');
			}
			buf_char(out, '\n');
		}
	}
}

static void show_losses(const struct losses *l, struct buf *out)
{
	for (int i = 0; i < LOSS_KINDS; i++)
		if (l->kind[i].times)
			buf_printf(out, "loss %d: %llu %llu at %llu\n", i,
				   (unsigned long long)l->kind[i].times,
				   (unsigned long long)l->kind[i].amount,
				   (unsigned long long)l->kind[i].offset);
	losses_show(l, out);
	buf_printf(out, "\n%s", losses_damage(l) ? "damaged" : "good");
}

/* What can be made of the samples while they are read. */
struct watching {
	const struct table_options *opts;
	const struct samples *samples;
	struct samples_reading *how;
	uint64_t samples_before;
	struct buf last; /* of a copy: its entries */
	unsigned int copies;
};

static void watch_progress(void *ctx, double share, uint64_t bytes)
{
	struct watching *w = ctx;
	struct samples *some = samples_so_far(w->how);
	struct err e = {0};
	AUTO(table) *table = NULL;
	uint64_t samples = 0;

	(void)share;
	(void)bytes;
	if (!some)
		return;
	table = table_new(w->opts, &e);
	samples_resolve(some);
	assert_int_equal(table_make(table, some, &e), 0);
	for (size_t i = 0; i < table->events.n; i++)
		samples += table->events.at[i].samples;
	assert_true(samples >= w->samples_before);
	w->samples_before = samples;
	buf_clear(&w->last);
	if (some != w->samples) {
		w->copies++;
		show_entries(table, &w->last);
		samples_free(some);
	}
}

/* All that reading the file comes to, as text. workers 0: in order. *parallel: it can be read by
 * several. False: it isn't a recording. */
static bool read_file(const char *path, const struct asking *a, unsigned int workers,
		      struct buf *out, bool *parallel)
{
	const struct symbol_options symbols = {.no_live = true, .symfs = "/nowhere"};
	struct table_options o = {
		.filter.socket = -1, .chains = a->chains, .children = a->children};
	struct samples_options wanted = {.max_stack = 127, .time_quantum = 1000};
	struct samples_reading how = {.parallel_from = workers ? 0 : UINT64_MAX,
				      .threads = workers};
	struct err e = {0};
	AUTO(recording) *rec = recording_open(path, &(struct recording_options){.force = true}, &e);
	AUTO(world) *world = NULL;
	AUTO(table) *table = NULL;
	AUTO(samples) *samples = NULL;
	struct watching watching;
	size_t at;
	int status;

	buf_clear(out);
	if (!rec)
		return false;
	o.layout = (struct layout_options){
		.default_sort = a->keys, .children = a->children, .events = &rec->m.events};
	if (a->cpus && number_list_parse(&o.filter.cpus, a->cpus, "CPUs", &e))
		fail_msg("%s", e.text);
	*parallel = read_parallel_can(rec);
	world = world_of_recording(rec, &symbols);
	table = table_new(&o, &e);
	if (!table)
		fail_msg("%s", e.text);
	table_ask(table, &wanted);
	wanted.filter = o.filter;
	wanted.no_times = !measurement_samples_any(&rec->m, SAMPLE_TIME);
	samples = samples_new(&rec->m, world, &wanted);
	watching = (struct watching){.opts = &o, .samples = samples, .how = &how};
	rec->how.progress = watch_progress;
	rec->how.progress_ctx = &watching;
	status = samples_read(samples, rec, &how, &e);
	assert_null(samples_so_far(&how));
	samples_settle(samples);
	assert_int_equal(table_make(table, samples, &e), 0);
	losses_add_frames(&rec->m.losses, table->losses.frames);
	losses_add_bare(&rec->m.losses, table->losses.chains_bare, table->losses.chains_seen);
	buf_printf(out, "status %d, %llu lost, %llu cut\n", status,
		   (unsigned long long)how.lost_samples,
		   (unsigned long long)table->losses.chains_cut);
	at = out->n;
	show_entries(table, out);
	if (watching.copies)
		assert_string_equal(buf_text(&watching.last), buf_text(out) + at);
	buf_release(&watching.last);
	show_losses(&rec->m.losses, out);
	filter_release(&o.filter);
	return true;
}

/* Fails with the first lines that differ. */
static void check_same(const char *path, const struct asking *a, unsigned int workers,
		       const char *alone, const char *several)
{
	size_t line = 0;

	if (!strcmp(alone, several))
		return;
	for (size_t i = 0; alone[i] == several[i]; i++)
		if (alone[i] == '\n')
			line = i + 1;
	fail_msg("%s by %s, read by %u: '%.*s', alone '%.*s'", path, a->keys, workers,
		 (int)strcspn(several + line, "\n"), several + line,
		 (int)strcspn(alone + line, "\n"), alone + line);
}

/* Reads a file with 1, 3, ... threads, at most so many, in every way. True when several threads can
 * read it. */
static bool check_file(const char *path, unsigned int most)
{
	bool parallel = false;

	for (size_t k = 0; k < ARRAY_SIZE(askings); k++) {
		AUTO_BUF alone = {0}, several = {0};
		bool can = false;

		if (!read_file(path, &askings[k], 0, &alone, &can))
			break;
		parallel |= can;
		for (unsigned int workers = 1; can && workers <= most; workers += 2) {
			read_file(path, &askings[k], workers, &several, &can);
			check_same(path, &askings[k], workers, buf_text(&alone),
				   buf_text(&several));
		}
	}
	return parallel;
}

/* The number of files that several threads can read. */
static unsigned int check_files(const char *folder, const char *pattern, unsigned int most)
{
	AUTO_CHAR *path = mem_printf("%s/%s", folder, pattern);
	unsigned int parallel = 0;
	glob_t g = {0};

	glob(path, 0, NULL, &g);
	for (size_t i = 0; i < g.gl_pathc; i++)
		parallel += check_file(g.gl_pathv[i], most);
	globfree(&g);
	return parallel;
}

/* Flips some bits, the same for the same seed; every third time 40 bytes become noise, too. */
static void damage(uint8_t *p, size_t n, uint32_t seed)
{
	uint64_t state = seed * 2654435761u + 1;

	for (uint32_t i = 0; i < 1u << seed % 6; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		p[(state >> 33) % n] ^= (uint8_t)(1u << (state >> 30 & 7));
	}
	for (size_t i = 0, at = (state >> 33) % n; seed % 3 == 0 && i < 40 && at + i < n; i++)
		p[at + i] ^= (uint8_t)(state >> i);
}

static void read_bytes(const char *path, struct buf *bytes)
{
	FILE *f = fopen(path, "r");
	uint8_t some[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(some, 1, sizeof(some), f)))
		buf_add(bytes, some, n);
	fclose(f);
}

static void check_damaged(const char *path, uint32_t seeds)
{
	AUTO_CHAR *damaged = mem_strdup("/tmp/test-sample-ways-XXXXXX");
	int fd = mkstemp(damaged);
	AUTO_BUF good = {0}, bad = {0};

	assert_true(fd >= 0);
	read_bytes(path, &good);
	for (uint32_t seed = 0; seed < seeds; seed++) {
		/* A damaged tid makes a sample's thread one of another process, which only the
		 * rest of the file tells: read in order, it is not known yet
		 * (doc/reliability.md). */
		if (seed == 17 && strstr(path, "comms.data"))
			continue;
		buf_clear(&bad);
		buf_add(&bad, good.at, good.n);
		damage((uint8_t *)bad.at, bad.n, seed);
		assert_int_equal(pwrite(fd, bad.at, bad.n, 0), bad.n);
		check_file(damaged, 1);
	}
	close(fd);
	unlink(damaged);
}

static void damaged_recordings_are_the_same_in_every_way(void **state)
{
	const char *tests = getenv("TESTS");
	AUTO_CHAR *pattern = mem_printf("%s/data/*.data", tests ? tests : "tests");
	glob_t g = {0};

	(void)state;
	glob(pattern, 0, NULL, &g);
	for (size_t i = 0; i < g.gl_pathc; i++)
		check_damaged(g.gl_pathv[i], 60);
	globfree(&g);
}

static void our_recordings_are_the_same_in_every_way(void **state)
{
	const char *tests = getenv("TESTS");
	AUTO_CHAR *folder = mem_printf("%s/data", tests ? tests : "tests");

	(void)state;
	assert_true(check_files(folder, "*.data", 3) > 0);
}

static void other_people_s_recordings_are_the_same_in_every_way(void **state)
{
	const char *corpus = getenv("PERF_CORPUS");
	unsigned int parallel;

	(void)state;
	if (!corpus)
		corpus = "../shared/corpus";
	parallel = check_files(corpus, "good/*", 1);
	check_files(corpus, "damaged/*", 1);
	if (!parallel)
		skip();
}

static void a_reading_that_is_stopped_is_no_error(void **state)
{
	const char *tests = getenv("TESTS");
	AUTO_CHAR *path = mem_printf("%s/data/chains.data", tests ? tests : "tests");

	(void)state;
	for (unsigned int workers = 0; workers < 3; workers += 2) {
		struct samples_reading how = {.parallel_from = workers ? 0 : UINT64_MAX,
					      .threads = workers};
		struct err e = {0};
		AUTO(recording) *rec =
			recording_open(path, &(struct recording_options){.force = true}, &e);
		AUTO(world) *world = world_of_recording(rec, &(struct symbol_options){0});
		AUTO(samples) *samples = samples_new(
			&rec->m, world, &(struct samples_options){.columns = COL_BIT(COL_IP)});

		rec->stop = true;
		assert_int_equal(samples_read(samples, rec, &how, &e), 0);
		assert_int_equal(samples->cells.n, 0);
		rec->stop = false;
		assert_int_equal(samples_read(samples, rec, &how, &e), 0);
		assert_true(samples->cells.n > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_recordings_are_the_same_in_every_way),
		cmocka_unit_test(damaged_recordings_are_the_same_in_every_way),
		cmocka_unit_test(a_reading_that_is_stopped_is_no_error),
		cmocka_unit_test(other_people_s_recordings_are_the_same_in_every_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
