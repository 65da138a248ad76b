// SPDX-License-Identifier: MIT
/*
 * A large file is read by all CPUs in two passes. The first pass reads the side-band, which makes
 * the world, and the threads of samples, which the world must know before it is sealed. The second
 * pass reads samples, in any order, each thread into cells of its own: mostly in bulk, from the
 * spans that the first pass noted (bulk.h, sample_runs.h). Where keys need threads only, the first
 * pass does (tally.h).
 */
#include "profile/samples/reading/read_parallel.h"

#include "profile/samples/reading/bulk.h"
#include "profile/samples/reading/gather.h"
#include "profile/samples/reading/tally.h"

#define SPANS_AT_ONCE 2 /* for each thread */
#define RUNS_AT_ONCE  8 /* for each thread, between two reports of progress */

/* What one thread reads into. */
struct span_reader {
	struct bulk bulk;
	struct cells cells;
	struct chain_words words;
	struct buf scratch;
	struct losses losses;
};

struct parallel_reading {
	struct samples *samples;
	const struct recording *rec;
	struct span_reader *readers;
	unsigned int n_readers;
	struct span *spans;
	bool in_bulk;
};

bool read_parallel_can(const struct recording *rec)
{
	size_t thread_at;

	if (measurement_defers_chains(&rec->m) || rec->is_pipe || !rec->m.sample_id_all ||
	    recording_has(rec, FEATURE_COMPRESSED))
		return false;
	if (measurement_samples_any(&rec->m, SAMPLE_READ))
		return false;
	return measurement_samples_alike(&rec->m, &thread_at);
}

static void tally_samples(void *ctx, const struct span *span)
{
	tally_add(ctx, span);
}

static int read_world(struct samples *samples, struct recording *rec, struct tally *tally,
		      struct samples_reading *how, struct err *err)
{
	const struct source_options reading = {.mode = SOURCE_SIDE_BAND,
					       .times = filter_source_times(&samples->opts.filter),
					       .passed = {tally_samples, tally}};
	AUTO(source) *src = source_open(rec, &reading, err);
	struct record r;
	int got;

	if (!src)
		return -1;
	while ((got = source_next(src, &r, err)) > 0) {
		if (r.header.type == RECORD_LOST_SAMPLES)
			how->lost_samples += r.lost_samples.lost;
		world_add(samples->world, &r, record_time(&rec->m, &r));
		tally_note(tally, &r);
		if (how->other)
			how->other(how->ctx, &r);
	}
	if (!got) {
		tally_make_threads(tally, samples->world);
		world_seal(samples->world);
	}
	return got;
}

static void read_span(void *ctx, size_t i, unsigned int number)
{
	struct parallel_reading *rd = ctx;
	struct span_reader *w = &rd->readers[number];
	const struct span *span = &rd->spans[i];
	struct gatherer g = {rd->samples, &w->cells, &w->words};
	const struct record_decode how = measurement_decode(&rd->rec->m, &w->scratch);
	struct gather_batch batch;
	uint64_t seq = span->seq;
	struct record_header h;
	const uint8_t *record;
	size_t at = 0;

	batch.n = 0;
	for (; span_step(span, rd->rec->m.swap, &at, &record, &h); seq++) {
		uint64_t offset = span->offset + (uint64_t)(record - span->p);
		struct record r;
		bool bad;

		if (h.type != RECORD_SAMPLE || (rd->in_bulk && bulk_add(&w->bulk, &h, record, seq)))
			continue;
		bad = record_decode(&how, record, h.size, &r);
		r.offset = offset;
		r.seq = seq;
		record_count_losses(&r, bad, true, &w->losses);
		if (!bad)
			gather_add(&g, &batch, &r);
	}
	gather_flush(&g, &batch);
	if (rd->in_bulk) {
		bulk_flush(&w->bulk);
		recording_passed(rd->rec, span->p, span->n);
	}
}

/* The samples of all runs. */
static void read_runs(struct parallel_reading *rd, const struct sample_runs *runs,
		      struct pool *pool)
{
	const size_t most = (size_t)pool_size(pool) * RUNS_AT_ONCE;
	size_t n;

	for (size_t done = 0; done < runs->spans.n && !rd->rec->stop; done += n) {
		n = MIN(most, runs->spans.n - done);
		rd->spans = runs->spans.at + done;
		pool_for(pool, n, read_span, rd);
		recording_progress(rd->rec, done + n, runs->spans.n);
	}
}

static int read_samples(struct parallel_reading *rd, struct recording *rec, struct pool *pool,
			struct err *err)
{
	size_t most = (size_t)pool_size(pool) * SPANS_AT_ONCE;
	/* the runs that the first pass left unread are left unread again */
	const struct source_options reading = {
		.mode = SOURCE_SAMPLES, .times = filter_source_times(&rd->samples->opts.filter)};
	AUTO(source) *src = source_open(rec, &reading, err);
	int got = src ? 1 : -1;

