// SPDX-License-Identifier: MIT
#include "view/trace/call_rows.h"

#include "base/mem.h"
#include "view/out/csv.h"
#include "view/out/json.h"

#include <inttypes.h>

static const char *const call_columns[] = {"time_ns", "duration_ns", "comm", "pid",    "tid",
					   "cpu",     "call",	     "args", "result", "error"};
static const char *const sum_columns[] = {
	"comm",	  "pid",    "tid",    "call",		"calls",    "errors", "total_ns",
	"min_ns", "avg_ns", "max_ns", "stddev_percent", "by_error", "cgroup"};

static void csv_text(const struct call_rows *rows, const char *text, bool first, struct buf *out)
{
	if (!first)
		buf_str(out, rows->separator);
	csv_cell(out, text, rows->separator);
}

static void csv_number(const struct call_rows *rows, bool known, uint64_t v, struct buf *out)
{
	buf_str(out, rows->separator);
	if (known)
		buf_dec(out, v);
}

void call_rows_head(const struct call_rows *rows, bool sums, struct buf *out)
{
	const char *const *names = sums ? sum_columns : call_columns;
	size_t n = sums ? ARRAY_SIZE(sum_columns) : ARRAY_SIZE(call_columns);

	if (rows->form != CALL_ROWS_CSV)
		return;
	csv_head(out, names, n, rows->separator);
}

static void csv_call(const struct call_rows *rows, const struct call_style *style,
		     const struct call *c, struct buf *out)
{
	const char *error = call_failed(c) ? call_error_name((int)-c->result) : NULL;
	AUTO_BUF text = {0};

	if (c->entered && !c->early)
		buf_dec(out, c->enter_ns);
	csv_number(rows, call_is_timed(c), c->exit_ns - c->enter_ns, out);
	csv_text(rows, c->comm, false, out);
	csv_number(rows, true, c->pid, out);
	csv_number(rows, true, c->tid, out);
	csv_number(rows, c->cpu != UINT32_MAX, c->cpu, out);
	call_name(c, &text);
	csv_text(rows, buf_text(&text), false, out);
	buf_clear(&text);
	call_args_show(c, style, false, &text);
	csv_text(rows, buf_text(&text), false, out);
	buf_str(out, rows->separator);
	if (c->returned)
		buf_sdec(out, c->result);
	csv_text(rows, error ? error : "", false, out);
	buf_char(out, '\n');
}

static void json_args(struct json *j, const struct call *c, const struct call_style *style)
{
	AUTO_BUF text = {0};

	json_name(j, "args");
	json_open(j, '{');
	for (unsigned int i = 0; i < call_arg_count(c); i++) {
		char unknown[16];

		buf_clear(&text);
		if (!call_arg_show(c, style, i, &text))
			continue;
		json_text_member(j, call_arg_name(c, i, unknown), buf_text(&text));
	}
	json_close(j, '}');
}

static void json_call(const struct call_style *style, const struct call *c, struct buf *out)
{
	struct call_style all = *style;
	struct json j = {.out = out};
	AUTO_BUF name = {0};

	all.zeros = true;
	call_name(c, &name);
	json_open(&j, '{');
	if (c->entered && !c->early)
		json_number_member(&j, "time_ns", c->enter_ns);
	if (call_is_timed(c))
		json_number_member(&j, "duration_ns", c->exit_ns - c->enter_ns);
	json_text_member(&j, "comm", c->comm);
	json_number_member(&j, "pid", c->pid);
	json_number_member(&j, "tid", c->tid);
	if (c->cpu != UINT32_MAX)
		json_number_member(&j, "cpu", c->cpu);
	json_text_member(&j, "call", buf_text(&name));
	if (c->entered)
		json_args(&j, c, &all);
	if (c->returned) {
		json_name(&j, "result");
		json_signed_element(&j, c->result);
	}
	if (call_failed(c) && call_error_name((int)-c->result))
		json_text_member(&j, "error", call_error_name((int)-c->result));
	json_close(&j, '}');
	buf_char(out, '\n');
}

void call_row_show(const struct call_rows *rows, const struct call_style *style,
		   const struct call *c, struct buf *out)
{
	if (rows->form == CALL_ROWS_JSON)
		json_call(style, c, out);
	else
		csv_call(rows, style, c, out);
}

static void call_sum_name(const struct call_sum *s, struct buf *out)
{
	if (s->desc)
		buf_str(out, s->desc->name);
	else
		buf_printf(out, "syscall_%#x", (unsigned int)s->number);
}

static void csv_sum(const struct call_rows *rows, const struct call_thread *t,
		    const struct call_sum *s, const struct call_sums_style *style, struct buf *out)
{
	AUTO_BUF text = {0};

	const bool of_thread = !style->total && !t->group;

	csv_text(rows, of_thread ? t->comm : "", true, out);
	csv_number(rows, of_thread, t->pid, out);
	csv_number(rows, of_thread, t->tid, out);
	call_sum_name(s, &text);
	csv_text(rows, buf_text(&text), false, out);
	csv_number(rows, true, s->calls, out);
	csv_number(rows, true, s->errors, out);
	csv_number(rows, true, (uint64_t)s->sum, out);
	csv_number(rows, true, s->min_ns, out);
	csv_number(rows, true, (uint64_t)call_sum_mean(s), out);
	csv_number(rows, true, s->max_ns, out);
	buf_clear(&text);
	buf_printf(&text, "%.2f", call_sum_deviation(s));
	csv_text(rows, buf_text(&text), false, out);
	buf_clear(&text);
	for (size_t i = 0; style->errors && i < s->by_error.n; i++) {
		const char *error = call_error_name(s->by_error.at[i].number);

		buf_printf(&text, "%s%s:%" PRIu64, text.n ? " " : "", error ? error : "?",
			   s->by_error.at[i].times);
	}
	csv_text(rows, buf_text(&text), false, out);
	csv_text(rows, t->group ? t->group : "", false, out);
	buf_char(out, '\n');
}

