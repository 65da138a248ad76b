/* SPDX-License-Identifier: MIT */
/*
 * script on all CPUs. Records are read in order and told to the world by one thread, which takes a note of what it says
 * of each sample; samples are decoded, unwound and put into words by all, a piece of neighbours each, and the texts are written
 * in order. While one batch is shown the next one is read and the one before is written: so three are in memory.
 */
#ifndef VIEW_SCRIPT_PARALLEL_H
#define VIEW_SCRIPT_PARALLEL_H

#include "base/pool.h"
#include "view/script.h"
#include "view/script_rounds.h"

/*
 * Is there enough to do for threads? Not where chains are shown as they were recorded: their texts are kept, each worker
 * would make them for itself, and looking them up waits for memory, by two as long as by one (measured). Nor where copies
 * of stacks, which are nearly all of a file, are passed unread.
 */
bool script_parallel_pays(const struct script *s);
/* Does no line depend on the one before it, or on anything else that samples would have to be seen in order for? */
bool script_parallel_can(const struct script *s);

struct script_parallel {
	struct script *s;	     /* set up; its world keeps the past */
	struct source *src;	     /* SOURCE_ORDERED, of a file */
	struct script_rounds *rounds; /* takes what is no sample */
	struct out *out;
	struct losses *losses; /* of what could not be decoded */
	struct pool *line_pool; /* looks up lines; the other one may be smaller */
	size_t bytes;	       /* of records at once, at most; 0: as many as the threads are good for */
};
/* 0, also when whoever reads the text is gone; or -1 with *err, after the text of what came before. */
int script_parallel(const struct script_parallel *how, struct pool *pool, struct err *err);

#endif
