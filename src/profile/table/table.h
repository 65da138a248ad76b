/* SPDX-License-Identifier: MIT */
/*
 * A table: samples grouped by keys into sorted entries, each with the call chains of its samples.
 *
 *   table_new -> table_ask (adds what samples must keep) -> samples_new, samples_read
 *             -> samples_resolve -> table_make -> entries
 *
 * table_make() makes entries of cells, with --children one for every caller too, and sorts them. It
 * does not change the samples, so any number of tables, with other keys, filters and zooms, may be
 * made of one set. Made again, a table forgets its entries first: perf top makes one table anew at
 * each refresh.
 */
#ifndef PROFILE_TABLE_H
#define PROFILE_TABLE_H

#include "event/print/tp_text.h"
#include "profile/samples/samples.h"
#include "profile/table/key/key.h"
#include "profile/table/layout.h"

/*
 * Only samples inside of the zoom come into the table, as after a browser's "zoom into this
 * thread". (A filter lets samples outside of it count towards percentages; a zoom does so only when
 * it is .counted, and then not towards relative ones.)
 */
struct zoom {
	const struct thread *thread; /* NULL: all */
	const char *comm;	     /* the thread's at that time; NULL: all */
	/* Long or short name of the sampled address's dso; with .children and rows of functions or
	 * dsos it is the row's that counts, and other rows are filtered. NULL: all. */
	const char *dso;
	int socket;		     /* with by_socket */
	bool by_socket;
	bool by_time;
	bool counted; /* samples outside are in the sums of events, though in no entry */
	struct time_range times; /* with by_time: quantised as COL_TIME is */
};
/* Columns that samples must keep for any zoom that comes later. */
#define ZOOM_COLUMNS                                                                               \
	(COL_BIT(COL_THREAD) | COL_BIT(COL_COMM) | COL_BIT(COL_IP) | COL_BIT(COL_SPACE) |          \
	 COL_BIT(COL_CPU) | COL_BIT(COL_TIME))

struct table_options {
	struct layout_options layout;
	/* Marks entries as filtered by its threads, comms, dsos, symbols and socket. Its lists are
	 * borrowed. */
	struct filter filter;
	struct zoom zoom;
	bool chains;		/* entries have chains */
	bool own_chains;	/* samples of events without chains get one of their own frame */
	bool children;		/* an entry for every caller */
	bool caller_order;	/* chains begin with the outermost caller */
	bool hide_unresolved;	/* -U */
	bool exclude_other;	/* -x */
	bool hide_idle;		/* samples of the kernel's idle loops are left out */
	uint32_t hidden_modes;	/* 1 << cpumode: samples of it are left out */
	const char *parent;	/* pattern, or NULL: the default one */
	const char *ignore_callees; /* pattern, or NULL */
	bool relative;		/* percentages are of the sum of entries that are not filtered */
	bool group;		/* --group */
	int group_sort_index;	/* -1: by the leader, then the members */
	bool leader_order;	/* by the leader alone, instead */
	bool nanoseconds;
	bool verbose;
	bool separated;		/* -t: columns don't keep room for unresolved names */
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

/* How far the table can be trusted; counted by samples. */
struct table_losses {
	uint64_t frames[NAMELESS_KINDS]; /* by enum nameless */
	/* call chains: walked by frame pointers; those of them without a caller; cut by
	 * max_stack */
	uint64_t chains_seen, chains_bare, chains_cut;
};

struct table {
	struct table_options opts;
	struct layout layout;
	const struct samples *samples;	/* the samples that it was made of; NULL: not made yet */
	const struct chain_set *chains; /* the chains that hits refer to */
	struct table_losses losses;
	VEC(struct entry *) all; /* in order of first sight */
	VEC(struct chain_group) groups; /* that hits of entries refer to */
	VEC(struct event_entries) events; /* by index of the event */
	/* private */
	struct chain_set own_chains; /* chains that options changed */
	struct arena arena;
	struct arena entries;
	struct intern texts; /* the values of text keys are ids in this */
	struct tp_text *tp_text; /* made when a key needs it */
	struct data_types *data_types; /* likewise */
};

/* The options' texts and lists are borrowed. NULL with *err: a key is unknown. */
struct table *table_new(const struct table_options *opts, struct err *err);
void table_free(struct table *t);
DEFINE_AUTO(table, table_free)
/* Adds what samples must keep for this table. */
void table_ask(const struct table *t, struct samples_options *wanted);
/* Makes, links and sorts the entries of samples that are resolved. -1 with *err, and no entries:
 * the samples don't keep what table_ask() asks for. */
int table_make(struct table *t, const struct samples *s, struct err *err);

/* The levels of an event's hierarchy, in order: layout fields with one level stand in one row.
 * Returns their number. */
uint8_t table_levels(const struct table *t, const struct event *ev, uint8_t levels[UINT8_MAX]);
/* The total of the event: percentages of its entries are of this. */
uint64_t table_total(const struct table *t, const struct event_entries *e, enum sum sum);
/* An entry's sum for one of the columns; the average of a weight in tenths. */
uint64_t entry_sum(const struct entry *e, enum sum sum);
static inline const struct frame *table_frame(const struct table *t, uint32_t id)
{
	return frames_at(&t->samples->frames, id);
}
/* The frame of an entry whose samples are of one function (symbol), or of one dso; NULL when the
 * table's keys mix frames of several. */
static inline const struct frame *table_entry_frame(const struct table *t, const struct entry *e,
						    bool symbol)
{
	const unsigned int tell = KEY_SYMBOL | KEY_LINES | (symbol ? 0 : KEY_DSO);

	if (e->first.frame == HASH_NONE || !(t->layout.flags & tell))
		return NULL;
	return table_frame(t, e->first.frame);
}
/* Frames of the branch and of the data address of the entry's first sample, where samples keep
 * them.
 */
static inline const struct frame *table_first_from(const struct table *t, const struct entry *e)
{
	return table_frame(t, t->samples->ids.from[e->first.cell]);
}
static inline const struct frame *table_first_to(const struct table *t, const struct entry *e)
{
	return table_frame(t, t->samples->ids.to[e->first.cell]);
}
static inline const struct frame *table_first_data(const struct table *t, const struct entry *e)
{
	return table_frame(t, t->samples->ids.data[e->first.cell]);
}
/* The cell whose sample was the first of the entry. */
static inline const struct cell *table_first(const struct table *t, const struct entry *e)
{
	return cells_at(&t->samples->cells, e->first.cell);
}
/* Sorts by the values of keys only. */
void table_sort_by_keys(const struct table *t, struct entry **entries, size_t n);

#endif
