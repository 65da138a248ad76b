/* SPDX-License-Identifier: MIT */
/*
 * Worker threads that call one function for 0 ... n-1. Nothing cleverer.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/mem.h"

struct pool;

/* n workers, the caller being one of them; 0: one for each CPU this process may run on. A pool of
 * one starts no thread, nor does a larger one until there is something to do. */
struct pool *pool_new(unsigned int n);
void pool_free(struct pool *p); /* NULL is fine */
DEFINE_AUTO(pool, pool_free)

unsigned int pool_cpus(void); /* that this process may run on */
unsigned int pool_size(const struct pool *p);

/* fn(ctx, i, worker) once for each i below n, in no order. worker, below pool_size(), is the number
 * of the calling thread: data that fn keeps for each worker need no lock. Returns when all calls
 * are done. fn must not use the pool. A NULL pool is a pool of one. */
void pool_for(struct pool *p, size_t n, void (*fn)(void *ctx, size_t i, unsigned int worker),
	      void *ctx);

#endif
