/* SPDX-License-Identifier: MIT */
/*
 * Cells: samples folded by the raw values of columns, before anything is resolved.
 *
 * A sample takes one lookup: the columns that tables need are packed into a tuple of u64 and
 * hashed. A cell keeps sums, and the time, place in the file and thread of its first sample.
 * Symbols, names and maps are not looked up here, but once for each cell (samples_resolve()).
 *
 * Where each sample's own time is wanted, cells stay folded: the times stand apart, in .times, with
 * the cell that each sample went into.
 *
 * Each reading thread has its own struct cells; they are merged at the end.
 */
#ifndef PROFILE_CELL_H
#define PROFILE_CELL_H

#include "data/record/record.h"
#include "profile/samples/stretches.h"

enum column {
	COL_EVENT,  /* index in the event set */
	COL_THREAD, /* its index in the world */
	COL_COMM,   /* the world's comm id at that time */
	COL_IP,
	COL_SPACE, /* epoch << 8 | cpumode */
	COL_CHAIN, /* id in cells.chains, HASH_NONE: none */
	COL_CPU,   /* (uint32_t)-1: not recorded */
	COL_TIME,  /* quantised */
	COL_ADDR,
	COL_WEIGHT,
	COL_INS_LAT,
	COL_P_STAGE,
	COL_DATA_SRC,
	COL_TRANSACTION,
	COL_PHYS_ADDR,
	COL_CGROUP,
	COL_DATA_PAGE,
	COL_CODE_PAGE,
	COL_RAW, /* id in cells.raws, HASH_NONE: none */
	COL_FROM,
	COL_TO,
	COL_BRANCH, /* branch mode: flags */
	COL_PARALLELISM,
	COL_EXACT, /* 1: the processor gave the exact address, without skid */
	COL_STATE,
	COL_WAKER,
	COL_DELAY,	  /* see wall_state.h */
	COL_WAKERS,	  /* a chain of samples.waker_links */
	COL_WAKER_STACKS, /* a chain of samples.waker_stacks */
	COL_REASON,	  /* of waiting, where it was recorded: wait_reason_word(); 0: it was not */
	COL_TASK,	  /* 1 + the id of its name in samples.tasks; 0: none */
	COLUMNS
};
#define COL_BIT(c) (1u << (c))

struct weights {
	uint64_t period, sys, us, guest_sys, guest_us;
	uint64_t samples;
	uint64_t latency; /* period divided by the number of running threads: wall-clock time */
};
/* a += b */
static inline void weights_add(struct weights *a, const struct weights *b)
{
	a->period += b->period;
	a->sys += b->sys;
	a->us += b->us;
	a->guest_sys += b->guest_sys;
	a->guest_us += b->guest_us;
	a->samples += b->samples;
	a->latency += b->latency;
}

struct cell {
	/* of its first sample: time (0 without), number of the record in the file, thread */
	uint64_t order, seq;
	const struct thread *thread;
	uint64_t period, samples;
	uint64_t words[]; /* the columns; then, with cells.sums, enum cell_sum */
};
enum cell_sum { CELL_SYS, CELL_US, CELL_GUEST_SYS, CELL_GUEST_US, CELL_LATENCY, CELL_SUMS };

/* One sample of a cell. */
struct cell_time {
	uint64_t time; /* ns, rounded down as samples_options.times_quantum says */
	uint64_t period;
	uint32_t cell;
};

struct cells {
	uint32_t columns; /* COL_BIT mask of the columns that cells have */
	uint32_t n_columns;
	bool sums;	  /* cells hold enum cell_sum; else the columns tell these sums */
	uint32_t n, cap, stride; /* stride: of one cell, in words */
	uint64_t *rows; /* the cells, one after the other */
	struct id_slots slots; /* by the hash of their columns */
	struct intern chains; /* raw words of call chains */
	bool own_chains; /* chains may be there more than once, see cells_put_chain() */
	struct intern raws;   /* raw bytes of tracepoints */
	struct stretches stretches;
	bool keeps_times; /* set after cells_init(): cells_add() notes each sample in .times */
	VEC(struct cell_time) times; /* in no order */
};

/* A gathered sample, with an array element for each column. Columns that aren't kept need no
 * value. */
struct cell_sample {
	uint64_t v[COLUMNS];
	uint64_t time, order, seq, period;
	uint64_t time_kept; /* for cells.times */
	const struct thread *thread;
};

/* latency: cells keep a latency sum, which is not the period. */
void cells_init(struct cells *c, uint32_t columns, bool latency);
void cells_release(struct cells *c);
static inline struct cell *cells_at(const struct cells *c, uint32_t id)
{
	return (struct cell *)(c->rows + (size_t)id * c->stride);
}
void cells_weights(const struct cells *c, uint32_t id, struct weights *w);
void cells_add(struct cells *c, const struct cell_sample *s);
/* The steps of cells_add(), for batches (prefetch the slot with id_slots_ask() on c->slots): hashes
 * the columns; prefetches the cell through its slot, which must have been prefetched; adds. */
uint64_t cells_hash(const struct cells *c, const uint64_t v[COLUMNS]);
void cells_prefetch_cell(const struct cells *c, uint64_t hash);
void cells_add_hashed(struct cells *c, const struct cell_sample *s, uint64_t hash);
/* Adds the sum of several samples with the same columns; order, seq and thread are those of the
 * first. */
struct cell_sums {
	struct weights weights;
	uint64_t order, seq;
	const struct thread *thread;
};
void cells_add_sums(struct cells *c, const uint64_t v[COLUMNS], const struct cell_sums *sums);
/* Adds a cell for columns that are known to be new. */
void cells_put_new(struct cells *c, const uint64_t v[COLUMNS], const struct cell_sums *sums);
/* Adds a chain to .chains without a lookup and returns its id. Equal chains may then be there
 * several times, and .chains must not be looked up from now on. Aligned words are not copied: they
 * must stay as long as the cells. */
uint64_t cells_put_chain(struct cells *c, const void *words, size_t n);
/* Writes the columns of a cell to v by enum column; columns that cells lack are 0. */
void cells_spread(const struct cells *c, uint32_t cell, uint64_t v[COLUMNS]);
/* Overwrites cell to with cell from. Until cells_cut(), cells must not be looked up or added. Not
 * for cells that keep times, nor is cells_cut(). */
void cells_move(struct cells *c, uint32_t to, uint32_t from);
/* Keeps the first n cells only. */
void cells_cut(struct cells *c, uint32_t n);
/* Drops the chains and raw bytes that no cell refers to; the others get new ids. */
void cells_renew_dictionaries(struct cells *c);
/* Adds all of other's cells, of the same columns, to c. */
void cells_add_all(struct cells *c, const struct cells *other);
/* As cells_add_all(), but other can only be released afterwards. */
void cells_merge(struct cells *c, struct cells *other);

#endif
