// SPDX-License-Identifier: MIT
#include "view/script/script_rounds.h"

void script_rounds_start(struct script_rounds *s, struct recording *rec)
{
	*s = (struct script_rounds){0};
	stat_rounds_init(&s->rounds, rec);
}

void script_rounds_release(struct script_rounds *s)
{
	stat_rounds_release(&s->rounds);
	counts_release(&s->before);
	counts_release(&s->part);
}

/* The count scaled from the time in which the counter ran to the time in which it was enabled. */
static uint64_t scaled(const struct count *c)
{
	if (!c->running)
		return 0;
	return c->running == c->enabled
		       ? c->value
		       : (uint64_t)((double)c->value * (double)c->enabled / (double)c->running);
}

static void script_rounds_show(const struct event *ev, const struct counts *counts, bool scale,
			       uint64_t time, struct buf *out)
{
	static const struct count none;
	const struct event_counts *e = &counts->events.at[ev->index];

	for (size_t t = 0; t < counts->threads.n; t++) {
		for (size_t row = 0; row < e->cpus.n; row++) {
			/* perf shows zeros for an event that is not supported */
			const struct count *c =
				e->at.n ? &e->at.at[row * counts->threads.n + t] : &none;

			buf_printf(out, "%3d %8d %15llu %15llu %15llu %15llu ", e->cpus.at[row],
				   counts->threads.at[t].tid,
				   (unsigned long long)(scale ? scaled(c) : c->value),
				   (unsigned long long)c->enabled, (unsigned long long)c->running,
				   (unsigned long long)time);
			buf_safe(out, ev->name);
			buf_char(out, '\n');
		}
	}
}

int script_rounds_add(struct script_rounds *s, const struct record *r, struct buf *out,
		      struct err *err)
{
	const struct event_set *set = &s->rounds.rec->m.events;
	const struct stat_config *config = &s->rounds.config;
	struct stat_round round;
	int got = stat_rounds_take(&s->rounds, r, &round, err);
	bool apart;

	if (got <= 0)
		return got;
	if (!s->headed && set->events.n)
		buf_printf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			   "RUN", "TIME", "EVENT");
	s->headed = true;
	/* What was summed up over all is shown by perf as it stands in the recording; else as
	 * intervals. */
	apart = config->aggr != STAT_AGGR_GLOBAL && config->aggr != STAT_AGGR_UNSET;
	counts_copy(&s->part, round.counts);
	if (apart && config->interval_ms) {
		counts_subtract(&s->part, &s->before);
		counts_copy(&s->before, round.counts);
	}
	for (size_t i = 0; i < s->part.events.n; i++)
		script_rounds_show(set->events.at[i], &s->part, apart && config->scale,
				   round.time_ns, out);
	return 0;
}
