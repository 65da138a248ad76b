// SPDX-License-Identifier: MIT
#include "view/stats.h"

#include "base/mem.h"
#include "data/read_split.h"

struct counting {
	struct stats *s;
	struct recording *rec;
	struct record_decode how;
	struct read_split split;
};

static struct stats_event *stats_of(struct stats *s, const struct event *ev)
{
	while (s->events.n <= ev->index)
		vec_add(&s->events, (struct stats_event){0});
	return &s->events.at[ev->index];
}

static void count_sample(struct counting *c, const uint8_t *p, size_t size)
{
	struct event *ev = record_event(&c->how, p, size);
	struct record r;
	uint64_t period;

	if (!read_split_needed(ev)) {
		if (ev)
			stats_of(c->s, ev)->samples++;
		return;
	}
	if (record_decode(&c->how, p, size, &r))
		return;
	for (uint64_t i = 0; read_split_next(&c->split, &c->rec->events, &r, &i, &ev, &period);)
		stats_of(c->s, ev)->samples++;
}

static void count_record(struct counting *c, const uint8_t *p, const struct record_header *h)
{
	struct record r;

	if (h->type >= RECORD_TOOL_MAX || !record_type_name(h->type))
		return;
	c->s->total++;
	c->s->types[h->type]++;
	c->how.sample_id_all = c->rec->sample_id_all;
	if (h->type == RECORD_SAMPLE)
		count_sample(c, p, h->size);
	else if (h->type == RECORD_LOST_SAMPLES && !record_decode(&c->how, p, h->size, &r) && r.event)
		stats_of(c->s, r.event)->lost += r.lost_samples.lost;
}

int stats_read(struct stats *s, struct recording *rec, struct err *err)
{
	AUTO_BUF scratch = {0};
	AUTO(source) *src = source_open(rec, SOURCE_FILE_ORDER, err);
	struct counting c = {.s = s, .rec = rec,
			     .how = {.swap = rec->swap, .scratch = &scratch, .events = &rec->events}};
	struct span span;
	int got;

	if (!src)
		return -1;
	while ((got = source_next_span(src, &span, err)) > 0) {
		struct record_header h;
		const uint8_t *p;

		for (size_t pos = 0; span_step(&span, rec->swap, &pos, &p, &h);)
			count_record(&c, p, &h);
		span_release(&span);
	}
	read_split_release(&c.split);
	return got;
}

/* perf does not look at a pipe's names here: it shows what the attributes would be called. */
static void show_name(const struct recording *rec, const struct event *ev, struct buf *b)
{
	if (rec->is_pipe && ev->attr.type != TYPE_TRACEPOINT)
		attr_name(&ev->attr, b);
	else
		buf_str(b, ev->name);
}

void stats_show(const struct stats *s, const struct recording *rec, bool empty, struct out *out)
{
	struct buf *b = &out->buf;

	buf_printf(b, "\nAggregated stats:%s\n",
		   recording_has(rec, FEATURE_AUXTRACE)
			   ? " (excludes AUX area (e.g. instruction trace) decoded / synthesized events)"
			   : "");
	if (empty || s->total)
		buf_printf(b, "%16s events: %10llu\n", "TOTAL", (unsigned long long)s->total);
	for (uint32_t type = 1; type < RECORD_TOOL_MAX; type++) {
		const char *name = record_type_name(type);

		if (!name || (!empty && !s->types[type]))
			continue;
		buf_printf(b, "%16s events: %10llu", name, (unsigned long long)s->types[type]);
		if (s->total)
			buf_printf(b, "  (%4.1f%%)", 100.0 * (double)s->types[type] / (double)s->total);
		buf_char(b, '\n');
	}
	for (size_t i = 0; i < rec->events.events.n; i++) {
		struct stats_event e = i < s->events.n ? s->events.at[i] : (struct stats_event){0};

		if (!empty && !e.samples && !e.lost)
			continue;
		show_name(rec, rec->events.events.at[i], b);
		buf_str(b, " stats:\n");
		if (e.samples)
			buf_printf(b, "%16s events: %10llu\n", "SAMPLE", (unsigned long long)e.samples);
		if (e.lost)
			buf_printf(b, "%16s events: %10llu\n", "LOST_SAMPLES",
				   (unsigned long long)e.lost);
	}
	out_ready(out);
}

void stats_release(struct stats *s)
{
	vec_release(&s->events);
}
