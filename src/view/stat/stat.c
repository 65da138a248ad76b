// SPDX-License-Identifier: MIT
#include "view/stat/row.h"

#include <math.h>
#include <string.h>

static int unit_width(const struct stat_view *v, const struct stat_row *rows, size_t n)
{
	size_t width = strlen("unit");

	for (size_t i = 0; i < n && !v->recorded; i++)
		width = MAX(width, strlen(rows[i].event->unit));
	return (int)width;
}

static bool any_cgroup(const struct stat_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].event->cgroup)
			return true;
	return false;
}

static void stat_show_rows(const struct stat_lines *l, const struct stat_row *rows, size_t n,
			   double elapsed_ns)
{
	if (l->view->form == STAT_OPENMETRICS) {
		stat_openmetrics(l, rows, n, elapsed_ns);
		return;
	}
	if (l->view->ports) {
		stat_ports_rows(l, rows, n);
		return;
	}
	if (l->view->metric_only) {
		stat_table_rows(l, rows, n);
		return;
	}
	for (size_t i = 0; i < n && out_ready(l->out); i++) {
		if (l->view->form == STAT_TEXT)
			stat_text_row(l, &rows[i]);
		else if (l->view->form == STAT_CSV)
			stat_csv_row(l, &rows[i]);
		else
			stat_json_row(l, &rows[i]);
	}
}

/* Shows the column names above intervals. */
static void show_heading(const struct stat_lines *l, const struct stat_row *rows, size_t n)
{
	static const struct {
		const char *place;
		int counts;
	} columns[] = {
		[STAT_GLOBAL] = {"", 19},
		[STAT_CPU] = {" CPU    ", 22},
		[STAT_CORE] = {" core            cpus", 19},
		[STAT_CLUSTER] = {" cluster              cpus", 19},
		[STAT_CACHE] = {" cache                  cpus", 19},
		[STAT_DIE] = {" die          cpus", 19},
		[STAT_SOCKET] = {" socket cpus", 19},
		[STAT_NODE] = {" node   cpus", 19},
		[STAT_THREAD] = {"             comm-pid", 24},
	};
	const struct stat_view *v = l->view;
	AUTO_BUF time = {0};

	if (v->ports) {
		stat_ports_heading(l);
		return;
	}
	if (v->form == STAT_JSON || v->form == STAT_OPENMETRICS ||
	    (v->form == STAT_CSV && !v->metric_only))
		return;
	if (v->form == STAT_CSV)
		buf_printf(&time, " time%s", v->separator);
	else
		buf_printf(&time, "#           time%s", columns[v->aggr].place);
	if (!v->metric_only) {
		buf_printf(&l->out->buf, "%s%*s %*s events\n", buf_text(&time),
			   columns[v->aggr].counts, "counts", l->unit_width, "unit");
		return;
	}
	if (v->form == STAT_TEXT)
		buf_char(&time, ' ');
	stat_table_heading(l, rows, n, buf_text(&time));
}

/* Intervals after which perf repeats the column names. */
enum { PAGE = 25 };

void stat_show_interval(struct out *out, const struct stat_view *v, struct stat *s,
			struct stat_pages *pages, uint64_t time_ns)
{
	size_t n;
	const struct stat_row *rows = stat_rows(s, &n);
	unsigned long long sec = time_ns / 1000000000, ns = time_ns % 1000000000;
	AUTO_BUF prefix = {0};
	struct stat_lines l = {out, v, NULL, any_cgroup(rows, n), unit_width(v, rows, n)};

	if (v->form == STAT_JSON)
		buf_printf(&prefix, "\"interval\" : %llu.%09llu, ", sec, ns);
	else
		buf_printf(&prefix, "%6llu.%09llu%s", sec, ns,
			   v->form == STAT_CSV ? v->separator : " ");
	l.prefix = buf_text(&prefix);
	if (v->interval_clear)
		buf_str(&out->buf, "\033[H\033[2J\n");
	if (v->interval_clear || pages->intervals % PAGE == 0)
		show_heading(&l, rows, n);
	stat_show_rows(&l, rows, n, (double)(time_ns - pages->last_ns));
	pages->last_ns = time_ns;
	pages->intervals++;
}

static void stat_show_title(struct out *out, const struct stat_view *v)
{
	struct buf *b = &out->buf;

	buf_str(b, "\n Performance counter stats for ");
	if (v->bpf_programs)
		buf_printf(b, "'BPF program(s) %s", v->bpf_programs);
	else if (v->system_wide)
		buf_str(b, "'system wide");
	else if (v->cpus)
		buf_printf(b, "'CPU(s) %s", v->cpus);
	else if (v->pids)
		buf_printf(b, "process id '%s", v->pids);
	else if (v->tids)
		buf_printf(b, "thread id '%s", v->tids);
	else if (!v->command || !v->command[0])
		buf_str(b, "'pipe");
	for (size_t i = 0; !v->bpf_programs && !v->system_wide && !v->cpus && !v->pids &&
			   !v->tids && v->command && v->command[i];
	     i++) {
		buf_char(b, i ? ' ' : '\'');
		buf_str(b, v->command[i]);
	}
	buf_char(b, '\'');
	if (v->runs > 1)
		buf_printf(b, " (%llu runs)", (unsigned long long)v->runs);
	buf_str(b, ":\n\n");
}

