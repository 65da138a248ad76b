// SPDX-License-Identifier: MIT
/* Counts, and shows the counts at each interval and at the end. */
#include "cmd/stat/stat_opts.h"

#include "os/machine/host.h"
#include "os/rights/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct show {
	const struct stat_opts *opts;
	const struct stat_listener *listener;
	struct stat_plan plan;
	struct stat_wanted wanted;
	const struct event_set *events; /* those of .wanted */
	struct topology topology;
	struct stat *rows;	/* of all runs, or of one interval */
	struct counts before;	/* cumulative, at the end of the last interval */
	struct counts part;	/* of this interval */
	struct stat_pages pages;
	struct out out;
};

static int open_output(struct show *s, struct err *err)
{
	const struct stat_opts *o = s->opts;
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (o->append ? O_APPEND : O_TRUNC), fd;
	time_t now = time(NULL);
	char date[64];

	out_init(&s->out, o->log_fd_given ? o->log_fd : STDERR_FILENO);
	if (o->log_fd_given && fcntl(o->log_fd, F_GETFL) < 0)
		return err_sys(err, errno, "cannot write to descriptor %d", o->log_fd);
	if (!o->output || s->listener)
		return 0;
	fd = open(o->output, flags, 0666);
	if (fd < 0)
		return err_sys(err, errno, "cannot create '%s'", o->output);
	out_init(&s->out, fd);
	/* ctime_r() gives 26 bytes that end with a newline */
	buf_printf(&s->out.buf, "# started on %s\n", ctime_r(&now, date));
	return 0;
}

/* -v: prints the sums of raw counts; -vv: also each counter. */
static void show_raw(struct show *s, const struct counts *c)
{
	struct buf *b = &s->out.buf;

	for (size_t i = 0; s->opts->verbose > 1 && i < c->events.n; i++) {
		const struct event_counts *e = &c->events.at[i];

		for (size_t k = 0; k < e->at.n; k++)
			buf_printf(b, "%s: %d: %llu %llu %llu\n", s->events->events.at[i]->name,
				   e->cpus.at[k / c->threads.n],
				   (unsigned long long)e->at.at[k].value,
				   (unsigned long long)e->at.at[k].enabled,
				   (unsigned long long)e->at.at[k].running);
	}
	for (size_t i = 0; i < c->events.n; i++) {
		const struct event_counts *e = &c->events.at[i];
		struct count sum = {0};

		if (e->state != COUNT_OPEN) {
			buf_printf(b, "failed to read counter %s\n", s->events->events.at[i]->name);
			continue;
		}
		for (size_t k = 0; k < e->at.n; k++) {
			sum.value += e->at.at[k].value;
			sum.enabled += e->at.at[k].enabled;
			sum.running += e->at.at[k].running;
		}
		buf_printf(b, "%s: %llu %llu %llu\n", s->events->events.at[i]->name,
			   (unsigned long long)sum.value, (unsigned long long)sum.enabled,
			   (unsigned long long)sum.running);
	}
}

static void stat_run_add(struct show *s, const struct counts *c, const struct count_tick *t,
			 double elapsed)
{
	struct stat_times times = {elapsed, (double)t->user_ns, (double)t->system_ns};

	stat_add(s->rows, c, &times);
}

static void show_interval(struct show *s, const struct count_tick *t)
{
	counts_copy(&s->part, t->counts);
	if (s->before.events.n)
		counting_since(s->events, &s->part, &s->before);
	counts_copy(&s->before, t->counts);
	stat_reset(s->rows);
	stat_run_add(s, &s->part, t, (double)s->opts->interval * 1e6);
	stat_show_interval(&s->out, &s->plan.view, s->rows, &s->pages, t->elapsed_ns);
}

static void show_end(struct show *s, const struct count_tick *t)
{
	if (s->opts->interval) {
		if (!s->opts->summary) {
			stat_show_lacking(&s->out, &s->plan.view, s->rows);
			return;
		}
		stat_reset(s->rows);
	}
	stat_run_add(s, t->counts, t, (double)t->elapsed_ns);
	if (s->opts->verbose)
		show_raw(s, t->counts);
	if (!t->last && s->opts->runs)
		return;
	/* an interrupt ends the runs early */
	if (s->opts->runs)
		s->plan.view.runs = t->run + 1;
	stat_show(&s->out, &s->plan.view, s->rows);
	stat_reset(s->rows);
}

static bool lacks_counters(const struct counts *c)
{
	for (size_t i = 0; i < c->events.n; i++) {
		uint64_t running = 0, enabled = 0;

		for (size_t k = 0; k < c->events.at[i].at.n; k++) {
			running += c->events.at[i].at.at[k].running;
			enabled += c->events.at[i].at.at[k].enabled;
		}
		if (enabled && !running)
			return true;
	}
	return false;
}

