/* SPDX-License-Identifier: MIT */
/*
 * script on all CPUs. Records are read in order and told to the world by one thread, which takes a
 * note of what it says of each sample; samples are decoded, unwound and put into words by all, a
 * piece of neighbours each, and the texts are written in order. While one batch is shown the next
 * one is read and the one before is written: so three are in memory.
 */
#ifndef VIEW_SCRIPT_PARALLEL_H
#define VIEW_SCRIPT_PARALLEL_H

#include "base/pool.h"
#include "view/script/script.h"

/*
 * Is there enough to do for threads? Where copies of stacks are unwound. Of other samples the text
 * is all that there is to make: two processors took half as much time again as one, and answered
 * hardly sooner (measured). Chains as they were recorded have their texts kept, which each worker
 * would make for itself.
 */
bool script_parallel_pays(const struct script *s);
/* Does no line depend on the one before it, or on anything else that samples would have to be seen
 * in order for? */
bool script_parallel_can(const struct script *s);

struct script_parallel {
	struct script *s;	     /* set up; its world keeps the past */
	struct replay *replay; /* open (replay_open), SOURCE_ORDERED, of a file; its handler calls
				  script_add() */
	struct out *out;
	struct losses *losses; /* of what could not be decoded */
	struct pool *line_pool; /* looks up lines; the other one may be smaller */
	size_t bytes; /* of records at once, at most; 0: as many as the threads are good for */
};
/* 0, also when whoever reads the text is gone; or -1 with *err, after the text of what
 * came before. */
int script_parallel(const struct script_parallel *how, struct pool *pool, struct err *err);

#endif
