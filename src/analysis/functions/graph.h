/* SPDX-License-Identifier: MIT */
/*
 * Parses the text of the tracer function_graph, line by line, for functions that returned and their
 * durations.
 *
 *   " 0)   1.234 us    |  vfs_read();"    a leaf
 *   " 0)               |  vfs_read() {"
 *   " 0) + 12.345 us   |  }"              behind it, with the option funcgraph-tail, the name as
 *                                         a comment of C
 *
 * Source: the kernel's Documentation/trace/ftrace.rst, function_graph.
 */
#ifndef ANALYSIS_FUNCTIONS_GRAPH_H
#define ANALYSIS_FUNCTIONS_GRAPH_H

#include "analysis/functions/buckets.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"

/* A function that returned, with its duration. */
struct graph_return {
	const char *name; /* NULL: the line has none */
	size_t name_n;
	uint64_t ns;
};
/* Parses a line of n bytes. False: no function returned in it. */
bool graph_line_parse(const char *line, size_t n, struct graph_return *out);

/* What functions took, each a row. */
struct graph_row {
	const char *name; /* once they are sorted */
	uint64_t calls, sum_ns, max_ns;
};
enum graph_order { GRAPH_TOTAL, GRAPH_AVG, GRAPH_MAX, GRAPH_COUNT, GRAPH_NAME };

struct graph_times {
	struct intern names;
	VEC(struct graph_row) rows; /* by id of the name */
	struct duration_buckets *buckets; /* where all durations are counted; NULL: nowhere */
	struct buf partial; /* a line whose end has not come */
};
void graph_times_release(struct graph_times *t);
/* Adds a piece of the text, which may begin and end within a line. */
void graph_times_add(struct graph_times *t, const char *text, size_t n);
/* Call once, after all text was added: names and sorts the rows. */
void graph_times_sort(struct graph_times *t, enum graph_order order);

#endif
