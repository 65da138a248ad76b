// SPDX-License-Identifier: MIT
/* Shows calls as lines, and adds them to sums. */
#include "cmd/trace/trace_events.h"

#include "os/proc/proc.h"
#include "view/trace/call_dump.h"
#include "view/trace/call_sums.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void trace_show_comm(struct trace_show *s, uint32_t tid, const char *comm)
{
	uint32_t *id = idmap_put(&s->comms, tid);

	if (*id == HASH_NONE) {
		*id = (uint32_t)s->names.n;
		(void)vec_extend(&s->names, 1);
	}
	strncpy(s->names.at[*id].text, comm, sizeof(s->names.at[*id].text) - 1);
}

static const char *comm_of(void *ctx, uint32_t pid)
{
	struct trace_show *s = ctx;
	uint32_t id = idmap_find(&s->comms, pid);

	if (id != HASH_NONE)
		return s->names.at[id].text;
	if (!s->live || !proc_line("/proc", (int)pid, "comm", s->comm, sizeof(s->comm)))
		return NULL;
	return s->comm;
}

static const char *path_of(void *ctx, uint32_t pid, int fd)
{
	struct trace_show *s = ctx;

	return call_fds_path(&s->fds, pid, fd);
}

static bool trace_show_is_wanted(const struct trace_show *s, const struct call *c)
{
	double least = s->opts->duration_ms * 1e6;

	if (s->events->switches.discarding)
		return false;
	if (c->number >= 0 && c->number < CALL_NUMBERS && !s->calls->on[c->abi][c->number])
		return false;
	for (size_t i = 0; i < s->without.n; i++)
		if (s->without.at[i] == c->pid || s->without.at[i] == c->tid)
			return false;
	if (s->opts->failure && !call_failed(c))
		return false;
	return least <= 0 ||
	       (c->entered && c->returned && (double)(c->exit_ns - c->enter_ns) >= least);
}

/* --min-stack: true for calls with at least as many frames. False without a chain of its own. */
static bool is_deep(const struct trace_show *s, const struct call *c)
{
	const struct trace_below_text *t;

	if (!s->opts->min_stack)
		return true;
	t = c->returned ? trace_below_find(&s->below, c->tid) : NULL;
	return t && t->has_chain && t->frames >= s->opts->min_stack;
}

static void trace_show_tell(void *ctx, const struct call *c, enum call_told what)
{
	struct trace_show *s = ctx;
	bool narrow = s->opts->duration_ms > 0 || s->opts->failure || s->opts->min_stack;

	if (what != CALL_BEGUN && !c->early && (s->opts->summary || s->opts->with_summary) &&
	    trace_show_is_wanted(s, c))
		call_sums_add(&s->sums, c);
	if (!s->opts->summary && !trace_show_full(s) && trace_show_is_wanted(s, c) &&
	    is_deep(s, c)) {
		/* its beginning was held back: one line for all */
		if (narrow && what == CALL_CONTINUED && c->entered)
			what = c->early ? CALL_EARLY : CALL_WHOLE;
		call_line_show(&s->lines, c, what, &s->out.buf);
		if (what != CALL_BEGUN)
			trace_below_take(&s->below, c->tid, &s->out.buf);
		s->shown += what != CALL_BEGUN;
	} else if (what != CALL_BEGUN) {
		trace_below_take(&s->below, c->tid, NULL);
	}
	call_fds_add(&s->fds, c);
}

static int parse_pids(struct trace_show *s, const char *list, struct err *err)
{
	AUTO_CHAR *copy = mem_strdup(list);
	char *rest = copy, *word;

	while ((word = strsep(&rest, ",")) != NULL) {
		uint64_t pid;

		if (parse_u64(word, &pid) || pid > INT32_MAX)
			return err_set(err, ERR_USAGE, "'%s' is not a pid", word);
		vec_add(&s->without, (uint32_t)pid);
	}
	return 0;
}

