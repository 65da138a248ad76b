/* SPDX-License-Identifier: MIT */
/* The hottest functions of an event with the part of their code that has samples, for the HTML
 * page. */
#ifndef ANALYSIS_ANNOTATE_EXCERPTS_H
#define ANALYSIS_ANNOTATE_EXCERPTS_H

#include "analysis/annotate/annotate.h"

/* An instruction, or a line of source. */
struct excerpt_line {
	const char *label; /* its address, its number; "" */
	const char *text;
	uint32_t millionths; /* of the periods of all samples */
};

struct excerpt {
	const char *name; /* of the function, for people; borrowed from its dso */
	const struct dso *dso;
	const char *file; /* the source that its first line of code belongs to; NULL: not known */
	VEC(struct excerpt_line) lines;
};

/* All zero is valid and empty. */
struct excerpts {
	struct arena arena;
	VEC(struct excerpt) functions; /* the hottest first */
};

/*
 * Of the functions with at least EXCERPT_PERCENT of the event's period, at most EXCERPTS_MOST,
 * those whose code is found: from EXCERPT_MARGIN lines before the first line with samples to as
 * many after the last one, at most EXCERPT_LINES.
 */
#define EXCERPTS_MOST	20
#define EXCERPT_PERCENT 0.5
#define EXCERPT_MARGIN	30
#define EXCERPT_LINES	2000
void excerpts_make(struct excerpts *x, const struct annotate *a, const struct disasm_options *how);
void excerpts_release(struct excerpts *x);

#endif
