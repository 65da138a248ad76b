/* SPDX-License-Identifier: MIT */
/*
 * Assigns an event's samples to the instructions and source lines of its functions.
 *
 *   annotate_init -> for each symbol: annotate_lines_init -> shown -> annotate_lines_release ->
 *   annotate_release
 *
 * The table must have been made with the keys of annotate_sort(), as a hierarchy.
 */
#ifndef ANALYSIS_ANNOTATE_H
#define ANALYSIS_ANNOTATE_H

#include "analysis/annotate/annotate_branches.h"
#include "profile/table/table.h"
#include "symbol/disasm/disasm.h"

/* The keys for a table of these events: with a key that tells exact samples from others where an
 * event can have exact ones. */
const char *annotate_sort(const struct event_set *events);
/* A table, still to be made, with these keys. filter and zoom are copied, and may be NULL; what
 * they point to must outlive the table. NULL with *err. */
struct table *annotate_table_new(const struct event_set *events, const struct filter *filter,
				 const struct zoom *zoom, enum sample_mode mode, struct err *err);

struct annotate_weight {
	uint64_t samples, period;
};

/* The weights of one place of a function, for each event that is shown. */
struct annotate_place {
	uint64_t offset; /* from the beginning of the symbol */
	const struct annotate_weight *of; /* one an event */
	/* The part of .of whose address the processor itself recorded (MISC_EXACT_IP); one an
	 * event. The address of other samples is where the interrupt was taken: mostly the
	 * instruction after the one that the processor waited for. */
	const struct annotate_weight *exact;
};

struct annotate_symbol {
	struct dso *dso;
	const struct symbol *sym;
	const char *name; /* for people */
	double percent;	  /* of the first event's period, of the first entry that led here */
	VEC(struct annotate_place) places; /* by offset, each once */
	struct annotate_weight *sums;	   /* one an event */
	uint64_t samples, exact;	   /* of all events; .exact: those that are exact */
};

/* All symbols in which samples of one event lie, or with --group of one group of events. */
struct annotate {
	struct arena arena;
	const struct table *table;
	const struct event *event; /* the leader of the group */
	uint32_t n_events;
	struct annotate_weight *totals; /* one an event: of all samples that are shown */
	VEC(struct annotate_symbol) symbols; /* in the order of a report by dso and symbol */
	struct branch_code branches;	     /* of all events, where samples keep .blocks */
};

void annotate_init(struct annotate *a, const struct table *table, const struct event_entries *ev);
void annotate_release(struct annotate *a);

/* The base of percentages (--percent-type). */
enum percent_type {
	PERCENT_LOCAL_PERIOD,
	PERCENT_GLOBAL_PERIOD,
	PERCENT_LOCAL_HITS,
	PERCENT_GLOBAL_HITS
};
double annotate_percent(const struct annotate *a, const struct annotate_symbol *s,
			enum percent_type type, const struct annotate_weight *w, uint32_t event);

/* The lines of a disassembly with their weights. */
struct annotate_lines {
	struct arena arena;
	const struct disasm *disasm;
	struct annotate_weight *
		*of;	    /* one a line: one an event; NULL for lines that are no instruction */
	const char **paths; /* with annotate_find_sources: "hot.c:12" of an instruction with many
			       samples; else NULL */
	struct line_branches branches;
	uint64_t moved, kept; /* --skid: inexact samples of the first event that were moved one
			       * instruction back, and that were left where they were taken */
};

/* skid: inexact samples are counted at the instruction that ran before, where the control flow
 * allows only one. */
void annotate_lines_init(struct annotate_lines *l, const struct annotate *a,
			 const struct annotate_symbol *s, const struct disasm *d, bool skid);
void annotate_lines_release(struct annotate_lines *l);

/* One line of source and the sum of the shares of its instructions that have more than
 * ANNOTATE_NOTABLE percent. */
#define ANNOTATE_NOTABLE 0.5
struct annotate_source {
	const char *path; /* "hot.c:12" */
	double *percents; /* one an event */
};
struct annotate_sources {
	VEC(struct annotate_source) at; /* the largest share first */
};
/* Fills lines->paths, and sums the shares of source lines. The lines own the texts. */
void annotate_find_sources(struct annotate_lines *l, const struct annotate *a,
			   const struct annotate_symbol *s, enum percent_type type, bool full_paths,
			   struct annotate_sources *out);
void annotate_sources_release(struct annotate_sources *s);

#endif