	rd->spans = mem_zero(most * sizeof(*rd->spans));
	while (got > 0) {
		size_t n = 0;

		while (n < most && (got = source_next_span(src, &rd->spans[n], err)) > 0)
			n++;
		pool_for(pool, n, read_span, rd);
		for (size_t i = 0; i < n; i++)
			span_release(&rd->spans[i]);
	}
	free(rd->spans);
	recording_progress(rec, 1, 1);
	return got;
}

static void readers_init(struct parallel_reading *rd, const struct sample_layout *layout)
{
	struct samples *samples = rd->samples;

	rd->readers = mem_zero(rd->n_readers * sizeof(*rd->readers));
	for (unsigned int i = 0; i < rd->n_readers; i++) {
		cells_init(&rd->readers[i].cells, samples->cells.columns, samples->cells.sums);
		chain_words_init(&rd->readers[i].words, samples->world, &rd->rec->m,
				 samples->opts.max_stack, samples->opts.keep_outer);
		rd->readers[i].cells.keeps_times = samples->cells.keeps_times;
		rd->readers[i].cells.stretches.wanted = samples->cells.stretches.wanted;
		rd->readers[i].cells.stretches.passes = samples->cells.stretches.passes;
		if (rd->in_bulk)
			bulk_init(&rd->readers[i].bulk, samples, layout);
	}
}

/* Merges what all readers have read into the samples. */
static void readers_join(struct parallel_reading *rd, struct losses *losses)
{
	struct span_reader *first = rd->readers;

	for (unsigned int i = 0; i < rd->n_readers; i++) {
		struct span_reader *w = &rd->readers[i];

		cells_merge(&rd->samples->cells, &w->cells);
		losses_merge(losses, &w->losses);
		unwound_losses(&w->words.unwound, losses);
		cells_release(&w->cells);
		chain_words_release(&w->words);
		buf_release(&w->scratch);
		if (i && rd->in_bulk) {
			bulk_merge(&first->bulk, &w->bulk);
			bulk_release(&w->bulk);
		}
	}
	if (rd->in_bulk) {
		bulk_finish(&first->bulk, &rd->samples->cells);
		bulk_release(&first->bulk);
	}
	free(rd->readers);
}

struct samples *parallel_so_far(const struct parallel_reading *rd)
{
	const struct samples *all = rd->samples;
	struct samples *copy = samples_new(all->m, all->world, &all->opts);
	struct bulk rows;

	copy->rec = all->rec;
	for (unsigned int i = 0; i < rd->n_readers; i++)
		cells_add_all(&copy->cells, &rd->readers[i].cells);
	if (!rd->in_bulk)
		return copy;
	bulk_init(&rows, copy, &rd->readers[0].bulk.layout);
	for (unsigned int i = 0; i < rd->n_readers; i++)
		bulk_add_all(&rows, &rd->readers[i].bulk);
	bulk_finish(&rows, &copy->cells);
	bulk_release(&rows);
	return copy;
}

/* Reads all samples with all workers. layout: in bulk, from the runs; NULL: decoded. */
static int gather_all(struct samples *samples, struct recording *rec,
		      const struct sample_runs *runs, const struct sample_layout *layout,
		      struct samples_reading *how, struct err *err)
{
	AUTO(pool) *pool = pool_new(how->threads);
	struct parallel_reading rd = {.samples = samples,
				      .rec = rec,
				      .n_readers = pool_size(pool),
				      .in_bulk = layout != NULL};
	int got = 0;

	readers_init(&rd, layout);
	how->parallel = &rd;
	if (rd.in_bulk)
		read_runs(&rd, runs, pool);
	else
		got = read_samples(&rd, rec, pool, err);
	how->parallel = NULL;
	readers_join(&rd, &rec->m.losses);
	return got;
}

int read_parallel(struct samples *samples, struct recording *rec, struct samples_reading *how,
		  struct err *err)
{
	struct sample_layout layout;
	const bool in_bulk = bulk_can(samples, &rec->m, &layout);
	struct sample_runs runs;
	struct tally tally;
	int got;

	sample_runs_init(&runs, rec, in_bulk);
	tally_init(&tally, samples, rec, &runs);
	got = read_world(samples, rec, &tally, how, err);
	if (!got && !tally_finish(&tally, samples))
		got = gather_all(samples, rec, &runs, in_bulk && runs.good ? &layout : NULL, how,
				 err);
	tally_release(&tally);
	sample_runs_release(&runs);
	unwound_before(rec);
	return got;
}
