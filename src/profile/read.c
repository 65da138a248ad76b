// SPDX-License-Identifier: MIT
#include "profile/read.h"
#include "data/read_split.h"
#include "profile/read_parallel.h"

#define PROGRESS_EVERY 65536 /* records */

struct switches {
	const struct event *on, *off;
	bool discarding, show;
};

/* Between the one that switches on and the one that switches off. */
static bool switched_off(struct switches *s, const struct event *ev)
{
	if (s->on && s->discarding) {
		if (ev != s->on)
			return true;
		s->discarding = false;
		return !s->show;
	}
	if (s->off && !s->discarding && ev == s->off) {
		s->discarding = true;
		return !s->show;
	}
	return s->discarding;
}

static int find_switch(const struct recording *rec, const char *name, const char *option,
		       const struct event **ev, struct err *err)
{
	*ev = NULL;
	if (!name)
		return 0;
	*ev = event_set_find_name(&rec->events, name);
	if (*ev)
		return 0;
	return err_set(err, ERR_USAGE, "--%s: event '%s' isn't in the recording", option, name);
}

/* Counter values in a sample make it one sample of each counter's event. */
static void take_sample(struct profile *p, struct read_split *split, struct switches *switches,
			struct record *r)
{
	uint64_t period;

	if (!read_split_needed(r->event)) {
		if (!switched_off(switches, r->event))
			profile_sample(p, r);
		return;
	}
	for (uint64_t i = 0;
	     read_split_next(split, &p->rec->events, r, &i, &r->event, &period);) {
		r->sample.period = period;
		if (!switched_off(switches, r->event))
			profile_sample(p, r);
	}
}

int profile_read(struct profile *p, struct recording *rec, struct profile_reading *how,
		 struct err *err)
{
	struct switches switches = {.show = how->show_switches};
	struct read_split split = {0};
	AUTO(source) *src = NULL;
	struct record r;
	uint64_t n = 0;
	int got;

	if (find_switch(rec, how->switch_on, "switch-on", &switches.on, err) ||
	    find_switch(rec, how->switch_off, "switch-off", &switches.off, err))
		return -1;
	if (!switches.on && !switches.off && rec->file_data_size >= how->parallel_from &&
	    read_parallel_can(rec))
		return read_parallel(p, rec, how, err);
	switches.discarding = switches.on != NULL;
	src = source_open(rec, SOURCE_ORDERED, err);
	if (!src)
		return -1;
	while ((got = source_next(src, &r, err)) > 0) {
		if (how->progress && ++n % PROGRESS_EVERY == 0)
			how->progress(how->ctx, source_progress(src));
		if (r.header.type == RECORD_LOST_SAMPLES)
			how->lost_samples += r.lost_samples.lost;
		if (r.header.type == RECORD_SAMPLE) {
			take_sample(p, &split, &switches, &r);
			continue;
		}
		world_add(p->world, &r, record_time(rec, &r));
		if (how->other)
			how->other(how->ctx, &r);
	}
	read_split_release(&split);
	return got;
}
