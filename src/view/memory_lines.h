/* SPDX-License-Identifier: MIT */
/* Samples of memory accesses, one a line: `perf mem report -D`. */
#ifndef VIEW_MEMORY_LINES_H
#define VIEW_MEMORY_LINES_H

#include "data/record/record.h"
#include "view/out/out.h"
#include "world/world.h"

struct memory_lines {
	struct out *out;
	const char *separator;	  /* NULL: a blank */
	bool physical, page_size; /* show these columns */
	bool hide_unresolved;	  /* leave out samples whose code has no symbol */
};

void memory_lines_header(const struct memory_lines *l);
/* Shows one sample; place: where its code address lies. Loads that dso's symbols. False when the
 * reader has gone. */
bool memory_line_show(const struct memory_lines *l, const struct sample *s,
		      const struct place *place);

#endif
