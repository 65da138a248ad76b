/* SPDX-License-Identifier: MIT */
/* The places that a spec means, one by one. */
#ifndef PROBE_DWARF_POINTS_H
#define PROBE_DWARF_POINTS_H

#include "probe/dwarf/location.h"
#include "probe/finder.h"

struct points;
/* scope: the function, real or inlined, whose variables can be seen there. 0, or -1 to stop. */
typedef int (*point_fn)(struct points *p, struct probe_frame *frame, Dwarf_Die *scope, void *ctx);

struct points {
	struct probe_debug *debug;
	const struct probe_spec *spec;
	const struct probe_wishes *wishes;
	struct arena *arena;
	struct buf *notes;
	struct err *err;
	point_fn fn;
	void *ctx;
	/* while it looks */
	Dwarf_Die unit;
	const char *file;    /* that lines are looked for in */
	int line;	     /* of that file */
	VEC(uint64_t) found; /* addresses */
	/* the first place of the line that begins where another line does, which names it better */
	struct point_shared {
		bool known;
		Dwarf_Die unit;
		Dwarf_Addr address;
		const char *file;
		int line; /* the other one */
	} shared;
	bool answers; /* the unit has the function, or the file */
	bool failed;
};

/* Calls fn for each place. 0, or -1 when it was stopped. */
int points_find(struct points *p);

#endif
