// SPDX-License-Identifier: MIT
#include "lock_order.h"

#include "places.h"
#include "thread_name.h"

#include <errno.h>

#define HELD   16
#define CACHED 64
#define OWN    static __thread __attribute__((tls_model("initial-exec")))

struct held_lock {
	uint32_t lock, site;
	bool shared;
};

OWN struct held_lock held[HELD];
OWN uint32_t n_held;
/* Pairs that this thread has counted: where their entries are. */
OWN struct {
	uint64_t key;
	uint32_t at;
} cache[CACHED];

/* A lock that another thread gave back is not this thread's any more. */
static bool held_is_stale(const struct lock_table *table, const struct held_lock *h, uint32_t tid)
{
	return !h->shared && __atomic_load_n(&table->locks[h->lock].owner, __ATOMIC_RELAXED) != tid;
}

static bool held_for_writing(uint32_t lock)
{
	for (uint32_t i = 0; i < n_held; i++)
		if (held[i].lock == lock && !held[i].shared)
			return true;
	return false;
}

static void order_set_guards(struct lock_table_order *o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < n_held && n < LOCK_ORDER_GUARDS; i++)
		if (held[i].lock != o->from && !held[i].shared)
			o->guards[n++] = held[i].lock + 1;
}

/* Keeps the guards that are held this time, too. */
static void order_check_guards(struct lock_table_order *o)
{
	if (!__atomic_load_n(&o->filled, __ATOMIC_ACQUIRE)) {
		o->unguarded = 1;
		return;
	}
	for (uint32_t i = 0; i < LOCK_ORDER_GUARDS; i++)
		if (o->guards[i] && !held_for_writing(o->guards[i] - 1))
			o->guards[i] = 0;
}

static RARE void order_fill(struct lock_table_order *o, const struct held_lock *from, uint32_t lock,
			    uint32_t site, uint32_t how, uint32_t tid)
{
	const int saved = errno;

	o->from = from->lock;
	o->to = lock;
	o->from_site = from->site;
	o->to_site = site;
	o->how = how;
	o->tid = tid;
	order_set_guards(o);
	thread_name_read(tid, o->comm);
	__atomic_store_n(&o->filled, 1, __ATOMIC_RELEASE);
	errno = saved;
}

static void order_count(struct lock_table *table, const struct held_lock *from, uint32_t lock,
			uint32_t site, bool shared, uint32_t tid)
{
	const uint32_t how =
		(from->shared ? LOCK_ORDER_FROM_SHARED : 0) | (shared ? LOCK_ORDER_TO_SHARED : 0);
	const uint64_t key = places_key((uint64_t)from->lock << 32 | lock, how + 1);
	const uint32_t slot = (uint32_t)key % CACHED;
	struct lock_table_order *o;
	bool is_new = false;

	if (cache[slot].key != key) {
		const uint32_t at =
			places_claim_slot((char *)table->orders, sizeof(*table->orders),
					  LOCK_TABLE_ORDERS, key, &table->left_out, &is_new);

		if (at == PLACES_NO_SLOT)
			return;
		cache[slot].key = key;
		cache[slot].at = at;
	}
	o = &table->orders[cache[slot].at];
	if (is_new)
		order_fill(o, from, lock, site, how, tid);
	else
		order_check_guards(o);
	if (o->tid != tid && !o->several)
		o->several = 1;
	__atomic_add_fetch(&o->n, 1, __ATOMIC_RELAXED);
}

void lock_order_note(struct lock_table *table, uint32_t lock, uint32_t site, bool shared,
		     uint32_t tid)
{
	for (uint32_t i = 0; i < n_held;) {
		if (held_is_stale(table, &held[i], tid)) {
			lock_order_pop(held[i].lock);
			continue;
		}
		if (held[i].lock != lock)
			order_count(table, &held[i], lock, site, shared, tid);
		i++;
	}
}

void lock_order_push(uint32_t lock, uint32_t site, bool shared)
{
	if (n_held < HELD)
		held[n_held++] = (struct held_lock){lock, site, shared};
}

void lock_order_pop(uint32_t lock)
{
	for (uint32_t i = n_held; i-- > 0;) {
		if (held[i].lock != lock)
			continue;
		n_held--;
		for (; i < n_held; i++)
			held[i] = held[i + 1];
		return;
	}
}

void lock_order_forget(void)
{
	n_held = 0;
}
