// SPDX-License-Identifier: MIT
#include "analysis/annotate/annotate_types.h"

#include "profile/table/data_access.h"

/* Types and places while samples are gathered: their weights are written to. */
struct types_gathering {
	struct annotate_types *a;
	struct intern types;  /* {dso, type id} -> index in a->types */
	struct intern places; /* {index in a->types, offset} -> index in .at */
	struct intern insns;  /* mnemonic -> index in a->insns */
	VEC(struct gathered_place {
		uint32_t type;
		struct type_place place;
		struct annotate_weight *of;
	})
	at;
};

static void gather_access(struct types_gathering *g, const struct entry *e,
			  const struct data_access *access)
{
	struct annotate_types *a = g->a;
	const uint64_t type_key[] = {(uintptr_t)access->dso, access->type};
	const uint32_t type = intern_put(&g->types, type_key, sizeof(type_key));
	const uint64_t place_key[] = {type, access->offset};
	const uint32_t place = intern_put(&g->places, place_key, sizeof(place_key));

	if (type == a->types.n)
		vec_add(&a->types,
			((struct annotated_type){
				.dso = access->dso,
				.type = data_types_at(a->data, access->type),
				.sums = arena_alloc(
					&a->arena, a->n_events * sizeof(struct annotate_weight))}));
	if (place == g->at.n)
		vec_add(&g->at,
			((struct gathered_place){
				.type = type,
				.place = {.offset = access->offset},
				.of = arena_alloc(&a->arena,
						  a->n_events * sizeof(struct annotate_weight))}));
	for (uint32_t k = 0; k < a->n_events; k++) {
		const struct entry *member = k == 0 ? e : e->group ? e->group[k] : NULL;

		if (!member)
			continue;
		g->at.at[place].of[k].samples += member->self->samples;
		g->at.at[place].of[k].period += member->self->period;
		a->types.at[type].sums[k].samples += member->self->samples;
		a->types.at[type].sums[k].period += member->self->period;
		a->types.at[type].samples += member->self->samples;
	}
}

static void gather_entry(struct types_gathering *g, const struct entry *e)
{
	struct annotate_types *a = g->a;
	const struct frame *frame =
		e->first.frame == HASH_NONE ? NULL : table_frame(a->table, e->first.frame);
	struct data_access access;
	uint32_t insn;

	if (!frame)
		return;
	access = data_access_of(a->data, a->table->samples->world, frame,
				a->table->samples->ids.data ? table_first_data(a->table, e) : NULL);
	a->outcomes[access.miss]++;
	if (access.mnemonic) {
		insn = intern_str(&g->insns, access.mnemonic);
		if (insn == a->insns.n)
			vec_add(&a->insns, ((struct insn_stat){.name = access.mnemonic}));
		*(access.miss == DATA_FOUND ? &a->insns.at[insn].good : &a->insns.at[insn].bad) +=
			1;
	}
	if (access.miss == DATA_FOUND)
		gather_access(g, e, &access);
}

static int type_compare(const void *x, const void *y)
{
	const struct annotated_type *a = x, *b = y;

	if (a->sums[0].period != b->sums[0].period)
		return a->sums[0].period > b->sums[0].period ? -1 : 1;
	return strcmp(a->type->name, b->type->name);
}

static int insn_compare(const void *x, const void *y)
{
	const struct insn_stat *a = x, *b = y;
	const unsigned int n = a->good + a->bad, m = b->good + b->bad;

	return n != m ? (n > m ? -1 : 1) : strcmp(a->name, b->name);
}

static void finish_types(struct types_gathering *g, uint64_t total)
{
	struct annotate_types *a = g->a;

	for (size_t i = 0; i < g->at.n; i++) {
		struct gathered_place *p = &g->at.at[i];

		p->place.of = p->of;
		vec_add(&a->types.at[p->type].places, p->place);
	}
	for (size_t i = 0; i < a->types.n; i++)
		if (total)
			a->types.at[i].percent =
				100.0 * (double)a->types.at[i].sums[0].period / (double)total;
	if (a->types.n)
		qsort(a->types.at, a->types.n, sizeof(*a->types.at), type_compare);
	if (a->insns.n)
		qsort(a->insns.at, a->insns.n, sizeof(*a->insns.at), insn_compare);
}

void annotate_types_init(struct annotate_types *a, struct data_types *data,
			 const struct table *table, const struct event_entries *ev)
{
	struct types_gathering g = {.a = a};

	*a = (struct annotate_types){.data = data, .table = table, .event = ev->event};
	a->n_events = table->opts.group ? MAX(ev->event->members, 1u) : 1;
	for (size_t i = 0; i < ev->roots.n; i++) {
		const struct entry *root = ev->roots.at[i];

		for (size_t k = 0; !root->filtered && k < root->levels->below.n; k++)
			if (!root->levels->below.at[k]->filtered)
				gather_entry(&g, root->levels->below.at[k]);
	}
	finish_types(&g, ev->shown_period);
	intern_release(&g.types);
	intern_release(&g.places);
	intern_release(&g.insns);
	vec_release(&g.at);
}

void annotate_types_release(struct annotate_types *a)
{
	for (size_t i = 0; i < a->types.n; i++)
		vec_release(&a->types.at[i].places);
	vec_release(&a->types);
	vec_release(&a->insns);
	arena_release(&a->arena);
	*a = (struct annotate_types){0};
}

struct annotate_weight annotated_type_sum(const struct annotated_type *t, uint32_t event,
					  uint64_t offset, uint64_t size)
{
	struct annotate_weight sum = {0, 0};

	for (size_t i = 0; i < t->places.n; i++) {
		const struct type_place *p = &t->places.at[i];

		if (p->offset < offset || p->offset - offset >= size)
			continue;
		sum.samples += p->of[event].samples;
		sum.period += p->of[event].period;
	}
	return sum;
}
