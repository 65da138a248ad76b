// SPDX-License-Identifier: MIT
#include "symbol/table/elf_table.h"

#include <pthread.h>
#include <stdatomic.h>

#define NOT_MADE UINT32_MAX
#define COVERED	 (1u << 31) /* beside the first key of a place: a symbol that starts before may cover it */

enum kind {
	FROM_SYMTAB,
	FROM_DYNSYM,
	FROM_PLT,
};

/* Symbols that start at one address and of which one stays; a slot of a linkage table is a place of its own. */
struct place {
	uint64_t start;
	uint32_t first;	       /* its first key, and COVERED */
	_Atomic uint32_t made; /* where in .at; NOT_MADE */
};
_Static_assert(sizeof(struct place) == sizeof(struct symbol_key), "they share their memory");

struct elf_table {
	struct elf_symbols symtab, dynsym;
	struct elf_plt plt;
	uint32_t n_ids, first_dynsym, first_plt; /* in the order in which perf meets them */
	void *room;
	struct symbol_key *keys; /* sorted by address, then by id */
	struct place *places;
	uint32_t n_keys, n_places, n_made;
	shown_name_fn shown;
	void *ctx;
	pthread_mutex_t lock; /* held while a symbol is made */
	struct arena names;   /* of the linkage table */
	struct symbol_table whole; /* once an address was asked for that several symbols may cover */
	atomic_bool has_whole;
};

static enum kind kind_of(const struct elf_table *e, uint32_t id)
{
	return id < e->first_dynsym ? FROM_SYMTAB : id < e->first_plt ? FROM_DYNSYM : FROM_PLT;
}

/*
 * What covers the next address, as far as keys tell. A symbol without a size ends where the next one of
 * its round starts (elf_load): one of .symtab at the next of .symtab, one of .dynsym at the next but a slot.
 */
struct cover {
	uint64_t end;
	bool symtab_open, any_open;
};

static bool covers(struct cover *c, uint64_t start, enum kind kind)
{
	if (kind == FROM_SYMTAB)
		c->symtab_open = false;
	if (kind != FROM_PLT)
		c->any_open = false;
	return c->end > start || c->symtab_open || c->any_open;
}

static void cover_by(struct cover *c, const struct symbol_key *k, enum kind kind)
{
	if (!k->size) {
		c->any_open = true;
		c->symtab_open = c->symtab_open || kind == FROM_SYMTAB;
	} else if (k->size == UINT32_MAX) {
		c->end = UINT64_MAX;
	} else {
		c->end = MAX(c->end, k->start + k->size);
	}
}

static void make_places(struct elf_table *e)
{
	struct cover cover = {0};
	struct place *p = e->places - 1;

	for (uint32_t i = 0; i < e->n_keys; i++) {
		const struct symbol_key *k = &e->keys[i];
		const enum kind kind = kind_of(e, k->id);

		if (!i || p->start != k->start || kind == FROM_PLT)
			*++p = (struct place){k->start, i | (covers(&cover, k->start, kind) ? COVERED : 0), NOT_MADE};
		cover_by(&cover, k, kind);
	}
	e->n_places = (uint32_t)(p + 1 - e->places);
}

void elf_table_make(struct symbol_table *t, const struct elf_file *f, const struct elf_file *dynamic,
		    const struct elf_file *runtime, shown_name_fn shown, void *ctx)
{
	struct elf_table *e = NEW(struct elf_table);
	struct symbol_key *keys, *other;
	size_t n;

	elf_symbols_open(&e->symtab, f, SHT_SYMTAB);
	elf_symbols_open(&e->dynsym, dynamic, SHT_DYNSYM);
	elf_plt_open(&e->plt, runtime);
	e->plt.n = MIN(e->plt.n, ELF_SYMBOLS_MAX);
	e->first_dynsym = (uint32_t)e->symtab.n;
	e->first_plt = e->first_dynsym + (uint32_t)e->dynsym.n;
	e->n_ids = e->first_plt + (uint32_t)e->plt.n;
	e->room = keys = mem_alloc(((size_t)e->n_ids + 1) * 2 * sizeof(*keys));
	other = keys + e->n_ids;
	n = elf_symbols_keys(&e->symtab, f, runtime, 0, keys);
	n += elf_symbols_keys(&e->dynsym, dynamic, runtime, e->first_dynsym, keys + n);
	for (uint32_t i = 0; n && i < e->plt.n; i++)
		keys[n++] = (struct symbol_key){elf_plt_start(&e->plt, i), e->first_plt + i, e->plt.entry};
	e->n_keys = (uint32_t)n;
	e->keys = symbol_keys_sort(keys, other, n);
	e->places = (struct place *)(e->keys == keys ? other : keys);
	e->shown = shown;
	e->ctx = ctx;
	pthread_mutex_init(&e->lock, NULL);
	make_places(e);
	*t = (struct symbol_table){.n = e->n_places, .cap = e->n_places, .elf = e};
	t->at = mem_alloc((t->n + 1) * sizeof(*t->at)); /* pages of it are touched in the order of questions */
}

void elf_table_free(struct elf_table *e)
{
	if (!e)
		return;
	symbol_table_release(&e->whole);
	arena_release(&e->names);
	pthread_mutex_destroy(&e->lock);
	free(e->room);
	free(e);
}