static void json_sum(struct json *j, const struct call_sum *s, const struct call_sums_style *style)
{
	AUTO_BUF name = {0};

	call_sum_name(s, &name);
	json_open(j, '{');
	json_text_member(j, "call", buf_text(&name));
	json_number_member(j, "calls", s->calls);
	json_number_member(j, "errors", s->errors);
	json_number_member(j, "total_ns", (uint64_t)s->sum);
	json_number_member(j, "min_ns", s->min_ns);
	json_number_member(j, "avg_ns", (uint64_t)call_sum_mean(s));
	json_number_member(j, "max_ns", s->max_ns);
	json_decimal_member(j, "stddev_percent", (uint64_t)(call_sum_deviation(s) * 100 + 0.5), 2);
	if (style->errors) {
		json_name(j, "by_error");
		json_open(j, '{');
		for (size_t i = 0; i < s->by_error.n; i++) {
			const char *error = call_error_name(s->by_error.at[i].number);

			json_number_member(j, error ? error : "?", s->by_error.at[i].times);
		}
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void json_thread(const struct call_thread *t, size_t n, const struct call_sums_style *style,
			struct buf *out)
{
	struct json j = {.out = out};

	json_open(&j, '{');
	if (t->group) {
		json_text_member(&j, "cgroup", t->group);
	} else if (!style->total) {
		json_text_member(&j, "comm", t->comm);
		json_number_member(&j, "pid", t->pid);
		json_number_member(&j, "tid", t->tid);
	}
	json_number_member(&j, "events", t->events);
	if (t->major_faults)
		json_number_member(&j, "major_faults", t->major_faults);
	if (t->minor_faults)
		json_number_member(&j, "minor_faults", t->minor_faults);
	if (style->runtime)
		json_number_member(&j, "runtime_ns", t->runtime_ns);
	json_name(&j, "calls");
	json_open(&j, '[');
	for (size_t i = 0; i < n; i++)
		json_sum(&j, &t->calls.at[i], style);
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(out, '\n');
}

void call_rows_sums_show(const struct call_rows *rows, const struct call_sums *s,
			 const struct call_sums_style *style, struct buf *out)
{
	size_t threads = s->threads.n;

	if (!style->total && style->most)
		threads = (size_t)MIN((uint64_t)threads, style->most);
	for (size_t i = 0; i < threads; i++) {
		const struct call_thread *t = s->threads.at[i];
		size_t n = t->calls.n;

		if (style->total && style->most)
			n = (size_t)MIN((uint64_t)n, style->most);
		if (rows->form == CALL_ROWS_JSON && t->events)
			json_thread(t, n, style, out);
		for (size_t c = 0; rows->form == CALL_ROWS_CSV && c < n; c++)
			csv_sum(rows, t, &t->calls.at[c], style, out);
	}
}

static void json_event_begin(const struct event_row *e)
{
	struct json j = {.out = e->out};

	json_open(&j, '{');
	json_number_member(&j, "time_ns", e->time);
	json_text_member(&j, "comm", e->comm);
	json_number_member(&j, "pid", e->pid);
	json_number_member(&j, "tid", e->tid);
	if (e->cpu != UINT32_MAX)
		json_number_member(&j, "cpu", e->cpu);
	json_text_member(&j, "event", e->name);
	json_name(&j, "args");
	json_open(&j, '{');
}

void event_row_begin(struct event_row *e)
{
	e->args = (struct buf){0};
	e->some = false;
	if (e->rows->form == CALL_ROWS_JSON)
		json_event_begin(e);
}

void event_row_field(struct event_row *e, const char *name, const char *text)
{
	struct json j = {.out = e->out, .follows = e->some};

	if (e->rows->form == CALL_ROWS_JSON)
		json_text_member(&j, name ? name : "text", text);
	else
		buf_printf(&e->args, "%s%s%s%s", e->some ? ", " : "", name ? name : "",
			   name ? ": " : "", text);
	e->some = true;
}

void event_row_end(struct event_row *e)
{
	const struct call_rows *rows = e->rows;
	struct buf *out = e->out;

	if (rows->form == CALL_ROWS_JSON) {
		buf_str(out, "}}\n");
	} else {
		buf_dec(out, e->time);
		csv_number(rows, false, 0, out);
		csv_text(rows, e->comm, false, out);
		csv_number(rows, true, e->pid, out);
		csv_number(rows, true, e->tid, out);
		csv_number(rows, e->cpu != UINT32_MAX, e->cpu, out);
		csv_text(rows, e->name, false, out);
		csv_text(rows, buf_text(&e->args), false, out);
		csv_number(rows, false, 0, out);
		csv_number(rows, false, 0, out);
		buf_char(out, '\n');
	}
	buf_release(&e->args);
}
