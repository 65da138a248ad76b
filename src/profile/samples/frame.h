/* SPDX-License-Identifier: MIT */
/*
 * Frames and chains: what samples point at, each held once.
 *
 * A frame is one address resolved in one state of one address space; a chain is an array of frame
 * ids. Raw chains are hashed whole when samples are gathered; here each comes once, and an address
 * is resolved once.
 */
#ifndef PROFILE_FRAME_H
#define PROFILE_FRAME_H

#include "profile/samples/chain_set.h"
#include "world/world.h"

struct source_place; /* symbol/lines/lines.h */

/* What addresses of one symbol in one map have in common: most frames share it with others. */
struct frame_where {
	const struct map *map;	  /* NULL: nowhere known */
	struct dso *dso;	  /* NULL with map */
	const struct symbol *sym; /* NULL: unresolved */
	const char *name;	  /* sym's, for people; NULL without one */
	uint64_t shift; /* from an address to its place in the map's file, see frame_addr() */
	uint32_t dso_name;	  /* in frames.dso_names, as shown; HASH_NONE: no dso */
	const char *srcline, *srcfile; /* "file.c:12", "file.c"; NULL: unknown; see frames_lines */
};

/* There may be hundreds of thousands: half a cache line each. */
struct frame {
	uint64_t ip; /* as sampled */
	const struct frame_where *where;
	uint32_t epoch; /* of the address space it was resolved in */
	/* Equal for frames that the "symbol" key holds equal. An unresolved one is known by addr
	 * where it was sampled itself, but by ip where it is met in a chain. */
	uint32_t symbol_id, chain_symbol_id;
	char level;	      /* 'k' '.' 'g' 'u' 'H' */
	uint8_t cpumode;      /* MISC_* */
	uint8_t nameless;     /* enum nameless */
	bool any : 1;	      /* it was looked for in all of the space, see frames_get */
	bool inlined : 1;     /* not the function that sym is, but one inlined into it */
	bool lines_known : 1; /* srcline and srcfile were looked for */
	bool lines_asked : 1; /* and there was a file to ask */
};

/* A frame's place in the map's file; ip itself in the kernel and without a map. */
static inline uint64_t frame_addr(const struct frame *frame)
{
	return frame->ip + frame->where->shift;
}

/* What makes two symbols equal to the "symbol" key: of a resolved one the dso's shown name and
 * its range, of an unresolved one its address, of an inlined function (resolved is 2) its name and
 * the symbol that it stands in. */
struct frame_symbol {
	uint64_t start, end;
	uint32_t dso_name;
	uint32_t resolved;
};

/* A chain's words, the cpumode that each stands in, and the frames of its addresses. */
struct known_chain {
	uint32_t epoch;
	VEC(uint64_t) words;
	VEC(uint8_t) modes;
	VEC(uint32_t) ids;
};

/* What an address is in a chain: the functions inlined there, the innermost first. */
struct frame_levels {
	const uint32_t *at;
	uint32_t n;
};

struct frames {
	struct world *world;
	struct arena arena;
	struct intern dso_names;
	VEC(struct frame_symbol) symbols; /* by symbol_id */
	struct id_slots symbol_slots;
	VEC(uint32_t) frame_of_symbol; /* a frame of each symbol_id */
	struct id_slots by_address; /* frames by {ip, epoch, cpumode, any} */
	VEC(const struct frame_where *) wheres; /* but for those that one frame has to itself */
	struct id_slots where_slots;		/* wheres by {map, sym, shift} */
	struct recent_frame *recent; /* some of them, by address: those that most chains share */
	VEC(struct frame) frames;
	VEC(uint8_t) nameless; /* the frames' own, where many are asked for it */
	struct chain_set chains;
	struct known_chain made, last; /* the one that is being made, and the one before it */
	bool long_names; /* dsos are shown (and compared) by their long names */
	bool full_paths; /* of source files */
	bool inlines;	 /* chains hold the functions that were inlined */
	bool lines;	 /* frames of chains know their lines */
	struct intern texts; /* lines, files and names of inlined functions: equal ones are one */
	struct idmap levels; /* frame id -> index of what it stands for in chains */
	VEC(struct frame_levels) stands_for;
};

void frames_init(struct frames *f, struct world *world, bool long_names);
void frames_release(struct frames *f);

/* No more frames, symbols and chains come: what finds them is given up. */
void frames_settle(struct frames *f);

/* The source of the address that lies so many bytes before the frame's in its file. Nothing is
 * known where the frame lies in no map. */
struct source_place frame_source(const struct frame *frame, uint64_t before);
/* Fills the frame's source line and file. */
void frames_lines(struct frames *f, uint32_t id);
/* The frame of an address; its id. With any, it is looked for in all of the
 * space, whatever the cpumode (branches). */
uint32_t frames_get(struct frames *f, uint32_t epoch, uint8_t cpumode, uint64_t ip, bool any);
static inline const struct frame *frames_at(const struct frames *f, uint32_t id)
{
	return &f->frames.at[id];
}
static inline const struct frame_symbol *frames_symbol(const struct frames *f, uint32_t symbol_id)
{
	return &f->symbols.at[symbol_id];
}
static inline const char *frames_dso_name(const struct frames *f, uint32_t dso_name)
{
	return dso_name == HASH_NONE ? "[unknown]" : intern_text(&f->dso_names, dso_name);
}

/*
 * The chain of a sample's raw words (contexts included). Addresses are resolved as the contexts
 * say; before the first context they are user's. At most max_stack addresses are kept: the
 * innermost ones, or with keep_outer the outermost. Its id in chains; HASH_NONE: an empty or
 * damaged one.
 */
uint32_t frames_chain(struct frames *f, uint32_t epoch, const uint64_t *words, uint64_t n,
		      uint32_t max_stack, bool keep_outer);

#endif
