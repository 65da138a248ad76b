/* SPDX-License-Identifier: MIT */
/*
 * Where in its functions an event's samples lie: which instructions have how many, and which lines
 * of source.
 *
 *   annotate_init -> for each symbol: annotate_lines_init -> shown -> annotate_lines_release ->
 *   annotate_release
 *
 * The table must have been made with the keys of annotate_sort(), as a hierarchy.
 */
#ifndef ANALYSIS_ANNOTATE_H
#define ANALYSIS_ANNOTATE_H

#include "profile/table/table.h"
#include "symbol/disasm/disasm.h"

/* The keys for a table of these events: samples are told apart by whether they are exact where some
 * can be. */
const char *annotate_sort(const struct event_set *events);

struct annotate_weight {
	uint64_t samples, period;
};

/* What one place of a function has, of each event that is shown. */
struct annotate_place {
	uint64_t offset; /* from the beginning of the symbol */
	const struct annotate_weight *of; /* one an event */
	/* Of these, those whose address the processor itself told (MISC_EXACT_IP); one an event. Of
	 * others it is where the interrupt was taken: the instruction after the one that kept the
	 * processor waiting, mostly. */
	const struct annotate_weight *exact;
};

struct annotate_symbol {
	struct dso *dso;
	const struct symbol *sym;
	const char *name; /* for people */
	double percent;	  /* of the first event's period, of the first entry that led here */
	VEC(struct annotate_place) places; /* by offset, each once */
	struct annotate_weight *sums;	   /* one an event */
	uint64_t samples, exact;	   /* of all events; of these, exact ones */
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
	uint64_t moved, kept; /* --skid: samples of the first event that are not exact, and were
				 counted one instruction before; and where they were taken */
};

/* skid: samples that are not exact are counted at the instruction that ran before, where the flow
 * of control allows only one. */
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
/* Fills lines->paths, and sums up. Texts belong to the lines. */
void annotate_find_sources(struct annotate_lines *l, const struct annotate *a,
			   const struct annotate_symbol *s, enum percent_type type, bool full_paths,
			   struct annotate_sources *out);
void annotate_sources_release(struct annotate_sources *s);

#endif
