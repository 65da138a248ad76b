// SPDX-License-Identifier: MIT
#include "data/source/batch.h"
#include "data/feature/feature.h"
#include "data/recording_file.h"

struct event *recording_add_attr(struct recording *rec, const uint8_t *p, uint32_t size)
{
	AUTO_BUF name = {0};
	struct event *ev;
	struct attr attr;

	if (attr_decode(&attr, p, size, rec->swap))
		return NULL;
	attr_name(&attr, &name);
	ev = event_set_add(&rec->events, buf_text(&name));
	ev->attr = attr;
	if (rec->events.events.n == 1)
		rec->sample_id_all = attr.flags & ATTR_SAMPLE_ID_ALL;
	return ev;
}

static const char *tracepoint_name(struct recording *rec, const struct tp_format *fmt)
{
	AUTO_CHAR *name = mem_printf("%s:%s", fmt->system, fmt->name);

	return event_name_kept(rec, name);
}

void recording_name_tracepoints(struct recording *rec)
{
	for (size_t i = 0; i < rec->events.events.n; i++) {
		struct event *ev = rec->events.events.at[i];
		struct tp_format *fmt;

		if (ev->attr.type != TYPE_TRACEPOINT || ev->format)
			continue;
		fmt = tp_formats_find(&rec->formats, (uint32_t)ev->attr.config);
		if (!fmt)
			continue;
		ev->format = fmt;
		ev->system = fmt->system;
		ev->tracepoint = fmt->name;
		/* unless it came with a name */
		if (!(ev->fixed & FIXED_NAME) && !strcmp(ev->name, "unknown tracepoint"))
			ev->name = tracepoint_name(rec, fmt);
	}
}

/* Where the thread stands in an event's samples, after the identifier and the address: see
 * PERF_RECORD_SAMPLE in the kernel's perf_event.h. */
static size_t thread_offset(const struct event *ev)
{
	uint64_t type = ev->attr.sample_type;

	return sizeof(struct record_header) + (type & SAMPLE_IDENTIFIER ? 8 : 0) +
	       (type & SAMPLE_IP ? 8 : 0);
}

bool recording_samples_alike(const struct recording *rec, size_t *thread_at)
{
	const struct event_set *set = &rec->events;

	for (size_t i = 0; i < set->events.n; i++) {
		uint64_t type = set->events.at[i]->attr.sample_type;

		if (!(type & SAMPLE_TIME) || !(type & SAMPLE_TID) ||
		    thread_offset(set->events.at[i]) != thread_offset(set->events.at[0]))
			return false;
	}
	if (set->events.n)
		*thread_at = thread_offset(set->events.at[0]);
	return set->events.n;
}
