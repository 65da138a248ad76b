/* SPDX-License-Identifier: MIT */
/*
 * Where in its functions an event's samples lie: which instructions have how many, and which lines
 * of source.
 *
 *   annotate_init -> for each symbol: annotate_lines_init -> shown -> annotate_lines_release ->
 * annotate_release
 *
 * The table must have been made with the keys of ANNOTATE_SORT, as a hierarchy.
 */
#ifndef ANALYSIS_ANNOTATE_H
#define ANALYSIS_ANNOTATE_H

#include "profile/table/table.h"
#include "symbol/disasm/disasm.h"

#define ANNOTATE_SORT "{dso,symbol},addr"

struct annotate_weight {
	uint64_t samples, period;
};

/* What one place of a function has, of each event that is shown. */
struct annotate_place {
	uint64_t offset; /* from the beginning of the symbol */
	const struct annotate_weight *of; /* one an event */
};

struct annotate_symbol {
	struct dso *dso;
	const struct symbol *sym;
	const char *name; /* for people */
	double percent;	  /* of the first event's period, of the first entry that led here */
	VEC(struct annotate_place) places; /* by offset, each once */
	struct annotate_weight *sums;	   /* one an event */
};

/* All symbols in which samples of one event lie, or with --group of one group of events. */
struct annotate {
	struct arena arena;
	const struct table *table;
	const struct event *event; /* the leader of the group */
	uint32_t n_events;
	struct annotate_weight *totals; /* one an event: of all samples that are shown */
	VEC(struct annotate_symbol) symbols; /* in the order of a report by dso and symbol */
};

void annotate_init(struct annotate *a, const struct table *table, const struct event_entries *ev);
void annotate_release(struct annotate *a);

/* What percentages are of (--percent-type). */
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
};

void annotate_lines_init(struct annotate_lines *l, const struct annotate *a,
			 const struct annotate_symbol *s, const struct disasm *d);
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
/* Fills lines->paths, and sums up. Texts belong to the lines. */
void annotate_find_sources(struct annotate_lines *l, const struct annotate *a,
			   const struct annotate_symbol *s, enum percent_type type, bool full_paths,
			   struct annotate_sources *out);
void annotate_sources_release(struct annotate_sources *s);

#endif