static void show_runs(struct buf *b, const double *each, size_t n, int precision, double mean)
{
	AUTO_BUF text = {0};
	size_t indent = 1;

	buf_printf(&text, "%17.*f", precision, mean);
	while (indent <= text.n && text.at[indent - 1] == ' ')
		indent++;
	buf_fill(b, ' ', indent);
	buf_str(b, "# Table of individual measurements:\n");
	for (size_t i = 0; i < n; i++) {
		double run = each[i] / 1e9, off = run - mean;
		double share = run != 0 ? fabs(100 * off / run) / 5 : 0;

		buf_printf(b, " %17.*f (%+.*f) ", precision, run, precision, off);
		buf_fill(b, '#', 1 + (size_t)fmin(share, 200));
		buf_char(b, '\n');
	}
	buf_char(b, '\n');
	buf_fill(b, ' ', indent);
	buf_str(b, "# Final result:\n");
}

static void show_times(struct out *out, const struct stat_view *v, const struct stat *s)
{
	struct buf *b = &out->buf;
	const struct stat_mean *elapsed = stat_elapsed(s);
	double mean = elapsed->mean / 1e9, error = elapsed->error / 1e9;
	int precision = 2;
	size_t n;
	const double *each = stat_each_elapsed(s, &n);

	if (!v->nothing)
		buf_char(b, '\n');
	if (v->runs <= 1) {
		buf_printf(b, " %17.9f seconds time elapsed", mean);
		if (v->times)
			buf_printf(b, "\n\n %17.9f seconds user\n %17.9f seconds sys\n",
				   stat_user(s)->mean / 1e9, stat_system(s)->mean / 1e9);
	} else {
		if (error > 0 && error < 1)
			precision += (int)ceil(-log10(error));
		if (v->table)
			show_runs(b, each, n, precision, mean);
		buf_printf(b, " %17.*f +- %.*f seconds time elapsed", precision, mean, precision,
			   error);
		if (error != 0 && mean != 0)
			buf_printf(b, "  ( +-%6.2f%% )", 100 * error / mean);
	}
	buf_str(b, "\n\n");
}

/* True for a group with hardware events of several PMUs: no PMU can count them all. */
static bool mixed_group(const struct stat_row *rows, size_t n, const struct stat_row *missing)
{
	const struct event *one = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct event *ev = rows[i].event;

		if (ev->leader != missing->event->leader || ev->attr.type == TYPE_SOFTWARE)
			continue;
		if (one && one->attr.type != ev->attr.type)
			return true;
		one = ev;
	}
	return false;
}

enum { LACKING_NAMES = 4 };

void stat_show_lacking(struct out *out, const struct stat_view *v, struct stat *s)
{
	size_t n, lacking = 0;
	const struct stat_row *rows = stat_rows(s, &n);
	struct buf *b = &out->buf;

	for (size_t i = 0; i < n && v->lacking && v->form == STAT_TEXT; i++) {
		const struct attr *a = &rows[i].event->attr;

		if (rows[i].state != STAT_NOT_SUPPORTED ||
		    memcmp(&rows[i].id, &rows[0].id, sizeof(rows[0].id)) != 0 ||
		    (a->type != TYPE_HARDWARE && a->type != TYPE_HW_CACHE))
			continue;
		if (lacking++ < LACKING_NAMES)
			buf_printf(b, "%s'%s'", lacking > 1 ? ", " : "No hardware counter for ",
				   rows[i].event->name);
	}
	if (lacking > LACKING_NAMES)
		buf_printf(b, " and %zu more", lacking - LACKING_NAMES);
	if (lacking)
		buf_str(b, " here.\n");
}

/* Shows why events may not have been counted, and what the user can do. */
static void show_hints(struct out *out, const struct stat_view *v, const struct stat_row *rows,
		       size_t n)
{
	bool mixed = false;

	for (size_t i = 0; i < n && !mixed; i++)
		mixed = rows[i].state == STAT_NOT_COUNTED && mixed_group(rows, n, &rows[i]);
	if (v->watchdog)
		buf_str(&out->buf, "Some events weren't counted. Try disabling the NMI watchdog:\n"
				   "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
				   "\tperf stat ...\n"
				   "\techo 1 > /proc/sys/kernel/nmi_watchdog\n");
	if (mixed)
		buf_str(&out->buf, "The events in group usually have to be from the same PMU. "
				   "Try reorganizing the group.\n");
}

void stat_show(struct out *out, const struct stat_view *v, struct stat *s)
{
	size_t n;
	const struct stat_row *rows = stat_rows(s, &n);
	AUTO_BUF prefix = {0};
	struct stat_lines l = {out, v, NULL, any_cgroup(rows, n), unit_width(v, rows, n)};

	if (v->form == STAT_CSV && v->summary && !v->no_csv_summary)
		buf_printf(&prefix, "%16s%s", "summary", v->separator);
	l.prefix = buf_text(&prefix);
	if (v->form == STAT_TEXT)
		stat_show_title(out, v);
	if (v->ports && !v->summary)
		stat_ports_heading(&l);
	if (v->metric_only && !v->nothing && !v->summary)
		stat_table_heading(&l, rows, n, "");
	if (!v->nothing)
		stat_show_rows(&l, rows, n, stat_elapsed(s)->mean);
	if (v->form == STAT_TEXT) {
		show_times(out, v, s);
		show_hints(out, v, rows, n);
		stat_show_lacking(out, v, s);
	}
}
