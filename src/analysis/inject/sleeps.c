// SPDX-License-Identifier: MIT
/*
 * Joins the place and the duration of tasks' sleeps. The switch away from a task has the place (its
 * call chain); a later sched_stat sample has the duration as its period. The switch is written in
 * place of that sample, with its time and period. Neither is written alone.
 */
#include "analysis/inject/stages.h"

struct sleeps {
	struct idmap by_tid; /* -> of, which has no bytes when the task is gone */
	VEC(struct last_switch { const struct event *event; uint8_t *bytes; size_t n; }) of;
	struct buf scratch;
};

struct sleeps *sleeps_new(void)
{
	return NEW(struct sleeps);
}

void sleeps_free(struct sleeps *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->of.n; i++)
		free(s->of.at[i].bytes);
	vec_release(&s->of);
	idmap_release(&s->by_tid);
	buf_release(&s->scratch);
	free(s);
}

static void sleeps_forget(struct sleeps *s, uint32_t tid)
{
	uint32_t i = idmap_find(&s->by_tid, tid);

	if (i == HASH_NONE)
		return;
	free(s->of.at[i].bytes);
	s->of.at[i].bytes = NULL;
}

static void remember(struct sleeps *s, const struct record *r)
{
	uint32_t *i;

	sleeps_forget(s, r->sample.tid);
	i = idmap_put(&s->by_tid, r->sample.tid);
	if (*i == HASH_NONE) {
		*i = (uint32_t)s->of.n;
		vec_add(&s->of, (struct last_switch){0});
	}
	s->of.at[*i] = (struct last_switch){r->event, mem_alloc(r->header.size), r->header.size};
	memcpy(s->of.at[*i].bytes, r->bytes, r->header.size);
}

/* Replaces a sched_stat record by the switch in which its task went to sleep. */
static bool sleeps_join(struct inject *in, struct record *r)
{
	struct sleeps *s = in->sleeps;
	const struct tp_field *pid =
		r->event->format ? tp_format_field(r->event->format, "pid") : NULL;
	const struct record_decode how = {.sample_id_all = in->rec->m.sample_id_all,
					  .scratch = &s->scratch,
					  .events = &in->rec->m.events};
	struct record old;
	uint32_t i;

	if (!pid)
		return false;
	i = idmap_find(&s->by_tid, (uint32_t)tp_field_u64(&in->rec->m.formats, pid, r->sample.raw,
							  r->sample.raw_size));
	if (i == HASH_NONE || !s->of.at[i].bytes ||
	    record_decode(&how, s->of.at[i].bytes, s->of.at[i].n, &old))
		return false;
	old.sample.time = old.id.time = r->sample.time;
	old.sample.period = r->sample.period;
	old.bytes = NULL;
	*r = old;
	in->totals->sleeps++;
	return true;
}

bool sleeps_take(struct inject *in, struct record *r)
{
	const struct event *ev = r->event;

	if (r->header.type != RECORD_SAMPLE || !ev || !ev->tracepoint ||
	    strcmp(ev->system, "sched"))
		return true;
	if (!strcmp(ev->tracepoint, "sched_switch")) {
		remember(in->sleeps, r);
		return false;
	}
	if (!strcmp(ev->tracepoint, "sched_process_exit")) {
		sleeps_forget(in->sleeps, r->sample.tid);
		return false;
	}
	return strncmp(ev->tracepoint, "sched_stat_", 11) || sleeps_join(in, r);
}
