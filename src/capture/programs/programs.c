// SPDX-License-Identifier: MIT
#include "capture/programs/programs.h"

#include "capture/open/measured.h"

#include <errno.h>

struct programs_state {
	const struct programs *p;
	const struct programs_options *o;
	struct measured m;
};

static bool is_by_task(const struct programs_state *s)
{
	return !s->m.target.system_wide && s->m.target.tids.n && s->m.target.tids.at[0] > 0;
}

static int follow_tasks(struct programs_state *s, struct err *err)
{
	for (size_t i = 0; is_by_task(s) && i < s->m.target.tids.n; i++) {
		const int tid = s->m.target.tids.at[i];
		const int got = s->p->follow(s->p->ctx, tid, tid == (int)s->m.command.pid);

		if (!got || got == -ESRCH)
			continue;
		err_sys(err, -got, "cannot follow thread %d", tid);
		return got == -EINVAL ? err_hint(err, "Threads beside the first of a process need "
						      "Linux 6.9 or later; -a takes all.")
				      : -1;
	}
	return 0;
}

static int wait_for_end(struct programs_state *s, struct err *err)
{
	while (!s->m.stop) {
		if (measured_wait(&s->m, -1) < 0)
			return err_sys(err, errno, "cannot wait for the end");
	}
	return 0;
}

static int programs_measure(struct programs_state *s, struct err *err)
{
	struct target_options t = s->o->target;
	int failed;

	if (s->o->command &&
	    spawn_prepare(&s->m.command, s->o->command, &(struct spawn_options){0}, err))
		return -1;
	if (!s->o->command && target_is_command(&t))
		t.system_wide = true;
	if (target_find(&s->m.target, &t, (int)s->m.command.pid, "/proc", "/sys", err) ||
	    s->p->load(s->p->ctx, &s->m.target, is_by_task(s), err) || follow_tasks(s, err))
		return -1;
	measured_watch(&s->m, -1, &s->o->target);
	s->m.stop = (s->o->target.pids || s->o->target.tids) && !s->m.alive;
	s->p->turn(s->p->ctx, true);
	failed = (s->m.command.pid && spawn_start(&s->m.command, err)) || wait_for_end(s, err);
	s->p->turn(s->p->ctx, false);
	if (failed)
		return -1;
	return measured_check(&s->m, err);
}

int programs_run(const struct programs *p, const struct programs_options *o,
		 struct programs_result *result, struct err *err)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
	struct programs_state s = {.p = p, .o = o};
	int failed;

	if (signals_open(&s.m.signals, caught, err))
		return -1;
	failed = programs_measure(&s, err);
	result->exit_status = measured_end(&s.m);
	result->signal = s.m.signal;
	return failed;
}
