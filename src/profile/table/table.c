// SPDX-License-Identifier: MIT
#include "probe/types/data_types.h"
#include "profile/table/make.h"

struct table *table_new(const struct table_options *opts, struct err *err)
{
	struct table *t = NEW(struct table);

	t->opts = *opts;
	if (!layout_init(&t->layout, &opts->layout, err))
		return t;
	free(t);
	return NULL;
}

void table_clear(struct table *t)
{
	for (size_t i = 0; i < t->all.n; i++) {
		hits_release(&t->all.at[i]->hits);
		if (t->all.at[i]->levels)
			vec_release(&t->all.at[i]->levels->below);
	}
	for (size_t i = 0; i < t->events.n; i++) {
		vec_release(&t->events.at[i].entries);
		vec_release(&t->events.at[i].roots);
	}
	vec_release(&t->all);
	vec_release(&t->groups);
	vec_release(&t->events);
	chain_set_release(&t->own_chains);
	tp_text_free(t->tp_text);
	t->tp_text = NULL;
	intern_release(&t->texts);
	arena_release(&t->arena);
	arena_release(&t->entries);
	t->losses = (struct table_losses){0};
	t->samples = NULL;
	t->chains = NULL;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	table_clear(t);
	layout_release(&t->layout);
	data_types_free(t->data_types);
	free(t);
}

/* -- the columns that samples must keep -- */

static uint32_t zoom_columns(const struct zoom *z)
{
	uint32_t columns = 0;

	if (z->thread)
		columns |= COL_BIT(COL_THREAD);
	if (z->comm)
		columns |= COL_BIT(COL_COMM);
	if (z->by_socket)
		columns |= COL_BIT(COL_CPU);
	if (z->by_time)
		columns |= COL_BIT(COL_TIME);
	return columns;
}

static bool table_needs_frames(const struct table_options *o, unsigned int flags)
{
	const struct filter *f = &o->filter;

	return flags & (KEY_FRAME | KEY_BRANCH | KEY_DATA) || f->dsos.given || f->symbols.given ||
	       o->hide_unresolved || f->symbol_part || o->zoom.dso;
}

static uint32_t table_columns(const struct table *t)
{
	const struct table_options *o = &t->opts;
	uint32_t columns = t->layout.cell_columns | zoom_columns(&o->zoom);
	bool frames = table_needs_frames(o, t->layout.flags);

	if (o->chains || o->children || t->layout.flags & KEY_PARENT || o->exclude_other) {
		columns |= COL_BIT(COL_CHAIN);
		frames = true;
	}
	if (frames)
		columns |= COL_BIT(COL_IP) | COL_BIT(COL_SPACE);
	if (t->layout.flags & KEY_BRANCH || (o->layout.mode == MODE_BRANCH && frames))
		columns |= COL_BIT(COL_FROM) | COL_BIT(COL_TO);
	if (t->layout.flags & KEY_DATA)
		columns |= COL_BIT(COL_ADDR);
	if (o->filter.comms.given)
		columns |= COL_BIT(COL_COMM);
	if (o->filter.pids.given || o->filter.tids.given)
		columns |= COL_BIT(COL_THREAD);
	if (o->filter.socket >= 0)
		columns |= COL_BIT(COL_CPU);
	return columns;
}

static bool has_latency(const struct layout *l)
{
	for (size_t i = 0; i < l->columns.n; i++)
		if (l->columns.at[i].key < 0 && l->columns.at[i].sum == SUM_LATENCY)
			return true;
	return false;
}

void table_ask(const struct table *t, struct samples_options *wanted)
{
	const struct table_options *o = &t->opts;
	const bool lines = t->layout.flags & KEY_LINES;

	wanted->mode = o->layout.mode;
	wanted->columns |= table_columns(t);
	wanted->parallelism |=
		has_latency(&t->layout) || wanted->columns & COL_BIT(COL_PARALLELISM);
	wanted->lines |= lines;
	/* a caller may stand for the sample */
	wanted->chain_lines |= lines && (o->children || o->ignore_callees);
	wanted->long_names |= o->verbose;
}

bool table_can_be_made(const struct table *t, const struct samples *s)
{
	struct samples_options need = {0};
	const struct samples_options *have = &s->opts;

	table_ask(t, &need);
	return !(need.columns & ~have->columns) && need.mode == have->mode &&
	       need.parallelism <= have->parallelism && need.lines <= have->lines &&
	       need.chain_lines <= have->chain_lines;
}

/* -- sums -- */

uint64_t table_total(const struct table *t, const struct event_entries *e, enum sum sum)
{
	if (sum == SUM_LATENCY)
		return t->opts.relative ? e->shown_latency : e->latency;
	return t->opts.relative ? e->shown_period : e->period;
}

static uint64_t entry_part(const struct entry *e, enum sum sum)
{
	const uint64_t n = e->self->samples, value = entry_parts(e)[sum - SUM_PARTS];

	if (!sum_is_average(sum))
		return value;
	return n ? (uint64_t)((double)value * 10 / (double)n + .5) : 0;
}

uint64_t entry_sum(const struct entry *e, enum sum sum)
{
	if (sum_is_part(sum))
		return entry_part(e, sum);
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
	default:
		return 0;
	}
}
