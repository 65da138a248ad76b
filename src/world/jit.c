// SPDX-License-Identifier: MIT
/* Code that a JIT's dump tells of: maps of its own, in front of the anonymous memory it lies in. */
#include "world/state.h"

#include "symbol/jit/jitdump.h"

#include <sys/mman.h>

#define CLOCK_OF_JITS 1 /* CLOCK_MONOTONIC */

/* What a dump told and has not taken effect yet. */
struct jit {
	struct dso *dso;
	struct jit_codes codes;
	size_t next;
	uint64_t due; /* the next one's time; there is nothing to do before */
	bool timed;   /* the recording's clock is the dump's */
};

static bool same_clock(const struct measurement *m)
{
	const struct event_set *set = &m->events;

	for (size_t i = 0; i < set->events.n; i++) {
		const struct attr *a = &set->events.at[i]->attr;

		if (!(a->flags & ATTR_USE_CLOCKID) || a->clockid != CLOCK_OF_JITS)
			return false;
	}
	return m->sample_id_all && measurement_samples_any(m, SAMPLE_TIME);
}

static void put_code(struct world *w, struct process *p, const struct jit_code *code)
{
	struct map_version *v = vec_last(&p->versions);
	struct map *map = arena_alloc(&w->heap.arena, sizeof(*map));

	map->start = code->start;
	map->end = code->end;
	map->pgoff = code->offset;
	map->prot = PROT_READ | PROT_EXEC;
	map->dso = p->jit->dso;
	v->code = maps_cover(&w->heap, v->code, map, p->gen);
}

/*
 * Only code that takes the place of other code needs a state of its own: all that is loaded until
 * then can be there from the start, since nothing that runs lay there before. So there are as many
 * states as times at which memory was used again.
 */
void jit_advance(struct world *w, struct process *p, uint64_t time)
{
	struct jit *jit = p->jit;
	bool changed = false;

	if (!jit || time < jit->due)
		return;
	for (; jit->next < jit->codes.n; jit->next++) {
		const struct jit_code *code = &jit->codes.at[jit->next];
		const struct map_version *now = p->versions.n ? vec_last(&p->versions) : NULL;
		bool again = jit->timed && now && maps_overlap(now->code, code->start, code->end);

		if (again && code->time > time) {
			jit->due = code->time;
			return;
		}
		if (again || !changed)
			process_change(w, p, again ? code->time : now ? now->time : 0);
		changed = true;
		put_code(w, p, code);
	}
	jit->due = UINT64_MAX;
}

void world_add_jitdump(struct world *w, struct process *p, const char *path, uint64_t time)
{
	struct dso *dso;

	if (!w->dsos.options.jitdump || !jitdump_is_name(path))
		return;
	dso = jitdump_dso(&w->dsos, path, (int32_t)p->pid);
	if (p->jit && p->jit->dso == dso)
		return; /* the runtime maps it once for each of its instances */
	if (p->jit)
		jit_release(p->jit);
	else
		p->jit = arena_alloc(&w->arena, sizeof(*p->jit));
	*p->jit = (struct jit){.dso = dso};
	jitdump_read(dso, &p->jit->codes);
	p->jit->timed = same_clock(w->m) && !p->jit->codes.other_clock;
	jit_advance(w, p, time);
}

void jit_release(struct jit *jit)
{
	if (jit)
		vec_release(&jit->codes);
}
