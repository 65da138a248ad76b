/* SPDX-License-Identifier: MIT */
/*
 * The output of `perf stat`: text, fields with a separator (-x) and JSON lines (-j), all as perf
 * 6.1 prints them, byte for byte; and OpenMetrics expositions.
 */
#ifndef VIEW_STAT_H
#define VIEW_STAT_H

#include "analysis/stat.h"
#include "os/machine/io_ports.h"
#include "view/out/out.h"

enum { STAT_PORT_EVENTS = 4 };

enum stat_form { STAT_TEXT, STAT_CSV, STAT_JSON, STAT_OPENMETRICS };

struct stat_view {
	enum stat_form form;
	const char *separator; /* of STAT_CSV */
	bool big_numbers;      /* thousands' separators, as the locale has them */
	bool metric_only, no_csv_summary, interval_clear, table;
	bool interval; /* -I: the time in front of each row */
	bool summary;  /* ... and at the end the sums of all intervals */
	bool nothing;  /* -n */
	enum stat_aggr aggr;
	uint64_t runs;
	/* for the title: the command's words, or the other targets */
	char *const *command; /* NULL-terminated, or NULL */
	const char *pids, *tids, *cpus, *bpf_programs;
	bool system_wide;
	bool recorded;		     /* of a recording: perf leaves long units unaligned there */
	bool times;		     /* the command has ended, so its run time is known */
	/* --iostat: rows are the transfers of these ports, STAT_PORT_EVENTS rows for each; or
	 * NULL */
	const struct io_ports *ports;
	const struct counts *counts; /* has the names of the rows' threads */
	/* the NMI watchdog of this machine may hold a counter: hint at that */
	bool watchdog;
	/* the counts are of this machine: show why an event is not supported */
	bool lacking;
};

/* The intervals shown so far; all zero before the first. */
struct stat_pages {
	uint64_t intervals;
	uint64_t last_ns; /* when the last one ended */
};

/* Shows one interval's rows, with the column names as often as perf repeats them; time_ns: since
 * the start. */
void stat_show_interval(struct out *out, const struct stat_view *v, struct stat *s,
			struct stat_pages *pages, uint64_t time_ns);
/* Shows the final counts: title, rows, times. */
void stat_show(struct out *out, const struct stat_view *v, struct stat *s);
/* After the last interval: shows only the events for which the machine has no counter. */
void stat_show_lacking(struct out *out, const struct stat_view *v, struct stat *s);
/* Lists the ports, a line for each. */
void stat_ports_list(struct buf *out, const struct io_ports *ports);

#endif
