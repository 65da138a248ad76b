// SPDX-License-Identifier: MIT
#include "capture/rings/sample_coverage.h"

#include "capture/rings/capture.h"
#include "capture/open/open.h"
#include "data/record/record.h"
#include "os/perf.h"

#define SECOND 1000000000u /* in ns, which clocks count */

/* The offset of a field in a sample; before: the fields that may stand before it. */
static size_t behind(uint64_t type, uint64_t before)
{
	return sizeof(struct record_header) + 8 * (size_t)__builtin_popcountll(type & before);
}

static bool is_clock(const struct attr *a)
{
	return a->type == TYPE_SOFTWARE &&
	       a->config <= 1; /* PERF_COUNT_SW_CPU_CLOCK, ..._TASK_CLOCK */
}

static size_t id_at(uint64_t type)
{
	if (type & SAMPLE_IDENTIFIER)
		return behind(type, 0);
	return behind(type, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR);
}

static size_t period_at(uint64_t type)
{
	if (!(type & SAMPLE_PERIOD))
		return 0;
	return behind(type, SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR |
				    SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU);
}

void sampled_init(struct sampled *s, const struct capture *c)
{
	const struct event_set *set = c->events;

	*s = (struct sampled){0};
	for (size_t i = 0; !c->target->system_wide && i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];

		if (ev->side_band || !(ev->attr.flags & ATTR_INHERIT) ||
		    !capture_by_rate(&ev->attr) || capture_shares_clock(c, ev))
			continue;
		for (size_t k = 0; k < c->counters.n; k++)
			if (c->counters.at[k].event == ev && !c->counters.at[k].side)
				*idmap_put(&s->by_id, c->counters.at[k].id) = (uint32_t)s->events.n;
		vec_add(&s->events,
			(struct sampled_event){.event = ev,
					       .period_at = period_at(ev->attr.sample_type)});
		s->id_at = set->events.n > 1 ? id_at(ev->attr.sample_type) : 0;
	}
}

void sampled_release(struct sampled *s)
{
	vec_release(&s->events);
	idmap_release(&s->by_id);
}

static uint64_t sample_coverage_word(const struct ring *r, uint64_t pos)
{
	uint64_t v;

	memcpy(&v, r->data + (pos & (r->size - 1)), sizeof(v));
	return v;
}

void sampled_add(struct sampled *s, const struct ring *r, uint64_t pos, size_t size)
{
	struct sampled_event *e;
	uint32_t i = 0;

	if (!s->events.n || size < s->id_at + 8)
		return;
	if (s->id_at)
		i = idmap_find(&s->by_id, sample_coverage_word(r, pos + s->id_at));
	if (i >= s->events.n)
		return;
	e = &s->events.at[i];
	if (size < e->period_at + 8)
		return;
	e->samples++;
	e->periods += e->period_at ? sample_coverage_word(r, pos + e->period_at)
				   : e->event->attr.sample_period;
}

double sampled_missing(const struct sampled_event *e, uint64_t count, uint64_t tasks, uint64_t lost,
		       uint64_t period)
{
	double mean = e->samples ? (double)e->periods / (double)e->samples : (double)period;
	double missing = (double)count - (double)e->periods - (double)lost * mean;

	missing = MIN(missing, (double)tasks * mean);
	return missing < 20 * mean || missing < (double)count / 10 || !count
		       ? 0
		       : missing / (double)count;
}

/* An event's first period; 0: not known. */
static uint64_t first_period(const struct attr *a)
{
	if (!(a->flags & ATTR_FREQ))
		return a->sample_period;
	return is_clock(a) && a->sample_freq ? SECOND / a->sample_freq : 0;
}

/* Sums an event's counts and lost samples over its counters. False: they cannot be read. */
static bool sample_coverage_count_of(const struct capture *c, const struct event *ev,
				     uint64_t *count, uint64_t *lost)
{
	uint64_t words[8];

	*count = *lost = 0;
	for (size_t i = 0; i < c->counters.n; i++) {
		const struct counter *k = &c->counters.at[i];

		if (k->event != ev || k->side)
			continue;
		if (perf_read(k->fd, words, ARRAY_SIZE(words)) < (long)sizeof(*words))
			return false;
		*count += words[0];
		*lost += k->lost;
	}
	return true;
}

void unsampled_find(const struct capture *c, struct unsampled *out)
{
	const uint64_t excludes = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_USER;

	*out = (struct unsampled){0};
	for (size_t i = 0; i < c->sampled.events.n; i++) {
		const struct sampled_event *e = &c->sampled.events.at[i];
		const struct attr *a = &e->event->attr;
		uint64_t count, lost;
		double share;

		if (!sample_coverage_count_of(c, e->event, &count, &lost))
			continue;
		share = sampled_missing(e, count, c->sampled.tasks, lost, first_period(a));
		if (share > out->share)
			*out = (struct unsampled){.event = e->event->name,
						  .share = share,
						  .tasks = c->sampled.tasks,
						  .excluded =
							  is_clock(a) ? a->flags & excludes : 0};
	}
}
