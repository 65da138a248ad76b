// SPDX-License-Identifier: MIT
#include "cmd/options/output/export_switches.h"

static const struct event *switches_of(const struct recording *rec)
{
	return event_set_find_name(&rec->m.events, "sched:sched_switch");
}

bool export_switches_sampled(const struct recording *rec)
{
	const struct event *ev = switches_of(rec);

	return ev && !attr_records_each(&ev->attr);
}

int export_switches_read(struct export_switches *s, struct recording *rec,
			 const struct samples *samples, const struct filter *filter,
			 struct err *err)
{
	if (rec->is_pipe || !switches_of(rec) || export_switches_sampled(rec))
		return 0;
	s->world = world_of_recording(rec, &world_dsos(samples->world)->options);
	timechart_init(&s->timechart, &s->options);
	if (timechart_read(&s->timechart, rec, s->world, err))
		return -1;
	timechart_lanes(&s->lanes, &s->timechart, s->world, filter);
	return 0;
}

void export_switches_release(struct export_switches *s)
{
	if (!s->world)
		return;
	wait_lanes_release(&s->lanes);
	timechart_release(&s->timechart);
	world_free(s->world);
}
