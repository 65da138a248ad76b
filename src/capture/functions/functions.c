// SPDX-License-Identifier: MIT
#include "capture/functions/functions.h"

#include "base/monotonic.h"
#include "capture/open/measured.h"
#include "os/tracing/ftrace.h"
#include "os/files/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PAUSE_MS     50
#define WITHOUT_PIDS "set_ftrace_notrace_pid"
#define MS	     1000000ull

struct run {
	const struct functions_options *o;
	const struct functions_listener *to;
	struct ftrace_settings settings;
	struct measured m;
	struct guard guard;
	uint64_t lost; /* before the trace, then in it */
	int pipe;
};

static int set_number(struct run *r, const char *file, uint64_t v, struct err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
	return ftrace_write(&r->settings, file, text, err);
}

static int set_option(struct run *r, const char *name, const char *to, struct err *err)
{
	AUTO_CHAR *file = mem_printf("options/%s", name);

	return ftrace_write(&r->settings, file, to, err);
}

static int set_names(struct run *r, const char *file, const struct function_names *names,
		     struct err *err)
{
	return names->n ? ftrace_write_all(&r->settings, file, names->at, names->n, err) : 0;
}

static int set_tasks(struct run *r, struct err *err)
{
	struct function_names pids = {0};
	struct arena arena = {0};
	int got = 0;

	for (size_t i = 0; i < r->m.target.tids.n; i++)
		if (r->m.target.tids.at[i] > 0)
			vec_add(&pids, arena_printf(&arena, "%d", r->m.target.tids.at[i]));
	if (pids.n)
		got = ftrace_write_all(&r->settings, "set_ftrace_pid", pids.at, pids.n, err);
	else if (ftrace_has_file(r->settings.root, WITHOUT_PIDS)) /* since Linux 5.8 */
		got = set_number(r, WITHOUT_PIDS, (uint64_t)getpid(), err);
	if (!got && pids.n)
		got = set_option(r, "function-fork", r->o->inherit ? "1" : "0", err);
	vec_release(&pids);
	arena_release(&arena);
	return got;
}

/* Writes tracing_cpumask in the kernel's format: words of 32 bits in hexadecimal, the highest
 * first. */
static int set_cpus(struct run *r, struct err *err)
{
	AUTO_BUF text = {0};
	int most = 0;

	if (!r->o->target.cpus)
		return 0;
	for (size_t i = 0; i < r->m.target.cpus.n; i++)
		most = MAX(most, r->m.target.cpus.at[i]);
	for (int word = most / 32; word >= 0; word--) {
		uint32_t bits = 0;

		for (size_t i = 0; i < r->m.target.cpus.n; i++)
			if (r->m.target.cpus.at[i] / 32 == word)
				bits |= 1u << r->m.target.cpus.at[i] % 32;
		buf_printf(&text, "%s%0*x", text.n ? "," : "", word == most / 32 ? 1 : 8, bits);
	}
	return ftrace_write(&r->settings, "tracing_cpumask", buf_text(&text), err);
}

static int set_up(struct run *r, struct err *err)
{
	const struct functions_options *o = r->o;

	if (ftrace_write(&r->settings, "tracing_on", "0", err) || set_tasks(r, err) ||
	    set_cpus(r, err) || set_names(r, "set_ftrace_filter", &o->only, err) ||
	    set_names(r, "set_ftrace_notrace", &o->without, err) ||
	    set_names(r, "set_graph_function", &o->graph, err) ||
	    set_names(r, "set_graph_notrace", &o->graph_without, err))
		return -1;
	if ((o->depth && set_number(r, "max_graph_depth", o->depth, err)) ||
	    (o->thresh_us && set_number(r, "tracing_thresh", o->thresh_us, err)) ||
	    (o->buffer_bytes &&
	     set_number(r, "buffer_size_kb", (o->buffer_bytes + 1023) >> 10, err)))
		return -1;
	/* options of a tracer may be there only while it is in use */
	if (ftrace_write(&r->settings, "current_tracer", o->tracer, err))
		return -1;
	for (size_t i = 0; i < o->options.n; i++)
		if (set_option(r, o->options.at[i].name, o->options.at[i].value, err))
			return -1;
	return 0;
}

/* Hands the header lines (column names) to the listener. False: the listener ends the trace. */
static bool show_head(struct run *r)
{
	AUTO_BUF text = {0};

	if (text_read(r->settings.root, "trace", 1 << 16, &text))
		return true; /* there may be none */
	for (const char *p = buf_text(&text); *p == '#';) {
		size_t n = strcspn(p, "\n");

		n += p[n] == '\n';
		if (!r->to->text(r->to->ctx, p, n))
			return false;
		p += n;
	}
	return true;
}

