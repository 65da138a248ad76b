// SPDX-License-Identifier: MIT
#include "view/lock/lock.h"
#include "view/out/rows.h"

#include <stdio.h>

#define COLUMNS_MOST (LOCKS_VALUES + 3)

/* Column names of what a row stands for, behind its values. */
static size_t lock_rows_add_keys(const struct locks_view *v, const struct locks *l,
				 const char **columns)
{
	static const char *const keys[][3] = {[LOCKS_BY_CALLER] = {"type", "caller"},
					      [LOCKS_BY_TASK] = {"tid", "comm"},
					      [LOCKS_BY_ADDRESS] = {"address", "symbol", "type"},
					      [LOCKS_BY_CGROUP] = {"cgroup"}};
	size_t n = 0;

	/* the events of `lock report` tell a lock's name and no type */
	for (; n < (v->contention ? 3 : 2) && keys[l->opts->by][n]; n++)
		columns[n] = keys[l->opts->by][n];
	return n;
}

static void lock_rows_key(struct locks_view *v, const struct locks *l, struct rows *r,
			  const struct locks_row *row)
{
	char address[24];

	switch (l->opts->by) {
	case LOCKS_BY_TASK:
		if ((int)row->key == -1)
			rows_text(r, NULL);
		else
			rows_number(r, row->key);
		rows_text(r, (int)row->key == -1 ? NULL : locks_key_name(v, row->key));
		return;
	case LOCKS_BY_ADDRESS:
		snprintf(address, sizeof(address), "%#llx", (unsigned long long)row->address);
		rows_text(r, address);
		rows_text(r, locks_name(l, row));
		if (v->contention)
			rows_text(r, lock_type_name(row->flags));
		return;
	case LOCKS_BY_CGROUP:
		rows_text(r, locks_key_name(v, row->key));
		return;
	case LOCKS_BY_CALLER:
	default:
		rows_text(r, lock_type_name(row->flags));
		rows_text(r, locks_name(l, row));
	}
}

void locks_show_rows(struct locks_view *v, const struct locks *l, struct out *out,
		     const struct rows_form *form)
{
	static const char *const values[LOCKS_VALUES] = {
		[LOCKS_ACQUIRED] = "acquired",	  [LOCKS_CONTENDED] = "contended",
		[LOCKS_AVG_WAIT] = "avg_wait_ns", [LOCKS_WAIT_TOTAL] = "wait_total_ns",
		[LOCKS_WAIT_MAX] = "wait_max_ns", [LOCKS_WAIT_MIN] = "wait_min_ns"};
	const char *columns[COLUMNS_MOST];
	uint64_t shown = 0;
	struct rows r;
	size_t n = 0;

	for (; n < v->fields.n; n++)
		columns[n] = values[v->fields.at[n]];
	n += lock_rows_add_keys(v, l, columns + n);
	rows_begin(&r, out, form);
	rows_table(&r, "locks", columns, n);
	for (size_t i = 0; i < l->order.n && shown < v->entries; i++) {
		const struct locks_row *row = &l->rows.at[l->order.at[i]];

		if (!locks_shows_row(v, row))
			continue;
		for (size_t k = 0; k < v->fields.n; k++)
			rows_number(&r, locks_value(row, v->fields.at[k]));
		lock_rows_key(v, l, &r, row);
		shown++;
	}
	rows_end(&r);
}
