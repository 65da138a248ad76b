// SPDX-License-Identifier: MIT
/* Makes entries of cells, in the order of their first samples. */
#include "profile/table/make.h"

#define DEFAULT_PARENT "^sys_|^do_page_fault"

/* -- entries -- */

/* Adds an entry of the values in m->tuple. */
static void add_entry(struct table_maker *m, const struct taken *t, uint32_t filtered)
{
	struct table *table = m->table;
	struct entry *e = entry_new(&table->entries, m->tuple + 1, table->layout.keys.n);

	e->first = (struct first_sample){.cell = t->cell_index,
					 .frame = t->frame,
					 .parent = t->parent,
					 .level = t->level,
					 .in_chain = t->in_chain};
	e->event = (uint32_t)t->v[COL_EVENT];
	e->filtered = filtered;
	vec_add(&table->all, e);
	vec_add(&m->seen_by, 0);
}

/* True for the entry of the values in m->tuple. */
static bool entry_is_wanted(const struct table_maker *m, const struct entry *e)
{
	return e->event == m->tuple[0] &&
	       !memcmp(e->values, m->tuple + 1, m->table->layout.keys.n * sizeof(*m->tuple));
}

uint32_t table_entry_of(struct table_maker *m, const struct taken *t, uint32_t filtered)
{
	struct table *table = m->table;
	const size_t n = table->layout.keys.n, size = (n + 1) * sizeof(*m->tuple);
	uint64_t hash;
	uint32_t i, id;

	m->tuple[0] = t->v[COL_EVENT];
	for (size_t k = 0; k < n; k++)
		m->tuple[1 + k] =
			table->layout.keys.at[k].key->take(table, &table->layout.keys.at[k], t);
	hash = hash_bytes(m->tuple, size, 0);
	i = id_slots_begin(&m->entries, hash);
	while ((id = id_slots_next(&m->entries, hash, &i)) != HASH_NONE)
		if (entry_is_wanted(m, table->all.at[id]))
			return id;
	id = (uint32_t)table->all.n;
	id_slots_add(&m->entries, id, hash);
	add_entry(m, t, filtered);
	return id;
}

/* -- chains -- */

static bool matches(const regex_t *re, const struct frame *frame)
{
	return frame->where->sym && !regexec(re, frame->where->name, 0, NULL, 0);
}

/* With --ignore-callees, the chain begins at the function that matches, which also stands for the
 * sample. Of several matches, the last one in the order of the walk counts. */
static uint32_t without_callees(struct table_maker *m, struct taken *t, uint32_t chain)
{
	struct table *table = m->table;
	const struct chain c = chain_set_read(table->chains, chain, &m->room);
	bool caller_order = table->opts.caller_order;

	for (uint32_t k = 0; k < c.n; k++) {
		uint32_t i = caller_order ? k : c.n - 1 - k;

		if (!matches(&m->ignore, table_frame(table, c.at[i])))
			continue;
		t->frame = c.at[i];
		t->level = table_frame(table, t->frame)->level;
		t->in_chain = true;
		return caller_order ? chain_set_put(&table->own_chains, c.at, i + 1)
				    : chain_set_put(&table->own_chains, c.at + i, c.n - i);
	}
	return chain;
}

static uint32_t parent_of(struct table_maker *m)
{
	const struct chain *c = &m->chain;

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t frame = c->at[m->table->opts.caller_order ? c->n - 1 - i : i];

		if (matches(&m->parent, table_frame(m->table, frame)))
			return frame;
	}
	return HASH_NONE;
}

/* The chain without unresolved frames. */
static uint32_t without_unresolved(struct table *table, const struct chain *c)
{
	uint32_t *ids = mem_alloc(c->n * sizeof(*ids)), n = 0, id;

	for (uint32_t i = 0; i < c->n; i++)
		if (table_frame(table, c->at[i])->where->sym)
			ids[n++] = c->at[i];
	id = chain_set_put(&table->own_chains, ids, n);
	free(ids);
	return id;
}

/* A chain of the samples as this table has it: in table->chains. */
static uint32_t table_chain_of(struct table_maker *m, uint32_t chain)
{
	struct chain c;

	if (chain == HASH_NONE || !m->own_chains)
		return chain;
	if (m->own_chains[chain] == HASH_NONE) {
		c = chain_set_read(&m->samples->frames.chains, chain, &m->room);
		m->own_chains[chain] = m->table->opts.hide_unresolved
					       ? without_unresolved(m->table, &c)
					       : chain_set_put(&m->table->own_chains, c.at, c.n);
	}
	return m->own_chains[chain];
}

