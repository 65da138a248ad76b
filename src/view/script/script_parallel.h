/* SPDX-License-Identifier: MIT */
/*
 * script on all CPUs. One thread reads records in order and replays them into the world. It notes
 * each sample's moment (its thread and epoch). All threads decode, unwind and format samples, a
 * piece of neighbours each. The texts are written in order. Three batches are in memory: one is
 * read, one is formatted, one is written.
 */
#ifndef VIEW_SCRIPT_PARALLEL_H
#define VIEW_SCRIPT_PARALLEL_H

#include "base/pool.h"
#include "view/script/script.h"

/*
 * True when threads make script faster: when stack dumps are unwound. Other samples only need
 * formatting: two CPUs used half as much CPU time again as one, and were hardly faster (measured).
 * Texts of recorded chains are cached, and each worker would have to fill a cache of its own.
 */
bool script_parallel_pays(const struct script *s);
/* True when samples can be shown in any order: no line depends on the line before it, or on other
 * state that samples change. */
bool script_parallel_can(const struct script *s);

struct script_parallel {
	struct script *s;	     /* set up; its world answers for past times too */
	struct replay *replay; /* open (replay_open), SOURCE_ORDERED, of a file; its handler calls
				  script_add() */
	struct out *out;
	struct losses *losses; /* counts records that could not be decoded */
	struct pool *line_pool; /* looks up lines; may have more threads than pool */
	size_t bytes; /* of records in a batch, at most; 0: chosen by the number of threads */
};
/* Shows all records. 0, also when the reader of the text has gone; or -1 with *err, after the text
 * of all records before the error. */
int script_parallel(const struct script_parallel *how, struct pool *pool, struct err *err);

#endif
