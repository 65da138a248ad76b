// SPDX-License-Identifier: MIT
#include "view/futex/futexes.h"

#include "view/futex/lock_order.h"
#include "view/out/json.h"
#include "view/time_text.h"

/* "mutex 'queue_lock'"; its address where it has no name. */
static void lock_text(const struct futexes *f, uint32_t lock, struct buf *out)
{
	const struct futex_lock *l = &f->locks.at[lock];

	lock_name_text(futex_kind_name(l->kind), l->name, l->address, out);
}

static void futex_place_text(struct buf *out, const char *function)
{
	if (function) {
		buf_str(out, " in ");
		buf_safe(out, function);
	}
}

static const char *held_text(const struct futexes *f, const struct futex_row *r)
{
	const enum futex_kind kind = f->locks.at[r->lock].kind;

	return kind == FUTEX_MUTEX || kind == FUTEX_PI_MUTEX ? "held by" : "woken up by";
}

static void holder_text(const struct futexes *f, const struct futex_row *r, struct buf *out)
{
	if (!r->holder)
		return;
	buf_printf(out, ", %s ", held_text(f, r));
	buf_safe(out, r->holder);
	futex_place_text(out, r->holder_function);
	if (r->holders)
		buf_str(out, " and others");
}

static void futexes_show_sum(const struct futexes *f, struct buf *out)
{
	const uint64_t wall = f->end - f->begin;

	if (!f->waits && !f->stuck.n && !f->uncertain) {
		buf_str(out, "No thread began to wait for a lock.\n"
			     "Locks that are taken at once make no call: --preload counts them. "
			     "Waits that began before: --now.\n");
		return;
	}
	count_text(out, f->waits);
	buf_printf(out, " wait%s for %zu lock%s took ", f->waits == 1 ? "" : "s", f->locks.n,
		   f->locks.n == 1 ? "" : "s");
	time_text(out, f->ns);
	buf_str(out, " in ");
	time_text(out, wall);
	if (wall)
		buf_printf(out, ", %.0f a second", (double)f->waits * 1e9 / (double)wall);
	buf_str(out, ".\n");
	for (size_t i = 0; i < f->rows.n; i++) {
		const struct futex_row *r = &f->rows.at[i];

		/* main waiting for its threads to end is no finding */
		if (f->locks.at[r->lock].kind == FUTEX_THREAD_END || !r->n)
			continue;
		buf_str(out, "The longest: ");
		buf_safe(out, r->comm);
		buf_str(out, " waited ");
		time_text(out, r->ns);
		buf_str(out, " for the ");
		lock_text(f, r->lock, out);
		futex_place_text(out, r->function);
		holder_text(f, r, out);
		buf_str(out, ".\n");
		break;
	}
	if (f->uncertain) {
		count_text(out, f->uncertain);
		buf_str(out, " waits are left out: records were lost in them.\n");
	}
}

static void futexes_show_stuck(const struct futexes_view *v, const struct futexes *f)
{
	struct buf *out = &v->out->buf;

	for (size_t i = 0; i < MIN(f->stuck.n, v->rows) && out_ready(v->out); i++) {
		const struct futex_stuck *s = &f->stuck.at[i];

		buf_str(out, "Still waiting at the end, since ");
		time_text(out, s->ns);
		buf_str(out, ": ");
		buf_safe(out, world_comm(v->world, s->thread, f->end));
		buf_printf(out, " %d for the ", (int32_t)s->thread->tid);
		lock_text(f, s->lock, out);
		futex_place_text(out, s->function);
		buf_char(out, '\n');
	}
}

