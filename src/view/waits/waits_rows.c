// SPDX-License-Identifier: MIT
/* The rows of `perf waits` as CSV and JSON. */
#include "view/out/csv.h"
#include "view/out/json.h"
#include "view/waits/waits.h"

void waits_show_csv(const struct waits_view *v, const struct waits *w, const char *separator)
{
	static const char *const columns[] = {"total_ns", "delayed_ns", "waits",
					      "max_ns",	  "thread",	"reason",
					      "function", "waker",	"waker_function"};
	struct buf *out = &v->out->buf;

	csv_head(out, columns, ARRAY_SIZE(columns), separator);
	for (size_t i = 0; i < MIN(w->rows.n, v->rows) && out_ready(v->out); i++) {
		const struct waits_row *r = &w->rows.at[i];

		buf_dec(out, r->ns);
		buf_str(out, separator);
		if (w->has_path)
			buf_dec(out, r->delayed_ns);
		buf_printf(out, "%s%llu%s%llu", separator, (unsigned long long)r->n, separator,
			   (unsigned long long)r->max_ns);
		csv_next_cell(out, r->comm, separator);
		csv_next_cell(out, r->reason, separator);
		csv_next_cell(out, r->function, separator);
		csv_next_cell(out, r->waker, separator);
		csv_next_cell(out, r->waker_function, separator);
		buf_char(out, '\n');
	}
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
	static const char *const kinds[WAITS_KINDS] = {[WAITS_RUNNING] = "running",
						       [WAITS_READY] = "ready",
						       [WAITS_BLOCKED] = "blocked",
						       [WAITS_UNKNOWN] = "unknown"};

	json_open(j, '{');
	json_text_member(j, "thread", s->comm);
	json_text_member(j, "state", kinds[s->kind]);
	json_optional_member(j, "reason", s->reason);
	json_optional_member(j, "function", s->function);
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
