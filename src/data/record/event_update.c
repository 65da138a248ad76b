// SPDX-License-Identifier: MIT
#include "data/record/event_update.h"

#include "data/feature/cpu_map.h"
#include "data/record/record.h"

static void event_update_encode(const struct event *ev, uint64_t kind, const void *p, size_t n,
				struct buf *out)
{
	/* an update that does not fit a record is left out: it can only be a long name, and readers
	 * then make one from the attribute */
	struct record r = {.header.type = RECORD_EVENT_UPDATE,
			   .event_update = {kind, ev->ids.at[0], p, n}};

	record_encode(&r, 0, false, out);
}

static void event_update_encode_text(const struct event *ev, uint64_t kind, const char *s,
				     struct buf *out)
{
	AUTO_BUF text = {0};

	buf_str(&text, s);
	buf_fill(&text, 0, 8 - text.n % 8);
	event_update_encode(ev, kind, text.at, text.n, out);
}

void event_update_encode_cpus(const struct event *ev, const int *cpus, size_t n, struct buf *out)
{
	AUTO_BUF map = {0};

	cpu_map_encode(cpus, n, &map);
	event_update_encode(ev, UPDATE_CPUS, map.at, map.n, out);
}

void event_updates_encode(const struct event *ev, bool with_name, struct buf *out)
{
	struct cpu_list cpus = {0};

	if (!ev->ids.n)
		return;
	if (ev->unit && *ev->unit)
		event_update_encode_text(ev, UPDATE_UNIT, ev->unit, out);
	if (ev->scale != 1 && ev->scale != 0)
		event_update_encode(ev, UPDATE_SCALE, &ev->scale, sizeof(ev->scale), out);
	if (ev->cpus && !cpus_parse(ev->cpus, &cpus))
		event_update_encode_cpus(ev, cpus.at, cpus.n, out);
	if (with_name)
		event_update_encode_text(ev, UPDATE_NAME, ev->name, out);
	vec_release(&cpus);
}
