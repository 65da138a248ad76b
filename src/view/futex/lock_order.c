// SPDX-License-Identifier: MIT
#include "view/futex/lock_order.h"

#include "view/time_text.h"

void lock_name_text(const char *kind, const char *name, uint64_t address, struct buf *out)
{
	buf_str(out, kind);
	if (name) {
		buf_str(out, " '");
		buf_safe(out, name);
		buf_char(out, '\'');
	} else {
		buf_printf(out, " 0x%llx", (unsigned long long)address);
	}
}

static void ordered_lock_text(const struct lock_order *o, uint32_t i, bool shared, struct buf *out)
{
	const struct ordered_lock *l = &o->locks.at[i];

	lock_name_text(l->kind, l->name, l->address, out);
	if (shared)
		buf_str(out, " for reading");
}

static void lock_edge_text(const struct lock_order *o, const struct lock_edge *e, struct buf *out)
{
	ordered_lock_text(o, e->from, e->from_shared, out);
	if (e->from_function) {
		buf_str(out, " (");
		buf_safe(out, e->from_function);
		buf_char(out, ')');
	}
	buf_str(out, ", then ");
	ordered_lock_text(o, e->to, e->to_shared, out);
	if (e->to_function) {
		buf_str(out, " in ");
		buf_safe(out, e->to_function);
	}
	buf_str(out, ": ");
	buf_safe(out, e->comm ? e->comm : "a thread");
	if (e->several)
		buf_str(out, " and others");
}

static const char *circle_kind_text(enum lock_circle_kind kind)
{
	switch (kind) {
	case LOCK_CIRCLE_CLOSES:
		return "Deadlock possible: locks are taken in a circle.";
	case LOCK_CIRCLE_GUARDED:
		return "A circle that cannot close: another lock is held around it.";
	case LOCK_CIRCLE_ONE_THREAD:
		return "A circle that cannot close: one thread took locks in both orders.";
	}
	return NULL;
}

static const char *circle_kind_name(enum lock_circle_kind kind)
{
	switch (kind) {
	case LOCK_CIRCLE_CLOSES:
		return "closes";
	case LOCK_CIRCLE_GUARDED:
		return "guarded";
	case LOCK_CIRCLE_ONE_THREAD:
		return "one thread";
	}
	return NULL;
}

void lock_order_show_circles(const struct lock_order *o, uint32_t rows, struct buf *out)
{
	for (size_t i = 0; i < MIN(o->circles.n, rows); i++) {
		const struct lock_circle *c = &o->circles.at[i];

		buf_str(out, circle_kind_text(c->kind));
		buf_char(out, '\n');
		for (uint32_t step = 0; step < c->n; step++) {
			const struct lock_edge *e = &o->edges.at[o->steps.at[c->first + step]];

			buf_str(out, "  ");
			lock_edge_text(o, e, out);
			buf_str(out, e->n == 1 ? ", once\n" : ", ");
			if (e->n != 1) {
				count_text(out, e->n);
				buf_str(out, " times\n");
			}
		}
	}
	if (o->circles.n > rows)
		buf_printf(out, "  and %zu more circles\n", o->circles.n - rows);
}

void lock_order_show(const struct lock_order *o, uint32_t rows, struct out *out)
{
	struct buf *buf = &out->buf;

	if (!o->edges.n) {
		buf_str(buf, "No thread was seen to take a lock while it held another one.\n");
		return;
	}
	buf_str(buf, "\n     times  held, then taken: by whom\n");
	for (size_t i = 0; i < MIN(o->edges.n, rows) && out_ready(out); i++) {
		buf_dec_right(buf, o->edges.at[i].n, 10);
		buf_str(buf, "  ");
		lock_edge_text(o, &o->edges.at[i], buf);
		buf_char(buf, '\n');
	}
	if (o->edges.n > rows)
		buf_printf(buf, "%10s  and %zu more\n", "", o->edges.n - rows);
}

static void ordered_lock_cells(struct rows *r, const struct ordered_lock *l)
{
	rows_text(r, l->kind);
	rows_name(r, l->name, l->address);
}

static bool lock_edge_in_circle(const struct lock_order *o, size_t edge)
{
	for (size_t i = 0; i < o->circles.n; i++) {
		const struct lock_circle *c = &o->circles.at[i];

		for (uint32_t step = 0; c->kind == LOCK_CIRCLE_CLOSES && step < c->n; step++)
			if (o->steps.at[c->first + step] == edge)
				return true;
	}
	return false;
}

void lock_order_show_rows(const struct lock_order *o, uint32_t rows, const struct rows_form *form,
			  struct out *out)
{
	static const char *const columns[] = {
		"times",	 "pid",		"from_shared", "to_shared", "several_threads",
		"deadlock",	 "from_kind",	"from",	       "to_kind",   "to",
		"from_function", "to_function", "thread"};
	struct rows r;

	rows_begin(&r, out, form);
	rows_table(&r, "order", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < MIN(o->edges.n, rows) && out_ready(out); i++) {
		const struct lock_edge *e = &o->edges.at[i];
		const uint64_t numbers[] = {e->n,	    o->locks.at[e->from].pid,
					    e->from_shared, e->to_shared,
					    e->several,	    lock_edge_in_circle(o, i)};

		rows_numbers(&r, numbers, ARRAY_SIZE(numbers));
		ordered_lock_cells(&r, &o->locks.at[e->from]);
		ordered_lock_cells(&r, &o->locks.at[e->to]);
		rows_text(&r, e->from_function);
		rows_text(&r, e->to_function);
		rows_text(&r, e->comm);
	}
	rows_end(&r);
}

static void ordered_lock_json(struct json *j, const char *name, const struct ordered_lock *l,
			      bool shared)
{
	json_name(j, name);
	json_open(j, '{');
	json_number_member(j, "pid", l->pid);
	json_text_member(j, "kind", l->kind);
	json_number_member(j, "address", l->address);
	json_optional_member(j, "lock", l->name);
	json_bool_member(j, "shared", shared);
	json_close(j, '}');
}

static void lock_edge_json(struct json *j, const struct lock_order *o, const struct lock_edge *e)
{
	json_open(j, '{');
	json_number_member(j, "times", e->n);
	ordered_lock_json(j, "from", &o->locks.at[e->from], e->from_shared);
	ordered_lock_json(j, "to", &o->locks.at[e->to], e->to_shared);
	json_optional_member(j, "from_function", e->from_function);
	json_optional_member(j, "to_function", e->to_function);
	json_optional_member(j, "thread", e->comm);
	json_bool_member(j, "several_threads", e->several);
	json_close(j, '}');
}

void lock_order_json(struct json *j, const struct lock_order *o, uint32_t rows)
{
	json_name(j, "orders");
	json_open(j, '[');
	for (size_t i = 0; i < MIN(o->edges.n, rows); i++)
		lock_edge_json(j, o, &o->edges.at[i]);
	json_close(j, ']');
	json_name(j, "circles");
	json_open(j, '[');
	for (size_t i = 0; i < MIN(o->circles.n, rows); i++) {
		const struct lock_circle *c = &o->circles.at[i];

		json_open(j, '{');
		json_text_member(j, "kind", circle_kind_name(c->kind));
		json_name(j, "steps");
		json_open(j, '[');
		for (uint32_t step = 0; step < c->n; step++)
			lock_edge_json(j, o, &o->edges.at[o->steps.at[c->first + step]]);
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}
