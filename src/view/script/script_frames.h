/* SPDX-License-Identifier: MIT */
/*
 * Addresses and call chains as script shows them, each made once: an address is looked up and put
 * into words once for each (epoch, cpumode, fields), a whole chain once for each (epoch, raw
 * words).
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
	const char *name;	  /* sym's, for people */
	uint64_t offset;	  /* from the symbol's start */
	uint32_t len;		  /* of the text */
	bool stop;		  /* chains end here */
	char text[];		  /* "ip sym+off (dso)", with what follows on lines of its own */
};

/* A set of fields that texts are made of. Chains without frame pointers are full of addresses where
 * nothing is mapped: those have no text of their own, but this one behind their address. */
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

/* A chain's key and its text, which follows the key at once; NULL: free. It is kept when it comes a
 * second time: of deep stacks hardly two are equal. */
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
	bool chains_made; /* by the recorder, of stacks: they get their inlined functions too */
	bool full_paths;  /* of source files */
	bool has_ahead; /* the next chain was unwound ahead, to these words */
	const uint64_t *ahead;
	size_t n_ahead;
	unsigned int max_stack;
	size_t memory_max; /* then all is dropped and made anew: streams have no end */
	const struct name_list *stop_at;
	struct unwound unwound;
	VEC(struct script_kind) kinds;
	struct idmap contexts; /* epoch << 32 | cpumode << 16 | kind -> 0, 1, 2, ... */
	VEC(const struct covered *) covered; /* by context, of the first ones; NULL: not made yet */
	VEC(const struct script_frame *) made;
	struct script_frame_slot *frames; /* open addressing; 1 << frames_bits of them */
	uint32_t n_frames, frames_bits;
	struct script_chain_slot *chains; /* the same; chains_mask + 1 of them */
	uint32_t n_chains, chains_mask;
	uint8_t *came; /* of chains that came, a byte of the hash at the place that the rest says */
	struct arena texts; /* frames, and chains with their keys */
	struct buf scratch, key;
};

void script_frames_init(struct script_frames *f, struct world *world, const struct recording *rec);
/* The same of a measurement, whose chains_made says what the recording would. */
void script_frames_init_of(struct script_frames *f, struct world *world,
			   const struct measurement *m, bool chains_made);
/* How deep chains are shown; 127 unless told. */
void script_frames_max_stack(struct script_frames *f, unsigned int most);
/* The same settings, with nothing made yet; what lies behind .stop_at is shared. */
void script_frames_copy(struct script_frames *copy, const struct script_frames *f);
void script_frames_release(struct script_frames *f);

/* fields (FIELD_IP, SYM, SYMOFF, DSO, DSOFF, SRCLINE) say what the text shows; where they are about
 * no symbol, .sym is looked up only when SCRIPT_FRAME_SYMBOL is among them. Valid until
 * script_frames_bound. */
#define SCRIPT_FRAME_SYMBOL (1ull << 61)
/* Drops all that was made when it has become much; before each sample. */
void script_frames_bound(struct script_frames *f);
const struct script_frame *script_frame(struct script_frames *f, uint32_t epoch, uint8_t cpumode,
					uint64_t ip, uint64_t fields);
/* Appends the sample's chain: a line for each frame, innermost first. */
void script_chain(struct script_frames *f, uint32_t epoch, const struct event *ev,
		  const struct sample *s, uint64_t fields, struct buf *out);
/* Chains whose frames have lines to be looked up: which fields that makes of those of
 * the sample. */
uint64_t script_chain_fields(const struct script_frames *f, const struct sample *s,
			     uint64_t fields);
bool script_fields_have_lines(uint64_t fields);
/* "sym+0x12", or "[unknown]". */
void script_symbol_text(const struct script_frame *frame, bool offset, struct buf *out);
void script_dso_text(const struct script_frames *f, const struct place *p, struct buf *out);

#endif