void futexes_show(const struct futexes_view *v, const struct futexes *f)
{
	struct buf *out = &v->out->buf;

	futexes_show_sum(f, out);
	futexes_show_stuck(v, f);
	lock_order_show_circles(&f->order, v->rows, out);
	if (v->order)
		lock_order_show(&f->order, v->rows, v->out);
	if (!f->rows.n || v->order)
		return;
	buf_str(out, "\n    total    waits      max  retries  lock: who waited, where\n");
	for (size_t i = 0; i < MIN(f->rows.n, v->rows) && out_ready(v->out); i++) {
		const struct futex_row *r = &f->rows.at[i];

		time_text_right(out, r->ns, 9);
		buf_dec_right(out, r->n, 9);
		time_text_right(out, r->max_ns, 9);
		buf_dec_right(out, r->retries, 9);
		buf_str(out, "  ");
		lock_text(f, r->lock, out);
		buf_str(out, ": ");
		buf_safe(out, r->comm);
		futex_place_text(out, r->function);
		holder_text(f, r, out);
		buf_char(out, '\n');
	}
	if (f->rows.n > v->rows)
		buf_printf(out, "%9s  and %zu more\n", "", f->rows.n - v->rows);
}

void futexes_show_rows(const struct futexes_view *v, const struct futexes *f,
		       const struct rows_form *form)
{
	static const char *const columns[] = {"total_ns", "waits",    "max_ns", "retries",
					      "pid",	  "address",  "kind",	"lock",
					      "thread",	  "function", "holder", "holder_function"};
	struct rows rows;

	if (v->order) {
		lock_order_show_rows(&f->order, v->rows, form, v->out);
		return;
	}

	rows_begin(&rows, v->out, form);
	rows_table(&rows, "waits", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < MIN(f->rows.n, v->rows) && out_ready(v->out); i++) {
		const struct futex_row *r = &f->rows.at[i];
		const struct futex_lock *l = &f->locks.at[r->lock];
		const uint64_t numbers[] = {r->ns, r->n, r->max_ns, r->retries, l->pid};

		rows_numbers(&rows, numbers, ARRAY_SIZE(numbers));
		rows_name(&rows, NULL, l->address);
		rows_text(&rows, futex_kind_name(l->kind));
		rows_text(&rows, l->name);
		rows_text(&rows, r->comm);
		rows_text(&rows, r->function);
		rows_text(&rows, r->holder);
		rows_text(&rows, r->holder_function);
	}
	rows_end(&rows);
}

static void json_lock(struct json *j, const struct futexes *f, uint32_t lock)
{
	const struct futex_lock *l = &f->locks.at[lock];

	json_number_member(j, "pid", l->pid);
	json_number_member(j, "address", l->address);
	json_text_member(j, "kind", futex_kind_name(l->kind));
	json_optional_member(j, "lock", l->name);
}

static void json_row(struct json *j, const struct futexes *f, const struct futex_row *r)
{
	json_open(j, '{');
	json_lock(j, f, r->lock);
	json_text_member(j, "thread", r->comm);
	json_optional_member(j, "function", r->function);
	json_number_member(j, "waits", r->n);
	json_number_member(j, "retries", r->retries);
	json_number_member(j, "total_ns", r->ns);
	json_number_member(j, "max_ns", r->max_ns);
	json_optional_member(j, "holder", r->holder);
	json_optional_member(j, "holder_function", r->holder_function);
	json_bool_member(j, "other_holders", r->holders);
	json_close(j, '}');
}

void futexes_show_json(const struct futexes_view *v, const struct futexes *f)
{
	struct json j = {.out = &v->out->buf};

	json_open(&j, '{');
	json_number_member(&j, "wall_ns", f->end - f->begin);
	json_number_member(&j, "futex_calls", f->calls);
	json_number_member(&j, "waits", f->waits);
	json_number_member(&j, "total_ns", f->ns);
	json_number_member(&j, "uncertain", f->uncertain);
	json_name(&j, "locks");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(f->rows.n, v->rows) && out_ready(v->out); i++)
		json_row(&j, f, &f->rows.at[i]);
	json_close(&j, ']');
	json_name(&j, "still_waiting");
	json_open(&j, '[');
	for (size_t i = 0; i < f->stuck.n && out_ready(v->out); i++) {
		json_open(&j, '{');
		json_lock(&j, f, f->stuck.at[i].lock);
		json_number_member(&j, "tid", f->stuck.at[i].thread->tid);
		json_number_member(&j, "ns", f->stuck.at[i].ns);
		json_optional_member(&j, "function", f->stuck.at[i].function);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	lock_order_json(&j, &f->order, v->rows);
	json_close(&j, '}');
	buf_char(&v->out->buf, '\n');
}
