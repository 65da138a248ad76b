/* SPDX-License-Identifier: MIT */
/*
 * How `perf stat` shows its rows: text, fields with a separator (-x), JSON lines (-j), which are
 * what perf 6.1 prints, byte for byte; and OpenMetrics expositions.
 */
#ifndef VIEW_STAT_H
#define VIEW_STAT_H

#include "analysis/stat.h"
#include "os/machine/io_ports.h"
#include "view/out.h"

enum { STAT_PORT_EVENTS = 4 };

enum stat_form { STAT_TEXT, STAT_CSV, STAT_JSON, STAT_OPENMETRICS };

struct stat_view {
	enum stat_form form;
	const char *separator; /* of STAT_CSV */
	bool big_numbers;      /* thousands' separators, as the locale has them */
	bool metric_only, no_csv_summary, interval_clear, table;
	bool interval; /* -I: the time in front of each row */
	bool summary;  /* ... and at the end what all intervals add up to */
	bool nothing;  /* -n */
	enum stat_aggr aggr;
	uint64_t runs;
	/* what the title says: the command's words, or what else was measured */
	char *const *command; /* NULL-terminated, or NULL */
	const char *pids, *tids, *cpus, *bpf_programs;
	bool system_wide;
	bool recorded;		     /* shown by report: perf leaves long units unaligned there */
	bool times;		     /* the command was waited for: how long it ran is known */
	/* --iostat: rows are what these ports move, STAT_PORT_EVENTS for each; or NULL */
	const struct io_ports *ports;
	const struct counts *counts; /* whose threads the rows name */
	/* the hint that the NMI watchdog holds a counter fits this machine */
	bool watchdog;
	/* events that are not supported are so on this machine: the reason is shown */
	bool lacking;
};

/* How often intervals have been shown; zero before the first. */
struct stat_pages {
	uint64_t intervals;
	uint64_t last_ns; /* when the last one ended */
};

/* One interval's rows, and the line of column names as often as perf repeats it; time_ns since the
 * start. */
void stat_show_interval(struct out *out, const struct stat_view *v, struct stat *s,
			struct stat_pages *pages, uint64_t time_ns);
/* The whole answer at the end: title, rows, times. */
void stat_show(struct out *out, const struct stat_view *v, struct stat *s);
/* Of that only the events that the machine has no counter for: after the last interval. */
void stat_show_lacking(struct out *out, const struct stat_view *v, struct stat *s);
/* Which ports there are, a line for each. */
void stat_ports_list(struct buf *out, const struct io_ports *ports);

#endif
