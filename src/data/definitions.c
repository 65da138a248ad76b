// SPDX-License-Identifier: MIT
/*
 * Records that define something about the whole recording. In pipe format they hold everything that
 * a file's header has; in both formats they hold what became known while recording.
 */
#include "base/cursor.h"
#include "data/feature/cpu_map.h"
#include "data/feature/feature.h"
#include "data/recording_file.h"
#include "data/simpleperf.h"
#include "event/format/tracing_data.h"

bool recording_defines(uint32_t type)
{
	switch (type) {
	case RECORD_HEADER_ATTR:
	case RECORD_HEADER_TRACING_DATA:
	case SIMPLEPERF_TRACING_DATA:
	case SIMPLEPERF_SPLIT_END:
	case RECORD_HEADER_BUILD_ID:
	case RECORD_HEADER_FEATURE:
	case RECORD_ID_INDEX:
	case RECORD_EVENT_UPDATE:
		return true;
	default:
		return false;
	}
}

/* Takes an attribute and its ids, which follow it. The attribute holds its own length. */
static bool take_attr(struct recording *rec, const struct record *r)
{
	struct cursor c = cursor_over(r->blob.bytes, r->blob.size, rec->m.swap);
	uint32_t size;
	struct event *ev;

	cursor_skip(&c, 4);
	size = cursor_u32(&c);
	if (!size)
		size = ATTR_SIZE_VER0;
	if (c.bad || size > r->blob.size)
		return false;
	/* perf 6.1 uses the length of its own struct: its `evlist -v` shows the first ids after a
	 * short attribute as fields. Our output is the same. No record is decoded by those
	 * fields. */
	ev = recording_add_attr(rec, r->blob.bytes,
				(uint32_t)MAX(size, MIN(r->blob.size, (uint64_t)ATTR_SIZE_6_1)));
	if (!ev)
		return false;
	c = cursor_over(r->blob.bytes + size, r->blob.size - size, rec->m.swap);
	while (cursor_left(&c) >= 8)
		event_set_add_id(&rec->m.events, ev, cursor_u64(&c));
	rec->attr_size = size;
	return true;
}

void recording_take_formats(struct recording *rec, const uint8_t *p, size_t n, uint64_t offset)
{
	struct err e = {0};
	uint32_t unparsed = 0;

	if (tracing_data_parse(&rec->m.formats, p, n, &unparsed, &e) || unparsed)
		losses_add(&rec->m.losses, LOSS_FEATURE, 1, offset);
}

/* { id, index, cpu, tid }: ids that the attributes did not list. */
static bool take_id_index(struct recording *rec, const struct record *r)
{
	struct cursor c = cursor_over(r->blob.bytes, r->blob.size, rec->m.swap);
	uint64_t n = cursor_u64(&c);

	if (n > cursor_left(&c) / 32)
		return false;
	return !c.bad;
}

/* Keeps an event's own CPUs as text in the form of a PMU's cpumask. Ranges stay ranges: otherwise a
 * small record could fill memory. */
static bool take_cpus(struct recording *rec, struct event *ev, struct cursor c)
{
	struct cpu_list cpus = {0};
	AUTO_BUF text = {0};
	bool good = !cpu_map_decode(c, &cpus);

	for (size_t i = 0, n; good && i < cpus.n; i += n) {
		int first = cpus.at[i];

		for (n = 1; i + n < cpus.n && cpus.at[i + n] == first + (int)n;)
			n++;
		if (first >= 0)
			buf_printf(&text, n > 1 ? "%s%d-%d" : "%s%d", text.n ? "," : "", first,
				   first + (int)n - 1);
	}
	if (text.n)
		ev->cpus = arena_strdup(&rec->m.events.arena, buf_text(&text));
	vec_release(&cpus);
	return good;
}

static bool take_update(struct recording *rec, const struct record *r)
{
	struct event *ev = event_set_find_id(&rec->m.events, r->event_update.id);
	struct cursor c = cursor_over(r->event_update.bytes, r->event_update.size, rec->m.swap);
	const char *text;
	uint64_t bits;

	if (!ev)
		return false;
	switch (r->event_update.kind) {
	case UPDATE_UNIT:
		text = cursor_str(&c, cursor_left(&c));
		if (text)
			ev->unit = event_name_kept(rec, text);
		break;
	case UPDATE_SCALE:
		bits = cursor_u64(&c);
		if (!c.bad)
			memcpy(&ev->scale, &bits, sizeof(bits));
		break;
	case UPDATE_NAME:
		text = cursor_str(&c, cursor_left(&c));
		if (text)
			ev->name = event_name_kept(rec, text);
		ev->fixed |= FIXED_NAME;
		break;
	case UPDATE_CPUS:
		return take_cpus(rec, ev, c);
	default:
		break;
	}
	return !c.bad;
}

void recording_take_tracing_data(struct recording *rec, const uint8_t *p, size_t n, uint64_t offset)
{
	feature_take(rec, FEATURE_TRACING_DATA, p, n, offset);
	recording_take_formats(rec, p, n, offset);
	recording_name_tracepoints(rec);
}

void recording_take(struct recording *rec, const struct record *r, const uint8_t *formats,
		    size_t formats_size)
{
	bool good = true;

	switch (r->header.type) {
	case RECORD_HEADER_ATTR:
		good = take_attr(rec, r);
		break;
	case RECORD_HEADER_TRACING_DATA:
		good = formats != NULL;
		if (good)
			recording_take_tracing_data(rec, formats, formats_size, r->offset);
		break;
	case RECORD_HEADER_BUILD_ID:
		feature_add_build_id(rec, r);
		break;
	case RECORD_HEADER_FEATURE:
		/* a record without a payload marks the end of the features */
		if (r->feature.size && r->feature.feature < FEATURE_MAX)
			feature_take(rec, (unsigned int)r->feature.feature, r->feature.bytes,
				     r->feature.size, r->offset);
		break;
	case RECORD_ID_INDEX:
		good = take_id_index(rec, r);
		break;
	case RECORD_EVENT_UPDATE:
		good = take_update(rec, r);
		break;
	default:
		break;
	}
	if (!good)
		losses_add(&rec->m.losses, LOSS_CORRUPT, 1, r->offset);
}
