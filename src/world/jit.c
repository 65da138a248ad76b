// SPDX-License-Identifier: MIT
/* JIT code that a jitdump file describes: maps of its own, which come before the anonymous map at
 * their addresses. */
#include "world/state.h"

#include "symbol/jit/jitdump.h"

#include <sys/mman.h>

#define CLOCK_OF_JITS 1 /* CLOCK_MONOTONIC */

/* The code of one dump. What stands from .next on has not taken effect yet. */
struct jit {
	struct dso *dso;
	struct jit_codes codes;
	size_t next;
	uint64_t due; /* no code takes effect before this time */
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
 * Only code that replaces other code needs a new version of the maps. All other code can be in the
 * version before, since nothing ran at its addresses until it was loaded. So there are as many
 * versions as times at which memory was reused.
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
