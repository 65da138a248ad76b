// SPDX-License-Identifier: MIT
#include "profile/profile.h"
#include "profile/fold.h"
#include "profile/samples/gather.h"

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

struct profile *profile_new(const struct measurement *m, struct world *world,
			    const struct profile_options *opts, struct err *err)
{
	struct profile *p = NEW(struct profile);

	p->m = m;
	p->world = world;
	p->opts = *opts;
	if (layout_init(&p->layout, &opts->layout, err)) {
		free(p);
		return NULL;
	}
	frames_init(&p->frames, world, opts->verbose);
	p->frames.inlines = opts->inlines;
	p->frames.lines = opts->lines;
	p->frames.full_paths = opts->full_paths;
	p->cells.columns = columns_of(p);
	cells_init(&p->cells, p->cells.columns, profile_needs_parallelism(p));
	chain_words_init(&p->words, world, m, opts->max_stack, opts->caller_order);
	p->cells.stretches.wanted = opts->blocks;
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->all.n; i++) {
		hits_release(&p->all.at[i]->hits);
		if (p->all.at[i]->levels)
			vec_release(&p->all.at[i]->levels->below);
	}
	for (size_t i = 0; i < p->events.n; i++) {
		vec_release(&p->events.at[i].entries);
		vec_release(&p->events.at[i].roots);
	}
	vec_release(&p->all);
	vec_release(&p->groups);
	vec_release(&p->events);
	chain_words_release(&p->words);
	tp_text_free(p->tp_text);
	layout_release(&p->layout);
	frames_release(&p->frames);
	cells_release(&p->cells);
	intern_release(&p->texts);
	arena_release(&p->arena);
	arena_release(&p->entries);
	arena_release(&p->values);
	free(p);
}

void profile_sample(struct profile *p, const struct record *r)
{
	struct gatherer g = {p, &p->cells, &p->words};

	gather_sample(&g, r);
}

bool profile_needs_parallelism(const struct profile *p)
{
	bool needed = p->cells.columns & COL_BIT(COL_PARALLELISM) ||
		      p->opts.filter.parallelism.given;

	for (size_t i = 0; i < p->layout.columns.n; i++)
		needed |= p->layout.columns.at[i].key < 0 &&
			  p->layout.columns.at[i].sum == SUM_LATENCY;
	return needed;
}

uint64_t profile_total(const struct profile *p, const struct event_entries *e, enum sum sum)
{
	if (sum == SUM_LATENCY)
		return p->opts.relative ? e->shown_latency : e->latency;
	return p->opts.relative ? e->shown_period : e->period;
}

uint64_t entry_sum(const struct entry *e, enum sum sum)
{
	switch (sum) {
	case SUM_OVERHEAD:
	case SUM_PERIOD:
		return e->self->period;
	case SUM_SYS:
		return e->self->sys;
	case SUM_US:
		return e->self->us;
	case SUM_GUEST_SYS:
		return e->self->guest_sys;
	case SUM_GUEST_US:
		return e->self->guest_us;
	case SUM_CHILDREN:
		return e->total;
	case SUM_SAMPLES:
		return e->self->samples;
	case SUM_LATENCY:
		return e->self->latency;
	case SUMS:
		break;
	}
	return 0;
}
