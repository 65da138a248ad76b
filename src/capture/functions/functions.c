// SPDX-License-Identifier: MIT
#include "capture/functions/functions.h"

#include "base/monotonic.h"
#include "capture/functions/cpu_texts.h"
#include "capture/open/measured.h"
#include "os/tracing/ftrace.h"
#include "os/files/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PAUSE_MS      50
#define READS_AT_ONCE 64 /* of a pipe: reading itself may be traced and then always leaves more */
#define WITHOUT_PIDS  "set_ftrace_notrace_pid"
#define TIMES	      "options/funcgraph-abstime"
#define MS	      1000000ull

struct run {
	const struct functions_options *o;
	const struct functions_listener *to;
	struct ftrace_settings settings;
	struct measured m;
	struct guard guard;
	uint64_t lost; /* before the trace, then in it */
	struct ftrace_pipes pipes;
	struct cpu_texts texts; /* of each pipe */
	struct buf out;		/* header lines first, then what is in order */
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

/* Reads the header lines (column names) and then has function_graph write times, which its lines
 * are put in order by. */
static int functions_prepare_text(struct run *r, struct err *err)
{
	AUTO_BUF text = {0};
	struct arena arena = {0};
	const char *times = text_line(r->settings.root, TIMES, &arena);

	r->texts.graph = !strcmp(r->o->tracer, "function_graph");
	r->texts.strip = r->texts.graph && times && !strcmp(times, "0");
	arena_release(&arena);
	if (!text_read(r->settings.root, "trace", 1 << 16, &text)) /* else there may be none */
		for (const char *p = buf_text(&text); *p == '#';) {
			size_t n = strcspn(p, "\n");

			n += p[n] == '\n';
			buf_add(&r->out, p, n);
			p += n;
		}
	return r->texts.strip ? ftrace_write(&r->settings, TIMES, "1", err) : 0;
}

/* Hands on the text that is in order. False: the listener ends the trace. */
static bool functions_hand_on(struct run *r)
{
	const bool more = !r->out.n || r->to->text(r->to->ctx, r->out.at, r->out.n);

	buf_clear(&r->out);
	return more;
}

/* Reads what the pipes hold now, of each pipe only some unless all is set, and hands it on in the
 * order of time. *more: a pipe has not been read to its end. 0, or -1 with *err. */
static int functions_drain(struct run *r, bool all, bool *more, struct err *err)
{
	char text[16384];

	*more = false;
	for (size_t cpu = 0; cpu < r->pipes.n; cpu++) {
		ssize_t n = 1;

		for (int i = 0; n > 0 && (all || i < READS_AT_ONCE); i++) {
			n = read(r->pipes.at[cpu], text, sizeof(text));
			if (n > 0)
				cpu_texts_add(&r->texts, cpu, text, (size_t)n);
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return err_sys(err, errno, "cannot read a trace_pipe of '%s/per_cpu'",
				       r->settings.root);
		r->texts.at[cpu].exhausted = n <= 0;
		*more |= n > 0;
	}
	cpu_texts_take(&r->texts, all, &r->out);
	if (!functions_hand_on(r))
		r->m.stop = true;
	return 0;
}

static int loop(struct run *r, struct err *err)
{
	const uint64_t on_at = monotonic_ns() + r->o->delay_ms * MS;
	bool on = !r->o->delay_ms, more = false;

	if (on && ftrace_write(&r->settings, "tracing_on", "1", err))
		return -1;
	if (r->m.command.pid && spawn_start(&r->m.command, err))
		return -1;
	while (!r->m.stop) {
		if (measured_wait(&r->m, more ? 0 : PAUSE_MS) < 0)
			return err_sys(err, errno, "cannot wait for functions");
		if (!on && monotonic_ns() >= on_at) {
			on = true;
			if (ftrace_write(&r->settings, "tracing_on", "1", err))
				return -1;
		}
		if (functions_drain(r, false, &more, err))
			return -1;
	}
	return ftrace_write(&r->settings, "tracing_on", "0", err) ||
			       functions_drain(r, true, &more, err)
		       ? -1
		       : 0;
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
	    set_up(r, err) || functions_prepare_text(r, err))
		return -1;
	ftrace_guard_begin(&r->guard, &r->settings);
	r->lost = ftrace_lost(r->settings.root);
	if (ftrace_open_pipes(r->settings.root, &r->pipes, err))
		return -1;
	cpu_texts_init(&r->texts, r->pipes.n);
	measured_watch(&r->m, -1, &r->o->target);
	r->m.stop = !functions_hand_on(r);
	if (loop(r, err))
		return -1;
	r->lost = function_events_lost(r);
	return measured_check(&r->m, err);
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
	struct run r = {.o = o, .to = to, .settings.root = o->root};
	int got;

	if (functions_check(o, err) || signals_open(&r.m.signals, caught, err))
		return -1;
	got = functions_trace_live(&r, err);
	/* the tracer cannot be changed while a pipe is open */
	for (size_t i = 0; i < r.pipes.n; i++)
		close(r.pipes.at[i]);
	vec_release(&r.pipes);
	cpu_texts_release(&r.texts);
	buf_release(&r.out);
	if (ftrace_put_back(&r.settings, got ? NULL : err))
		got = -1;
	guard_end(&r.guard);
	result->lost = got ? 0 : r.lost;
	result->exit_status = measured_end(&r.m);
	result->signal = r.m.signal;
	return got;
}
