/* SPDX-License-Identifier: MIT */
/*
 * Frames and chains of samples, each held once.
 *
 * A frame is one address resolved in one state of one address space; a chain is an array of frame
 * ids. Raw chains are hashed whole when samples are gathered. Here each comes once, and each
 * address is resolved once.
 */
#ifndef PROFILE_FRAME_H
#define PROFILE_FRAME_H

#include "profile/samples/chain_set.h"
#include "world/world.h"

struct source_place; /* symbol/lines/lines.h */

/* The common part of all frames in one symbol of one map: most frames share one. */
struct frame_where {
	const struct map *map;	  /* NULL: nowhere known */
	struct dso *dso;	  /* NULL with map */
	const struct symbol *sym; /* NULL: unresolved */
	const char *name;	  /* sym's demangled name; NULL without sym */
	uint64_t shift; /* frame_addr() is the address plus this */
	uint32_t dso_name;	  /* in frames.dso_names, as shown; HASH_NONE: no dso */
	const char *srcline, *srcfile; /* "file.c:12", "file.c"; NULL: unknown; see frames_lines */
};

/* There may be hundreds of thousands of frames: half a cache line each. */
struct frame {
	uint64_t ip; /* as sampled */
	const struct frame_where *where;
	uint32_t space; /* the epoch it was resolved in, or its kernel: see struct frame_space */
	/* Equal for frames that the "symbol" key holds equal. An unresolved frame is identified by
	 * frame_addr() as a sampled address (symbol_id), by ip in a chain (chain_symbol_id). */
	uint32_t symbol_id, chain_symbol_id;
	char level;	      /* 'k' '.' 'g' 'u' 'H' */
	uint8_t cpumode;      /* MISC_* */
	uint8_t nameless;     /* enum nameless */
	bool any : 1;	      /* looked up in the whole address space, see frames_get */
	bool inlined : 1;     /* the function is not sym, but inlined into it */
	bool lines_known : 1; /* srcline and srcfile were looked up */
	bool lines_asked : 1; /* and there was a file with lines to look in */
};

/* A frame's place in the map's file; ip itself in the kernel and without a map. */
static inline uint64_t frame_addr(const struct frame *frame)
{
	return frame->ip + frame->where->shift;
}

/* The address of a frame with a dso in the address space of the dso's symbols: what to compare with
 * symbol.start. Another one than frame_addr() in kernel modules. */
uint64_t frame_rva(const struct frame *frame);

/* The identity of a symbol for the "symbol" key. For a resolved one: the dso's shown name and the
 * range. For an unresolved one: the address. For an inlined function (.resolved 2): its name and
 * the symbol that it was inlined into. */
struct frame_symbol {
	uint64_t start, end;
	uint32_t dso_name;
	uint32_t resolved;
};

/* A chain's words, the cpumode that each stands in, and the frames of its addresses: the outermost
 * first, so that what the next chain shares with it stays where it is. */
struct known_chain {
	uint32_t epoch;
	VEC(uint64_t) words;
	VEC(uint8_t) modes;
	VEC(uint32_t) ids;
	struct chain_path path; /* in frames.chains */
};

/* The frames of an address in a chain: one for each function inlined there, the innermost first. */
struct frame_levels {
	const uint32_t *at;
	uint32_t n;
};

/* The address spaces of an epoch: its own, and that of the kernel, which many epochs share. Frames
 * of kernel addresses are shared with it. */
struct frame_space {
	uint32_t epoch;
	uint32_t kernel; /* world_epoch_kernel() */
};

struct frames {
	struct world *world;
	struct frame_space space; /* of the last frame */
	struct arena arena;
	struct intern dso_names;
	VEC(struct frame_symbol) symbols; /* by symbol_id */
	struct id_slots symbol_slots;
	VEC(uint32_t) frame_of_symbol; /* a frame of each symbol_id */
	struct id_slots by_address; /* frames by {ip, epoch, cpumode, any} */
	VEC(const struct frame_where *) wheres; /* not those that one frame alone has */
	struct id_slots where_slots;		/* wheres by {map, sym, shift} */
	struct recent_frame *recent; /* a direct-mapped cache of frames, by address */
	VEC(struct frame) frames;
	VEC(uint8_t) nameless; /* copies of frame.nameless, dense for trust.c */
	struct chain_set chains;
	struct known_chain last; /* the raw chain that was put last */
	VEC(uint32_t) own_ids;	 /* of the chain being put, the innermost first: what .last lacks */
	VEC(uint8_t) own_modes;
	bool long_names; /* dsos are shown (and compared) by their long names */
	bool full_paths; /* of source files */
	bool inlines;	 /* chains hold the functions that were inlined */
	bool lines;	 /* frames of chains know their lines */
	struct intern texts; /* lines, files and names of inlined functions */
	struct idmap levels; /* frame id -> index in stands_for */
	VEC(struct frame_levels) stands_for;
};

void frames_init(struct frames *f, struct world *world, bool long_names);
void frames_release(struct frames *f);

/* No more frames, symbols and chains come: frees the slots that find equal ones. */
void frames_settle(struct frames *f);

/* The source line of the address that many bytes before the frame's. .n is 0 where the frame lies
 * in no map. */
struct source_place frame_source(const struct frame *frame, uint64_t before);
/* Fills the frame's source line and file. */
void frames_lines(struct frames *f, uint32_t id);
/* frames_lines() of all frames: they are looked up at once, on all CPUs. */
void frames_find_lines(struct frames *f);
/* Appends the text of the "srcline" key. As in perf, an address whose file has no lines gives its
 * symbol, or its address in the file; where the file has lines, but none for this symbol,
 * "??:0". */
void frame_line_text(const struct frame *frame, struct buf *out);
/* The id of an address's frame, made if new. any: the address is looked up in the whole address
 * space, whatever the cpumode (for branches). */
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
 * innermost ones, or with keep_outer the outermost. Returns its id in .chains; HASH_NONE for an
 * empty or damaged chain.
 */
uint32_t frames_chain(struct frames *f, uint32_t epoch, const uint64_t *words, uint64_t n,
		      uint32_t max_stack, bool keep_outer);

#endif
