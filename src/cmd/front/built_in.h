/* SPDX-License-Identifier: MIT */
/*
 * The features that this perf was built with, under the names that scripts ask for. A library's
 * name is on when the feature that perf uses it for works: with that library, with code of our own
 * (unwinding, build-ids of jitdump), or with a library that is loaded on demand.
 */
#ifndef CMD_BUILT_IN_H
#define CMD_BUILT_IN_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

struct built_in {
	const char *name, *macro;
	enum { BUILT_OFF, BUILT_ON, BUILT_LOADED } state;
	bool listed; /* shown by perf version --build-options */
};

extern const struct built_in built_in_rows[];
extern const size_t built_in_count;

/* Finds a feature by its name or macro, in any case. NULL: unknown. */
const struct built_in *built_in_find(const char *name);
bool built_in_is_on(const struct built_in *b);
/* Appends one line: the name, on or off, the macro. */
void built_in_show(const struct built_in *b, struct buf *out);

#endif
