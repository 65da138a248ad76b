// SPDX-License-Identifier: MIT
#include "view/durations/histogram.h"
#include "view/sched/sched.h"

static void latency_rule(struct buf *b, size_t n)
{
	buf_char(b, ' ');
	buf_fill(b, '-', n);
	buf_char(b, '\n');
}

static void latency_show_row(const struct sched_latency_row *row, struct buf *b)
{
	const size_t start = b->n;

	buf_str(b, "  ");
	buf_safe(b, row->comm);
	if (row->tasks > 1)
		buf_printf(b, ":(%u) ", row->tasks);
	else
		buf_printf(b, ":%d ", row->tid);
	if (b->n - start < 24)
		buf_fill(b, ' ', 24 - (b->n - start));
	buf_printf(b, "|%11.3f ms |%9llu | avg:%8.3f ms | max:%8.3f ms | max start: ",
		   (double)row->runtime_ns / 1e6, (unsigned long long)row->switches,
		   (double)(row->wait_ns / row->switches) / 1e6, (double)row->max_ns / 1e6);
	sched_seconds(b, row->max_start, 12);
	buf_str(b, " s | max end: ");
	sched_seconds(b, row->max_end, 12);
	buf_str(b, " s\n");
}

void sched_lost_show(uint64_t lost_events, uint64_t lost_records, uint64_t records, struct buf *out)
{
	if (lost_events && records)
		buf_printf(out, "  INFO: %.3f%% lost events (%llu out of %llu, in %llu chunks)\n",
			   (double)lost_events / (double)records * 100,
			   (unsigned long long)lost_events, (unsigned long long)records,
			   (unsigned long long)lost_records);
}

static void latency_show_doubts(const struct sched_latency *l, struct buf *b)
{
	if (l->unordered && l->wakeups)
		buf_printf(b, "  INFO: %.3f%% unordered timestamps (%llu out of %llu)\n",
			   (double)l->unordered / (double)l->wakeups * 100,
			   (unsigned long long)l->unordered, (unsigned long long)l->wakeups);
	sched_lost_show(l->lost_events, l->lost_records, l->records, b);
	if (l->wrong_switches && l->wakeups)
		buf_printf(b, "  INFO: %.3f%% context switch bugs (%llu out of %llu)%s\n",
			   (double)l->wrong_switches / (double)l->wakeups * 100,
			   (unsigned long long)l->wrong_switches, (unsigned long long)l->wakeups,
			   l->lost_events ? " (due to lost events?)" : "");
}

void sched_latency_show(const struct sched_latency *l, struct out *out)
{
	struct buf *b = &out->buf;

	buf_char(b, '\n');
	latency_rule(b, 139);
	buf_str(b, "  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max "
		   "delay ms    "
		   "| Max delay start           | Max delay end          |\n");
	latency_rule(b, 139);
	for (size_t i = 0; i < l->rows.n; i++) {
		latency_show_row(&l->rows.at[i], b);
		if (!out_ready(out))
			return;
	}
	latency_rule(b, 113);
	buf_printf(b, "  TOTAL:                |%11.3f ms |%9llu |\n", (double)l->runtime_ns / 1e6,
		   (unsigned long long)l->switches);
	latency_rule(b, 51);
	latency_show_doubts(l, b);
	if (l->opts->by_histogram) {
		buf_str(b, "\n  Delays of all tasks:\n");
		histogram_show(&l->waits, l->opts->histogram, b);
	}
	buf_char(b, '\n');
}