/*
 * Sends the output. When the reader has closed the pipe, perf dies of SIGPIPE like other programs;
 * the command gets no signal. After another write error (a full disk), a count with a command goes
 * on until the command ends; other counts end.
 */
static int stat_run_send(struct show *s, struct err *err)
{
	if (out_flush(&s->out) || (s->out.failed != EPIPE && s->plan.run.command))
		return 0;
	if (s->out.failed == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return err_sys(err, s->out.failed, "cannot write the output");
}

static int stat_run_take(void *ctx, const struct count_tick *t, struct err *err)
{
	struct show *s = ctx;
	const struct stat_listener *l = s->listener;

	s->plan.view.counts = t->counts;
	if (t->moment == COUNT_START) {
		if (!s->rows) {
			s->rows = stat_new(s->events, &s->topology, &s->plan.rows);
			stat_add_cpus(s->rows, t->target->cpus.at, t->target->cpus.n);
		}
		return l && !t->run ? l->begin(l->ctx, &s->wanted.events, t->counts, err) : 0;
	}
	if (l && l->round(l->ctx, t->counts, t->elapsed_ns, t->moment == COUNT_END, err))
		return -1;
	if (s->opts->quiet)
		return 0;
	if (t->moment == COUNT_INTERVAL) {
		show_interval(s, t);
		if (s->opts->verbose)
			show_raw(s, &s->part);
	} else {
		s->plan.view.times &= t->times;
		s->plan.view.lacking = true;
		s->plan.view.watchdog = lacks_counters(t->counts) &&
					rights_sysctl("/proc", "nmi_watchdog", 0) > 0;
		show_end(s, t);
	}
	return stat_run_send(s, err);
}

/* Dies of the signal that ended the count, or returns the command's exit status. */
static int stat_run_leave(const struct count_run_result *r)
{
	if (r->signal) {
		signal(r->signal, SIG_DFL);
		raise(r->signal);
	}
	return r->exit_status;
}

static void read_topology(struct show *s)
{
	const struct stat_options *o = &s->plan.rows;

	if (o->aggr == STAT_GLOBAL || o->aggr == STAT_THREAD)
		return;
	topology_read(&s->topology, "/sys");
	if (o->aggr == STAT_CACHE)
		topology_read_caches(&s->topology, "/sys");
}

static int plan(struct show *s, const struct env *env, struct stat_opts *opts, char **argv,
		struct err *err)
{
	if (stat_plan(opts, env, argv, &s->plan, err) ||
	    stat_events(opts, env, &s->plan, &s->wanted, err))
		return -1;
	s->plan.run.nothing = s->plan.view.nothing = opts->nothing && !s->events->events.n;
	s->plan.run.count.with_ids = s->listener != NULL;
	if (s->plan.view.form == STAT_TEXT)
		setlocale(LC_NUMERIC, "");
	read_topology(s);
	if (opts->verbose && !opts->quiet)
		fprintf(stderr, "Using CPUID %s\n",
			host_cpuid_of_lists("/sys", &s->wanted.source.arena));
	if (opts->verbose && !opts->quiet && !opts->control.text)
		fputs("Control descriptor is not initialized\n", stderr);
	return open_output(s, err);
}

int stat_run(struct env *env, struct stat_opts *opts, char **argv,
	     const struct stat_listener *listener, struct err *err)
{
	struct show s = {.opts = opts, .listener = listener, .events = &s.wanted.events,
			 .out = {.fd = -1}};
	struct count_run_result result = {0};
	int got = plan(&s, env, opts, argv, err);
	const bool list = opts->iostat && !strcmp(opts->iostat, "list");

	if (!got && (list || (opts->iostat && opts->verbose && !opts->quiet)))
		stat_ports_list(&s.out.buf, &s.wanted.ports);
	if (!got && !list)
		got = count_run(&s.plan.run, &s.wanted.events, stat_run_take, &s, &result, err);
	if (s.out.fd >= 0 && out_end(&s.out, got ? NULL : err))
		got = -1;
	if (s.out.fd > STDERR_FILENO && !opts->log_fd_given)
		close(s.out.fd);
	out_release(&s.out);
	stat_special_end(&s.plan);
	stat_free(s.rows);
	counts_release(&s.before);
	counts_release(&s.part);
	topology_release(&s.topology);
	stat_wanted_release(&s.wanted);
	vec_release(&opts->selects);
	vec_release(&opts->metrics);
	return got ? got : stat_run_leave(&result);
}
