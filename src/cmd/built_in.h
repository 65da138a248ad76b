/* SPDX-License-Identifier: MIT */
/*
 * What this perf was built with, under the names that scripts ask for. A library's name is on when
 * what perf is known to use it for works: by that library, by code of our own (unwinding, jitdump's
 * build-ids), or by one that is loaded when it is asked for.
 */
#ifndef CMD_BUILT_IN_H
#define CMD_BUILT_IN_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

struct built_in {
	const char *name, *macro;
	enum { BUILT_OFF, BUILT_ON, BUILT_LOADED } state;
	bool listed; /* perf version --build-options has it */
};

extern const struct built_in built_in_rows[];
extern const size_t built_in_count;

/* By name or macro, in any case; NULL: there is no such feature. */
const struct built_in *built_in_find(const char *name);
bool built_in_is_on(const struct built_in *b);
/* One line: the name, whether it is on, the macro. */
void built_in_show(const struct built_in *b, struct buf *out);

#endif
