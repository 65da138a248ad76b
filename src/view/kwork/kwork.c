// SPDX-License-Identifier: MIT
#include "view/kwork/kwork.h"

#include <stdio.h>

/* Dashes of a table's rule, without the blank before it. */
#define RULE_WIDTH 128

static void kwork_rule(struct buf *b)
{
	buf_char(b, ' ');
	buf_fill(b, '-', RULE_WIDTH);
	buf_char(b, '\n');
}

static void kwork_seconds(struct buf *b, uint64_t ns)
{
	buf_printf(b, " %10llu.%06llu s |", (unsigned long long)(ns / 1000000000),
		   (unsigned long long)(ns / 1000 % 1000000));
}

static void kwork_show_row(const struct kwork *k, const struct kwork_work *w, struct buf *b)
{
	const bool delays = k->opts->question == KWORK_DELAY;
	size_t start;

	buf_str(b, "  ");
	start = b->n;
	kwork_name(k, w, b);
	buf_fill(b, ' ', 30 - (b->n - start));
	buf_printf(b, " | %04u | %10.3f ms | %9llu | %10.3f ms |", w->cpu,
		   (double)w->total_ns / (delays ? (double)w->count : 1) / 1e6,
		   (unsigned long long)w->count, (double)w->max_ns / 1e6);
	kwork_seconds(b, w->max_start);
	kwork_seconds(b, w->max_end);
	buf_char(b, '\n');
}

static void kwork_show_header(const struct kwork *k, struct buf *b)
{
	const bool delays = k->opts->question == KWORK_DELAY;
	const char *const what = delays ? "delay" : "runtime";
	char max[3][20];

	snprintf(max[0], sizeof(max[0]), "Max %s", what);
	snprintf(max[1], sizeof(max[1]), "Max %s start", what);
	snprintf(max[2], sizeof(max[2]), "Max %s end", what);
	buf_printf(b, "\n  %-30s | %-4s | %-13s | %-9s | %-13s | %-19s | %-19s |\n", "Kwork Name",
		   "Cpu", delays ? "Avg delay" : "Total Runtime", "Count", max[0], max[1], max[2]);
	kwork_rule(b);
}

static void kwork_show_summary(const struct kwork *k, struct buf *b)
{
	const uint64_t span = k->last - k->first;
	uint64_t count = 0, ns = 0;

	for (size_t i = 0; i < k->order.n; i++) {
		count += k->works.at[k->order.at[i]].count;
		ns += k->works.at[k->order.at[i]].total_ns;
	}
	buf_printf(b, "  Total count            : %9llu\n", (unsigned long long)count);
	buf_printf(b, "  Total runtime   (msec) : %9.3f (%.3f%% load average)\n", (double)ns / 1e6,
		   span ? (double)ns / (double)span * 100 : 0);
	buf_printf(b, "  Total time span (msec) : %9.3f\n", (double)span / 1e6);
	kwork_rule(b);
}

static void kwork_show_left_out(const struct kwork *k, struct buf *b)
{
	const unsigned long long raises = k->skipped[KWORK_RAISE],
				 entries = k->skipped[KWORK_ENTRY], exits = k->skipped[KWORK_EXIT],
				 all = raises + entries + exits, records = k->records;

	if (k->lost_events && records)
		buf_printf(b, "  INFO: %.3f%% lost events (%llu out of %llu, in %llu chunks)\n",
			   (double)k->lost_events / (double)records * 100,
			   (unsigned long long)k->lost_events, records,
			   (unsigned long long)k->lost_records);
	if (all && records)
		buf_printf(b,
			   "  INFO: %.3f%% skipped events (%llu including %llu raise, %llu entry, "
			   "%llu exit)\n",
			   (double)all / (double)records * 100, all, raises, entries, exits);
}

void kwork_show(const struct kwork *k, bool summary, struct out *out)
{
	struct buf *b = &out->buf;

	kwork_show_header(k, b);
	for (size_t i = 0; i < k->order.n && out_ready(out); i++)
		kwork_show_row(k, &k->works.at[k->order.at[i]], b);
	kwork_rule(b);
	if (summary)
		kwork_show_summary(k, b);
	kwork_show_left_out(k, b);
	buf_char(b, '\n');
}
