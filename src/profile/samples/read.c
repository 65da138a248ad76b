// SPDX-License-Identifier: MIT
#include "profile/samples/read.h"

#include "profile/samples/reading/read_parallel.h"

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

static int find_switch(const struct measurement *m, const char *name, const char *option,
		       const struct event **ev, struct err *err)
{
	*ev = NULL;
	if (!name)
		return 0;
	*ev = event_set_find_name(&m->events, name);
	if (*ev)
		return 0;
	return err_set(err, ERR_USAGE, "--%s: event '%s' isn't in the recording", option, name);
}

/* Who runs: what tells how many do. Switches say of the thread they belong to whether it goes or comes;
 * one that is sampled runs in any case. */
struct running {
	struct idmap tids; /* 1: runs */
	uint32_t n;
	bool wanted;
};

static void set_running(struct running *s, uint32_t tid, bool runs)
{
	uint32_t *at;

	if (!tid)
		return; /* the idle one */
	at = idmap_put(&s->tids, tid);
	if (*at == HASH_NONE)
		*at = 0;
	s->n += (uint32_t)runs - *at;
	*at = runs;
}

static void note_running(struct running *s, const struct record *r)
{
	switch (r->header.type) {
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		set_running(s, r->id.tid, !(r->header.misc & MISC_SWITCH_OUT));
		break;
	case RECORD_EXIT:
		set_running(s, r->task.tid, false);
		break;
	case RECORD_SAMPLE:
		set_running(s, r->sample.tid, true);
		break;
	}
}

static bool have_switches(const struct measurement *m)
{
	for (size_t i = 0; i < m->events.events.n; i++)
		if (m->events.events.at[i]->attr.flags & ATTR_CONTEXT_SWITCH)
			return true;
	return false;
}

static int no_switches(struct err *err)
{
	err_set(err, ERR_UNSUPPORTED, "the recording doesn't say when threads ran");
	return err_hint(err, "record it with --switch-events");
}

int samples_read(struct samples *samples, struct recording *rec, struct samples_reading *how,
		 struct err *err)
{
	struct switches switches = {.show = how->show_switches};
	struct running running = {.wanted = samples->opts.parallelism};
	struct source_options reading = {
		.mode = SOURCE_ORDERED, .join_chains = true, .split_reads = true};
	AUTO(source) *src = NULL;
	struct record r;
	int got;

	samples->rec = rec;
	if (find_switch(&rec->m, how->switch_on, "switch-on", &switches.on, err) ||
	    find_switch(&rec->m, how->switch_off, "switch-off", &switches.off, err))
		return -1;
	if (running.wanted && !rec->is_pipe && !have_switches(&rec->m))
		return no_switches(err);
	if (!switches.on && !switches.off && !running.wanted && rec->file_data_size >= how->parallel_from &&
	    read_parallel_can(rec))
		return read_parallel(samples, rec, how, err);
	switches.discarding = switches.on != NULL;
	/* else other samples tell what the wanted ones mean */
	if (!switches.on && !switches.off && !running.wanted)
		reading.times = filter_source_times(&samples->opts.filter);
	src = source_open(rec, &reading, err);
	if (!src)
		return -1;
	while ((got = source_next(src, &r, err)) > 0) {
		if (r.header.type == RECORD_LOST_SAMPLES)
			how->lost_samples += r.lost_samples.lost;
		if (running.wanted) {
			note_running(&running, &r);
			samples->parallelism = MAX(running.n, 1u);
		}
		if (r.header.type == RECORD_SAMPLE) {
			if (!switched_off(&switches, r.event))
				samples_add(samples, &r);
			continue;
		}
		world_add(samples->world, &r, record_time(&rec->m, &r));
		if (how->other)
			how->other(how->ctx, &r);
	}
	unwound_losses(&samples->words.unwound, &rec->m.losses);
	unwound_before(rec);
	idmap_release(&running.tids);
	return got;
}
