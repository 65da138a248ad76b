// SPDX-License-Identifier: MIT
#include "data/source/batch.h"
#include "data/feature/feature.h"
#include "data/recording_file.h"

struct event *recording_add_attr(struct recording *rec, const uint8_t *p, uint32_t size)
{
	AUTO_BUF name = {0};
	struct event *ev;
	struct attr attr;

	if (attr_decode(&attr, p, size, rec->m.swap))
		return NULL;
	attr_name(&attr, &name);
	ev = event_set_add(&rec->m.events, buf_text(&name));
	ev->attr = attr;
	if (rec->m.events.events.n == 1)
		rec->m.sample_id_all = attr.flags & ATTR_SAMPLE_ID_ALL;
	return ev;
}

static const char *tracepoint_name(struct recording *rec, const struct tp_format *fmt)
{
	AUTO_CHAR *name = mem_printf("%s:%s", fmt->system, fmt->name);

	return event_name_kept(rec, name);
}

void recording_name_tracepoints(struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		struct event *ev = rec->m.events.events.at[i];
		struct tp_format *fmt;

		if (ev->attr.type != TYPE_TRACEPOINT || ev->format)
			continue;
		fmt = tp_formats_find(&rec->m.formats, (uint32_t)ev->attr.config);
		if (!fmt)
			continue;
		ev->format = fmt;
		ev->system = fmt->system;
		ev->tracepoint = fmt->name;
		/* a name that the recording gave stays */
		if (!(ev->fixed & FIXED_NAME) && !strcmp(ev->name, "unknown tracepoint"))
			ev->name = tracepoint_name(rec, fmt);
	}
}
