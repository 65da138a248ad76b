/* SPDX-License-Identifier: MIT */
/* The order in which threads take locks: which lock they ask for while they hold which ones. Each
 * thread keeps a stack of what it holds; pairs are counted in the shared table. */
#ifndef PRELOAD_LOCK_ORDER_H
#define PRELOAD_LOCK_ORDER_H

#include "os/preload/lock_table.h"

#include <stdbool.h>

/* Counts that thread tid, this one, asks for a lock: a pair with each lock that it holds.
 * lock, site: indices in the table. shared: it asks as a reader. */
void lock_order_note(struct lock_table *table, uint32_t lock, uint32_t site, bool shared,
		     uint32_t tid);
/* This thread holds the lock from now on. Locks beyond the 16th are left out. */
void lock_order_push(uint32_t lock, uint32_t site, bool shared);
/* ... and no longer. Nothing happens when it is not known to hold it. */
void lock_order_pop(uint32_t lock);
/* In a child of fork: its thread holds nothing that is counted. */
void lock_order_forget(void);

#endif
