/* SPDX-License-Identifier: MIT */
/* Shared by the files that write the Firefox Profiler's format. Not for other files. */
#ifndef VIEW_EXPORT_FIREFOX_PRIVATE_H
#define VIEW_EXPORT_FIREFOX_PRIVATE_H

#include "view/export/export.h"
#include "view/out/json.h"

/* The category of markers that are no code, behind those of enum stack_kind. */
#define CATEGORY_OTHER STACK_KINDS

/* A thread's own numbers for global ids, in the order of first use. */
struct own_ids {
	uint32_t *own; /* global id -> own number; HASH_NONE: not used yet */
	VEC(uint32_t) used;
};

/* A marker; index is that of its event, run or wait. */
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
	uint32_t *depths;	    /* of frames that are inlined, by frame */
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

/* firefox_markers.c: collects all markers in order; writes those of a thread; writes the schemas of
 * their data. */
void firefox_gather_markers(struct firefox *f);
void firefox_put_markers(struct firefox *f, uint32_t tid);
void firefox_put_schemas(struct json *j);
/* A thread that has markers and no samples, as one of its markers tells of it: its name is "task"
 * and its process itself where they are not known. */
struct stack_thread firefox_marker_thread(const struct firefox *f, const struct marker *k);

#endif