#define READS_AT_ONCE 64

/* Hands on the text that the pipe holds now; unless all is set, only some, for reading itself may
 * be traced and then always leaves more. 0, or -1 with *err. */
static int drain(struct run *r, bool all, struct err *err)
{
	char text[16384];
	ssize_t n = 0;

	for (int i = 0; all || i < READS_AT_ONCE; i++) {
		n = read(r->pipe, text, sizeof(text));
		if (n <= 0)
			break;
		if (!r->to->text(r->to->ctx, text, (size_t)n)) {
			r->m.stop = true;
			return 0;
		}
	}
	return n < 0 && errno != EAGAIN && errno != EINTR
		       ? err_sys(err, errno, "cannot read '%s/trace_pipe'", r->settings.root)
		       : 0;
}

static int loop(struct run *r, struct err *err)
{
	const uint64_t on_at = monotonic_ns() + r->o->delay_ms * MS;
	bool on = !r->o->delay_ms;

	if (on && ftrace_write(&r->settings, "tracing_on", "1", err))
		return -1;
	if (r->m.command.pid && spawn_start(&r->m.command, err))
		return -1;
	while (!r->m.stop) {
		/* a file that stands for the pipe is always readable */
		if (measured_wait(&r->m, PAUSE_MS) < 0)
			return err_sys(err, errno, "cannot wait for functions");
		if (!on && monotonic_ns() >= on_at) {
			on = true;
			if (ftrace_write(&r->settings, "tracing_on", "1", err))
				return -1;
		}
		if (drain(r, false, err))
			return -1;
	}
	return ftrace_write(&r->settings, "tracing_on", "0", err) || drain(r, true, err) ? -1 : 0;
}

/* Numbers begin anew when the buffers are emptied meanwhile. */
static uint64_t function_events_lost(const struct run *r)
{
	const uint64_t now = ftrace_lost(r->settings.root);

	return now >= r->lost ? now - r->lost : now;
}

static int functions_trace_live(struct run *r, struct err *err)
{
	struct target_options t = r->o->target;

	if (r->o->command &&
	    spawn_prepare(&r->m.command, r->o->command, &(struct spawn_options){0}, err))
		return -1;
	if (!r->o->command && target_is_command(&t))
		t.system_wide = true;
	if (target_find(&r->m.target, &t, (int)r->m.command.pid, "/proc", "/sys", err) ||
	    set_up(r, err))
		return -1;
	ftrace_guard_begin(&r->guard, &r->settings);
	r->lost = ftrace_lost(r->settings.root);
	r->pipe = ftrace_open_pipe(r->settings.root, err);
	if (r->pipe < 0)
		return -1;
	measured_watch(&r->m, r->pipe, &r->o->target);
	r->m.stop = !show_head(r);
	if (loop(r, err))
		return -1;
	r->lost = function_events_lost(r);
	return measured_check(&r->m, r->o->command ? r->o->command[0] : "", err);
}

static int functions_check(const struct functions_options *o, struct err *err)
{
	struct arena arena = {0};
	const char *current = ftrace_current_tracer(o->root, &arena);
	AUTO_BUF all = {0};
	int got = 0;

	if (!current) {
		err_sys(err, errno, "cannot read '%s/current_tracer'", o->root);
		got = err_hint(err, "this kernel has no tracers, or only root may use them");
	} else if (!ftrace_has_tracer(o->root, o->tracer)) {
		text_read(o->root, "available_tracers", 4096, &all);
		got = err_set(err, ERR_UNSUPPORTED, "this kernel has no tracer '%s', only: %.*s",
			      o->tracer, (int)strcspn(buf_text(&all), "\n"), buf_text(&all));
	} else if (strcmp(current, "nop")) {
		err_set(err, ERR_SYSTEM, "the tracer '%s' is in use", current);
		got = err_hint(err, "when nobody needs it: echo nop >%s/current_tracer", o->root);
	}
	arena_release(&arena);
	return got;
}

int functions_trace(const struct functions_options *o, const struct functions_listener *to,
		    struct functions_result *result, struct err *err)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
	struct run r = {.o = o, .to = to, .settings.root = o->root, .pipe = -1};
	int got;

	if (functions_check(o, err) || signals_open(&r.m.signals, caught, err))
		return -1;
	got = functions_trace_live(&r, err);
	/* the tracer cannot be changed while the pipe is open */
	if (r.pipe >= 0)
		close(r.pipe);
	if (ftrace_put_back(&r.settings, got ? NULL : err))
		got = -1;
	guard_end(&r.guard);
	result->lost = got ? 0 : r.lost;
	result->exit_status = measured_end(&r.m);
	result->signal = r.m.signal;
	return got;
}
