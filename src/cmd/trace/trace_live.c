// SPDX-License-Identifier: MIT
#include "cmd/trace/trace_events.h"
#include "os/process/signals.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RING_SIZE (16u << 20)

static int begin(void *ctx, const struct target *t, int command_pid, struct err *err)
{
	struct trace_show *s = ctx;
	struct target_options target = s->opts->target;

	if (trace_sums_are(s->opts, "cgroup"))
		trace_groups_look(&s->groups);
	for (size_t i = 0; i < t->pids.n; i++)
		call_fds_look(&s->fds, (uint32_t)t->pids.at[i]);
	if (command_pid)
		call_fds_look(&s->fds, (uint32_t)command_pid);
	if (t->system_wide && !s->opts->summary)
		call_fds_look_all(&s->fds);
	target.system_wide |= !command_pid && target_is_command(&target);
	return s->events->any ? trace_events_open(s->events, &target, command_pid, err) : 0;
}

static void record(void *ctx, const struct trace_record *r)
{
	struct trace_show *s = ctx;

	if (r->what == TRACE_FORK) {
		call_fds_fork(&s->fds, r->pid, r->ppid);
		trace_show_comm(s, r->tid, r->comm);
		return;
	}
	if (s->events->source) {
		trace_events_add_call(s->events, r);
		return;
	}
	trace_show_record(s, r);
}

static struct call_thread *group_of(struct trace_show *s, uint64_t id)
{
	if (!trace_groups_path(&s->groups, id) && !s->groups.complete) {
		trace_groups_look(&s->groups); /* finds groups made since the start */
		s->groups.complete = true;
	}
	return call_sums_group(&s->sums, id, trace_groups_path(&s->groups, id));
}

static void lost(void *ctx)
{
	struct trace_show *s = ctx;

	call_fds_forget(&s->fds);
}

static void sum(void *ctx, const struct trace_sum *from)
{
	struct trace_show *s = ctx;
	const struct trace_sum_key *key = &from->key;
	struct call_thread *t =
		key->cgroup ? group_of(s, key->cgroup)
			    : call_sums_thread(&s->sums, from->pid, key->tid, from->comm);
	struct call_sum *to = call_thread_sum(t, (enum call_abi)(key->abi_error & 15), key->number);
	int error = key->abi_error >> 4;

	if (error) {
		call_sum_add_error(to, error, from->calls);
		return;
	}
	t->events += 2 * from->calls;
	s->sums.events += 2 * from->calls;
	to->calls += from->calls;
	to->errors += from->errors;
	to->sum += (double)from->sum_ns;
	to->squares += (double)from->squares_high * 0x1p64 + (double)from->squares_low;
	to->min_ns = MIN(to->min_ns, from->min_ns);
	to->max_ns = MAX(to->max_ns, from->max_ns);
}

static bool take_pause(void *ctx, bool idle)
{
	struct trace_show *s = ctx;

	if (s->events->source && trace_events_pull(s->events, false, &s->events_err))
		return false;
	if (idle && !s->opts->summary)
		call_pairs_idle(s->pairs);
	return out_flush(&s->out) && !trace_show_full(s);
}

/* Closes the events at the end, while the tracer's signals are still blocked. */
static void end(void *ctx, bool failed)
{
	struct trace_show *s = ctx;

	if (!s->events->source)
		return;
	if (!failed && !s->events_err.code)
		trace_events_pull(s->events, true, &s->events_err);
	s->events_lost = s->events->source->lost_samples;
	trace_events_close(s->events);
}

/* Parses the ring size for all CPUs: pages, or bytes with a unit. Rounds up to a power of two. */
static int ring_size(const char *text, size_t *size, struct err *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t bytes, pages;

	*size = RING_SIZE;
	if (!text)
		return 0;
	if (!parse_u64(text, &pages))
		bytes = pages < 1 << 20 ? pages * page : 0;
	else if (parse_size(text, &bytes))
		bytes = 0;
	if (!bytes || bytes > 1u << 30)
		return err_set(err, ERR_USAGE, "'%s' is not a size of the buffer, of at most 1G",
			       text);
	for (*size = page; *size < bytes;)
		*size *= 2;
	return 0;
}

static bool keeps_descriptors(const struct call_selection *calls)
{
	static const char *const needed[] = {"open",   "openat", "openat2", "close", "dup",
					     "dup2",   "dup3",	 "socket",  "pipe2", "fcntl",
					     "execve", "chdir",	 "fchdir"};

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		const struct call_desc *call = call_find_name(needed[i]);

		for (int abi = 0; call && abi < CALL_ABIS; abi++)
			if (call->numbers[abi] >= 0 && !calls->on[abi][call->numbers[abi]])
				return false;
	}
	return true;
}

int trace_say_lost(const struct trace_show *s, uint64_t calls, uint64_t events)
{
	if (events)
		fprintf(stderr, "perf trace: %llu events were lost%s\n", (unsigned long long)events,
			s->events->calls ? "" : " (-m 1024 gives more room)");
	if (calls && s->opts->summary)
		fprintf(stderr,
			"perf trace: %llu calls are in no sum: there is room for %u pairs of a "
			"thread and a call\n",
			(unsigned long long)calls, TRACE_SUMS);
	else if (calls)
		fprintf(stderr,
			"perf trace: %llu calls were lost: they came faster than they were shown "
			"(-m 64M gives more room, -e and -s need less)\n",
			(unsigned long long)calls);
	if (s->lost_parts)
		fprintf(stderr,
			"perf trace: dumps lack %llu parts of up to %u bytes (-m 64M gives more "
			"room)\n",
			(unsigned long long)s->lost_parts, TRACE_PART);
	return calls || events || s->lost_parts ? EXIT_DAMAGE : 0;
}

int trace_live(struct trace_show *s, char **command, struct err *err)
{
	const struct trace_opts *o = s->opts;
	struct tracer_listener to = {begin, record, lost, sum, take_pause, end, s};
	struct tracer_result result = {0};
	struct tracer_options t = {
		.target = o->target,
		.command = *command ? command : NULL,
		.calls = s->calls,
		.cgroup = s->events->cgroup,
		.no_inherit = o->no_inherit,
		.sums = o->summary,
		.sum_errors = o->errno_summary,
		.sum_cgroups = trace_sums_are(o, "cgroup"),
		.failures = o->failure,
		.least_ns = (uint64_t)(o->duration_ms * 1e6),
		.string_size = o->string_size,
		.delay_ms = o->delay_ms,
		.dump_fds = o->buffers ? s->dump_fds : NULL,
		.dump_others = o->buffers && !strcmp(o->buffers, "all"),
	};
	int status;

	s->live = true;
	s->fds.proc_root = "/proc";
	s->fds.incomplete = !keeps_descriptors(s->calls) || o->failure || o->duration_ms > 0;
	if (ring_size(o->ring, &t.ring_bytes, err))
		return -1;
	if (!t.command && !t.target.pids && !t.target.tids && !t.target.user && !t.target.cpus)
		t.target.system_wide = true;
	if (tracer_run(&t, &to, &result, err))
		return -1;
	if (s->events_err.code) {
		*err = s->events_err;
		return -1;
	}
	s->lost_parts = result.lost_parts;
	if (!o->summary)
		call_pairs_end(s->pairs);
	trace_show_end(s);
	out_flush(&s->out);
	status = trace_say_lost(s, result.lost, s->events_lost);
	signals_die(result.signal, *command != NULL);
	/* with --max-events perf ended the command, so its status is not used */
	return result.exit_status && !trace_show_enough(s) ? result.exit_status : status;
}
