/* SPDX-License-Identifier: MIT */
/* One of the compared recordings, from its file to its table. */
#ifndef CMD_DIFF_SIDE_H
#define CMD_DIFF_SIDE_H

#include "analysis/streams/streams.h"
#include "cmd/diff/diff_opts.h"
#include "cmd/options/opts_debuginfod.h"

struct diff_side {
	struct recording *rec;
	struct world *world;
	struct samples *samples;
	struct table *table;
	struct streams *streams; /* --stream: instead of samples and a table */
	struct filter filter;
	struct symbol_options symbols;
	struct debug_files fetched;
	struct buf sort;       /* sort keys */
	const char *elided[4]; /* filter_elided() */
};

/* Reads the recording at path, with this index among the compared ones, and makes its table or its
 * streams. With -D prints all records first. The side must be all zero. 0, or -1 with *err. The
 * caller releases the side in both cases. */
int diff_side_read(struct diff_side *s, const struct diff_opts *o, const char *path, size_t index,
		   struct env *env, struct err *err);
/* A table of the side's sampled instructions, still to be made; NULL with *err. */
struct table *diff_side_code_table(const struct diff_side *s, struct err *err);
/* Frees n sides and the array itself. */
void diff_sides_release(struct diff_side *sides, size_t n);

#endif
