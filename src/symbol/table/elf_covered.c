// SPDX-License-Identifier: MIT
/* Lookups of addresses that several symbols may cover: by the tree, or by the cache of its earlier
 * results. */
#include "base/hash.h"
#include "symbol/cache/entry.h"
#include "symbol/table/elf_places.h"

typedef VEC(uint64_t) edges_t;

void elf_table_keep(struct symbol_table *t, const struct build_id *id, uint32_t how,
		    uint64_t cache_size)
{
	t->elf->key = (struct covered_key){.build_id = *id, .how = how};
	t->elf->cache_size = cache_size;
}

static bool is_kept(const struct elf_table *e)
{
	return e->cache_size && e->key.build_id.size;
}

static void load_kept(struct elf_table *e)
{
	AUTO_CHAR *dir = is_kept(e) ? cache_dir() : NULL;

	if (!dir)
		return;
	e->key.symbols = hash_bytes(e->keys, e->n_keys * sizeof(*e->keys), 0);
	covered_load(&e->kept, dir, &e->key);
}

static void add_edge(const struct elf_table *e, edges_t *edges, uint64_t address)
{
	if (e->places[last_place(e, address)].first & COVERED)
		vec_add(edges, address);
}

static int elf_covered_by_address(const void *a, const void *b)
{
	const uint64_t *l = a, *r = b;

	return (*l > *r) - (*l < *r);
}

/* Lists the addresses where the result may change: where a symbol starts or ends. False: there are
 * too many, or a symbol's size does not fit into its key. */
static bool find_edges(const struct elf_table *e, edges_t *edges)
{
	for (uint32_t i = 0; i < e->n_places; i++) {
		const bool covered = e->places[i].first & COVERED;

		if (covered)
			vec_add(edges, e->places[i].start);
		for (uint32_t k = place_first(e, i); k < place_first(e, i + 1); k++) {
			const struct symbol_key *key = &e->keys[k];
			const uint64_t end =
				key->size ? key->start + key->size : symbol_last_end(key->start);

			if (key->size == UINT32_MAX)
				return false;
			if (covered || i + 1 == e->n_places || end > e->places[i + 1].start)
				add_edge(e, edges, end);
		}
		if (edges->n > COVERED_MAX)
			return false;
	}
	qsort(edges->at, edges->n, sizeof(*edges->at), elf_covered_by_address);
	return true;
}

static uint32_t elf_covered_place_of(const struct elf_table *e, const struct symbol *s)
{
	size_t place;

	if (!s)
		return HASH_NONE;
	/* a PLT slot comes after the symbol with the same start */
	place = last_place(e, s->start);
	if (!s->plt && key_kind(e, e->keys[place_first(e, place)].id) == FROM_PLT)
		place--;
	return (uint32_t)place;
}

static void store_kept(const struct symbol_table *t, const struct elf_tree *tree)
{
	const struct elf_table *e = t->elf;
	AUTO_CHAR *dir = is_kept(e) ? cache_dir() : NULL;
	VEC(struct covered_run) runs = {0};
	edges_t edges = {0};

	if (dir && find_edges(e, &edges)) {
		for (size_t i = 0; i < edges.n; i++) {
			const uint64_t start = edges.at[i],
				       next = i + 1 < edges.n ? edges.at[i + 1] : UINT64_MAX;
			const size_t in = last_place(e, start);
			const uint64_t end =
				in + 1 < e->n_places ? MIN(next, e->places[in + 1].start) : next;
			const uint32_t place =
				elf_covered_place_of(e, elf_tree_find(tree, t, start));

			if (start == next)
				continue;
			if (runs.n && vec_last(&runs)->end == start &&
			    vec_last(&runs)->place == place)
				vec_last(&runs)->end = end;
			else
				vec_add(&runs, (struct covered_run){start, end, place});
		}
		covered_store(dir, &e->key, runs.at, runs.n, e->cache_size);
	}
	vec_release(&runs);
	vec_release(&edges);
}

static const struct elf_tree *tree_of(const struct symbol_table *t)
{
	struct elf_table *e = t->elf;
	struct elf_tree *tree;
	bool grown = false;

	pthread_mutex_lock(&e->lock);
	tree = atomic_load_explicit(&e->tree, memory_order_relaxed);
	if (!tree) {
		tree = elf_tree_new(e);
		grown = true;
		atomic_store_explicit(&e->tree, tree, memory_order_release);
	}
	pthread_mutex_unlock(&e->lock);
	if (grown)
		store_kept(t, tree);
	return tree;
}

/* Looks the address up in the cache. False: it isn't there, or the symbol at the cached place
 * doesn't cover it. */
static bool find_kept(const struct symbol_table *t, uint64_t address, const struct symbol **found)
{
	struct elf_table *e = t->elf;
	uint32_t place;

	if (!atomic_load_explicit(&e->asked, memory_order_acquire)) {
		pthread_mutex_lock(&e->lock);
		if (!atomic_load_explicit(&e->asked, memory_order_relaxed))
			load_kept(e);
		atomic_store_explicit(&e->asked, true, memory_order_release);
		pthread_mutex_unlock(&e->lock);
	}
	*found = NULL;
	if (!covered_find(&e->kept, address, &place))
		return false;
	if (place == HASH_NONE)
		return true;
	*found = place < e->n_places ? elf_table_at(t, place) : NULL;
	return *found && address >= (*found)->start &&
	       (address < (*found)->end || address == (*found)->start);
}

const struct symbol *elf_covered_find(const struct symbol_table *t, uint64_t address)
{
	const struct elf_tree *tree = atomic_load_explicit(&t->elf->tree, memory_order_acquire);
	const struct symbol *found;

	if (!tree && find_kept(t, address, &found))
		return found;
	return elf_tree_find(tree ? tree : tree_of(t), t, address);
}
