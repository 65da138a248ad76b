/* SPDX-License-Identifier: MIT */
/*
 * Writes a new SQLite database whose rows come in the order of their ids: pages are filled one
 * after the other, and nothing is read or moved. Source: https://www.sqlite.org/fileformat2.html.
 */
#ifndef VIEW_CONVERT_SQLITE_FILE_H
#define VIEW_CONVERT_SQLITE_FILE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/* A column's value: a text that ends with NUL, or a number. */
struct sqlite_value {
	const char *text;
	int64_t number;
};

/* A leaf page, or a page over others: its number in the file, and the last row beneath it. */
struct sqlite_page {
	uint32_t number;
	int64_t last;
};

/* A table, or a view: that has no pages. */
struct sqlite_table {
	const char *name, *sql;
	uint8_t *page;	      /* the leaf that is filled now; NULL: a view */
	uint32_t cells, free; /* its cells, and the offset of the last of them in the page */
	int64_t last;	      /* id of the last row */
	VEC(struct sqlite_page) pages; /* leaves that are full */
};

/* All zero but .fd is valid. */
struct sqlite_file {
	int fd;		       /* an empty regular file, open for writing; not closed here */
	int failed;	       /* errno of the first failed write; nothing is written after it */
	uint32_t pages;	       /* pages of the file; the first one is written last */
	uint64_t written;      /* bytes of the file */
	struct buf out;	       /* pages to be written at .written */
	struct buf head, body; /* of the row that is made now */
	VEC(struct sqlite_table) tables;
};

/* Add a table, or a view, by the statement that makes it; the texts are borrowed. All statements
 * must fit into one page (8 KiB). The first column of a table must be declared "integer NOT NULL
 * PRIMARY KEY": it is the row's id. The first returns the table's index. */
size_t sqlite_file_add_table(struct sqlite_file *f, const char *name, const char *sql);
void sqlite_file_add_view(struct sqlite_file *f, const char *name, const char *sql);
/* Adds a row; its id, the first of n values, must be larger than that of the row before. */
void sqlite_file_add(struct sqlite_file *f, size_t table, const struct sqlite_value *values,
		     size_t n);
/* Writes what remains. 0, or -1 with *err, which names the path: a write failed, or there are too
 * many pages or statements. */
int sqlite_file_end(struct sqlite_file *f, const char *path, struct err *err);
void sqlite_file_release(struct sqlite_file *f);

#endif
