// SPDX-License-Identifier: MIT
#include "view/stats.h"

#include "base/mem.h"
#include "data/source/batch.h"
#include "data/record/sample_layout.h"
#include "world/replay/replay.h"

static struct stats_event *stats_of(struct stats *s, const struct event *ev)
{
	while (s->events.n <= ev->index)
		vec_add(&s->events, (struct stats_event){0});
	return &s->events.at[ev->index];
}

static bool count_type(struct stats *s, uint32_t type)
{
	if (type != RECORD_SAMPLE && (type >= RECORD_TOOL_MAX || !record_type_name(type)))
		return false;
	s->total++;
	s->types[type]++;
	return true;
}

static void count_decoded(struct stats *s, const struct recording *rec, const struct record *r)
{
	struct event *ev;
	uint64_t period;

	if (r->header.type == RECORD_LOST_SAMPLES && r->event)
		stats_of(s, r->event)->lost += r->lost_samples.lost;
	if (r->header.type != RECORD_SAMPLE)
		return;
	for (uint64_t i = 0; read_split_next(&s->split, &rec->m.events, r, &i, &ev, &period);)
		stats_of(s, ev)->samples++;
}

void stats_add(struct stats *s, const struct recording *rec, const struct record *r)
{
	if (count_type(s, r->header.type))
		count_decoded(s, rec, r);
}

struct stats_reading {
	struct stats *s;
	struct recording *rec;
	struct batch_decoder decoder;
	struct sample_layout layout;
	bool alike; /* the layout is that of all samples */
};

/* Counts a sample without decoding it; false: the sample must be decoded. */
static bool count_plain(struct stats_reading *rd, const struct batch_record *at)
{
	struct sample_chain chain;
	const struct event *ev;

	if (!rd->alike || at->type != RECORD_SAMPLE || at->size < rd->layout.fixed)
		return false;
	ev = sample_layout_event(&rd->layout, at->p);
	if (!ev || !sample_is_whole(&rd->layout, ev, at->p, at->size, &chain))
		return false;
	stats_of(rd->s, ev)->samples++;
	return true;
}

/* A record that cannot be decoded is counted too; the decoder notes the damage. */
static void stats_count_raw(struct stats_reading *rd, const struct batch_record *at)
{
	struct record r;

	if (!count_type(rd->s, at->type) || count_plain(rd, at))
		return;
	if (batch_decode(&rd->decoder, at, &r))
		count_decoded(rd->s, rd->rec, &r);
	else if (r.event && at->type == RECORD_SAMPLE && !read_split_needed(r.event))
		stats_of(rd->s, r.event)->samples++;
}

static void stats_count_span(struct replay *rp, const struct span *span)
{
	struct stats_reading *rd = rp->ctx;
	const bool swap = rp->rec->m.swap;
	struct batch_record at = {.seq = span->seq};
	struct record_header h;

	rd->decoder.src = rp->src;
	for (size_t pos = 0; span_step(span, swap, &pos, &at.p, &h); at.seq++) {
		at.offset = span->offset + (uint64_t)(at.p - span->p);
		at.type = h.type;
		at.size = h.size;
		stats_count_raw(rd, &at);
	}
}

int stats_read(struct stats *s, struct recording *rec, struct err *err)
{
	static const struct replay_analysis analysis = {.raw = stats_count_span};
	struct stats_reading rd = {.s = s, .rec = rec};
	struct replay rp;
	int failed;

	s->plain_names = true;
	rd.alike = !rec->is_pipe && sample_layout_init(&rd.layout, &rec->m);
	replay_init(&rp, rec, NULL, &analysis, &rd);
	failed = replay_run(&rp, err);
	losses_merge(&rec->m.losses, &rd.decoder.losses);
	batch_decoder_release(&rd.decoder);
	replay_release(&rp);
	return failed;
}

/* perf does not use a pipe's event names here: it derives the names from the attributes. */
static void stats_show_name(const struct stats *s, const struct recording *rec,
			    const struct event *ev, struct buf *b)
{
	if (s->plain_names && rec->is_pipe && ev->attr.type != TYPE_TRACEPOINT)
		attr_name(&ev->attr, b);
	else
		buf_str(b, ev->name);
}

void stats_show(const struct stats *s, const struct recording *rec, bool empty, struct out *out)
{
	struct buf *b = &out->buf;

	buf_printf(b, "\nAggregated stats:%s\n",
		   recording_has(rec, FEATURE_AUXTRACE) ? " (excludes AUX area (e.g. instruction "
							  "trace) decoded / synthesized events)"
							: "");
	if (empty || s->total)
		buf_printf(b, "%16s events: %10llu\n", "TOTAL", (unsigned long long)s->total);
	for (uint32_t type = 1; type < RECORD_TOOL_MAX; type++) {
		const char *name = record_type_name(type);

		if (!name || (!empty && !s->types[type]))
			continue;
		buf_printf(b, "%16s events: %10llu", name, (unsigned long long)s->types[type]);
		if (s->total)
			buf_printf(b, "  (%4.1f%%)",
				   100.0 * (double)s->types[type] / (double)s->total);
		buf_char(b, '\n');
	}
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		struct stats_event e = i < s->events.n ? s->events.at[i] : (struct stats_event){0};

		if (!empty && !e.samples && !e.lost)
			continue;
		stats_show_name(s, rec, rec->m.events.events.at[i], b);
		buf_str(b, " stats:\n");
		if (e.samples)
			buf_printf(b, "%16s events: %10llu\n", "SAMPLE",
				   (unsigned long long)e.samples);
		if (e.lost)
			buf_printf(b, "%16s events: %10llu\n", "LOST_SAMPLES",
				   (unsigned long long)e.lost);
	}
	out_ready(out);
}

void stats_release(struct stats *s)
{
	vec_release(&s->events);
	read_split_release(&s->split);
}
