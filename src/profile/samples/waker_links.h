/* SPDX-License-Identifier: MIT */
/*
 * Chains of wakers, each held once: the thread that ended a wait, in which function; then the
 * thread that ended that thread's own last wait, and so on. A chain is the number of its first
 * link; 0 is the empty one. The function may be a text of a whole stack.
 */
#ifndef PROFILE_WAKER_LINKS_H
#define PROFILE_WAKER_LINKS_H

#include "base/hash.h"

/* Links that a chain has at most; farther ones are left out. */
#define WAKER_LINKS_MAX 8

struct waker_link {
	uint32_t waker;	   /* a value of COL_WAKER */
	uint32_t function; /* id in .names; HASH_NONE: not known */
	uint32_t next;	   /* the chain of the waker's own wait */
	uint32_t length;   /* of the chain from here on */
};

/* All zero is valid. */
struct waker_links {
	VEC(struct waker_link) links; /* the chain n begins with the link n - 1 */
	struct id_slots by_value;
	struct intern names;
};

/* The chain of that waker, and of `next` behind it. function: NULL is not known. */
uint32_t waker_links_get(struct waker_links *w, uint32_t waker, const char *function,
			 uint32_t next);
/* NULL: the chain is empty. */
static inline const struct waker_link *waker_links_first(const struct waker_links *w,
							 uint32_t chain)
{
	return chain && chain <= w->links.n ? &w->links.at[chain - 1] : NULL;
}
void waker_links_release(struct waker_links *w);

#endif
