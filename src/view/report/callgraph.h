/* SPDX-License-Identifier: MIT */
/*
 * Call trees as text, as `report --stdio` shows them below a row, in the layout of perf 6.1.
 */
#ifndef VIEW_CALLGRAPH_H
#define VIEW_CALLGRAPH_H

#include "profile/table/calltree.h"
#include "view/out/out.h"

struct callgraph_view {
	const struct calltree_params *params;
	uint64_t total;	     /* 100 % in all modes but FRACTAL */
	uint64_t row_period; /* the row's own: with --children the accumulated one;
			      * the base of FRACTAL's first percentages */
	uint64_t min_hit;    /* GRAPH, FLAT, FOLDED: chains below it are left out */
	int left_margin;     /* blanks before the tree: lines it up with the comm column */
	bool skip_first;     /* the first frame repeats the row's symbol: -s starts with "sym" */
	const char *separator; /* of FOLDED: ";" or what -t says */
	/* Appends the text of a frame. */
	void (*frame_name)(void *ctx, uint32_t frame, struct buf *out);
	void *ctx;
};

void callgraph_show(const struct callgraph_view *v, const struct calltree_node *root,
		    struct out *out);
/* Appends a frame's function, or its address; with its line where chains are not told apart by
 * functions. */
void callgraph_frame_name(const struct frame *frame, enum calltree_key key, struct buf *out);

#endif
