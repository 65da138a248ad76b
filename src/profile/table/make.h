/* SPDX-License-Identifier: MIT */
/* The steps of table_make(): entries of cells, callers, groups, hierarchy, order. */
#ifndef PROFILE_TABLE_MAKE_H
#define PROFILE_TABLE_MAKE_H

#include "profile/table/table.h"

#include <regex.h>

#define CONTEXTS_FIRST 16

/*
 * The entries of callers, plus one, by context and frame; 0: none yet. The first contexts have an
 * array by frame; most reports have no others.
 */
struct callers {
	uint32_t *first[CONTEXTS_FIRST];
	uint32_t room[CONTEXTS_FIRST];
	struct idmap others; /* context << 32 | frame */
};

/* State that lasts only while a table is made. */
struct table_maker {
	struct table *table;
	const struct samples *samples;
	struct id_slots entries; /* index in table->all, by {event, values...} */
	struct id_slots groups; /* index in table->groups, by entry and chain */
	struct intern contexts; /* {event, values that no frame changes...} */
	struct callers callers;
	uint32_t *own_chains;  /* chain of the samples -> chain in table->own_chains; NULL: the
				* table uses the samples' chains */
	VEC(uint32_t) seen_by; /* per entry: the last group that reached it, plus one */
	struct chain_room room;
	struct chain chain; /* the chain of the cell, read into .room; n 0: none */
	uint64_t *tuple;
	struct weights *outside; /* by event: samples that a counted zoom excludes */
	regex_t parent, ignore;
	bool has_parent, has_ignore;
};

/* Frees the table's entries and forgets its samples. */
void table_clear(struct table *table);
bool table_can_be_made(const struct table *table, const struct samples *s);

/* The entry of these values, added if new; its index in table->all. An existing entry keeps its
 * first sample. */
uint32_t table_entry_of(struct table_maker *m, const struct taken *t, uint32_t filtered);
/* Adds samples of an entry with a chain (m->chain) to their group, and to the entries of
 * callers. */
void table_add_chain(struct table_maker *m, const struct taken *t, uint32_t entry, uint32_t chain,
		     const struct weights *w, uint32_t filtered);
/* Adds the periods of callees to the totals of entries. */
void table_sum_callees(struct table *table);
void callers_release(struct callers *c);

/* Why filters exclude a sample: FILTERED_*; 0: they do not. */
uint32_t table_filtered(const struct table *table, const struct taken *t);
/* True for a sample outside of the zoom. */
bool table_zoomed_out(const struct table *table, const struct taken *t);
/* The filters that the reference applies to finished entries. */
void table_filter_entries(struct table *table);

/* Counts the chain, m->chain, and frames of samples in table->losses. */
void table_count_losses(struct table_maker *m, const struct taken *t, uint64_t samples);

/* --group: links the entries of a group's members with those of the leader. */
void table_link_groups(struct table *table);
/* Sorts entries[0..n) as they are shown; equal ones by the values of their keys. */
void table_sort(const struct table *table, const struct event *ev, struct entry **entries,
		size_t n);
/* -H: fills ev->roots and the levels below them. */
void table_make_hierarchy(struct table *table, struct event_entries *ev);
/* Makes the table ready for table_trace_text and the keys of fields, where one is used. */
void table_trace_begin(struct table *table);

#endif
