/* SPDX-License-Identifier: MIT */
/*
 * Addresses and call chains as script shows them, with their texts cached: an address is looked up
 * and formatted once for each (epoch, cpumode, fields). A whole chain is formatted once for each
 * (epoch, fields, raw words), and kept when it comes a second time.
 */
#ifndef VIEW_SCRIPT_FRAMES_H
#define VIEW_SCRIPT_FRAMES_H

#include "base/hash.h"
#include "world/covered.h"
#include "world/filter.h"
#include "world/unwound.h"

struct script_frame {
	struct place place;
	const struct symbol *sym; /* NULL: unresolved */
	const char *name;	  /* sym's, demangled */
	uint64_t offset;	  /* from the symbol's start */
	uint32_t len;		  /* of the text */
	bool stop;		  /* chains end here */
	char text[];		  /* "ip sym+off (dso)", with what follows on lines of its own */
};

/* A set of fields that texts are made of. Chains of code without frame pointers are full of
 * addresses where nothing is mapped: these share the text .nowhere, which follows the address. */
struct script_kind {
	uint64_t fields;
	const struct script_frame *nowhere;
};

/* An address in a context: an epoch, a cpumode and a kind. */
struct script_frame_slot {
	uint64_t ip;
	uint32_t context; /* id in script_frames.contexts */
	uint32_t frame;   /* 0: free; 1: nowhere; else its index in script_frames.made, plus 2 */
};

/* A chain's key, with its text right behind it; key NULL: the slot is free. A chain is kept when it
 * comes a second time, because deep stacks hardly ever repeat. */
struct script_chain_slot {
	uint64_t hash;
	const char *key;
	uint32_t key_len, text_len;
};

struct script_frames {
	struct world *world;
	bool symbols;	  /* look symbols up */
	bool kernel_path; /* show dsos by their long names */
	bool no_inlines;  /* --no-inline */
	bool chains_made; /* the recorder unwound stacks: frames show inlined functions too */
	bool full_paths;  /* show full paths of source files */
	bool has_ahead; /* the next chain was unwound ahead: .ahead has its words */
	const uint64_t *ahead;
	size_t n_ahead;
	unsigned int max_stack;
	size_t memory_max; /* bytes; above it all caches are dropped: a stream may never end */
	const struct name_list *stop_at;
	struct unwound unwound;
	VEC(struct script_kind) kinds;
	struct idmap contexts; /* epoch << 32 | cpumode << 16 | kind -> 0, 1, 2, ... */
	VEC(const struct covered *) covered; /* by context, below COVERED_MAX; NULL: not made yet */
	VEC(const struct script_frame *) made;
	struct script_frame_slot *frames; /* open addressing; 1 << frames_bits of them */
	uint32_t n_frames, frames_bits;
	struct script_chain_slot *chains; /* open addressing; chains_mask + 1 of them */
	uint32_t n_chains, chains_mask;
	uint8_t *came; /* chains that came once: the hash's top byte, indexed by its low bits */
	struct arena texts; /* frames, and chains with their keys */
	struct buf scratch, key;
};

void script_frames_init(struct script_frames *f, struct world *world, const struct recording *rec);
/* The same for a measurement without a recording; chains_made: see .chains_made. */
void script_frames_init_of(struct script_frames *f, struct world *world,
			   const struct measurement *m, bool chains_made);
/* Sets how many frames of a chain are shown; 127 by default. */
void script_frames_max_stack(struct script_frames *f, unsigned int most);
/* Copies the settings, with empty caches; *stop_at is shared. */
void script_frames_copy(struct script_frames *copy, const struct script_frames *f);
void script_frames_release(struct script_frames *f);

/* fields (FIELD_IP, SYM, SYMOFF, DSO, DSOFF, SRCLINE) choose what the text shows. When none of them
 * needs a symbol, .sym is looked up only with the flag SCRIPT_FRAME_SYMBOL. The frame is valid
 * until script_frames_bound(). */
#define SCRIPT_FRAME_SYMBOL (1ull << 61)
/* Drops all caches when they exceed .memory_max; call it before each sample. */
void script_frames_bound(struct script_frames *f);
const struct script_frame *script_frame(struct script_frames *f, uint32_t epoch, uint8_t cpumode,
					uint64_t ip, uint64_t fields);
/* Appends the sample's chain: a line for each frame, innermost first. */
void script_chain(struct script_frames *f, uint32_t epoch, const struct event *ev,
		  const struct sample *s, uint64_t fields, struct buf *out);
/* The fields of a sample's chain, made from those of the sample: adds the flags for inlined
 * functions. */
uint64_t script_chain_fields(const struct script_frames *f, const struct sample *s,
			     uint64_t fields);
bool script_fields_have_lines(uint64_t fields);
/* "sym+0x12", or "[unknown]". */
void script_symbol_text(const struct script_frame *frame, bool offset, struct buf *out);
void script_dso_text(const struct script_frames *f, const struct place *p, struct buf *out);

#endif
