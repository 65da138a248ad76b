// SPDX-License-Identifier: MIT
#include "analysis/futex/lock_counts.h"

#include "base/buf.h"
#include "base/hash.h"

/* The name of a place. The path is copied and terminated, since the traced program can write to the
 * table. */
static const char *lock_place_name(struct lock_counts *c, const struct lock_table *table,
				   const struct preload_place *place, bool is_function,
				   struct dso_set *dsos)
{
	const uint32_t file = place->file - 1;
	const struct symbol *sym;
	struct dso *dso;
	const char *name, *path;
	uint64_t rva;

	if (file >= PRELOAD_FILES)
		return NULL;
	path = arena_strndup(&c->arena, table->files[file].path,
			     strnlen(table->files[file].path, sizeof(table->files[file].path)));
	dso = dso_set_get(dsos, path, NULL, DSO_UNKNOWN, -1);
	/* a return address: the call is before it */
	rva = dso_rva(dso, place->offset - (is_function ? 1 : 0));
	sym = dso_find(dso, rva);
	if (!sym)
		return NULL;
	name = dso_symbol_name(dso, sym);
	return is_function || rva == sym->start
		       ? arena_strdup(&c->arena, name)
		       : arena_printf(&c->arena, "%s+0x%llx", name,
				      (unsigned long long)(rva - sym->start));
}

static const char *lock_thread_name(struct lock_counts *c, const char comm[16])
{
	return *comm ? arena_strndup(&c->arena, comm, strnlen(comm, 16)) : NULL;
}

static void lock_count_add(struct lock_counts *c, const struct lock_table *table,
			   const struct lock_table_site *s, struct dso_set *dsos)
{
	const struct lock_table_lock *l = &table->locks[s->lock & (LOCK_TABLE_LOCKS - 1)];
	const uint32_t holder = s->holder_site - 1;
	struct lock_count row = {.pid = l->pid,
				 .address = l->place.address,
				 .kind = (enum lock_table_kind)l->kind,
				 .taken = s->taken,
				 .waits = s->waits,
				 .wait_ns = s->wait_ns,
				 .max_wait_ns = s->max_wait_ns,
				 .holds = s->holds,
				 .hold_ns = s->hold_ns,
				 .max_hold_ns = s->max_hold_ns};

	row.lock = lock_place_name(c, table, &l->place, false, dsos);
	row.function = lock_place_name(c, table, &s->place, true, dsos);
	if (s->waits)
		row.waiter = lock_thread_name(c, s->waiter_comm);
	if (s->waits && s->holder) {
		row.holder = lock_thread_name(c, s->holder_comm);
		if (holder < LOCK_TABLE_SITES)
			row.holder_function =
				lock_place_name(c, table, &table->sites[holder].place, true, dsos);
	}
	c->taken += s->taken;
	c->waits += s->waits;
	c->wait_ns += s->wait_ns;
	vec_add(&c->rows, row);
}

/* Index of the ordered lock that the table has at a place. at: 1 + that index by place; 0: not yet
 * added. */
static uint32_t ordered_lock_get(struct lock_counts *c, const struct lock_table *table, uint32_t i,
				 uint32_t *at, struct dso_set *dsos)
{
	const struct lock_table_lock *l = &table->locks[i];

	if (!at[i]) {
		const struct ordered_lock lock = {
			.pid = l->pid,
			.address = l->place.address,
			.kind = lock_count_kind_name((enum lock_table_kind)l->kind),
			.name = lock_place_name(c, table, &l->place, false, dsos)};

		vec_add(&c->order.locks, lock);
		at[i] = (uint32_t)c->order.locks.n;
	}
	return at[i] - 1;
}

static const char *lock_site_name(struct lock_counts *c, const struct lock_table *table,
				  uint32_t site, struct dso_set *dsos)
{
	return site < LOCK_TABLE_SITES
		       ? lock_place_name(c, table, &table->sites[site].place, true, dsos)
		       : NULL;
}

static void lock_order_read(struct lock_counts *c, const struct lock_table *table,
			    struct dso_set *dsos)
{
	uint32_t *at = mem_zero(LOCK_TABLE_LOCKS * sizeof(*at));

	for (size_t i = 0; i < LOCK_TABLE_ORDERS; i++) {
		struct lock_table_order r = table->orders[i];
		struct lock_edge e = {.from_shared = r.how & LOCK_ORDER_FROM_SHARED,
				      .to_shared = r.how & LOCK_ORDER_TO_SHARED,
				      .n = r.n,
				      .tid = r.tid,
				      .several = r.several};

		/* one that is being filled by a process that was killed then has no locks */
		if (!r.key || !r.filled || r.from >= LOCK_TABLE_LOCKS || r.to >= LOCK_TABLE_LOCKS)
			continue;
		e.from = ordered_lock_get(c, table, r.from, at, dsos);
		e.to = ordered_lock_get(c, table, r.to, at, dsos);
		e.comm = lock_thread_name(c, r.comm);
		e.from_function = lock_site_name(c, table, r.from_site, dsos);
		e.to_function = lock_site_name(c, table, r.to_site, dsos);
		for (size_t j = 0; j < LOCK_ORDER_GUARDS && !r.unguarded; j++)
			if (r.guards[j] && r.guards[j] <= LOCK_TABLE_LOCKS)
				e.guards[j] =
					1 + ordered_lock_get(c, table, r.guards[j] - 1, at, dsos);
		vec_add(&c->order.edges, e);
	}
	free(at);
	lock_order_find(&c->order);
}

static int lock_counts_compare(const void *a, const void *b)
{
	const struct lock_count *x = a, *y = b;

	if (x->wait_ns != y->wait_ns)
		return x->wait_ns > y->wait_ns ? -1 : 1;
	if (x->taken != y->taken)
		return x->taken > y->taken ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

void lock_counts_read(struct lock_counts *c, const struct lock_table *table, struct dso_set *dsos)
{
	*c = (struct lock_counts){.processes = table->processes, .left_out = table->left_out};
	for (uint32_t i = 0; i < LOCK_TABLE_LOCKS; i++)
		c->locks += table->locks[i].key != 0;
	for (uint32_t i = 0; i < LOCK_TABLE_SITES; i++)
		if (table->sites[i].key && table->sites[i].taken)
			lock_count_add(c, table, &table->sites[i], dsos);
	lock_order_read(c, table, dsos);
	if (c->rows.n)
		qsort(c->rows.at, c->rows.n, sizeof(*c->rows.at), lock_counts_compare);
}

void lock_counts_release(struct lock_counts *c)
{
	vec_release(&c->rows);
	lock_order_release(&c->order);
	arena_release(&c->arena);
}

const char *lock_count_kind_name(enum lock_table_kind kind)
{
	switch (kind) {
	case LOCK_TABLE_MUTEX:
		return "mutex";
	case LOCK_TABLE_RWLOCK:
		return "rwlock";
	case LOCK_TABLE_SPIN:
		return "spin lock";
	}
	return "lock";
}
