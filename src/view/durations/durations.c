// SPDX-License-Identifier: MIT
#include "view/durations/durations.h"

#include "view/durations/histogram.h"
#include "view/script/script_fields.h"
#include "view/time_text.h"

/* Functions in the answer; the rows below it have all functions. */
#define ANSWER_FUNCTIONS 3

static void name_text(struct buf *out, const struct duration_function *f)
{
	buf_safe(out, f->name);
}

/* -- the answer -- */

static void answer_function(const struct durations *d, const struct duration_function *f,
			    struct buf *out)
{
	const struct histogram *h = &f->calls;

	name_text(out, f);
	buf_str(out, ": ");
	count_text(out, h->n);
	buf_str(out, d->is_sampled ? " run" : " call");
	buf_str(out, h->n == 1 ? " took " : "s took ");
	time_text(out, f->total_ns);
	if (d->is_sampled) {
		buf_str(out, " (+- ");
		time_text(out, f->error_ns);
		buf_char(out, ')');
	}
	if (duration_waiting_is_known(d, f)) {
		buf_str(out, "; ");
		share_text(out, f->waiting_ns, f->total_ns);
		buf_str(out, " of that it waited");
		if (f->ready_ns * 20 > f->total_ns) {
			buf_str(out, ", ");
			share_text(out, f->ready_ns, f->total_ns);
			buf_str(out, " another thread had its CPU");
		}
	}
	buf_char(out, '\n');
	if (h->n < 2)
		return;
	buf_str(out, "  half of them took ");
	time_text(out, histogram_at(h, 500));
	buf_str(out, " or less, 1 in 100 ");
	time_text(out, histogram_at(h, 990));
	buf_str(out, " or more, the slowest ");
	time_text(out, h->max);
	buf_char(out, '\n');
}

static void answer_ends(const struct durations *d, struct buf *out)
{
	const char *const words[] = {d->pairs.n ? "began again before they ended"
						: "were left by longjmp or an exception",
				     "did not return before their thread ended",
				     "had not returned when the recording ended",
				     "began before the recording",
				     "are not judged: records were lost in them"};
	uint64_t n[5] = {0};

	for (size_t i = 0; i < d->functions.n; i++) {
		const struct duration_function *f = &d->functions.at[i];

		n[0] += f->left;
		n[1] += f->cut;
		n[2] += f->open;
		n[3] += f->before;
		n[4] += f->uncertain;
	}
	for (size_t i = 0; i < ARRAY_SIZE(n); i++)
		if (n[i]) {
			buf_str(out, "Without a duration: ");
			count_text(out, n[i]);
			buf_printf(out, " calls %s.\n", words[i]);
		}
}

/* Names functions that were not followed to the end. */
static void answer_closed(const struct durations *d, struct buf *out)
{
	for (size_t i = 0; i < d->functions.n; i++) {
		const struct duration_function *f = &d->functions.at[i];

		if (!f->closed)
			continue;
		name_text(out, f);
		buf_printf(
			out,
			" is followed up to %.3f s only: its probes cost more than the budget.\n",
			(double)(f->closed - d->begin) / 1e9);
	}
}

/* Shows the cost of the probes, as a share of the time of all calling threads. */
static void answer_cost(const struct durations *d, struct buf *out)
{
	if (!d->hit_ns || d->end <= d->begin)
		return;
	count_text(out, d->probes_hit);
	buf_str(out,
		d->is_counted ? " entries and exits were counted, at " : " probes were hit, at ");
	time_text(out, d->hit_ns);
	buf_str(out, d->is_counted ? " each: " : " or less each: up to ");
	share_text(out, d->probes_hit * d->hit_ns, (d->end - d->begin) * MAX(d->threads, 1));
	buf_str(out, " of the threads' time is the cost of measuring.\n");
}

/* What runs say of calls. */
static void answer_sampled(const struct durations *d, struct buf *out)
{
	buf_str(out, "A run is known to ");
	time_text(out, d->period_ns);
	buf_str(out, ", and may hold several calls, less than that apart; ");
	buf_str(out, d->open_ends ? "waits at its ends are not in it: their stacks are not known.\n"
				  : "no call took longer than its run.\n");
	buf_str(out, "Shorter calls are seen by chance: their number is not known.\n");
}

static void answer_show(const struct durations *d, struct buf *out)
{
	size_t told = 0, others = 0;

	buf_str(out, d->is_counted   ? "Timed by calls that the compiler inserted "
				       "(-finstrument-functions).\n"
		     : d->is_sampled ? "Estimated from samples: a run is the time in which all "
				       "samples of a thread are in the function.\n"
		     : d->pairs.n    ? "Timed from one event to another.\n"
				     : "Timed by probes at entries and exits.\n");
	for (size_t i = 0; i < d->functions.n; i++)
		if (told == ANSWER_FUNCTIONS) {
			others++;
		} else if (d->functions.at[i].calls.n) {
			answer_function(d, &d->functions.at[i], out);
			told++;
		}
	if (others)
		buf_printf(out, "and %zu functions more\n", others);
	if (d->is_counted && !d->processes)
		buf_str(out, "No program loaded the library that counts: it is static, has another "
			     "C library, or may not.\n");
	else if (!d->functions.n)
		buf_str(out, d->pairs.n ? "None of the events was seen.\n"
			      : d->is_sampled ? "None of the functions was seen.\n"
					      : "None of the functions was called.\n");
	if (d->is_sampled)
		answer_sampled(d, out);
	answer_ends(d, out);
	if (d->left_out) {
		count_text(out, d->left_out);
		buf_str(out, " calls had no room to be counted.\n");
	}
	answer_closed(d, out);
	answer_cost(d, out);
}

