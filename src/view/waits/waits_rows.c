// SPDX-License-Identifier: MIT
/* The rows of `perf waits` for programs and web browsers. */
#include "view/out/json.h"
#include "view/waits/waits.h"

static const char *const waits_kinds[WAITS_KINDS] = {[WAITS_RUNNING] = "running",
						     [WAITS_READY] = "ready",
						     [WAITS_BLOCKED] = "blocked",
						     [WAITS_UNKNOWN] = "unknown"};

/* The next cell: a time of the critical path; empty when there is none. */
static void waits_delayed_cell(struct rows *rows, const struct waits *w, uint64_t ns)
{
	if (w->has_path)
		rows_number(rows, ns);
	else
		rows_text(rows, "");
}

/* The tables that only a page has room for. */
static void waits_show_more_rows(const struct waits_view *v, const struct waits *w,
				 struct rows *rows)
{
	static const char *const steps[] = {"thread",	"state", "reason",
					    "function", "caller", "times", "total_ns"};
	static const char *const threads[] = {"thread",	    "tid",	  "running_ns", "ready_ns",
					      "blocked_ns", "unknown_ns", "delayed_ns"};

	rows_table(rows, "critical path", steps, ARRAY_SIZE(steps));
	for (size_t i = 0; i < MIN(w->steps.n, v->rows) && out_ready(v->out); i++) {
		const struct waits_step *s = &w->steps.at[i];

		rows_text(rows, s->comm);
		rows_text(rows, waits_kinds[s->kind]);
		rows_text(rows, s->reason);
		rows_text(rows, s->function);
		rows_text(rows, s->caller);
		rows_number(rows, s->n);
		rows_number(rows, s->ns);
	}
	rows_table(rows, "threads", threads, ARRAY_SIZE(threads));
	for (size_t i = 0; i < MIN(w->threads.n, v->rows) && out_ready(v->out); i++) {
		const struct waits_thread *t = &w->threads.at[i];

		rows_text(rows, t->comm);
		rows_number(rows, t->thread->tid);
		rows_numbers(rows, t->ns, WAITS_KINDS);
		waits_delayed_cell(rows, w, t->delayed_ns);
	}
}

void waits_show_rows(const struct waits_view *v, const struct waits *w,
		     const struct rows_form *form)
{
	static const char *const columns[] = {"total_ns", "delayed_ns", "waits",
					      "max_ns",	  "thread",	"reason",
					      "function", "waker",	"waker_function",
					      "caller"};
	struct rows rows;

	rows_begin(&rows, v->out, form);
	rows_table(&rows, "waits", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < MIN(w->rows.n, v->rows) && out_ready(v->out); i++) {
		const struct waits_row *r = &w->rows.at[i];

		rows_number(&rows, r->ns);
		waits_delayed_cell(&rows, w, r->delayed_ns);
		rows_number(&rows, r->n);
		rows_number(&rows, r->max_ns);
		rows_text(&rows, r->comm);
		rows_text(&rows, r->reason);
		rows_text(&rows, r->function);
		rows_text(&rows, r->waker);
		rows_text(&rows, r->waker_function);
		rows_text(&rows, r->caller);
	}
	if (form->kind == ROWS_PAGE)
		waits_show_more_rows(v, w, &rows);
	rows_end(&rows);
}

static void json_kinds(struct json *j, const uint64_t ns[WAITS_KINDS])
{
	static const char *const names[WAITS_KINDS] = {[WAITS_RUNNING] = "running_ns",
						       [WAITS_READY] = "ready_ns",
						       [WAITS_BLOCKED] = "blocked_ns",
						       [WAITS_UNKNOWN] = "unknown_ns"};

	for (size_t i = 0; i < WAITS_KINDS; i++)
		json_number_member(j, names[i], ns[i]);
}

static void json_wait(struct json *j, const struct waits *w, const struct waits_row *r)
{
	json_open(j, '{');
	json_text_member(j, "thread", r->comm);
	json_text_member(j, "reason", r->reason);
	json_optional_member(j, "function", r->function);
	json_optional_member(j, "caller", r->caller);
	json_optional_member(j, "waker", r->waker);
	json_optional_member(j, "waker_function", r->waker_function);
	json_number_member(j, "waits", r->n);
	json_number_member(j, "total_ns", r->ns);
	json_number_member(j, "max_ns", r->max_ns);
	if (w->has_path)
		json_number_member(j, "delayed_ns", r->delayed_ns);
	json_close(j, '}');
}

static void json_step(struct json *j, const struct waits_step *s)
{
	json_open(j, '{');
	json_text_member(j, "thread", s->comm);
	json_text_member(j, "state", waits_kinds[s->kind]);
	json_optional_member(j, "reason", s->reason);
	json_optional_member(j, "function", s->function);
	json_optional_member(j, "caller", s->caller);
	if (s->kind == WAITS_BLOCKED)
		json_bool_member(j, "ended_by_timer", s->by_timer);
	json_number_member(j, "times", s->n);
	json_number_member(j, "ns", s->ns);
	json_close(j, '}');
}

static void json_thread(struct json *j, const struct waits *w, const struct waits_thread *t)
{
	json_open(j, '{');
	json_text_member(j, "thread", t->comm);
	json_number_member(j, "pid", t->thread->pid);
	json_number_member(j, "tid", t->thread->tid);
	json_kinds(j, t->ns);
	if (w->has_path)
		json_number_member(j, "delayed_ns", t->delayed_ns);
	json_close(j, '}');
}

void waits_show_json(const struct waits_view *v, const struct waits *w)
{
	struct json j = {.out = &v->out->buf};

	json_open(&j, '{');
	json_number_member(&j, "wall_ns", w->wall.end - w->wall.begin);
	json_kinds(&j, w->ns);
	json_name(&j, "ns_by_running_threads");
	json_open(&j, '[');
	for (size_t i = 0; i < w->running.n; i++)
		json_number_element(&j, w->running.at[i]);
	json_close(&j, ']');
	json_bool_member(&j, "has_critical_path", w->has_path);
	json_name(&j, "waits");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(w->rows.n, v->rows) && out_ready(v->out); i++)
		json_wait(&j, w, &w->rows.at[i]);
	json_close(&j, ']');
	json_name(&j, "critical_path");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(w->steps.n, v->rows) && out_ready(v->out); i++)
		json_step(&j, &w->steps.at[i]);
	json_close(&j, ']');
	json_name(&j, "threads");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(w->threads.n, v->rows) && out_ready(v->out); i++)
		json_thread(&j, w, &w->threads.at[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(&v->out->buf, '\n');
}
