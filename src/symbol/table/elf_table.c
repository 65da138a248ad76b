// SPDX-License-Identifier: MIT
#include "symbol/table/elf_places.h"

/*
 * Which symbols cover the next address, as far as keys tell. A symbol without a size ends where the
 * next one of its round starts (elf_load): a symbol of .symtab at the next one of .symtab, a symbol
 * of .dynsym at the next one that is no PLT slot.
 */
struct cover {
	uint64_t end;
	bool symtab_open, any_open;
};

static bool covers(struct cover *c, uint64_t start, enum key_kind kind)
{
	if (kind == FROM_SYMTAB)
		c->symtab_open = false;
	if (kind != FROM_PLT)
		c->any_open = false;
	return c->end > start || c->symtab_open || c->any_open;
}

static void cover_by(struct cover *c, const struct symbol_key *k, enum key_kind kind)
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
	struct elf_place *p = e->places - 1;

	for (uint32_t i = 0; i < e->n_keys; i++) {
		const struct symbol_key *k = &e->keys[i];
		const enum key_kind kind = key_kind(e, k->id);

		if (!i || p->start != k->start || kind == FROM_PLT)
			*++p = (struct elf_place){
				k->start, i | (covers(&cover, k->start, kind) ? COVERED : 0),
				NOT_MADE};
		cover_by(&cover, k, kind);
	}
	e->n_places = (uint32_t)(p + 1 - e->places);
}

/* Makes at most a quarter as many stretches as places, so that the search in one stretch is
 * short. */
static void make_stretches(struct elf_table *e)
{
	const uint64_t low = e->places[0].start, range = e->places[e->n_places - 1].start - low;
	uint32_t place = 0;

	while (e->stretch_bits < 63 && range >> e->stretch_bits > e->n_places / 4)
		e->stretch_bits++;
	e->n_stretches = (range >> e->stretch_bits) + 1;
	e->stretches = mem_alloc((e->n_stretches + 1) * sizeof(*e->stretches));
	for (uint64_t i = 0; i < e->n_stretches; i++) {
		while ((e->places[place].start - low) >> e->stretch_bits < i)
			place++;
		e->stretches[i] = place;
	}
	e->stretches[e->n_stretches] = e->n_places;
}

void elf_table_make(struct symbol_table *t, const struct elf_file *f,
		    const struct elf_file *dynamic, const struct elf_file *runtime,
		    shown_name_fn shown, void *ctx)
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
		keys[n++] = (struct symbol_key){elf_plt_start(&e->plt, i), e->first_plt + i,
						e->plt.entry};
	e->n_keys = (uint32_t)n;
	e->keys = symbol_keys_sort(keys, other, n);
	e->places = (struct elf_place *)(e->keys == keys ? other : keys);
	e->shown = shown;
	e->ctx = ctx;
	pthread_mutex_init(&e->lock, NULL);
	make_places(e);
	if (n)
		make_stretches(e);
	*t = (struct symbol_table){.n = e->n_places, .cap = e->n_places, .elf = e};
	t->at = mem_alloc((t->n + 1) *
			  sizeof(*t->at)); /* pages are touched as symbols are looked up */
}

void elf_table_free(struct elf_table *e)
{
	if (!e)
		return;
	elf_tree_free(e->tree);
	covered_release(&e->kept);
	arena_release(&e->names);
	pthread_mutex_destroy(&e->lock);
	free(e->stretches);
	free(e->room);
	free(e);
}

/* The end of a symbol without a size: the next start in its round. */
static uint64_t next_start(const struct elf_table *e, size_t place, enum key_kind kind)
{
	for (size_t i = place + 1; i < e->n_places; i++)
		if (key_kind(e, e->keys[place_first(e, i)].id) <= kind)
			return e->places[i].start;
	return symbol_last_end(e->places[place].start);
}

static struct symbol elf_table_symbol_of(const struct elf_table *e, uint32_t id, uint64_t start)
{
	return id < e->first_dynsym ? elf_symbol_at(&e->symtab, id, start)
				    : elf_symbol_at(&e->dynsym, id - e->first_dynsym, start);
}

/* Only the last key of a round at this place has a next one that starts elsewhere. */
struct symbol place_symbol_of(const struct elf_table *e, size_t place, uint32_t key)
{
	const struct symbol_key *k = &e->keys[key];
	const enum key_kind kind = key_kind(e, k->id);
	struct symbol s = elf_table_symbol_of(e, k->id, k->start);

	if (s.end == s.start &&
	    (key + 1 == place_first(e, place + 1) || key_kind(e, k[1].id) != kind))
		s.end = next_start(e, place, kind);
	return s;
}

/* The symbol that is kept of those at one place. */
static struct symbol best_of(const struct elf_table *e, size_t place)
{
	const uint32_t first = place_first(e, place), end = place_first(e, place + 1);
	struct symbol best = place_symbol_of(e, place, first);

	for (uint32_t i = first + 1; i < end; i++) {
		const struct symbol s = place_symbol_of(e, place, i);

		if (!symbol_better(&best, &s, e->shown, e->ctx))
			best = s;
	}
	return best;
}

static struct symbol elf_table_one_make(struct elf_table *e, size_t place)
{
	const uint32_t id = e->keys[place_first(e, place)].id;

	return key_kind(e, id) == FROM_PLT
		       ? elf_plt_symbol(&e->plt, id - e->first_plt, &e->names, e->shown, e->ctx)
		       : best_of(e, place);
}

const struct symbol *elf_table_at(const struct symbol_table *t, size_t i)
{
	struct elf_table *e = t->elf;
	struct elf_place *place = &e->places[i];
	uint32_t made = atomic_load_explicit(&place->made, memory_order_acquire);

	if (made != NOT_MADE)
		return &t->at[made];
	pthread_mutex_lock(&e->lock);
	made = atomic_load_explicit(&place->made, memory_order_relaxed);
	if (made == NOT_MADE) {
		made = e->n_made++;
		t->at[made] = elf_table_one_make(e, i);
		t->at[made].index = made;
		atomic_store_explicit(&place->made, made, memory_order_release);
	}
	pthread_mutex_unlock(&e->lock);
	return &t->at[made];
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
		return elf_covered_find(t, address);
	s = elf_table_at(t, place);
	return address < s->end || address == s->start ? s : NULL;
}
