/* SPDX-License-Identifier: MIT */
/*
 * Calls, events and sums for programs: each line has separated fields, or a JSON object.
 * doc/tracing.md describes the columns and members, which stay stable.
 */
#ifndef VIEW_TRACE_CALL_ROWS_H
#define VIEW_TRACE_CALL_ROWS_H

#include "analysis/calls/pair.h"
#include "analysis/calls/sums.h"
#include "view/trace/call_sums.h"
#include "view/trace/call_text.h"

enum call_rows_form { CALL_ROWS_NONE, CALL_ROWS_CSV, CALL_ROWS_JSON };

struct call_rows {
	enum call_rows_form form;
	const char *separator; /* of CALL_ROWS_CSV, not empty */
};

/* Appends the column names of calls, or of sums; nothing for JSON. */
void call_rows_head(const struct call_rows *rows, bool sums, struct buf *out);
void call_row_show(const struct call_rows *rows, const struct call_style *style,
		   const struct call *c, struct buf *out);
/* The sums must be sorted. */
void call_rows_sums_show(const struct call_rows *rows, const struct call_sums *s,
			 const struct call_sums_style *style, struct buf *out);

/* An event between the calls, added field by field: text is the value of a named field; without a
 * name it is the whole text of the event. */
struct event_row {
	const struct call_rows *rows;
	struct buf *out;
	struct buf args; /* of CSV, until the end */
	bool some;	 /* of JSON: a member of "args" was written */
	const char *comm, *name;
	uint64_t time;
	uint32_t pid, tid, cpu;
};
void event_row_begin(struct event_row *e);
void event_row_field(struct event_row *e, const char *name, const char *text);
void event_row_end(struct event_row *e);

#endif
