/* SPDX-License-Identifier: MIT */
/* What the files of the Firefox Profiler's format share. Not for others. */
#ifndef VIEW_EXPORT_FIREFOX_PRIVATE_H
#define VIEW_EXPORT_FIREFOX_PRIVATE_H

#include "view/export/export.h"
#include "view/json.h"

/* The category of what is no code, behind those of enum stack_kind. */
#define CATEGORY_OTHER STACK_KINDS

/* Numbers of a thread's own for those of all threads, in the order of first use. */
struct own_ids {
	uint32_t *own; /* HASH_NONE: not used yet */
	VEC(uint32_t) used;
};

/* A marker: which, and of what. */
struct marker {
	uint64_t time;
	uint32_t tid, index;
	enum { MARKER_EVENT, MARKER_RUN, MARKER_WAIT } kind;
};

struct firefox {
	const struct export_input *in;
	const struct stacks *s;
	struct json json;
	struct out *out;
	uint64_t first; /* ns; the profile's time 0 */
	struct intern strings;
	struct own_ids nodes, frames, functions;
	VEC(struct marker) markers; /* by tid, then by time */
	struct idmap shown;	    /* tids whose markers are written */
	size_t events_shown;	    /* events that have samples */
	bool losses_shown;
};

uint64_t firefox_text(struct firefox *f, const char *text);
void firefox_column_begin(struct firefox *f, const char *name);
void firefox_column_end(struct firefox *f);
void firefox_table_begin(struct firefox *f, const char *name);
void firefox_table_end(struct firefox *f, size_t length);
void firefox_put_time(struct firefox *f, uint64_t time);

/* firefox_markers.c: all markers, in order; those of a thread; what their data means. */
void firefox_gather_markers(struct firefox *f);
void firefox_put_markers(struct firefox *f, uint32_t tid);
void firefox_put_schemas(struct json *j);
/* The process of a thread that has markers and no samples, by one of them; 0: not known. */
uint32_t firefox_marker_pid(const struct firefox *f, const struct marker *k);

#endif