static int open_output(struct trace_show *s, struct err *err)
{
	int fd = STDERR_FILENO;

	if (s->opts->output) {
		fd = open(s->opts->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			return err_sys(err, errno, "cannot create '%s'", s->opts->output);
	}
	out_init(&s->out, fd);
	call_rows_head(&s->lines.rows, s->opts->summary, &s->out.buf);
	return 0;
}

static bool says(const char *text, bool usual)
{
	bool v = usual;

	if (text)
		parse_bool(text, &v);
	return v;
}

int trace_show_init(struct trace_show *s, const struct env *env, const struct trace_opts *o,
		    const struct call_selection *calls, struct trace_events *events,
		    struct err *err)
{
	struct call_listener to = {trace_show_tell, s};
	const struct config *c = env->config;
	const char *align = config_find(c, "trace.args_alignment");
	uint64_t width = CALL_LINES_ALIGN;

	s->opts = o;
	s->calls = calls;
	s->config = env->config;
	s->events = events;
	events->show = s;
	s->out.fd = -1;
	s->pairs = call_pairs_new(&to);
	if (align && parse_u64(align, &width))
		return err_set(err, ERR_USAGE, "trace.args_alignment is no number: '%s'", align);
	s->lines = (struct call_lines){
		.style = {.zeros = says(config_find(c, "trace.show_zeros"), false),
			  .prefixes = says(config_find(c, "trace.show_prefix"), false),
			  .no_names = !says(config_find(c, "trace.show_arg_names"), true),
			  .strings = o->string_size,
			  .path = path_of,
			  .comm = comm_of,
			  .ctx = s},
		.full_time = o->full_time,
		.no_comm = !o->comm,
		.cpu = o->show_cpu,
		.align = (unsigned int)width,
		.no_time = !says(config_find(c, "trace.show_timestamp"), true),
		.no_duration = !says(config_find(c, "trace.show_duration"), true),
	};
	if (o->json || o->separator) {
		s->lines.rows.form = o->json ? CALL_ROWS_JSON : CALL_ROWS_CSV;
		s->lines.rows.separator = o->separator;
		call_pairs_tell_once(s->pairs);
	}
	if (o->buffers && trace_parse_fds(o->buffers, s->dump_fds, err))
		return -1;
	if (o->filter_pids && parse_pids(s, o->filter_pids, err))
		return -1;
	return open_output(s, err);
}

void trace_show_sample(struct trace_show *s, const struct call *c, const char *event, uint64_t time)
{
	if (!s->opts->print_sample || trace_show_full(s))
		return;
	buf_printf(&s->out.buf, "%22s %10.3f ", event, (double)time / 1e6);
	buf_safe(&s->out.buf, c->comm);
	buf_printf(&s->out.buf, " %u/%u [%u]\n", c->pid, c->tid, c->cpu);
}

void trace_show_record(struct trace_show *s, const struct trace_record *r)
{
	struct call c;

	if (r->what == TRACE_DATA) {
		call_dump_show(r, &trace_below_of(&s->below, r->tid)->dumps);
		return;
	}
	call_of_record(r, &c);
	if (c.entered && !c.early)
		trace_show_sample(s, &c, "raw_syscalls:sys_enter", c.enter_ns);
	if (c.returned)
		trace_show_sample(s, &c, "raw_syscalls:sys_exit", c.exit_ns);
	trace_show_comm(s, c.tid, c.comm);
	trace_show_add(s, &c);
}

void trace_show_add(struct trace_show *s, const struct call *c)
{
	if (!s->lines.base_ns) /* of the first call, even if it is not shown */
		s->lines.base_ns = call_first_ns(c);
	call_pairs_add(s->pairs, c);
}

void trace_show_end(struct trace_show *s)
{
	struct call_sums_style style = {.runtime = s->opts->sched,
					.errors = s->opts->errno_summary,
					.most = s->opts->max_summary,
					.total = trace_sums_are(s->opts, "total")};

	if (!s->opts->summary && !s->opts->with_summary)
		return;
	if (style.total)
		call_sums_total(&s->sums);
	call_sums_sort(&s->sums);
	if (s->lines.rows.form)
		call_rows_sums_show(&s->lines.rows, &s->sums, &style, &s->out.buf);
	else
		call_sums_show(&s->sums, &style, &s->out.buf);
}

bool trace_show_enough(const struct trace_show *s)
{
	return s->opts->max_events && s->shown >= s->opts->max_events;
}

bool trace_show_full(const struct trace_show *s)
{
	return s->out.failed || trace_show_enough(s);
}

int trace_show_release(struct trace_show *s, struct err *err)
{
	int got = s->out.fd >= 0 ? out_end(&s->out, err) : 0;

	if (s->out.fd > STDERR_FILENO)
		close(s->out.fd);
	out_release(&s->out);
	call_pairs_free(s->pairs);
	call_fds_release(&s->fds);
	call_sums_release(&s->sums);
	idmap_release(&s->comms);
	vec_release(&s->names);
	vec_release(&s->without);
	trace_below_release(&s->below);
	trace_groups_release(&s->groups);
	return got;
}
