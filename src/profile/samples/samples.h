/* SPDX-License-Identifier: MIT */
/*
 * Samples: folded into cells and kept, so that any number of tables can be made of them
 * (profile/table/table.h).
 *
 *   samples_new -> samples_add or samples_read -> samples_resolve -> tables
 *                       ^                              |
 *                       +------------------------------+    more samples, other tables
 *
 * Samples that are equal in the columns that tables will ask for share a cell. Addresses, call
 * chains and raw bytes are held once, as ids in dictionaries. samples_resolve() looks up the
 * addresses of those cells and chains that are new since the last time. A table only reads: any
 * number may be made of one set of samples.
 *
 * What a table borrows (ids of cells, frames and chains) stays valid while samples are added and
 * resolved. samples_decay(), samples_zero() and samples_free() end it: tables made before must not
 * be used afterwards.
 *
 * Not safe for use from two threads at once.
 */
#ifndef PROFILE_SAMPLES_H
#define PROFILE_SAMPLES_H

#include "world/filter.h"
#include "profile/samples/cell.h"
#include "profile/samples/frame.h"
#include "profile/samples/waker_links.h"
#include "profile/samples/wall_state.h"
#include "profile/samples/reading/chain_words.h"

#define DATA_SRC_NONE 0x5080021ull /* "not available" of all but the number of a level */

enum sample_mode {
	MODE_NORMAL,
	MODE_BRANCH, /* every branch of a branch stack counts as a sample */
	MODE_MEMORY, /* the weight of a sample is the cost of its memory access */
	MODE_WALL,   /* samples stand for all of the time of threads: analysis/wall/wall.h */
};

/* What samples keep. All zero keeps nothing but sums by event; table_ask() adds what a
 * table needs. */
struct samples_options {
	enum sample_mode mode;
	uint32_t columns;      /* COL_BIT mask */
	bool parallelism;      /* latency sums: samples must then come in order */
	bool blocks;	       /* stretches of basic blocks (MODE_BRANCH, MODE_NORMAL) */
	bool passes; /* with .blocks: stretches without cycles too, for what code branches covered
		      */
	bool block_first; /* the first cycles of each stretch: samples must then come in order */
	bool inlines;	       /* chains hold the functions that were inlined */
	bool lines;	       /* source lines of sampled addresses */
	bool chain_lines;      /* source lines of all frames of chains */
	bool full_paths;       /* of source files */
	bool long_names;       /* dsos are compared by their long names */
	uint32_t max_stack;    /* addresses of a chain that are kept */
	bool keep_outer;       /* ... the outermost ones, else the innermost */
	uint64_t time_quantum; /* ns that COL_TIME is rounded down to; 0: none */
	bool times;	       /* each sample's time stands in cells.times */
	uint64_t times_quantum; /* ns that these are rounded down to; 0: none */
	bool no_times;	       /* samples have no time, only an order of arrival */
	/* Samples outside its CPUs, times and parallelism are not kept. Its lists are borrowed. */
	struct filter filter;
};

/* The resolved addresses of cells: arrays by the cell's index, NULL where the column is not
 * kept. */
struct cell_ids {
	uint32_t *frames;   /* of COL_IP */
	uint32_t *from, *to; /* of COL_FROM and COL_TO */
	uint32_t *data;	    /* of COL_ADDR */
	uint32_t *chains;   /* of COL_CHAIN, in frames.chains; HASH_NONE: none */
	bool *cut; /* the default max_stack, or the kernel, has cut the chain */
	uint32_t *order;    /* cells in the order of their first samples */
	uint32_t n;	    /* cells that are resolved */
};

struct samples {
	struct samples_options opts;
	const struct measurement *m;
	const struct recording *rec; /* whose bytes cells may point into; NULL: no recording */
	struct world *world;
	struct cells cells;
	struct frames frames;
	struct cell_ids ids;
	struct idmap chain_of_words; /* epoch << 32 | id in cells.chains -> id in frames.chains */
	VEC(struct { uint32_t epoch, chain; }) last_chains; /* by id in cells.chains: the last
							     * lookup */
	struct chain_words words;
	bool follows_frame_pointers; /* the user part of chains was walked by frame pointers */
	uint32_t parallelism; /* how many threads run now, while reading in order */
	/* with opts.parallelism, not in MODE_BRANCH: samples, and those while one thread ran */
	uint64_t kept, kept_alone;
	/* Of the next sample of a wall-clock profile. */
	struct samples_wall {
		enum wall_state state;
		uint32_t waker;	       /* a value of COL_WAKER */
		uint32_t wakers;       /* a chain of .waker_links */
		uint32_t waker_stacks; /* a chain of .waker_stacks */
		enum wall_delay delay;
		uint32_t reason; /* a value of COL_REASON */
		uint32_t task;	 /* a value of COL_TASK */
	} wall;
	struct waker_links waker_links;	 /* of COL_WAKERS */
	struct waker_links waker_stacks; /* of COL_WAKER_STACKS: a function is a whole stack */
	struct intern tasks;		 /* names of COL_TASK */
};

/* The measurement and the world must outlive the samples. */
struct samples *samples_new(const struct measurement *m, struct world *world,
			    const struct samples_options *opts);
void samples_free(struct samples *s);
DEFINE_AUTO(samples, samples_free)

/* Adds one sample, whose thread the world must know. */
void samples_add(struct samples *s, const struct record *r);
/* With options.parallelism: 99 % of the samples at least were taken while one thread ran. */
bool samples_are_single_threaded(const struct samples *s);
/* Adds all of other's, which has the same options and world; other can only be freed then. */
void samples_merge(struct samples *s, struct samples *other);
/* Resolves the new cells and chains. To be called before a table is made. */
void samples_resolve(struct samples *s);
/* samples_resolve(), when no more samples come: then frees what only further samples need. */
void samples_settle(struct samples *s);
/* Multiplies all weights by 7/8 and drops cells whose period reaches zero, as perf top does at each
 * refresh. */
void samples_decay(struct samples *s);
/* Drops all cells. What their addresses resolved to is kept. */
void samples_zero(struct samples *s);
static inline bool samples_have(const struct samples *s, enum column column)
{
	return s->cells.columns & COL_BIT(column);
}

#endif
