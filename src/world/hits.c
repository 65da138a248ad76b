// SPDX-License-Identifier: MIT
#include "world/hits.h"

#include "world/replay/replay.h"

struct hits {
	struct idmap *dsos;
	bool chains;
};

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

static int hits_take_sample(struct replay *rp, const struct record *r)
{
	const struct hits *h = rp->ctx;
	const struct sample *s = &r->sample;
	const uint32_t epoch = world_epoch(rp->world, replay_thread(rp, s->pid, s->tid), WORLD_NOW);
	const uint8_t mode = r->header.misc & MISC_CPUMODE_MASK;
	struct raw_chain walk = {.words = s->callchain, .n = h->chains ? s->callchain_nr : 0};
	struct place p = world_place(rp->world, epoch, mode, s->ip);
	uint64_t ip;

	if (!world_wants_mode(rp->world, mode))
		return REPLAY_GO;
	mark(h->dsos, &p);
	while (raw_chain_next(&walk, &ip)) {
		p = world_place_any(rp->world, epoch, ip);
		mark(h->dsos, &p);
	}
	return REPLAY_GO;
}

int world_hits(struct world *w, struct recording *rec, bool chains, struct idmap *hits,
	       struct err *err)
{
	static const struct replay_handler handlers[] = {{RECORD_SAMPLE, hits_take_sample}, {0}};
	static const struct replay_analysis analysis = {.handlers = handlers};
	struct hits h = {.dsos = hits, .chains = chains};
	const struct dso_set *set = world_dsos(w);
	struct replay rp;
	int got;

	world_present_only(w);
	replay_init(&rp, rec, w, &analysis, &h);
	rp.reading.join_chains = true;
	got = replay_run(&rp, err);
	replay_release(&rp);
	if (chains && measurement_samples_any(&rec->m, SAMPLE_STACK_USER))
		for (uint32_t i = 0; i < set->dsos.n; i++)
			mark_dso(hits, i);
	return got;
}
