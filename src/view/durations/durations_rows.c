// SPDX-License-Identifier: MIT
/* The rows of `perf calls` as CSV and JSON. */
#include "view/durations/durations.h"
#include "view/out/csv.h"
#include "view/out/json.h"

static const char *const columns[] = {"calls",	   "total_ns", "self_ns", "waiting_ns", "ready_ns",
				      "min_ns",	   "p50_ns",   "p90_ns",  "p99_ns",	"p999_ns",
				      "max_ns",	   "left",     "cut",	  "open",	"before",
				      "uncertain", "closed_ns", "error_ns"};

/* The last column is of samples only. */
static size_t columns_shown(const struct durations *d)
{
	return ARRAY_SIZE(columns) - !d->is_sampled;
}

/* Runs are no calls. */
static const char *column_name(const struct durations *d, size_t i)
{
	return d->is_sampled && !i ? "runs" : columns[i];
}

static void values_of(const struct durations *d, const struct duration_function *f,
		      uint64_t values[ARRAY_SIZE(columns)])
{
	const struct histogram *h = &f->calls;
	const uint64_t all[ARRAY_SIZE(columns)] = {h->n,
						   f->total_ns,
						   f->self_ns,
						   f->waiting_ns,
						   f->ready_ns,
						   h->min,
						   histogram_at(h, 500),
						   histogram_at(h, 900),
						   histogram_at(h, 990),
						   histogram_at(h, 999),
						   h->max,
						   f->left,
						   f->cut,
						   f->open,
						   f->before,
						   f->uncertain,
						   f->closed ? f->closed - d->begin : 0,
						   f->error_ns};

	memcpy(values, all, sizeof(all));
}

/* False for the columns of waiting where it is not known. */
static bool durations_rows_is_known(const struct durations *d, const struct duration_function *f,
				    size_t column)
{
	return duration_waiting_is_known(d, f) || (column != 3 && column != 4);
}

void durations_show_csv(const struct durations_view *v, const struct durations *d,
			const char *separator)
{
	struct buf *out = &v->out->buf;

	for (size_t i = 0; i < columns_shown(d); i++)
		buf_printf(out, "%s%s", column_name(d, i), separator);
	csv_cell(out, "function", separator);
	buf_char(out, '\n');
	for (size_t i = 0; i < MIN(d->functions.n, v->rows) && out_ready(v->out); i++) {
		uint64_t values[ARRAY_SIZE(columns)];

		values_of(d, &d->functions.at[i], values);
		for (size_t c = 0; c < columns_shown(d); c++) {
			if (durations_rows_is_known(d, &d->functions.at[i], c))
				buf_dec(out, values[c]);
			buf_str(out, separator);
		}
		csv_cell(out, d->functions.at[i].name, separator);
		buf_char(out, '\n');
	}
}

static void json_function(struct json *j, const struct durations *d,
			  const struct duration_function *f)
{
	uint64_t values[ARRAY_SIZE(columns)];

	values_of(d, f, values);
	json_open(j, '{');
	json_text_member(j, "function", f->name);
	if (f->dso)
		json_text_member(j, "dso", f->dso->long_name);
	for (size_t c = 0; c < columns_shown(d); c++)
		if (durations_rows_is_known(d, f, c))
			json_number_member(j, column_name(d, c), values[c]);
	json_close(j, '}');
}

static void json_call_waits(struct json *j, const struct call_waits *waits)
{
	json_name(j, "waits");
	json_open(j, '[');
	for (size_t i = 0; i < CALL_REASONS && waits->by[i].reason; i++) {
		json_open(j, '{');
		json_text_member(j, "reason", waits->by[i].reason);
		json_number_member(j, "ns", waits->by[i].ns);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_slow_call(struct json *j, const struct durations_view *v,
			   const struct durations *d, const struct slow_call *call)
{
	json_open(j, '{');
	json_text_member(j, "function", d->functions.at[call->function].name);
	json_text_member(j, "comm", world_comm(v->world, call->thread, call->begin));
	json_number_member(j, "pid", call->thread->pid);
	json_number_member(j, "tid", call->thread->tid);
	json_number_member(j, "time_ns", call->begin);
	json_number_member(j, "ns", call->ns);
	if (d->has_switches && !call->elsewhere) {
		json_number_member(j, "waiting_ns", call->waiting_ns);
		json_number_member(j, "ready_ns", call->ready_ns);
	}
	if (d->has_reasons && !call->elsewhere)
		json_call_waits(j, &call->waits);
	json_close(j, '}');
}

void durations_show_json(const struct durations_view *v, const struct durations *d)
{
	struct json j = {.out = &v->out->buf};

	json_open(&j, '{');
	json_text_member(&j, "source",
			 d->is_counted	 ? "instrumented"
			 : d->is_sampled ? "samples"
			 : d->pairs.n	 ? "pairs"
					 : "probes");
	if (d->is_sampled)
		json_number_member(&j, "period_ns", d->period_ns);
	json_number_member(&j, "wall_ns", d->end - d->begin);
	json_number_member(&j, "threads", d->threads);
	json_number_member(&j, "probes_hit", d->probes_hit);
	json_number_member(&j, "probe_ns_at_most", d->hit_ns);
	if (d->is_counted)
		json_number_member(&j, "left_out", d->left_out);
	json_name(&j, "functions");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(d->functions.n, v->rows) && out_ready(v->out); i++)
		json_function(&j, d, &d->functions.at[i]);
	json_close(&j, ']');
	json_name(&j, "slowest");
	json_open(&j, '[');
	for (size_t i = 0; i < d->slowest.n && out_ready(v->out); i++)
		json_slow_call(&j, v, d, &d->slowest.at[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(&v->out->buf, '\n');
}
