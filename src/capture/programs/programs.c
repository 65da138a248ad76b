// SPDX-License-Identifier: MIT
#include "capture/programs/programs.h"

#include "os/process/process.h"
#include "os/process/signals.h"
#include "os/process/spawn.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct programs_state {
	const struct programs *p;
	const struct programs_options *o;
	struct programs_result *result;
	struct signals signals;
	struct spawn command;
	struct target target;
	VEC(struct pollfd) polls; /* signals, then the processes that are measured */
	size_t alive;
	bool stop;
};

static bool is_by_task(const struct programs_state *s)
{
	return !s->target.system_wide && s->target.tids.n && s->target.tids.at[0] > 0;
}

static int follow_tasks(struct programs_state *s, struct err *err)
{
	for (size_t i = 0; is_by_task(s) && i < s->target.tids.n; i++) {
		const int tid = s->target.tids.at[i];
		const int got = s->p->follow(s->p->ctx, tid, tid == (int)s->command.pid);

		if (!got || got == -ESRCH)
			continue;
		err_sys(err, -got, "cannot follow thread %d", tid);
		return got == -EINVAL ? err_hint(err, "Threads beside the first of a process need "
						      "Linux 6.9 or later; -a takes all.")
				      : -1;
	}
	return 0;
}

static void watch_processes(struct programs_state *s)
{
	vec_add(&s->polls, (struct pollfd){.fd = s->signals.fd, .events = POLLIN});
	if (!s->o->target.pids && !s->o->target.tids)
		return;
	for (size_t i = 0; i < s->target.pids.n; i++) {
		const int fd = process_watch(s->target.pids.at[i]);

		if (fd < 0)
			continue;
		vec_add(&s->polls, (struct pollfd){.fd = fd, .events = POLLIN});
		s->alive++;
	}
	s->stop = !s->alive;
}

static void take_signals(struct programs_state *s)
{
	bool typed;
	int sig;

	while ((sig = signals_next_from(&s->signals, &typed)) > 0) {
		if (sig == SIGCHLD) {
			s->stop |= s->command.pid && spawn_ended(&s->command);
			continue;
		}
		/* A key that ends the command ends the rest with it. */
		if (!typed || !s->command.pid || s->result->signal)
			s->stop = true;
		s->result->signal = sig;
	}
}

static void take_ends(struct programs_state *s)
{
	for (size_t i = 1; i < s->polls.n; i++) {
		if (s->polls.at[i].fd < 0 || !s->polls.at[i].revents)
			continue;
		close(s->polls.at[i].fd);
		s->polls.at[i].fd = -1;
		s->stop |= !--s->alive;
	}
}

static int wait_for_end(struct programs_state *s, struct err *err)
{
	while (!s->stop) {
		if (poll(s->polls.at, s->polls.n, -1) < 0 && errno != EINTR)
			return err_sys(err, errno, "cannot wait for the end");
		take_signals(s);
		take_ends(s);
	}
	return 0;
}

static int programs_measure(struct programs_state *s, struct err *err)
{
	struct target_options t = s->o->target;
	int failed;

	if (s->o->command &&
	    spawn_prepare(&s->command, s->o->command, &(struct spawn_options){0}, err))
		return -1;
	if (!s->o->command && target_is_command(&t))
		t.system_wide = true;
	if (target_find(&s->target, &t, (int)s->command.pid, "/proc", "/sys", err) ||
	    s->p->load(s->p->ctx, &s->target, is_by_task(s), err) || follow_tasks(s, err))
		return -1;
	watch_processes(s);
	s->p->turn(s->p->ctx, true);
	failed = (s->command.pid && spawn_start(&s->command, err)) || wait_for_end(s, err);
	s->p->turn(s->p->ctx, false);
	if (failed)
		return -1;
	if (!s->command.pid || !s->command.ended || !spawn_check(&s->command, err))
		return 0;
	return err_set(err, ERR_SYSTEM, "cannot run '%s': %s", s->o->command[0],
		       strerror(err ? err->sys : 0));
}

int programs_run(const struct programs *p, const struct programs_options *o,
		 struct programs_result *result, struct err *err)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
	struct programs_state s = {.p = p, .o = o, .result = result};
	int failed;

	if (signals_open(&s.signals, caught, err))
		return -1;
	failed = programs_measure(&s, err);
	for (size_t i = 1; i < s.polls.n; i++)
		if (s.polls.at[i].fd >= 0)
			close(s.polls.at[i].fd);
	vec_release(&s.polls);
	target_release(&s.target);
	if (s.command.pid) {
		spawn_release(&s.command, true);
		result->exit_status = spawn_exit_status(&s.command);
	}
	signals_close(&s.signals);
	return failed;
}
