/* SPDX-License-Identifier: MIT */
/*
 * Frames and chains: what samples point at, each held once.
 *
 * A frame is one address resolved in one state of one address space; a chain is an array of frame
 * ids, the sampled function first and its callers after it ("callee order", whatever order it is
 * shown in). Raw chains are hashed whole; a chain that was seen before costs one look-up, and an
 * address is resolved once.
 */
#ifndef PROFILE_FRAME_H
#define PROFILE_FRAME_H

#include "base/hash.h"
#include "world/world.h"

struct frame {
	uint64_t ip;	/* as sampled */
	uint64_t addr;	/* what an unresolved frame is shown as: in the map's file; ip without one */
	const struct map *map;	  /* NULL: nowhere known */
	struct dso *dso;	  /* NULL with map */
	const struct symbol *sym; /* NULL: unresolved */
	const char *name;	  /* sym's, for people; NULL without one */
	uint32_t epoch;		  /* of the address space it was resolved in */
	uint32_t dso_name;	  /* profile's intern of the dso's shown name; HASH_NONE: no dso */
	uint32_t symbol_id;	  /* equal for frames that the "symbol" key holds equal */
	char level;		  /* 'k' '.' 'g' 'u' 'H' */
	uint8_t cpumode;	  /* MISC_* */
	bool inlined;		  /* made by expanding inlines */
	const char *srcline;	  /* filled when a key or a view asked for it; or NULL */
};

/* A chain: n frame ids at at[0..n). */
struct chain {
	const uint32_t *at;
	uint32_t n;
};

struct frames {
	struct world *world;
	struct arena arena;
	struct intern dso_names;
	struct intern symbols; /* what symbol_id indexes: struct frame_symbol */
	struct intern places;  /* {ip, epoch, cpumode} -> frame, id by id */
	VEC(struct frame) frames;
	VEC(struct chain) chains;
	struct intern raw_chains; /* {epoch, words...} -> index into chain_of_raw */
	VEC(uint32_t) chain_of_raw;
	bool long_names; /* dsos are shown (and compared) by their long names */
};

/* What makes two symbols equal to the "symbol" key: for a resolved one the dso's shown name and
 * its range, for an unresolved one its address. */
struct frame_symbol {
	uint64_t start, end;
	uint32_t dso_name;
	uint32_t resolved;
};

void frames_init(struct frames *f, struct world *world, bool long_names);
void frames_release(struct frames *f);

/* The frame of an address; its id. */
uint32_t frames_get(struct frames *f, uint32_t epoch, uint8_t cpumode, uint64_t ip);
/* As frames_get, when the cpumode is only a hint (branches, data). */
uint32_t frames_get_any(struct frames *f, uint32_t epoch, uint8_t cpumode, uint64_t ip);
static inline const struct frame *frames_at(const struct frames *f, uint32_t id)
{
	return &f->frames.at[id];
}
static inline const struct frame_symbol *frames_symbol(const struct frames *f, uint32_t symbol_id)
{
	return f->symbols.entries.at[symbol_id].p;
}

/*
 * The chain of a sample's raw words (contexts included), cut at max_stack addresses. Addresses are
 * resolved as the contexts say; before the first context they are user's. id HASH_NONE: an empty
 * chain.
 */
uint32_t frames_chain(struct frames *f, uint32_t epoch, const uint64_t *words, uint64_t n,
		      uint32_t max_stack);

#endif
