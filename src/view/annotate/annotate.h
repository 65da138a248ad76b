/* SPDX-License-Identifier: MIT */
/* An annotated function as text, as perf annotate --stdio prints it; --stdio2 is in stdio2.h. */
#ifndef VIEW_ANNOTATE_H
#define VIEW_ANNOTATE_H

#include "analysis/annotate/annotate.h"
#include "view/out/out.h"

/* Which lines show offsets; each level adds lines to those of the level before. */
enum annotate_offsets { OFFSETS_JUMP_TARGETS, OFFSETS_CALLS, OFFSETS_ALL, OFFSETS_LEVELS };

/* How lines of --stdio2 and of the browser look. All zero: as usual. */
struct annotate_look {
	bool disassembler; /* instructions as the disassembler writes them, with their addresses */
	bool addresses;	   /* of all instructions, in place of offsets */
	bool line_numbers; /* before lines of source */
	bool places;	   /* file and line before lines of source */
	bool cycles_range; /* minimum and maximum beside the average of cycles */
	bool jump_counts;  /* the number of jumps to a line, before its offset */
	bool no_arrows;	   /* from jumps to where they lead, in the browser */
	enum annotate_offsets offsets;
};

struct annotate_view {
	enum percent_type percent_type;
	bool samples,
		period; /* the column has counts (-n), or sums of periods (--show-total-period) */
	bool full_paths, verbose;
	bool print_lines; /* -l */
	bool forced_group; /* the user made the group; it was not recorded as one */
	struct annotate_look look; /* to begin with */
	struct buf last_path; /* the path shown last behind an instruction: it is not repeated */
};

void annotate_view_release(struct annotate_view *v);
/* "local period" */
const char *percent_type_text(enum percent_type type);
/* The event's name, or its group's: "anon group { cycles, instructions }". */
void annotate_event_name(const struct annotate_view *v, const struct annotate *a, struct buf *out);
/* -l: shows the source lines with the largest shares. */
void annotate_show_summary(const struct annotate_view *v, const struct annotate *a,
			   const struct annotate_symbol *s, struct annotate_lines *l,
			   struct out *out);
/* --skid: how many samples were counted at the instruction before; nothing where none skidded. */
void annotate_show_skid(const struct annotate_lines *l, struct out *out);
/*
 * Shows the instructions of a function that have at least min_percent of an event, each with the
 * instruction before it, as perf top does. Shows at most `most` of them, and returns how many it
 * left out for that limit.
 */
unsigned int annotate_show_hot(struct annotate_view *v, const struct annotate *a,
			       const struct annotate_symbol *s, struct annotate_lines *l,
			       double min_percent, unsigned int most, struct out *out);
/* Shows one function. False when the reader has gone. */
bool annotate_show(struct annotate_view *v, const struct annotate *a,
		   const struct annotate_symbol *s, struct annotate_lines *l, struct out *out);

#endif
