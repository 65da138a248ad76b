/* SPDX-License-Identifier: MIT */
/*
 * Entries: the rows of a report. An entry stands for all samples with equal values of the keys. It
 * has their sums and their call chains.
 */
#ifndef PROFILE_ENTRY_H
#define PROFILE_ENTRY_H

#include "profile/samples/cell.h"
#include "profile/samples/frame.h"

/*
 * One way in which an entry was reached by a chain. The frames that belong to the entry are, in the
 * order in which chains are shown:
 *   callee order: at[from], at[from + 1], ... at[n - 1]  (from the entry to its outermost caller)
 *   caller order: at[from], at[from - 1], ... at[0]      (from the entry to the sampled function)
 * So a sample's own entry has from = 0 in callee order and from = n - 1 in caller order, and an
 * entry made of a caller (--children) starts at that caller's frame. A chain is in an entry's list
 * once for each from; the list is in order of first sight.
 */
struct chain_hit {
	uint32_t chain; /* index into frames.chains */
	uint32_t from;
	uint64_t period;
	uint64_t samples;
};

/* All samples of one entry that have one chain. */
struct chain_group {
	uint32_t entry; /* index into the profile's entries: the samples' own */
	uint32_t chain;
	uint64_t period, samples;
};

/*
 * The hits of an entry, each a group and .from (see struct chain_hit), in the order of groups. A
 * hit is stored as two variable-length numbers of seven bits a byte: the difference to the group
 * before, and .from. A table may have millions of hits.
 */
#define HITS_INSIDE 8
struct entry_hits {
	union {
		uint8_t *bytes;		     /* when cap is not 0 */
		uint8_t inside[HITS_INSIDE]; /* most entries have one or two hits */
	};
	uint32_t n, used, cap; /* hits; bytes */
	uint32_t last;	       /* group */
};
struct hits_walk {
	uint32_t group, from; /* of the hit */
	uint32_t at, left;
};
void hits_add(struct entry_hits *h, uint32_t group, uint32_t from);
void hits_release(struct entry_hits *h);
static inline struct hits_walk hits_begin(const struct entry_hits *h)
{
	return (struct hits_walk){.left = h->n};
}
bool hits_next(const struct entry_hits *h, struct hits_walk *w);

/* The first sample of an entry: the view takes from it what the keys do not tell. */
struct first_sample {
	uint32_t cell;	 /* index in the samples' cells: table_first() */
	uint32_t frame;	 /* id; HASH_NONE when no key asked for it */
	uint32_t parent; /* frame id of the matched parent, or HASH_NONE */
	char level;
	bool in_chain; /* the frame was found in a chain, it is not the sampled one */
};

enum {
	FILTERED_THREAD = 1,
	FILTERED_DSO = 2,
	FILTERED_SYMBOL = 4,
	FILTERED_PARENT = 8,
	FILTERED_SOCKET = 16,
	FILTERED_GUEST = 32,
	FILTERED_HOST = 64
};

/* -H: the entries below an entry, and its own depth. */
struct entry_levels {
	VEC(struct entry *) below; /* sorted */
	uint8_t depth;
};

/* There may be hundreds of thousands of entries: fields are narrow, and rare ones are elsewhere. */
struct entry {
	struct first_sample first;
	const struct weights
		*self;	/* shared zeros for an entry without samples of its own: see
			 * entry_add_self() */
	uint64_t total; /* period; --children: with that of its callees */
	struct entry_hits hits;
	uint32_t max_depth; /* of hits, in frames */
	uint32_t event : 24;   /* index; no recording has 2^24 events */
	uint32_t filtered : 8; /* FILTERED_*; 0: shown */
	struct entry *
		*group; /* --group: of each member of the event's group, NULL where it has none */
	struct entry_levels *levels; /* NULL without -H */
	uint64_t values[];	     /* by index of the key */
};

/* Prefetches entries that a walk over sorted ones reaches soon: they are scattered in memory. */
static inline void entries_prefetch(struct entry *const *at, size_t i, size_t n)
{
	if (i + 16 >= n)
		return;
	__builtin_prefetch(at[i + 16]);
	__builtin_prefetch((const char *)at[i + 16] + 64);
}

/* An entry with only its values set. The arena must hold entries only. */
struct entry *entry_new(struct arena *arena, const uint64_t *values, size_t n_values);
/* Adds sums of samples; parts (NULL: the table keeps none) are an array of PARTS sums. */
void entry_add_self(struct arena *arena, struct entry *e, const struct weights *more,
		    const uint64_t *parts);
/* The parts of an entry, for tables with layout.parts. They lie behind its weights. */
static inline const uint64_t *entry_parts(const struct entry *e)
{
	return (const uint64_t *)(e->self + 1);
}

#endif
