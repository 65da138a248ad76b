// SPDX-License-Identifier: MIT
#include "capture/calls/tracer.h"

#include "base/mem.h"
#include "base/monotonic.h"
#include "capture/calls/early_call.h"
#include "capture/open/measured.h"
#include "os/bpf/trace.h"
#include "os/machine/cgroup.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PAUSE_MS 20 /* records are shown at most this long after they came */
#define MS	 1000000ull

struct run {
	const struct tracer_options *opts;
	const struct tracer_listener *to;
	struct tracer_result *result;
	struct bpf_trace *bpf;
	uint64_t told_lost; /* of the calls that had no room, as many were told */
	struct measured m;
};

static void plan_step(struct trace_plan *plan, const struct call_desc *call, enum call_abi abi,
		      unsigned int i)
{
	const struct call_arg *arg = &call->args[i];
	const struct call_kind *kind = call_kind(arg->kind);
	struct trace_step *s = &plan->steps[plan->n];

	if (kind->how == COPY_NOTHING || plan->n == TRACE_STEPS)
		return;
	s->arg = (uint8_t)i;
	s->how = (uint8_t)kind->how;
	s->enter = kind->when == COPY_AT_ENTER || kind->when == COPY_AT_BOTH;
	s->exit = kind->when == COPY_AT_EXIT || kind->when == COPY_AT_BOTH;
	plan->enters |= s->enter;
	s->failure = kind->when == COPY_AT_FAILURE;
	plan->exits |= s->exit | s->failure;
	s->length = arg->length;
	s->data = arg->kind == KIND_in || arg->kind == KIND_out || arg->kind == KIND_msgbuf ||
		  arg->kind == KIND_msgbuf_out;
	s->size = call_is_narrow(call, abi, arg->kind) ? kind->size / 2 : kind->size;
	plan->n++;
}

/* All bytes of calls that read or write their first argument can be sent. */
static void plan_dump(struct trace_plan *plan, const struct call_desc *call)
{
	unsigned int kind = call->n > 1 ? call->args[1].kind : KIND_long;

	if (!call->n || call->args[0].kind != KIND_fd)
		return;
	plan->dump_arg = 1;
	if (kind == KIND_in || kind == KIND_out)
		plan->dump = TRACE_BYTES;
	else if (kind == KIND_iov || kind == KIND_iov_out)
		plan->dump = TRACE_IOV;
	else if (kind == KIND_msg || kind == KIND_msg_out)
		plan->dump = TRACE_MSG;
	else if (kind == KIND_mmsg || kind == KIND_mmsg_out)
		plan->dump = TRACE_MMSG;
}

static void plan_call(struct bpf_trace *bpf, enum call_abi abi, const struct call_desc *call)
{
	struct trace_plan *plan = bpf_trace_plan(bpf, abi, call->numbers[abi]);

	if (!plan)
		return;
	plan->endless = !strcmp(call->name, "exit") || !strcmp(call->name, "exit_group");
	plan->execs = !strcmp(call->name, "execve") || !strcmp(call->name, "execveat");
	plan->forks = !strcmp(call->name, "clone") || !strcmp(call->name, "clone3") ||
		      !strcmp(call->name, "fork") || !strcmp(call->name, "vfork");
	plan_dump(plan, call);
	if (abi == CALL_I386 && plan->dump != TRACE_BYTES)
		plan->dump = TRACE_NOTHING;
	for (unsigned int i = 0; i < call->n; i++)
		if (!(abi == CALL_I386 &&
		      call_kind(call->args[i].kind)->layout == LAYOUT_NATIVE))
			plan_step(plan, call, abi, i);
}

static void plan_calls(const struct run *r)
{
	size_t n;
	const struct call_desc *all = call_all(&n);

	for (int abi = 0; abi < CALL_ABIS; abi++) {
		for (int number = 0; number < CALL_NUMBERS; number++)
			if (r->opts->calls->on[abi][number])
				bpf_trace_plan(r->bpf, (unsigned int)abi, number)->wanted = 1;
		for (size_t i = 0; i < n; i++)
			if (all[i].numbers[abi] >= 0 &&
			    r->opts->calls->on[abi][all[i].numbers[abi]])
				plan_call(r->bpf, (enum call_abi)abi, &all[i]);
	}
}

static bool by_task(const struct run *r)
{
	const struct target_options *t = &r->opts->target;

	return t->pids || t->tids || t->user || (r->opts->command && target_is_command(t));
}

/* True when a traced thread may be in a call as tracing begins: not that of a command. */
static bool may_be_in_call(const struct run *r)
{
	return r->opts->delay_ms || !target_is_command(&r->opts->target);
}

static int tracer_load(struct run *r, struct err *err)
{
	const struct tracer_options *o = r->opts;
	struct bpf_trace_options b = {
		.by_task = by_task(r),
		.inherit = !o->no_inherit,
		.sums = o->sums,
		.sum_errors = o->sum_errors,
		.sum_cgroups = o->sum_cgroups,
		.failures = o->failures,
		.early = may_be_in_call(r),
		.least_ns = o->least_ns,
		.string_size = o->string_size,
		.ring_bytes = o->ring_bytes,
		.dump_fds = o->dump_fds,
		.dump_others = o->dump_others,
	};

	if (o->cgroup) {
		b.cgroup = cgroup_id("/sys", o->cgroup);
		if (!b.cgroup)
			return err_sys(err, errno, "cannot find the control group '%s'", o->cgroup);
	}
	if (o->target.cpus) {
		b.cpus = r->m.target.cpus.at;
		b.n_cpus = r->m.target.cpus.n;
	}
	r->bpf = bpf_trace_new(&b, err);
	if (!r->bpf)
		return -1;
	plan_calls(r);
	return 0;
}