/* The chain of a cell after the options changed it; they may also change the cell's frame. */
static uint32_t cell_chain(struct table_maker *m, struct taken *t)
{
	const struct cell_ids *ids = &m->samples->ids;
	struct table *table = m->table;
	uint32_t chain = ids->chains ? table_chain_of(m, ids->chains[t->cell_index]) : HASH_NONE;

	if (m->own_chains && table->opts.own_chains &&
	    !(t->event->attr.sample_type & SAMPLE_CALLCHAIN))
		chain = chain_set_put(&table->own_chains, &t->frame, 1);
	if (chain != HASH_NONE && m->has_ignore)
		chain = without_callees(m, t, chain);
	return chain;
}

/* -- cells -- */

static bool unresolved(const struct table *table, uint32_t frame)
{
	return !table_frame(table, frame)->where->sym;
}

static bool is_idle(const struct frame *frame)
{
	return frame->level == 'k' && frame->where->sym && frame->where->sym->idle;
}

static bool is_hidden(const struct table_maker *m, const struct taken *t)
{
	return samples_have(m->samples, COL_SPACE) &&
	       m->table->opts.hidden_modes & 1u << (t->v[COL_SPACE] & MISC_CPUMODE_MASK);
}

/* Fills in frames. False: the sample is not to be shown. */
static bool take_frames(struct table_maker *m, struct taken *t)
{
	const struct cell_ids *ids = &m->samples->ids;
	const bool hide = m->table->opts.hide_unresolved;

	t->frame = t->from = t->to = t->data = t->parent = HASH_NONE;
	t->level = '.';
	if (!ids->frames)
		return true;
	t->frame = ids->frames[t->cell_index];
	t->level = table_frame(m->table, t->frame)->level;
	if (hide && unresolved(m->table, t->frame))
		return false;
	if (m->table->opts.hide_idle && is_idle(table_frame(m->table, t->frame)))
		return false;
	if (ids->from) {
		t->from = ids->from[t->cell_index];
		t->to = ids->to[t->cell_index];
		t->frame = t->to;
		t->in_chain = true; /* unresolved, it is identified as the frames of chains are */
		if (hide && (unresolved(m->table, t->from) || unresolved(m->table, t->to)))
			return false;
	}
	if (ids->data)
		t->data = ids->data[t->cell_index];
	return true;
}

/* Fills *t. False: the cell is not to be shown. */
static bool take_cell(struct table_maker *m, uint32_t cell, struct taken *t)
{
	const struct samples *s = m->samples;

	t->cell = cells_at(&s->cells, cell);
	t->cell_index = cell;
	t->in_chain = false;
	cells_spread(&s->cells, cell, t->v);
	if (samples_have(s, COL_COMM))
		t->v[COL_COMM] = world_comm_learnt(t->cell->thread, (uint32_t)t->v[COL_COMM]);
	t->event = s->m->events.events.at[t->v[COL_EVENT]];
	return !is_hidden(m, t) && take_frames(m, t);
}

/* True when the zoom leaves the cell out. */
static bool leave_outside(struct table_maker *m, const struct taken *t)
{
	struct weights w;

	if (!table_zoomed_out(m->table, t))
		return false;
	if (m->table->opts.zoom.counted) {
		cells_weights(&m->samples->cells, t->cell_index, &w);
		weights_add(&m->outside[t->v[COL_EVENT]], &w);
	}
	return true;
}

static void add_cell(struct table_maker *m, uint32_t cell)
{
	struct table *table = m->table;
	uint32_t chain, id, filtered;
	uint64_t parts[PARTS] = {0};
	struct weights w;
	struct entry *e;
	struct taken t;

	if (!take_cell(m, cell, &t) || leave_outside(m, &t))
		return;
	chain = cell_chain(m, &t);
	m->chain = chain == HASH_NONE ? (struct chain){0}
				      : chain_set_read(table->chains, chain, &m->room);
	if (m->has_parent)
		t.parent = parent_of(m);
	cells_weights(&m->samples->cells, cell, &w);
	table_count_losses(m, &t, w.samples);
	filtered = table_filtered(table, &t);
	id = table_entry_of(m, &t, filtered);
	e = table->all.at[id];
	if (table->layout.parts)
		parts_add_cell(parts, &t, &w);
	entry_add_self(&table->arena, e, &w, table->layout.parts ? parts : NULL);
	e->total += w.period;
	if (chain != HASH_NONE && (table->opts.chains || table->opts.children))
		table_add_chain(m, &t, id, chain, &w, filtered);
}

