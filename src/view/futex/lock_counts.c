// SPDX-License-Identifier: MIT
#include "view/futex/lock_counts.h"

#include "view/futex/lock_order.h"
#include "view/out/json.h"
#include "view/time_text.h"

static void lock_count_text(const struct lock_count *r, struct buf *out)
{
	lock_name_text(lock_count_kind_name(r->kind), r->lock, r->address, out);
	if (r->function) {
		buf_str(out, " in ");
		buf_safe(out, r->function);
	}
}

/* Appends the holder during the longest wait. */
static void lock_holder_text(const struct lock_count *r, struct buf *out)
{
	if (!r->holder)
		return;
	buf_str(out, ", held by ");
	buf_safe(out, r->holder);
	if (r->holder_function) {
		buf_str(out, ", taken in ");
		buf_safe(out, r->holder_function);
	}
}

static void lock_counts_answer(const struct lock_counts_view *v, const struct lock_counts *c)
{
	struct buf *out = &v->out->buf;
	const struct lock_count *first = c->rows.n ? c->rows.at : NULL;

	if (!c->processes) {
		buf_str(out, "No program loaded the library that counts: it is static, has another "
			     "C library, or may not.\n");
		return;
	}
	count_text(out, c->locks);
	buf_str(out, c->locks == 1 ? " lock was taken " : " locks were taken ");
	count_text(out, c->taken);
	buf_str(out, " times; ");
	count_text(out, c->waits);
	buf_str(out, " times a thread had to wait, ");
	time_text(out, c->wait_ns);
	buf_str(out, " in all.\n");
	if (first && first->waits) {
		buf_str(out, "The longest: ");
		buf_safe(out, first->waiter ? first->waiter : "a thread");
		buf_str(out, " waited ");
		time_text(out, first->max_wait_ns);
		buf_str(out, " for the ");
		lock_count_text(first, out);
		lock_holder_text(first, out);
		buf_str(out, ".\n");
	}
	if (c->left_out) {
		count_text(out, c->left_out);
		buf_str(out, " uses are left out: there was no room for their locks.\n");
	}
	lock_order_show_circles(&c->order, v->rows, out);
}

void lock_counts_show(const struct lock_counts_view *v, const struct lock_counts *c)
{
	struct buf *out = &v->out->buf;

	lock_counts_answer(v, c);
	if (v->order)
		lock_order_show(&c->order, v->rows, v->out);
	if (!c->rows.n || v->order)
		return;
	buf_str(out,
		"\n     taken uncontended     waits   waited      max     held      max  lock in "
		"function\n");
	for (size_t i = 0; i < MIN(c->rows.n, v->rows) && out_ready(v->out); i++) {
		const struct lock_count *r = &c->rows.at[i];

		buf_dec_right(out, r->taken, 10);
		buf_dec_right(out, lock_count_uncontended(r), 12);
		buf_dec_right(out, r->waits, 10);
		time_text_right(out, r->wait_ns, 9);
		time_text_right(out, r->max_wait_ns, 9);
		time_text_right(out, r->hold_ns, 9);
		time_text_right(out, r->max_hold_ns, 9);
		buf_str(out, "  ");
		lock_count_text(r, out);
		lock_holder_text(r, out);
		buf_char(out, '\n');
	}
	if (c->rows.n > v->rows)
		buf_printf(out, "%10s  and %zu more\n", "", c->rows.n - v->rows);
}

void lock_counts_show_rows(const struct lock_counts_view *v, const struct lock_counts *c,
			   const struct rows_form *form)
{
	static const char *const columns[] = {
		"taken",   "waits",	  "wait_ns", "max_wait_ns", "holds",
		"hold_ns", "max_hold_ns", "pid",     "uncontended", "kind",
		"lock",	   "function",	  "waiter",  "holder",	    "holder_function"};
	struct rows rows;

	if (v->order) {
		lock_order_show_rows(&c->order, v->rows, form, v->out);
		return;
	}

	rows_begin(&rows, v->out, form);
	rows_table(&rows, "locks", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < MIN(c->rows.n, v->rows) && out_ready(v->out); i++) {
		const struct lock_count *r = &c->rows.at[i];
		const uint64_t numbers[] = {r->taken,	    r->waits, r->wait_ns,
					    r->max_wait_ns, r->holds, r->hold_ns,
					    r->max_hold_ns, r->pid,   lock_count_uncontended(r)};

		rows_numbers(&rows, numbers, ARRAY_SIZE(numbers));
		rows_text(&rows, lock_count_kind_name(r->kind));
		rows_name(&rows, r->lock, r->address);
		rows_text(&rows, r->function);
		rows_text(&rows, r->waiter);
		rows_text(&rows, r->holder);
		rows_text(&rows, r->holder_function);
	}
	rows_end(&rows);
}

static void lock_count_json(struct json *j, const struct lock_count *r)
{
	json_open(j, '{');
	json_number_member(j, "pid", r->pid);
	json_text_member(j, "kind", lock_count_kind_name(r->kind));
	json_number_member(j, "address", r->address);
	json_optional_member(j, "lock", r->lock);
	json_optional_member(j, "function", r->function);
	json_number_member(j, "taken", r->taken);
	json_number_member(j, "uncontended", lock_count_uncontended(r));
	json_number_member(j, "waits", r->waits);
	json_number_member(j, "wait_ns", r->wait_ns);
	json_number_member(j, "max_wait_ns", r->max_wait_ns);
	json_number_member(j, "holds", r->holds);
	json_number_member(j, "hold_ns", r->hold_ns);
	json_number_member(j, "max_hold_ns", r->max_hold_ns);
	json_optional_member(j, "waiter", r->waiter);
	json_optional_member(j, "holder", r->holder);
	json_optional_member(j, "holder_function", r->holder_function);
	json_close(j, '}');
}

void lock_counts_show_json(const struct lock_counts_view *v, const struct lock_counts *c)
{
	struct json j = {.out = &v->out->buf};

	json_open(&j, '{');
	json_number_member(&j, "processes", c->processes);
	json_number_member(&j, "locks", c->locks);
	json_number_member(&j, "taken", c->taken);
	json_number_member(&j, "waits", c->waits);
	json_number_member(&j, "wait_ns", c->wait_ns);
	json_number_member(&j, "left_out", c->left_out);
	json_name(&j, "rows");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(c->rows.n, v->rows) && out_ready(v->out); i++)
		lock_count_json(&j, &c->rows.at[i]);
	json_close(&j, ']');
	lock_order_json(&j, &c->order, v->rows);
	json_close(&j, '}');
	buf_char(&v->out->buf, '\n');
}
