// SPDX-License-Identifier: MIT
#include "bench/suites.h"

#include "os/rights/seccomp.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER 2147483647 /* no process has this id */

struct notify_opts {
	uint64_t loops;
	bool in_turn;
};

const struct opt notify_options[] = {
	{OPT_U64, 'l', "loop", offsetof(struct notify_opts, loops), "n", "Specify number of loops"},
	{OPT_BOOL, 's', "sync-mode", offsetof(struct notify_opts, in_turn), NULL,
	 "Enable the synchronous mode for seccomp notifications"},
	{OPT_END},
};

/* What the process with the filter says at its end: the time, or what failed. */
struct notify_result {
	uint64_t ns;
	int failed; /* an errno */
	enum { NOTIFY_FILTER, NOTIFY_FORK, NOTIFY_IN_TURN, NOTIFY_CALL } step;
};

static void make_calls(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	while (syscall(SYS_getppid) == ANSWER)
		;
	_exit(1);
}

/* In a process of its own, for a filter stays. */
static struct notify_result notify_play(const struct notify_opts *o)
{
	int fd = seccomp_listen(SYS_getppid), got = 0;
	struct notify_result r = {.failed = fd < 0 ? -fd : 0};
	uint64_t start = bench_now_ns(), id;
	pid_t pid;

	if (fd < 0)
		return r;
	pid = fork();
	if (pid < 0)
		return (struct notify_result){.failed = errno, .step = NOTIFY_FORK};
	if (!pid)
		make_calls();
	if (o->in_turn && (got = seccomp_listen_in_turn(fd)))
		r.step = NOTIFY_IN_TURN;
	for (uint64_t i = 0; i < o->loops && !got; i++) {
		got = seccomp_take_call(fd, &id);
		if (!got)
			got = seccomp_answer_call(fd, id, ANSWER);
		if (got)
			r.step = NOTIFY_CALL;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	r.failed = -got;
	r.ns = bench_now_ns() - start;
	return r;
}

static int seccomp_notify_explain(const struct notify_result *r, struct err *err)
{
	static const char *const steps[] = {
		[NOTIFY_FILTER] = "cannot make a filter of system calls that asks another process",
		[NOTIFY_FORK] = "cannot start a process",
		[NOTIFY_IN_TURN] = "cannot answer in turn (--sync-mode needs Linux 6.6)",
		[NOTIFY_CALL] = "cannot answer a system call",
	};

	return err_sys(err, r->failed, "%s", steps[r->step]);
}

static int measure_notify(struct bench *b, const void *v, struct err *err)
{
	const struct notify_opts *o = v;
	struct notify_result r = {.failed = ECHILD};
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return err_sys(err, errno, "cannot make a pipe");
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		close(ends[0]);
		r = notify_play(o);
		_exit(write(ends[1], &r, sizeof(r)) != sizeof(r));
	}
	close(ends[1]);
	if (pid < 0)
		r = (struct notify_result){.failed = errno, .step = NOTIFY_FORK};
	else if (read(ends[0], &r, sizeof(r)) != sizeof(r))
		r = (struct notify_result){.failed = ECHILD, .step = NOTIFY_CALL};
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (r.failed)
		return seccomp_notify_explain(&r, err);
	if (!b->simple)
		buf_printf(b->text, "# Executed %llu system calls\n\n",
			   (unsigned long long)o->loops);
	bench_total_per_op(b, r.ns, o->loops);
	return 0;
}

const struct bench_suite bench_sched_seccomp_notify = {
	.defaults = &(const struct notify_opts){.loops = 1000000},
	.opts_size = sizeof(struct notify_opts),
	.measure = measure_notify,
};
