// SPDX-License-Identifier: MIT
/*
 * Tasks outside of the pid namespace in which the recorder ran. perf_event_pid() has no number for
 * them: all have pid 0 and tid 0, as idle tasks do. But idle tasks never exec, map files, fork or
 * exit. A record of pid 0 that says so is about one of many processes, so the world takes neither
 * names nor maps from it.
 */
#include "world/state.h"

#include <sys/mman.h>

static bool is_outside(const struct world *w, const struct record *r)
{
	switch (r->header.type) {
	case RECORD_COMM:
		return !r->comm.pid && !r->comm.tid &&
		       (w->outside || r->header.misc & MISC_COMM_EXEC ||
			!strcmp(r->comm.comm, WORLD_OUTSIDE));
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return !r->mmap.pid && !r->mmap.tid &&
		       (r->header.misc & MISC_CPUMODE_MASK) == MISC_USER;
	case RECORD_FORK:
	case RECORD_EXIT:
		return !r->task.pid && !r->task.tid;
	case RECORD_NAMESPACES:
		return w->outside && !r->namespaces.pid && !r->namespaces.tid;
	default:
		return false;
	}
}

bool world_take_outside(struct world *w, const struct record *r, uint64_t time)
{
	struct map_version *v;
	struct thread *t;
	struct map *all;

	if (!is_outside(w, r))
		return false;
	if (w->outside)
		return true;
	w->outside = true;
	t = thread_get(w, 0, 0);
	thread_name(w, t, WORLD_OUTSIDE, time, false);
	all = arena_alloc(&w->heap.arena, sizeof(*all));
	all->end = KERNEL_HALF;
	all->prot = PROT_READ | PROT_EXEC;
	all->absolute = true;
	all->dso = dso_set_get(&w->dsos, WORLD_OUTSIDE, NULL, DSO_ANON, -1);
	all->dso->outside = true;
	v = process_change(w, t->process, time);
	v->root = maps_cover(&w->heap, v->root, all, t->process->gen);
	return true;
}
