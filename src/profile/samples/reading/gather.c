// SPDX-License-Identifier: MIT
#include "profile/samples/reading/gather.h"

static void gather_address(struct gatherer *g, struct gathered *at, const struct record *r)
{
	struct cell_sample *s = &at->s;
	struct world *world = g->samples->world;
	const struct sample *sample = &r->sample;
	uint32_t columns = g->cells->columns;
	uint32_t epoch = 0;

	if (columns & COL_BIT(COL_SPACE))
		epoch = world_epoch(world, s->thread, s->time);
	s->v[COL_SPACE] = (uint64_t)epoch << 8 | (r->header.misc & MISC_CPUMODE_MASK);
	s->v[COL_IP] = sample->ip;
	if (columns & COL_BIT(COL_COMM))
		s->v[COL_COMM] = world_comm_id(world, s->thread, s->time);
	at->n_words = 0;
	if (!(columns & COL_BIT(COL_CHAIN)))
		return;
	chain_words_of(g->words, epoch, r->event, sample);
	at->words = g->words->at;
	at->n_words = g->words->n;
}

static uint64_t time_rounded(uint64_t time, uint64_t quantum)
{
	return quantum ? time / quantum * quantum : time;
}

static void gather_values(struct gatherer *g, struct cell_sample *s, const struct record *r)
{
	const struct sample *sample = &r->sample;
	const struct samples_options *o = &g->samples->opts;
	bool split = sample->type & SAMPLE_WEIGHT_STRUCT;

	s->v[COL_EVENT] = r->event->index;
	s->v[COL_THREAD] = s->thread->index;
	s->v[COL_CPU] = sample->type & SAMPLE_CPU ? sample->cpu : UINT32_MAX;
	s->v[COL_TIME] = time_rounded(sample->time, o->time_quantum);
	s->time_kept = o->times ? time_rounded(sample->time, o->times_quantum) : 0;
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
	s->v[COL_EXACT] = (r->header.misc & MISC_EXACT_IP) != 0;
	s->v[COL_PARALLELISM] = g->samples->parallelism;
	s->v[COL_STATE] = g->samples->wall.state;
	s->v[COL_WAKER] = g->samples->wall.waker;
	s->v[COL_WAKERS] = g->samples->wall.wakers;
	s->v[COL_WAKER_STACKS] = g->samples->wall.waker_stacks;
	s->v[COL_DELAY] = g->samples->wall.delay;
	s->v[COL_REASON] = g->samples->wall.reason;
	s->v[COL_TASK] = g->samples->wall.task;
	s->v[COL_RAW] = HASH_NONE;
	if (g->cells->columns & COL_BIT(COL_RAW) && sample->type & SAMPLE_RAW && sample->raw)
		s->v[COL_RAW] = intern_put(&g->cells->raws, sample->raw, sample->raw_size);
}

static void gather_branches(struct gatherer *g, struct cell_sample *s, const struct sample *sample)
{
	for (uint64_t i = 0; i < sample->branch_nr; i++) {
		struct branch_entry b;

		memcpy(&b, &sample->branches[i], sizeof(b));
		s->v[COL_FROM] = b.from;
		s->v[COL_TO] = b.to;
		s->v[COL_BRANCH] = b.flags;
		/* all branches have the weight of the first, as in perf */
		if (!i)
			s->v[COL_WEIGHT] = MAX(branch_cycles(b.flags), 1);
		cells_add(g->cells, s);
	}
}

static void gather_chain(struct gatherer *g, struct gathered *at)
{
	at->s.v[COL_CHAIN] = at->n_words
				     ? intern_put_hashed(&g->cells->chains, at->words,
							 at->n_words * sizeof(*at->words), at->hash)
				     : HASH_NONE;
}

static uint64_t chain_hash(const struct gathered *at)
{
	return at->n_words ? hash_bytes(at->words, at->n_words * sizeof(*at->words), 0) : 0;
}

/* Fills *at. False: the sample is not wanted, or its branches were all added already. */
static bool gather_begin(struct gatherer *g, struct gathered *at, const struct record *r)
{
	const struct sample *sample = &r->sample;
	const struct samples *samples = g->samples;
	const struct samples_options *o = &samples->opts;
	struct cell_sample *s = &at->s;

	if (!r->event || !filter_has_time(&o->filter, sample->time))
		return false;
	if (o->filter.cpus.given && !number_list_has(&o->filter.cpus, sample->cpu))
		return false;
	if (o->filter.parallelism.given &&
	    !number_list_has(&o->filter.parallelism, samples->parallelism))
		return false;
	s->time = record_time(samples->m, r);
	s->order = samples->opts.no_times ? 0 : s->time;
	s->seq = r->seq;
	s->period = sample->period;
	s->thread = world_thread(samples->world, sample->pid, sample->tid, s->time);
	if (!s->thread)
		return false;
	if (cpumode_is_guest(r->header.misc & MISC_CPUMODE_MASK) &&
	    world_guests(samples->world)->wanted)
		s->thread = world_guest_thread(samples->world, s->thread);
	gather_values(g, s, r);
	gather_address(g, at, r);
	if (o->mode == MODE_MEMORY)
		s->period = s->v[COL_WEIGHT] ? s->v[COL_WEIGHT] : 1;
	stretches_add(&g->cells->stretches, sample, s->v[COL_SPACE]);
	if (o->mode != MODE_BRANCH)
		return true;
	at->hash = chain_hash(at);
	gather_chain(g, at);
	s->period = 1;
	gather_branches(g, s, sample);
	return false;
}

bool gather_sample(struct gatherer *g, const struct record *r)
{
	struct gathered at;

	if (!gather_begin(g, &at, r))
		return false;
	at.hash = chain_hash(&at);
	gather_chain(g, &at);
	cells_add(g->cells, &at.s);
	return true;
}

/* True when the words of the chain stand in the record itself. */
static bool chain_in_record(const struct gathered *at, const struct record *r)
{
	uintptr_t words = (uintptr_t)at->words, bytes = (uintptr_t)r->bytes;

	return !at->n_words || (words >= bytes && words < bytes + r->header.size);
}

void gather_add(struct gatherer *g, struct gather_batch *batch, const struct record *r)
{
	struct gathered *at = &batch->at[batch->n];

	if (!gather_begin(g, at, r))
		return;
	at->hash = chain_hash(at);
	if (at->n_words)
		intern_ask_slot(&g->cells->chains, at->hash);
	/* words outside of the record are overwritten by the next sample */
	if (++batch->n == GATHER_BATCH || !chain_in_record(at, r))
		gather_flush(g, batch);
}

void gather_flush(struct gatherer *g, struct gather_batch *batch)
{
	const struct intern *chains = &g->cells->chains;
	struct gathered *at = batch->at, *end = at + batch->n;

	if (g->cells->columns & COL_BIT(COL_CHAIN)) {
		for (at = batch->at; at < end; at++)
			intern_ask_entry(chains, at->hash);
		for (at = batch->at; at < end; at++)
			intern_ask_bytes(chains, at->hash);
	}
	for (at = batch->at; at < end; at++) {
		gather_chain(g, at);
		at->hash = cells_hash(g->cells, at->s.v);
		id_slots_ask(&g->cells->slots, at->hash);
	}
	for (at = batch->at; at < end; at++)
		cells_prefetch_cell(g->cells, at->hash);
	for (at = batch->at; at < end; at++)
		cells_add_hashed(g->cells, &at->s, at->hash);
	batch->n = 0;
}
