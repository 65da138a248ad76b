// SPDX-License-Identifier: MIT
#include "profile/profile.h"
#include "profile/fold.h"

/* The columns that cells must keep, for the keys and for what is asked beside them. */
static uint32_t columns_of(const struct profile *p)
{
	const struct profile_options *o = &p->opts;
	uint32_t columns = p->layout.cell_columns | COL_BIT(COL_EVENT);
	bool frame = p->layout.flags & (KEY_FRAME | KEY_BRANCH | KEY_DATA);

	if (o->chains || o->children || p->layout.flags & KEY_PARENT || o->exclude_other) {
		columns |= COL_BIT(COL_CHAIN);
		frame = true;
	}
	if (o->filter.dsos.given || o->filter.symbols.given || o->hide_unresolved ||
	    o->filter.symbol_part)
		frame = true;
	if (frame)
		columns |= COL_BIT(COL_IP) | COL_BIT(COL_SPACE);
	if (p->layout.flags & KEY_BRANCH || (o->mode == MODE_BRANCH && frame))
		columns |= COL_BIT(COL_FROM) | COL_BIT(COL_TO);
	if (p->layout.flags & KEY_DATA)
		columns |= COL_BIT(COL_ADDR);
	if (o->filter.comms.given)
		columns |= COL_BIT(COL_COMM);
	if (o->filter.pids.given || o->filter.tids.given)
		columns |= COL_BIT(COL_THREAD);
	if (o->filter.socket >= 0)
		columns |= COL_BIT(COL_CPU);
	return columns;
}

struct profile *profile_new(const struct recording *rec, struct world *world,
			    const struct profile_options *opts, struct err *err)
{
	struct profile *p = NEW(struct profile);

	p->rec = rec;
	p->world = world;
	p->opts = *opts;
	if (layout_init(&p->layout, &opts->layout, err)) {
		free(p);
		return NULL;
	}
	frames_init(&p->frames, world, opts->verbose);
	cells_init(&p->cells, columns_of(p));
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->all.n; i++) {
		vec_release(&p->all.at[i]->hits);
		vec_release(&p->all.at[i]->below);
	}
	for (size_t i = 0; i < p->events.n; i++) {
		vec_release(&p->events.at[i].entries);
		vec_release(&p->events.at[i].roots);
	}
	vec_release(&p->all);
	vec_release(&p->events);
	chain_words_release(&p->words);
	tp_text_free(p->tp_text);
	layout_release(&p->layout);
	frames_release(&p->frames);
	cells_release(&p->cells);
	intern_release(&p->texts);
	arena_release(&p->arena);
	free(p);
}

static void put_place(struct profile *p, struct cell_sample *s, const struct record *r)
{
	const struct sample *sample = &r->sample;
	uint32_t columns = p->cells.columns;
	uint32_t epoch = 0;

	if (columns & COL_BIT(COL_SPACE))
		epoch = world_epoch(p->world, s->thread, s->time);
	s->v[COL_SPACE] = (uint64_t)epoch << 8 | (r->header.misc & MISC_CPUMODE_MASK);
	s->v[COL_IP] = sample->ip;
	if (columns & COL_BIT(COL_COMM))
		s->v[COL_COMM] = world_comm_id(p->world, s->thread, s->time);
	if (columns & COL_BIT(COL_CHAIN)) {
		chain_words_of(&p->words, r->event, sample);
		s->v[COL_CHAIN] = p->words.n ? intern_put(&p->cells.chains, p->words.at,
							  p->words.n * sizeof(*p->words.at))
					     : HASH_NONE;
	}
}

static void put_values(struct profile *p, struct cell_sample *s, const struct record *r)
{
	const struct sample *sample = &r->sample;
	uint64_t quantum = p->opts.time_quantum;
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
	s->v[COL_RAW] = HASH_NONE;
	if (p->cells.columns & COL_BIT(COL_RAW) && sample->type & SAMPLE_RAW && sample->raw)
		s->v[COL_RAW] = intern_put(&p->cells.raws, sample->raw, sample->raw_size);
}

static void add_branches(struct profile *p, struct cell_sample *s, const struct sample *sample)
{
	for (uint64_t i = 0; i < sample->branch_nr; i++) {
		struct branch_entry b;

		memcpy(&b, &sample->branches[i], sizeof(b));
		s->v[COL_FROM] = b.from;
		s->v[COL_TO] = b.to;
		s->v[COL_BRANCH] = b.flags;
		cells_add(&p->cells, s);
	}
}

void profile_sample(struct profile *p, const struct record *r)
{
	const struct sample *sample = &r->sample;
	const struct profile_options *o = &p->opts;
	struct cell_sample s;

	if (!r->event || !filter_has_time(&o->filter, sample->time))
		return;
	if (o->filter.cpus.given && !number_list_has(&o->filter.cpus, sample->cpu))
		return;
	s.time = record_time(p->rec, r);
	s.order = p->opts.no_times ? 0 : s.time;
	s.seq = r->seq;
	s.period = sample->period;
	s.latency = 0;
	s.thread = world_thread(p->world, sample->pid, sample->tid, s.time);
	if (!s.thread)
		return;
	put_values(p, &s, r);
	put_place(p, &s, r);
	switch (o->mode) {
	case MODE_BRANCH:
		s.period = 1;
		add_branches(p, &s, sample);
		break;
	case MODE_MEMORY:
		s.period = s.v[COL_WEIGHT] ? s.v[COL_WEIGHT] : 1;
		cells_add(&p->cells, &s);
		break;
	case MODE_NORMAL:
		cells_add(&p->cells, &s);
		break;
	}
}

uint64_t profile_total(const struct profile *p, const struct event_entries *e)
{
	return p->opts.relative ? e->shown_period : e->period;
}

uint64_t entry_sum(const struct entry *e, enum sum sum)
{
	switch (sum) {
	case SUM_OVERHEAD:
	case SUM_PERIOD:
		return e->self.period;
	case SUM_SYS:
		return e->self.sys;
	case SUM_US:
		return e->self.us;
	case SUM_GUEST_SYS:
		return e->self.guest_sys;
	case SUM_GUEST_US:
		return e->self.guest_us;
	case SUM_CHILDREN:
		return e->total.period;
	case SUM_SAMPLES:
		return e->self.samples;
	case SUMS:
		break;
	}
	return 0;
}
