/* SPDX-License-Identifier: MIT */
/* Contended cache lines as text, as `perf c2c report --stdio` prints them, in the layout of perf
 * 6.1. */
#ifndef VIEW_C2C_H
#define VIEW_C2C_H

#include "analysis/c2c/c2c.h"
#include "view/out/rows.h"
#include "view/report/callgraph.h"

struct c2c_view {
	const struct c2c *c2c;
	const struct event_set *events;
	const struct world *world;
	struct out *out;
	const char *display; /* "Total HITMs" */
	const char *keys;    /* "iaddr": sort keys as the user gave them */
	int node_info;	     /* 0: numbers, 1: shares, 2: CPUs */
	bool full_symbols, no_source;
	const struct calltree_params *tree; /* call chains below the accesses; NULL: none */
};

void c2c_show_stats(const struct c2c_view *v);	/* the first three tables */
void c2c_show_lines(const struct c2c_view *v);	/* the cache lines */
void c2c_show_places(const struct c2c_view *v); /* the accesses of each line, by code */

/* Lines and places as rows. */
void c2c_show_rows(const struct c2c_view *v, struct out *out, const struct rows_form *form);

/* -- for its parts -- */

void c2c_show_title(const struct c2c_view *v, const char *title);

struct c2c_row {
	const struct c2c_view *v;
	const struct c2c_line *line;
	const struct c2c_entry *entry; /* NULL: the row is of the whole line */
	size_t index;
	/* widths of these columns */
	unsigned int symbol, dso, source, task, type;
};

/* A column of a table. Several columns can share the text above their names. */
struct c2c_column {
	const char *above; /* or NULL; it spans this column and .span more */
	int span;	   /* further columns below .above */
	const char *name;
	unsigned int width; /* 0: that of the row's texts */
	void (*cell)(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
	enum c2c_stat stat; /* the count or mean in the cell */
	enum c2c_mean mean;
};

/* Cells. */
void c2c_cell_index(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_nothing(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_address(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_memory_nodes(const struct c2c_row *row, const struct c2c_column *col,
			   struct buf *out);
void c2c_cell_memory_count(const struct c2c_row *row, const struct c2c_column *col,
			   struct buf *out);
void c2c_cell_stat(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
/* Shares of the whole recording, and of an entry's line. */
void c2c_cell_share(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_share_of_line(const struct c2c_row *row, const struct c2c_column *col,
			    struct buf *out);
void c2c_cell_mean(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_offset(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_pid(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_task(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_code(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_cpus(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_symbol(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_dso(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_source(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_type(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);
void c2c_cell_nodes(const struct c2c_row *row, const struct c2c_column *col, struct buf *out);

/* Sets the widths to those of the longest texts of the line's entries. */
void c2c_row_measure(struct c2c_row *row);
unsigned int c2c_column_width(const struct c2c_row *row, const struct c2c_column *col);

#endif
