/* SPDX-License-Identifier: MIT */
/*
 * A baton: lets only one of two threads, a worker and the owner that started it, run at a time.
 * Data that both use need no other lock.
 *
 *   owner:  baton_new -> { baton_give -> waits for a key, or what else -> baton_take -> uses what
 *                          the worker has done so far } ... -> baton_free
 *   worker: { works -> baton_offer } ... -> returns
 *
 * The owner has the baton first. The worker keeps the baton until it calls baton_offer():
 * baton_take() waits until then.
 */
#ifndef BASE_BATON_H
#define BASE_BATON_H

#include "base/err.h"

#include <stdbool.h>

struct baton;

/* Starts a thread that calls work(ctx) when the owner first gives it the baton. The thread blocks
 * all signals. NULL: *err. */
struct baton *baton_new(void (*work)(struct baton *b, void *ctx), void *ctx, struct err *err);
/* Waits until the worker has returned, and frees the baton. The caller is the owner and has the
 * baton. NULL is fine. */
void baton_free(struct baton *b);

/* -- the owner -- */
void baton_give(struct baton *b);
void baton_take(struct baton *b);
/* Gives the baton to the worker, and takes it back when the worker has returned, or after ms
 * milliseconds. True when the worker has returned. */
bool baton_wait(struct baton *b, int ms);
bool baton_ended(const struct baton *b);

/* -- the worker -- */
/* When the owner waits for the baton: gives it to the owner, and returns when the worker has it
 * again. Otherwise returns at once. */
void baton_offer(struct baton *b);

#endif
