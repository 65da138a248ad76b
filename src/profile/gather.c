// SPDX-License-Identifier: MIT
#include "profile/gather.h"

static void put_place(struct gatherer *g, struct cell_sample *s, const struct record *r)
{
	struct world *world = g->profile->world;
	const struct sample *sample = &r->sample;
	uint32_t columns = g->cells->columns;
	uint32_t epoch = 0;

	if (columns & COL_BIT(COL_SPACE))
		epoch = world_epoch(world, s->thread, s->time);
	s->v[COL_SPACE] = (uint64_t)epoch << 8 | (r->header.misc & MISC_CPUMODE_MASK);
	s->v[COL_IP] = sample->ip;
	if (columns & COL_BIT(COL_COMM))
		s->v[COL_COMM] = world_comm_id(world, s->thread, s->time);
	if (columns & COL_BIT(COL_CHAIN)) {
		chain_words_of(g->words, epoch, r->event, sample);
		s->v[COL_CHAIN] = g->words->n ? intern_put(&g->cells->chains, g->words->at,
							  g->words->n * sizeof(*g->words->at))
					     : HASH_NONE;
	}
}

static void put_values(struct gatherer *g, struct cell_sample *s, const struct record *r)
{
	const struct sample *sample = &r->sample;
	uint64_t quantum = g->profile->opts.time_quantum;
	bool split = sample->type & SAMPLE_WEIGHT_STRUCT;

	s->v[COL_EVENT] = r->event->index;
	s->v[COL_THREAD] = s->thread->index;
	s->v[COL_CPU] = sample->type & SAMPLE_CPU ? sample->cpu : UINT32_MAX;
	s->v[COL_TIME] = quantum ? sample->time / quantum * quantum : sample->time;
	s->v[COL_ADDR] = sample->addr;
	s->v[COL_WEIGHT] = split ? sample->weight1 : sample->weight;
	s->v[COL_INS_LAT] = split ? sample->weight2 : 0;
	s->v[COL_P_STAGE] = split ? sample->weight3 : 0;
	s->v[COL_DATA_SRC] = sample->type & SAMPLE_DATA_SRC ? sample->data_src : DATA_SRC_NONE;
	s->v[COL_TRANSACTION] = sample->transaction;
	s->v[COL_PHYS_ADDR] = sample->phys_addr;
	s->v[COL_CGROUP] = sample->cgroup;
	s->v[COL_DATA_PAGE] = sample->data_page_size;
	s->v[COL_CODE_PAGE] = sample->code_page_size;
	s->v[COL_PARALLELISM] = g->profile->parallelism;
	s->v[COL_RAW] = HASH_NONE;
	if (g->cells->columns & COL_BIT(COL_RAW) && sample->type & SAMPLE_RAW && sample->raw)
		s->v[COL_RAW] = intern_put(&g->cells->raws, sample->raw, sample->raw_size);
}

static void add_branches(struct gatherer *g, struct cell_sample *s, const struct sample *sample)
{
	for (uint64_t i = 0; i < sample->branch_nr; i++) {
		struct branch_entry b;

		memcpy(&b, &sample->branches[i], sizeof(b));
		s->v[COL_FROM] = b.from;
		s->v[COL_TO] = b.to;
		s->v[COL_BRANCH] = b.flags;
		cells_add(g->cells, s);
	}
}

void gather_sample(struct gatherer *g, const struct record *r)
{
	const struct sample *sample = &r->sample;
	const struct profile *p = g->profile;
	const struct profile_options *o = &p->opts;
	struct cell_sample s;

	if (!r->event || !filter_has_time(&o->filter, sample->time))
		return;
	if (o->filter.cpus.given && !number_list_has(&o->filter.cpus, sample->cpu))
		return;
	if (o->filter.parallelism.given &&
	    !number_list_has(&o->filter.parallelism, p->parallelism))
		return;
	s.time = record_time(p->rec, r);
	s.order = p->opts.no_times ? 0 : s.time;
	s.seq = r->seq;
	s.period = sample->period;
	s.thread = world_thread(p->world, sample->pid, sample->tid, s.time);
	if (!s.thread)
		return;
	put_values(g, &s, r);
	put_place(g, &s, r);
	switch (o->mode) {
	case MODE_BRANCH:
		s.period = 1;
		stretches_add(&g->cells->stretches, sample, s.v[COL_SPACE]);
		add_branches(g, &s, sample);
		break;
	case MODE_MEMORY:
		s.period = s.v[COL_WEIGHT] ? s.v[COL_WEIGHT] : 1;
		cells_add(g->cells, &s);
		break;
	case MODE_NORMAL:
		cells_add(g->cells, &s);
		break;
	}
}
