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
	if (c->rows.n)
		qsort(c->rows.at, c->rows.n, sizeof(*c->rows.at), lock_counts_compare);
}

void lock_counts_release(struct lock_counts *c)
{
	vec_release(&c->rows);
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