/* -- rows -- */

static void durations_show_row(const struct durations *d, const struct duration_function *f,
			       struct buf *out)
{
	const uint64_t times[] = {f->total_ns,
				  f->self_ns,
				  f->waiting_ns,
				  f->ready_ns,
				  histogram_at(&f->calls, 500),
				  histogram_at(&f->calls, 900),
				  histogram_at(&f->calls, 990),
				  f->calls.max};

	buf_dec_right(out, f->calls.n, 10);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (!duration_waiting_is_known(d, f) && (i == 2 || i == 3))
			buf_right(out, "-", 9);
		else
			time_text_right(out, times[i], 9);
	buf_str(out, "  ");
	name_text(out, f);
	buf_char(out, '\n');
}

static void durations_show_rows(const struct durations_view *v, const struct durations *d)
{
	struct buf *out = &v->out->buf;

	buf_str(out, d->is_sampled ? "\n      runs" : "\n     calls");
	buf_str(out, "    total     self  waiting    ready      p50      p90      p99"
		     "      max  function\n");
	for (size_t i = 0; i < MIN(d->functions.n, v->rows) && out_ready(v->out); i++)
		durations_show_row(d, &d->functions.at[i], out);
}

/* -- the slowest calls -- */

/* " (sleep 18.1 ms, futex 1.10 ms)"; nothing when it did not wait. */
static void slow_call_waits_text(const struct call_waits *waits, struct buf *out)
{
	for (size_t i = 0; i < CALL_REASONS && waits->by[i].reason; i++) {
		const char *reason = waits->by[i].reason;

		buf_str(out, i ? ", " : " (");
		buf_str(out, strcmp(reason, "-") != 0 ? reason : "unknown");
		buf_char(out, ' ');
		time_text(out, waits->by[i].ns);
	}
	if (waits->by[0].reason)
		buf_char(out, ')');
}

static void slow_call_show(const struct durations_view *v, const struct durations *d, size_t rank)
{
	const struct slow_call *call = &d->slowest.at[rank];
	struct buf *out = &v->out->buf;

	buf_printf(out, "%3zu. ", rank + 1);
	time_text(out, call->ns);
	buf_char(out, ' ');
	name_text(out, &d->functions.at[call->function]);
	buf_printf(out, ", at %.6f s in ", (double)(call->begin - d->begin) / 1e9);
	buf_safe(out, world_comm(v->world, call->thread, call->begin));
	buf_printf(out, " %d", (int32_t)call->thread->tid);
	if (d->has_switches && !call->elsewhere) {
		const uint64_t off = call->waiting_ns + call->ready_ns;

		buf_str(out, ": on a CPU ");
		time_text(out, call->ns - MIN(off, call->ns));
		buf_str(out, ", waiting ");
		time_text(out, call->waiting_ns);
		if (d->has_reasons)
			slow_call_waits_text(&call->waits, out);
		buf_str(out, ", ready ");
		time_text(out, call->ready_ns);
	}
	buf_char(out, '\n');
	if (call->stack.r.header.type && call->stack.r.sample.callchain_nr) {
		script_frames_bound(v->frames);
		script_chain(v->frames, call->epoch, call->stack.r.event, &call->stack.r.sample,
			     FIELD_SYM | FIELD_DSO, out);
	}
}

static void durations_show_slowest(const struct durations_view *v, const struct durations *d)
{
	if (d->slowest.n)
		buf_str(&v->out->buf, "\nSlowest calls, with the stack of their entry:\n");
	for (size_t i = 0; i < d->slowest.n && out_ready(v->out); i++)
		slow_call_show(v, d, i);
}

/* -- histograms -- */

static void durations_show_histogram(const struct duration_function *f, struct buf *out)
{
	buf_char(out, '\n');
	name_text(out, f);
	buf_str(out, ":\n");
	histogram_show(&f->calls, HISTOGRAM_LOG, out);
}

void durations_show(const struct durations_view *v, const struct durations *d)
{
	answer_show(d, &v->out->buf);
	if (!d->functions.n)
		return;
	durations_show_rows(v, d);
	durations_show_slowest(v, d);
	for (size_t i = 0; v->histograms && i < MIN(d->functions.n, v->rows); i++)
		if (d->functions.at[i].calls.n && out_ready(v->out))
			durations_show_histogram(&d->functions.at[i], &v->out->buf);
}
