/* SPDX-License-Identifier: MIT */
/*
 * Cache lines that several CPUs contend for: samples of memory accesses by the cache line of the
 * data, and within a line by offset and by the accessing code or task.
 *
 *   struct c2c c;
 *   failed = c2c_read(&c, &opts, rec, world, &err);
 *   ... c.shown
 *   c2c_release(&c);
 *
 * Memory grows with the number of lines and of places that access them, which are packed until it
 * is known which of them are shown.
 */
#ifndef ANALYSIS_C2C_H
#define ANALYSIS_C2C_H

#include "analysis/c2c/c2c_nodes.h"
#include "analysis/c2c/c2c_stats.h"
#include "profile/samples/frame.h"
#include "profile/samples/reading/chain_words.h"
#include "profile/table/data_access.h"
#include "profile/table/entry.h"
#include "world/filter.h"

enum c2c_display { C2C_TOTAL, C2C_LOCAL, C2C_REMOTE, C2C_PEERS };
/* What tells accesses to one offset apart. */
enum c2c_key { C2C_PID, C2C_TID, C2C_IADDR, C2C_DSO, C2C_KEYS };
enum c2c_mean {
	C2C_MEAN_RMT_HITM,
	C2C_MEAN_LCL_HITM,
	C2C_MEAN_RMT_PEER,
	C2C_MEAN_LCL_PEER,
	C2C_MEAN_LOAD,
	C2C_MEANS
};

struct c2c_options {
	enum c2c_display display; /* what lines are sorted by */
	enum c2c_key keys[C2C_KEYS];
	size_t n_keys;
	bool show_all;	   /* lines without any contention, too */
	bool double_line;  /* lines of 128 bytes: the adjacent-line prefetcher loads two */
	bool no_lines;	   /* source lines are not looked up */
	bool types;	   /* entries have the type of their data */
	bool chains;	   /* entries have call chains */
	bool caller_order; /* chains are shown from the outermost caller on */
	bool chain_lines;  /* source lines of frames of chains are looked up */
	const struct filter *filter; /* which accesses count; NULL: all */
};

/* Counts of a line, or of a place that accesses it. */
struct c2c_seen {
	struct c2c_stats stats;
	uint64_t *cpus, *nodes;	 /* bit sets */
	uint32_t physical_count; /* how often the physical address changed */
};

struct c2c_entry {
	struct c2c_seen seen;
	uint64_t offset, ip;
	uint32_t frame;		   /* in c2c.frames: of its first sample */
	uint32_t data;		   /* of that sample's data; HASH_NONE without .types */
	struct data_access access; /* with .types, of entries that are shown: in c2c.types */
	struct thread *thread;
	uint64_t period;	    /* of its samples; 0 without .chains */
	VEC(struct chain_hit) hits; /* .chain: in c2c.frames.chains */
	struct c2c_average {
		uint64_t n;
		double mean;
	} means[C2C_MEANS]; /* cycles */
	VEC(struct c2c_at_node {
		uint32_t node;
		uint64_t store, rmt, lcl, tot, peer;
	})
	at_nodes;
};

struct c2c_line {
	struct c2c_seen seen;
	uint64_t address; /* of the line, as its first sample has it */
	struct c2c_line_key {
		uint64_t cpumode, unmapped; /* kernel first, unmapped data last */
		uint64_t maj, min, ino, generation;
		uint64_t pid; /* the process of private memory; else 0 */
		uint64_t address;
	} key;
	uint64_t period;		 /* of .measured */
	VEC(struct c2c_entry *) entries; /* sorted, without those that are not shown */
	VEC(struct c2c_entry *)
	measured; /* all entries of a shown line: they set the width of columns */
};

/* Private: c2c_fold.h. */
struct c2c_fold {
	VEC(struct c2c_packed_line *) lines;
	VEC(struct c2c_packed_entry *) entries;
	struct id_slots line_slots, entry_slots;
	struct intern files, kinds;
};

struct c2c {
	struct c2c_options opts;
	struct c2c_nodes nodes;
	struct c2c_stats all, shared; /* of all samples; of lines that went from cache to cache */
	uint64_t shared_lines;
	VEC(struct c2c_line *) shown; /* the most contended first */
	struct frames frames;
	struct data_types *types; /* NULL without .types */
	uint64_t losses;	  /* moments at which records were lost */
	uint64_t no_cpu,
		no_node; /* samples without a CPU; of memory that no node is known to have */
	/* private */
	struct world *world;
	struct arena arena;
	struct c2c_fold fold;
	struct chain_words words;
};

/* "pid,iaddr": 0, or -1 with *err. */
int c2c_keys_parse(struct c2c_options *o, const char *text, struct err *err);
bool c2c_has_key(const struct c2c_options *o, enum c2c_key key);
/* 0, or -1 with *err; release in both cases. The world keeps the past. */
int c2c_read(struct c2c *c, const struct c2c_options *opts, struct recording *rec,
	     struct world *world, struct err *err);
void c2c_release(struct c2c *c);
/* Fills .shown and .shared; called by c2c_read. */
void c2c_order(struct c2c *c);
/* The count that display sorts by. */
enum c2c_stat c2c_display_stat(enum c2c_display display);

#endif
