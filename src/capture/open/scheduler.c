// SPDX-License-Identifier: MIT
#include "capture/open/scheduler.h"

#include "capture/open/wall_sums.h"

#include <string.h>

#ifdef HAVE_BPF
#include "os/bpf/scheduler.h"
#include "os/proc/proc.h"

#include <errno.h>

#define BPF_OUTPUT 10 /* PERF_COUNT_SW_BPF_OUTPUT */

void scheduler_attr(struct attr *a)
{
	a->type = TYPE_SOFTWARE;
	a->config = BPF_OUTPUT;
	/* BPF programs write to events of CPUs that nobody inherits. */
	a->flags &= ~(uint64_t)(ATTR_EXCLUDE_IDLE | ATTR_INHERIT);
}

static uint16_t scheduler_id(const struct capture *c, const char *name)
{
	const struct event *ev = event_set_find_name(c->events, name);

	return ev ? (uint16_t)ev->attr.config : 0;
}

static int load_programs(struct capture *c, bool on_cpu, struct err *err)
{
	if (!on_cpu)
		return err_set(err, ERR_USAGE,
			       "BPF programs record the scheduler for whole CPUs: not possible for "
			       "single threads");
	c->scheduler =
		bpf_scheduler_new(scheduler_id(c, "sched:sched_switch"),
				  scheduler_id(c, "sched:sched_waking"), c->opts.restricted, err);
	return c->scheduler ? 0 : -1;
}

int scheduler_add(struct capture *c, const struct counter *k)
{
	return bpf_scheduler_add(c->scheduler,
				 !strcmp(k->event->tracepoint, "sched_switch")
					 ? BPF_SCHEDULER_SWITCH
					 : BPF_SCHEDULER_WAKING,
				 k->cpu, k->fd);
}

void scheduler_release(struct capture *c)
{
	bpf_scheduler_free(c->scheduler);
	c->scheduler = NULL;
}

/* Rounds in which new threads of a process may turn up until all of its threads are followed. */
#define FOLLOW_ROUNDS 16

/* 1: all threads are followed; 0: there were new ones; or a negative errno. */
static int follow_threads(struct capture *c, const char *proc_root, int pid, bool on_exec,
			  size_t *known)
{
	struct proc_ids tids = {0};
	int got = proc_tasks(proc_root, pid, &tids) ? 1 : 0;

	for (size_t i = 0; got >= 0 && i < tids.n; i++) {
		int failed = c->wall ? wall_sums_follow(c, tids.at[i], on_exec)
				     : bpf_scheduler_follow(c->scheduler, tids.at[i]);

		if (failed && failed != -ESRCH)
			got = failed;
	}
	if (!got && tids.n == *known)
		got = 1;
	*known = tids.n;
	vec_release(&tids);
	return got;
}

int capture_follow(struct capture *c, const char *proc_root, int pid, bool on_exec, struct err *err)
{
	size_t known = 0;
	int got = 0;

	if (!c->scheduler && !c->wall)
		return 0;
	for (int i = 0; !got && i < FOLLOW_ROUNDS; i++)
		got = follow_threads(c, proc_root, pid, on_exec, &known);
	if (got == 1)
		return 0;
	if (c->wall)
		return err_set(err, ERR_UNSUPPORTED,
			       "BPF programs cannot follow the threads of process %d%s", pid,
			       got == -EINVAL ? ": this needs Linux 6.9" : "");
	bpf_scheduler_follow_all(c->scheduler);
	return 0;
}

uint64_t capture_missed(const struct capture *c)
{
	return c->scheduler ? bpf_scheduler_missed(c->scheduler) : 0;
}
#else
void scheduler_attr(struct attr *a)
{
	(void)a;
}

static int load_programs(struct capture *c, bool on_cpu, struct err *err)
{
	(void)c;
	(void)on_cpu;
	err_set(err, ERR_UNSUPPORTED, "this perf was built without BPF");
	return err_hint(err, "clang, bpftool and libbpf-dev have to be there when perf is built.");
}

int scheduler_add(struct capture *c, const struct counter *k)
{
	(void)c;
	(void)k;
	return 0;
}

void scheduler_release(struct capture *c)
{
	(void)c;
}

int capture_follow(struct capture *c, const char *proc_root, int pid, bool on_exec, struct err *err)
{
	(void)c;
	(void)proc_root;
	(void)pid;
	(void)on_exec;
	(void)err;
	return 0;
}

uint64_t capture_missed(const struct capture *c)
{
	(void)c;
	return 0;
}
#endif

int scheduler_prepare(struct capture *c, bool on_cpu, struct err *err)
{
	struct err why = {0};
	bool must = false;

	if (c->scheduler)
		return 0;
	if (!load_programs(c, on_cpu, &why)) {
		buf_str(&c->notices, "[ perf record: BPF programs record the scheduler ]\n");
		return 0;
	}
	for (size_t i = 0; i < c->events->events.n; i++) {
		struct event *ev = c->events->events.at[i];

		must |= ev->by_program && ev->by_program_only;
		ev->by_program &= ev->by_program_only;
	}
	if (must) {
		if (err)
			*err = why;
		return -1;
	}
	buf_printf(&c->notices, "[ perf record: Tracepoints record the scheduler: %s ]\n",
		   why.text);
	return 0;
}
