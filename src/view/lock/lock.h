/* SPDX-License-Identifier: MIT */
/* The output of `perf lock`: rows of locks as text or CSV. */
#ifndef VIEW_LOCK_LOCK_H
#define VIEW_LOCK_LOCK_H

#include "analysis/lock/locks.h"
#include "view/out/rows.h"

struct locks_view {
	struct out *out;
	struct world *world;
	VEC(enum locks_value) fields; /* in order */
	uint32_t entries;	      /* rows at most */
	bool quiet, verbose;
	const char *separator;	  /* of CSV; or NULL */
	bool contention; /* the columns of `lock contention`, else those of `lock report` */
	/* Returns the comm of a row by task, or the path of a row by cgroup. NULL: look them up in
	 * the world. */
	const char *(*name)(void *ctx, uint64_t key);
	void *ctx;
	/* When the kernel made the sums: waits that it could not count, by reason. NULL: the sums
	 * are from events. */
	const uint64_t *failures;
};
enum { LOCKS_FAILURES = 4 }; /* task, stack, time, data */

/* Parses "contended,wait_max" into .fields. 0, or -1 with *err. first: the first value that is
 * allowed. The sort value always gets a column. */
int locks_fields_parse(struct locks_view *v, const char *text, enum locks_value first,
		       enum locks_value sort, struct err *err);
int locks_value_parse(enum locks_value *value, const char *text, enum locks_value first,
		      struct err *err);
void locks_show(struct locks_view *v, const struct locks *l);
/* The same for programs and web browsers. */
void locks_show_rows(struct locks_view *v, const struct locks *l, struct out *out,
		     const struct rows_form *form);
/* The comm of a row by task, or the path of a row by cgroup. */
const char *locks_key_name(struct locks_view *v, uint64_t key);
/* True for a row with events of the kind that is shown; also with waits that have not ended. */
static inline bool locks_shows_row(const struct locks_view *v, const struct locks_row *row)
{
	return row->value[v->contention ? LOCKS_CONTENDED : LOCKS_ACQUIRED];
}
/* A value as it is shown: 0 for the shortest wait where there was none. */
uint64_t locks_value(const struct locks_row *row, enum locks_value value);
void locks_show_threads(struct locks_view *v, const struct locks *l);
void locks_show_map(struct locks_view *v, const struct locks *l);

#endif
