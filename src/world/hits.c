// SPDX-License-Identifier: MIT
#include "world/hits.h"

#include "data/source/deferred.h"

static void mark_dso(struct idmap *hits, uint32_t index)
{
	uint32_t *n = idmap_put(hits, index);

	*n = *n == HASH_NONE ? 1 : MIN(*n + 1, HASH_NONE - 1);
}

static void mark(struct idmap *hits, const struct place *p)
{
	if (p->dso)
		mark_dso(hits, p->dso->index);
}

static void mark_sample(struct world *w, const struct record *r, bool chains, struct idmap *hits)
{
	const struct sample *s = &r->sample;
	const struct thread *t = world_thread(w, s->pid, s->tid, WORLD_NOW);
	const uint32_t epoch = world_epoch(w, t, WORLD_NOW);
	struct place p = world_place(w, epoch, r->header.misc & MISC_CPUMODE_MASK, s->ip);

	mark(hits, &p);
	for (uint64_t i = 0; chains && i < s->callchain_nr; i++) {
		if (s->callchain[i] >= CONTEXT_MAX)
			continue;
		p = world_place_any(w, epoch, s->callchain[i]);
		mark(hits, &p);
	}
}

int world_hits(struct world *w, struct recording *rec, bool chains, struct idmap *hits,
	       struct err *err)
{
	AUTO(source) *src = source_open(rec, SOURCE_ORDERED, err);
	const struct dso_set *set = world_dsos(w);
	struct deferred deferred;
	struct record r;
	int got = -1;

	if (!src)
		return -1;
	world_present_only(w);
	deferred_init(&deferred, rec);
	while ((got = deferred_next(&deferred, src, &r, err)) > 0) {
		world_add(w, &r, record_time(&rec->m, &r));
		if (r.header.type == RECORD_SAMPLE)
			mark_sample(w, &r, chains, hits);
	}
	deferred_release(&deferred);
	if (chains && measurement_samples_any(&rec->m, SAMPLE_STACK_USER))
		for (uint32_t i = 0; i < set->dsos.n; i++)
			mark_dso(hits, i);
	return got;
}
