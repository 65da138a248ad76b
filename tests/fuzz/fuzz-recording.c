// SPDX-License-Identifier: MIT
/* A whole recording in memory, read to its end in every way that readers use. */
#include "analysis/stat.h"
#include "data/recording.h"
#include "data/feature/recording_topology.h"
#include "data/stat_rounds.h"
#include "world/replay/replay.h"
#include "driver.h"
#include "view/dump/dump.h"
#include "view/header/header.h"

static void read_all(struct recording *rec, enum source_mode mode)
{
	struct err err = {0};
	AUTO(source) *src = source_open(rec, &(struct source_options){.mode = mode}, &err);
	struct out out = {.fd = -1};
	struct buf bytes = {0};
	struct record r;

	while (src && source_next(src, &r, &err) > 0) {
		record_encode(&r, r.event ? r.event->attr.sample_type : 0, rec->m.sample_id_all,
			      &bytes);
		dump_record(rec, &r, DUMP_REPORT, &out);
		buf_clear(&bytes);
		buf_clear(&out.buf);
	}
	header_show(rec, true, &out);
	for (unsigned int bit = 0; bit < FEATURE_MAX; bit++)
		header_feature_show(rec, bit, true, &out);
	buf_release(&bytes);
	buf_release(&out.buf);
}

static void read_spans(struct recording *rec)
{
	struct err err = {0};
	AUTO(source) *src =
		source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &err);
	struct span span;

	while (src && source_next_span(src, &span, &err) > 0) {
		struct record_header h;
		const uint8_t *p;
		size_t pos = 0;

		while (span_step(&span, rec->m.swap, &pos, &p, &h))
			;
		span_release(&span);
	}
}

struct sums {
	struct stat_rounds rounds;
	struct topology topology;
	struct stat *by[STAT_THREAD + 1];
	uint64_t n;
};

static int sum_round(struct replay *rp, const struct record *r)
{
	struct stat_options how = {0};
	struct sums *s = rp->ctx;
	struct stat_round round;
	size_t rows;
	int got = stat_rounds_take(&s->rounds, r, &round, rp->err);

	if (got <= 0)
		return got;
	for (how.aggr = STAT_GLOBAL; how.aggr <= STAT_THREAD; how.aggr++) {
		struct stat **by = &s->by[how.aggr];

		if (!*by)
			*by = stat_new(&rp->rec->m.events, &s->topology, &how);
		stat_add(*by, round.counts, &(struct stat_times){0});
		stat_rows(*by, &rows);
	}
	return ++s->n < 8 ? REPLAY_GO : REPLAY_STOP;
}

/* As a recording of counts, summed up in all the ways that the machine it tells of allows. */
static void read_rounds(struct recording *rec)
{
	static const struct replay_analysis analysis = {.any = sum_round};
	struct sums sums = {0};
	struct err err = {0};
	struct replay rp;

	recording_topology(&sums.topology, rec);
	stat_rounds_init(&sums.rounds, rec);
	replay_init(&rp, rec, NULL, &analysis, &sums);
	rp.reading.mode = SOURCE_FILE_ORDER;
	replay_run(&rp, &err);
	replay_release(&rp);
	for (size_t i = 0; i < ARRAY_SIZE(sums.by); i++)
		stat_free(sums.by[i]);
	stat_rounds_release(&sums.rounds);
	topology_release(&sums.topology);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum source_mode modes[] = {SOURCE_FILE_ORDER, SOURCE_ORDERED,
						 SOURCE_SIDE_BAND, SOURCE_SAMPLES};
	struct buf text = {0};

	for (size_t i = 0; i <= ARRAY_SIZE(modes) + 1; i++) {
		struct err err = {0};
		AUTO(recording) *rec = recording_open_memory(data, size, &err);

		if (!rec)
			break;
		if (i < ARRAY_SIZE(modes))
			read_all(rec, modes[i]);
		else if (i == ARRAY_SIZE(modes))
			read_spans(rec);
		else
			read_rounds(rec);
		losses_show(&rec->m.losses, &text);
		for (size_t n = 0; n < rec->m.events.events.n; n++)
			attr_show(&rec->m.events.events.at[n]->attr, &text);
	}
	buf_release(&text);
	return 0;
}
