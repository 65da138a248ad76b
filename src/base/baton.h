/* SPDX-License-Identifier: MIT */
/*
 * A baton: a worker thread and the thread that started it, of which only one runs at a time, so
 * that what both use needs no other lock.
 *
 *   owner:  baton_new -> { baton_give -> waits for a key, or what else -> baton_take -> uses what
 *                          the worker has done so far } ... -> baton_free
 *   worker: { works -> baton_offer } ... -> returns
 *
 * The owner has the baton first. The worker keeps it until it offers it: baton_take() waits that
 * long.
 */
#ifndef BASE_BATON_H
#define BASE_BATON_H

#include "base/err.h"

#include <stdbool.h>

struct baton;

/* Starts work(ctx), which begins when the baton is given. Signals stay with the owner's thread.
 * NULL: *err. */
struct baton *baton_new(void (*work)(struct baton *b, void *ctx), void *ctx, struct err *err);
/* Lets the worker return, and frees it. The owner has the baton. NULL is fine. */
void baton_free(struct baton *b);

/* -- the owner -- */
void baton_give(struct baton *b);
void baton_take(struct baton *b);
/* Gives the baton, and takes it when the worker has returned, or after so many ms. True when it
 * has returned. */
bool baton_wait(struct baton *b, int ms);
bool baton_ended(const struct baton *b);

/* -- the worker -- */
/* Gives the owner the baton when it waits for it, and goes on when it is given back. */
void baton_offer(struct baton *b);

#endif
