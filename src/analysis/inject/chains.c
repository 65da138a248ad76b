// SPDX-License-Identifier: MIT
#include "analysis/inject/stages.h"

#define DUMP (SAMPLE_REGS_USER | SAMPLE_STACK_USER)

static bool has_dumps(const struct attr *a)
{
	return (a->sample_type & DUMP) == DUMP;
}

static bool changes(const struct attr *a)
{
	return has_dumps(a) || a->flags & ATTR_DEFER_CALLCHAIN;
}

static void change_attr(struct attr *a)
{
	a->flags &= ~(ATTR_DEFER_CALLCHAIN | ATTR_DEFER_OUTPUT);
	if (!has_dumps(a))
		return;
	a->sample_type = (a->sample_type & ~DUMP) | SAMPLE_CALLCHAIN;
	a->flags &= ~ATTR_EXCLUDE_CALLCHAIN_USER;
	a->sample_regs_user = 0;
	a->sample_stack_user = 0;
}

void chains_events(const struct event_set *from, struct event_set *to)
{
	bool any = false;

	for (size_t i = 0; i < from->events.n; i++)
		any |= changes(&from->events.at[i]->attr);
	for (size_t i = 0; any && i < from->events.n; i++) {
		const struct event *old = from->events.at[i];
		struct event *ev = event_set_add(to, old->name);

		ev->attr = old->attr;
		ev->unit = arena_strdup(&to->arena, old->unit);
		ev->scale = old->scale;
		ev->cpus = old->cpus ? arena_strdup(&to->arena, old->cpus) : NULL;
		for (size_t k = 0; k < old->ids.n; k++)
			event_set_add_id(to, ev, old->ids.at[k]);
		change_attr(&ev->attr);
	}
}

void chains_convert(struct inject *in, struct record *r)
{
	struct sample *s = &r->sample;
	const struct thread *t;

	if (!r->event || !changes(&r->event->attr))
		return;
	/* the original bytes lack the deferred chain that was joined */
	r->bytes = NULL;
	if (!has_dumps(&r->event->attr))
		return;
	if (unwound_needed(s)) {
		t = world_thread(in->world, s->pid, s->tid, WORLD_NOW);
		in->totals->chains += unwound_chain(&in->unwound,
						    world_epoch(in->world, t, WORLD_NOW), s,
						    &s->callchain, &s->callchain_nr);
	}
	s->type = (s->type & ~DUMP) | SAMPLE_CALLCHAIN;
}