/* -- all of them -- */

static bool some_have_no_chain(const struct samples *s)
{
	for (size_t i = 0; i < s->m->events.events.n; i++)
		if (!(s->m->events.events.at[i]->attr.sample_type & SAMPLE_CALLCHAIN))
			return true;
	return false;
}

static void maker_init(struct table_maker *m, struct table *table, const struct samples *s)
{
	const struct table_options *o = &table->opts;
	const char *parent = o->parent ? o->parent : DEFAULT_PARENT;
	const size_t n = s->frames.chains.all.n;

	*m = (struct table_maker){.table = table, .samples = s};
	m->tuple = mem_zero((table->layout.keys.n + 1) * sizeof(*m->tuple));
	m->outside = mem_zero((s->m->events.events.n + 1) * sizeof(*m->outside));
	if (table->layout.flags & KEY_PARENT || o->exclude_other)
		m->has_parent = !regcomp(&m->parent, parent, REG_EXTENDED);
	if (o->ignore_callees)
		m->has_ignore = !regcomp(&m->ignore, o->ignore_callees, REG_EXTENDED);
	table->chains = &s->frames.chains;
	if (!o->hide_unresolved && !m->has_ignore && !(o->own_chains && some_have_no_chain(s)))
		return;
	table->chains = &table->own_chains;
	m->own_chains = mem_alloc((n + 1) * sizeof(*m->own_chains));
	memset(m->own_chains, 0xff, n * sizeof(*m->own_chains));
}

static void maker_release(struct table_maker *m)
{
	id_slots_release(&m->entries);
	id_slots_release(&m->groups);
	intern_release(&m->contexts);
	callers_release(&m->callers);
	vec_release(&m->seen_by);
	vec_release(&m->room.ids);
	free(m->own_chains);
	free(m->tuple);
	free(m->outside);
	if (m->has_parent)
		regfree(&m->parent);
	if (m->has_ignore)
		regfree(&m->ignore);
}

static void sum_up(struct table *table, const struct weights *outside)
{
	const struct event_set *events = &table->samples->m->events;

	for (size_t i = 0; i < events->events.n; i++)
		vec_add(&table->events, (struct event_entries){.event = events->events.at[i],
							       .period = outside[i].period,
							       .samples = outside[i].samples,
							       .latency = outside[i].latency});
	for (size_t i = 0; i < table->all.n; i++) {
		struct entry *e = table->all.at[i];
		struct event_entries *ev = &table->events.at[e->event];

		vec_add(&ev->entries, e);
		ev->period += e->self->period;
		ev->samples += e->self->samples;
		ev->latency += e->self->latency;
		if (!e->filtered) {
			ev->shown_period += e->self->period;
			ev->shown_samples += e->self->samples;
			ev->shown_latency += e->self->latency;
		}
	}
}

static void make_entries(struct table *table, const struct samples *s)
{
	struct table_maker m;

	maker_init(&m, table, s);
	table_trace_begin(table);
	for (uint32_t i = 0; i < s->ids.n; i++)
		add_cell(&m, s->ids.order[i]);
	chain_set_settle(&table->own_chains);
	table_sum_callees(table);
	table_filter_entries(table);
	sum_up(table, m.outside);
	maker_release(&m);
}

int table_make(struct table *table, const struct samples *s, struct err *err)
{
	table_clear(table);
	if (!table_can_be_made(table, s))
		return err_set(err, ERR_USAGE,
			       "the samples don't keep what the table's keys and options need");
	table->samples = s;
	make_entries(table, s);
	if (table->opts.group)
		table_link_groups(table);
	for (size_t i = 0; i < table->events.n; i++) {
		struct event_entries *ev = &table->events.at[i];

		if (table->opts.layout.hierarchy)
			table_make_hierarchy(table, ev);
		else
			table_sort(table, ev->event, ev->entries.at, ev->entries.n);
	}
	return 0;
}
