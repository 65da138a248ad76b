// SPDX-License-Identifier: MIT
#include "analysis/annotate/annotate.h"

/* Samples of a symbol while they are gathered: offsets and weights, unsorted. */
struct gathered {
	uint64_t offset;
	uint32_t event; /* in the group */
	bool exact;
	struct annotate_weight weight;
};
struct gathering {
	struct annotate *a;
	struct intern known; /* {dso, symbol} -> index in a->symbols */
	VEC(VEC(struct gathered)) found; /* one a symbol */
	int exact; /* the key that tells exact samples; -1: none is */
};

const char *annotate_sort(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		const struct attr *a = &events->events.at[i]->attr;

		if (attr_precise(a) && a->type != TYPE_SOFTWARE)
			return "{dso,symbol},{addr,exact}";
	}
	return "{dso,symbol},addr";
}

struct table *annotate_table_new(const struct event_set *events, const struct filter *filter,
				 const struct zoom *zoom, enum sample_mode mode, struct err *err)
{
	struct table_options opts = {
		.relative = true,
		.filter.socket = -1,
		.layout = {.default_sort = annotate_sort(events),
			   .hierarchy = true,
			   .mode = mode,
			   .events = events},
	};

	if (filter)
		opts.filter = *filter;
	if (zoom)
		opts.zoom = *zoom;
	opts.zoom.counted = false;
	return table_new(&opts, err);
}

static int key_of_exact(const struct layout *l)
{
	for (size_t i = 0; i < l->keys.n; i++)
		if (!strcmp(l->keys.at[i].key->name, "exact"))
			return (int)i;
	return -1;
}

static const struct frame *annotate_frame_of(const struct annotate *a, const struct entry *e)
{
	return e->first.frame == HASH_NONE ? NULL : table_frame(a->table, e->first.frame);
}

/* The index of the symbol that an entry belongs to; adds it when it is new. */
static uint32_t annotate_symbol_of(struct gathering *g, const struct entry *root,
				   const struct frame *frame)
{
	const void *const key[] = {frame->where->dso, frame->where->sym};
	const uint32_t id = intern_put(&g->known, key, sizeof(key));
	const uint64_t total = g->a->totals[0].period;

	if (id == g->a->symbols.n) {
		struct annotate_symbol s = {.dso = frame->where->dso,
					    .sym = frame->where->sym,
					    .name = frame->where->name};

		if (total)
			s.percent = 100.0 * (double)root->self->period / (double)total;
		s.sums = arena_alloc(&g->a->arena, g->a->n_events * sizeof(*s.sums));
		vec_add(&g->a->symbols, s);
		(void)vec_extend(&g->found, 1);
	}
	return id;
}

static void gather_one(struct gathering *g, uint32_t symbol, uint64_t offset, uint32_t event,
		       const struct entry *e)
{
	struct annotate_weight *sum = &g->a->symbols.at[symbol].sums[event];
	const struct gathered new = {.offset = offset,
				     .event = event,
				     .exact = g->exact >= 0 && e->values[g->exact],
				     .weight = {e->self->samples, e->self->period}};

	if (!new.weight.samples)
		return;
	sum->samples += new.weight.samples;
	sum->period += new.weight.period;
	g->a->symbols.at[symbol].samples += new.weight.samples;
	g->a->symbols.at[symbol].exact += new.exact ? new.weight.samples : 0;
	vec_add(&g->found.at[symbol], new);
}

/* Gathers the entries below one of dso and symbol: each is of one address. */
static void gather_below(struct gathering *g, const struct entry *root)
{
	for (size_t i = 0; i < root->levels->below.n; i++) {
		const struct entry *e = root->levels->below.at[i];
		const struct frame *frame = e->filtered ? NULL : annotate_frame_of(g->a, e);
		uint32_t symbol;

		if (!frame || !frame->where->sym || !frame->where->dso ||
		    frame_rva(frame) < frame->where->sym->start ||
		    frame_rva(frame) >= frame->where->sym->end)
			continue;
		symbol = annotate_symbol_of(g, root, frame);
		for (uint32_t k = 0; k < g->a->n_events; k++) {
			const struct entry *member = k == 0 ? e : e->group ? e->group[k] : NULL;

			if (member)
				gather_one(g, symbol, frame_rva(frame) - frame->where->sym->start,
					   k, member);
		}
	}
}

static int by_offset(const void *x, const void *y)
{
	const struct gathered *a = x, *b = y;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

static void weight_add(struct annotate_weight *a, const struct annotate_weight *b)
{
	a->samples += b->samples;
	a->period += b->period;
}

static void make_places(struct annotate *a, struct annotate_symbol *s, struct gathered *at,
			size_t n)
{
	struct annotate_weight *of = NULL, *exact = NULL;

	if (n)
		qsort(at, n, sizeof(*at), by_offset);
	for (size_t i = 0; i < n; i++) {
		if (!i || at[i].offset != at[i - 1].offset) {
			of = arena_alloc(&a->arena, a->n_events * sizeof(*of));
			exact = arena_alloc(&a->arena, a->n_events * sizeof(*exact));
			vec_add(&s->places, (struct annotate_place){at[i].offset, of, exact});
		}
		weight_add(&of[at[i].event], &at[i].weight);
		if (at[i].exact)
			weight_add(&exact[at[i].event], &at[i].weight);
	}
}

void annotate_init(struct annotate *a, const struct table *table, const struct event_entries *ev)
{
	struct gathering g = {.a = a, .exact = key_of_exact(&table->layout)};

	*a = (struct annotate){.table = table, .event = ev->event};
	a->n_events = table->opts.group ? MAX(ev->event->members, 1u) : 1;
	a->totals = arena_alloc(&a->arena, a->n_events * sizeof(*a->totals));
	for (uint32_t i = 0; i < a->n_events; i++) {
		const struct event_entries *member = &table->events.at[ev->event->index + i];

		a->totals[i] =
			(struct annotate_weight){member->shown_samples, member->shown_period};
	}
	for (size_t i = 0; i < ev->roots.n; i++)
		if (!ev->roots.at[i]->filtered)
			gather_below(&g, ev->roots.at[i]);
	for (size_t i = 0; i < a->symbols.n; i++) {
		make_places(a, &a->symbols.at[i], g.found.at[i].at, g.found.at[i].n);
		vec_release(&g.found.at[i]);
	}
	vec_release(&g.found);
	intern_release(&g.known);
	branch_code_init(&a->branches, table);
}

void annotate_release(struct annotate *a)
{
	for (size_t i = 0; i < a->symbols.n; i++)
		vec_release(&a->symbols.at[i].places);
	vec_release(&a->symbols);
	branch_code_release(&a->branches);
	arena_release(&a->arena);
	*a = (struct annotate){0};
}

double annotate_percent(const struct annotate *a, const struct annotate_symbol *s,
			enum percent_type type, const struct annotate_weight *w, uint32_t event)
{
	const bool local = type == PERCENT_LOCAL_PERIOD || type == PERCENT_LOCAL_HITS;
	const bool hits = type == PERCENT_LOCAL_HITS || type == PERCENT_GLOBAL_HITS;
	const struct annotate_weight *whole = local ? &s->sums[event] : &a->totals[event];
	const uint64_t part = hits ? w->samples : w->period,
		       all = hits ? whole->samples : whole->period;

	return all ? 100.0 * (double)part / (double)all : 0;
}