static int tracer_follow(struct run *r, int tid, struct err *err)
{
	int got = bpf_trace_follow(r->bpf, tid,
				   r->m.command.pid && tid == (int)r->m.command.pid &&
					   !r->opts->delay_ms);

	if (!got || got == -ESRCH)
		return 0;
	err_sys(err, -got, "cannot trace thread %d", tid);
	return got == -EINVAL
		       ? err_hint(err,
				  "Threads beside the first of a process need Linux 6.9 or later; "
				  "-a traces all.")
		       : -1;
}

static int follow_all(struct run *r, struct err *err)
{
	for (size_t i = 0; by_task(r) && i < r->m.target.tids.n; i++)
		if (r->m.target.tids.at[i] > 0 && tracer_follow(r, r->m.target.tids.at[i], err))
			return -1;
	return 0;
}

static void tracer_tell_lost(struct run *r)
{
	const uint64_t lost = bpf_trace_lost(r->bpf);

	if (lost != r->told_lost)
		r->to->lost(r->to->ctx);
	r->told_lost = lost;
}

/* Hands all records in the ring to the listener, then calls its pause. False: the listener ends the
 * trace. */
static bool drain(struct run *r, bool idle)
{
	const struct trace_record *record;
	bool some = false;
	unsigned int n = 0;

	while ((record = bpf_trace_next(r->bpf)) != NULL) {
		some = true;
		r->to->record(r->to->ctx, record);
		if (++n & 1023)
			continue;
		tracer_tell_lost(r);
		if (!r->to->pause(r->to->ctx, false))
			return false;
	}
	tracer_tell_lost(r);
	return r->to->pause(r->to->ctx, idle && !some);
}

/* Hands the calls that threads wait in to the listener. Not of all threads of the machine. */
static void tell_early(struct run *r)
{
	if (r->opts->sums || !by_task(r) || !may_be_in_call(r) || r->opts->delay_ms)
		return;
	for (size_t i = 0; i < r->m.target.tids.n; i++) {
		struct early_call call;

		if (r->m.target.tids.at[i] <= 0 ||
		    early_call_find(&call, "/proc", r->m.target.tids.at[i]) ||
		    !r->opts->calls->on[call.record.abi][call.record.number])
			continue;
		early_call_copy(&call, "/proc",
				bpf_trace_plan(r->bpf, call.record.abi, call.record.number),
				r->opts->string_size);
		r->to->record(r->to->ctx, &call.record);
	}
}

static int loop(struct run *r, struct err *err)
{
	uint64_t on_at = monotonic_ns() + r->opts->delay_ms * MS;

	tell_early(r);
	bpf_trace_switch(r->bpf, !r->opts->delay_ms);
	if (r->m.command.pid && spawn_start(&r->m.command, err))
		return -1;
	while (!r->m.stop) {
		const int got = measured_wait(&r->m, r->opts->sums ? 200 : PAUSE_MS);

		if (got < 0)
			return err_sys(err, errno, "cannot wait for system calls");
		if (r->opts->delay_ms && monotonic_ns() >= on_at)
			bpf_trace_switch(r->bpf, true);
		if (!drain(r, got == 0))
			return 0;
	}
	bpf_trace_switch(r->bpf, false);
	drain(r, false);
	return 0;
}

static void tell_sums(struct run *r)
{
	size_t n;
	const struct trace_sum *sums = bpf_trace_sums(r->bpf, &n);

	for (size_t i = 0; i < n; i++)
		if (sums[i].calls)
			r->to->sum(r->to->ctx, &sums[i]);
}

static int trace_begun(struct run *r, struct err *err)
{
	if (r->m.command.pid)
		spawn_wait_ready(&r->m.command);
	if (loop(r, err))
		return -1;
	if (measured_check(&r->m, err))
		return -1;
	tell_sums(r);
	r->result->lost = bpf_trace_lost(r->bpf);
	r->result->lost_parts = bpf_trace_lost_parts(r->bpf);
	return 0;
}

static int tracer_trace(struct run *r, struct err *err)
{
	int got;

	if (r->opts->command &&
	    spawn_prepare(&r->m.command, r->opts->command, &(struct spawn_options){0}, err))
		return -1;
	if (target_find(&r->m.target, &r->opts->target, (int)r->m.command.pid, "/proc", "/sys",
			err))
		return -1;
	if (tracer_load(r, err) || follow_all(r, err))
		return -1;
	measured_watch(&r->m, bpf_trace_fd(r->bpf), &r->opts->target);
	got = r->to->begin(r->to->ctx, &r->m.target, (int)r->m.command.pid, err);
	if (!got)
		got = trace_begun(r, err);
	r->to->end(r->to->ctx, got != 0);
	return got;
}

int tracer_run(const struct tracer_options *opts, const struct tracer_listener *to,
	       struct tracer_result *result, struct err *err)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGCHLD, 0};
	struct run r = {.opts = opts, .to = to, .result = result};
	int got;

	if (signals_open(&r.m.signals, caught, err))
		return -1;
	got = tracer_trace(&r, err);
	bpf_trace_free(r.bpf);
	result->exit_status = measured_end(&r.m);
	result->signal = r.m.signal;
	return got;
}
