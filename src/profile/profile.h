/* SPDX-License-Identifier: MIT */
/*
 * A profile: the samples of a recording, folded into the entries that its keys tell apart.
 *
 *   profile_new -> profile_sample (any number) -> profile_fold -> entries
 *
 * profile_fold resolves unique addresses and chains, makes entries of cells, with --children one
 * for every caller too, and sorts them. What is shown is then read only.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "event/print/tp_text.h"
#include "profile/samples/chain_words.h"
#include "world/filter.h"
#include "profile/table/layout.h"

#define DATA_SRC_NONE 0x5080021ull /* "not available" of all but the number of a level */

struct profile_options {
	struct layout_options layout;
	struct filter filter;
	enum profile_mode mode;
	bool blocks;		/* cycles of basic blocks are gathered (branch mode) */
	bool chains;		/* entries have chains */
	bool inlines;		/* ... which hold the functions that were inlined */
	bool lines;		/* ... and source lines */
	bool full_paths;	/* of source files */
	bool own_chains;	/* samples of events without chains have one, of their own frame */
	bool children;		/* an entry for every caller */
	bool caller_order;	/* chains begin with the outermost caller */
	uint32_t max_stack;
	bool hide_unresolved;	/* -U */
	bool exclude_other;	/* -x */
	const char *parent;	/* pattern, or NULL: the default one */
	const char *ignore_callees; /* pattern, or NULL */
	bool relative;		/* percentages are of what is not filtered */
	bool group;		/* --group */
	int group_sort_index;	/* -1: by the leader, then the members */
	uint64_t time_quantum;	/* ns; 0: none */
	bool nanoseconds;
	bool verbose;
	bool separated;		/* -t: columns don't keep room for unresolved names */
	bool no_times;		/* samples have no time: the file's order is theirs */
};

/* All entries of one event. */
struct event_entries {
	const struct event *event;
	VEC(struct entry *) entries; /* sorted as shown; filtered ones too */
	uint64_t samples, shown_samples; /* all, and not filtered */
	uint64_t period, shown_period;
	uint64_t latency, shown_latency;
	VEC(struct entry *) roots; /* -H: the entries of the first level */
};

struct profile {
	struct profile_options opts;
	const struct measurement *m;
	const struct recording *rec; /* whose bytes cells may point into; NULL: no recording */
	struct world *world;
	struct layout layout;
	struct frames frames;
	struct cells cells;
	struct arena arena;
	struct arena entries;
	struct arena values; /* of entries */
	struct intern texts; /* what text keys' values index */
	uint32_t parallelism; /* how many threads run now, while reading in order */
	struct chain_words words;
	struct tp_text *tp_text; /* made when a key asks for it */
	VEC(struct entry *) all; /* in order of first sight */
	VEC(struct chain_group) groups; /* what hits of entries are of */
	VEC(struct event_entries) events; /* one an event of the recording */
	uint64_t frames_seen[NAMELESS_KINDS]; /* by whether they have a name; weighted by samples */
	/* of the samples' call chains: by frame pointers, those of them that show no caller, cut by max_stack */
	uint64_t chains_seen, chains_bare, chains_cut;
};

struct profile *profile_new(const struct measurement *m, struct world *world,
			    const struct profile_options *opts, struct err *err);
void profile_free(struct profile *p);
DEFINE_AUTO(profile, profile_free)

/* Takes one sample, whose thread the world must know. */
void profile_sample(struct profile *p, const struct record *r);
/* All samples have come: makes, links and sorts the entries. */
void profile_fold(struct profile *p);
/* The levels of an event's hierarchy, in order: layout fields with one level stand in one row. Their
 * count. */
uint8_t profile_levels(const struct profile *p, const struct event *ev, uint8_t levels[UINT8_MAX]);
/* The sum that percentages of this event's entries are of. */
uint64_t profile_total(const struct profile *p, const struct event_entries *e, enum sum sum);
/* Does anything depend on how many threads ran? Then samples must be read in order. */
bool profile_needs_parallelism(const struct profile *p);
/* An entry's sum for one of the columns. */
uint64_t entry_sum(const struct entry *e, enum sum sum);
/* Looks up source lines and inlined functions of all addresses that cells speak of, where those are
 * wanted: at once, on all CPUs. */
void profile_find_lines(struct profile *p);
/* Made ready for profile_trace_text and the keys of fields, where one is used. */
void profile_trace_begin(struct profile *p);
/* The text id of a tracepoint sample as the trace key shows it, in p->texts; HASH_NONE: not one. */
uint64_t profile_trace_text(struct profile *p, const struct taken *t);

#endif