static uint32_t first_key(const struct elf_table *e, size_t place)
{
	return place < e->n_places ? e->places[place].first & ~COVERED : e->n_keys;
}

/* Where a symbol without a size ends: at the next one of its round. */
static uint64_t next_start(const struct elf_table *e, size_t place, enum kind kind)
{
	for (size_t i = place + 1; i < e->n_places; i++)
		if (kind_of(e, e->keys[first_key(e, i)].id) <= kind)
			return e->places[i].start;
	return symbol_last_end(e->places[place].start);
}

static struct symbol symbol_of(const struct elf_table *e, uint32_t id, uint64_t start)
{
	return id < e->first_dynsym ? elf_symbol_at(&e->symtab, id, start)
				    : elf_symbol_at(&e->dynsym, id - e->first_dynsym, start);
}

/* The one that stays of those at one address. Only the last one of a round has a next one that starts elsewhere. */
static struct symbol best_of(const struct elf_table *e, size_t place)
{
	const uint32_t end = first_key(e, place + 1);
	struct symbol best = {0};

	for (uint32_t i = first_key(e, place), first = i; i < end; i++) {
		const struct symbol_key *k = &e->keys[i];
		const enum kind kind = kind_of(e, k->id);
		struct symbol s = symbol_of(e, k->id, k->start);

		if (s.end == s.start && (i + 1 == end || kind_of(e, k[1].id) != kind))
			s.end = next_start(e, place, kind);
		if (i == first || !symbol_better(&best, &s, e->shown, e->ctx))
			best = s;
	}
	return best;
}

static struct symbol make(struct elf_table *e, size_t place)
{
	const uint32_t id = e->keys[first_key(e, place)].id;

	return kind_of(e, id) == FROM_PLT
		       ? elf_plt_symbol(&e->plt, id - e->first_plt, &e->names, e->shown, e->ctx)
		       : best_of(e, place);
}

const struct symbol *elf_table_at(const struct symbol_table *t, size_t i)
{
	struct elf_table *e = t->elf;
	struct place *place = &e->places[i];
	uint32_t made = atomic_load_explicit(&place->made, memory_order_acquire);

	if (made != NOT_MADE)
		return &t->at[made];
	pthread_mutex_lock(&e->lock);
	made = atomic_load_explicit(&place->made, memory_order_relaxed);
	if (made == NOT_MADE) {
		made = e->n_made++;
		t->at[made] = make(e, i);
		t->at[made].index = made;
		atomic_store_explicit(&place->made, made, memory_order_release);
	}
	pthread_mutex_unlock(&e->lock);
	return &t->at[made];
}

/* -- addresses that several symbols may cover -- */

static void make_whole(struct elf_table *e)
{
	const struct symbol_key **by_id = mem_zero(((size_t)e->n_ids + 1) * sizeof(const struct symbol_key *));
	struct symbol_table *t = &e->whole;

	for (uint32_t i = 0; i < e->n_keys; i++)
		by_id[e->keys[i].id] = &e->keys[i];
	for (uint32_t id = 0; id < e->first_plt; id++) {
		if (id == e->first_dynsym)
			symbol_table_finish(t, ENDS_BY_NEXT, e->shown, e->ctx);
		if (by_id[id])
			vec_add(t, symbol_of(e, id, by_id[id]->start));
	}
	symbol_table_finish(t, ENDS_BY_NEXT, e->shown, e->ctx);
	for (uint32_t i = 0; t->n && i < e->plt.n; i++)
		vec_add(t, elf_plt_symbol(&e->plt, i, &e->names, e->shown, e->ctx));
	symbol_table_seal(t);
	free(by_id);
}

/* The last place at or before the address, which is not before all of them. */
static size_t last_place(const struct elf_table *e, uint64_t address)
{
	size_t n = e->n_places, first = 0;

	while (n > 1) {
		size_t half = n / 2;

		first += e->places[first + half].start <= address ? half : 0;
		n -= half;
	}
	return first;
}

static const struct symbol *find_in_whole(const struct symbol_table *t, uint64_t address)
{
	struct elf_table *e = t->elf;
	const struct symbol *found;
	size_t place;

	if (!atomic_load_explicit(&e->has_whole, memory_order_acquire)) {
		pthread_mutex_lock(&e->lock);
		if (!atomic_load_explicit(&e->has_whole, memory_order_relaxed))
			make_whole(e);
		atomic_store_explicit(&e->has_whole, true, memory_order_release);
		pthread_mutex_unlock(&e->lock);
	}
	found = symbol_table_find(&e->whole, address);
	if (!found)
		return NULL;
	/* a slot comes after the symbol that starts where it does */
	place = last_place(e, found->start);
	if (!found->plt && kind_of(e, e->keys[first_key(e, place)].id) == FROM_PLT)
		place--;
	return elf_table_at(t, place);
}

const struct symbol *elf_table_find(const struct symbol_table *t, uint64_t address)
{
	const struct elf_table *e = t->elf;
	const struct symbol *s;
	size_t place;

	if (!e->n_places || address < e->places[0].start)
		return NULL;
	place = last_place(e, address);
	if (e->places[place].first & COVERED)
		return find_in_whole(t, address);
	s = elf_table_at(t, place);
	return address < s->end || address == s->start ? s : NULL;
}
