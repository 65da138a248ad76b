// SPDX-License-Identifier: MIT
#include "bench/suites.h"

#include "os/perf.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each sender of a group writes this many bytes to each of its receivers, in turn. */
#define MESSAGE 100
#define SENDERS 20 /* and as many receivers, a group */

struct messaging_opts {
	unsigned int groups, loops;
	bool pipes, threads;
};

const struct opt messaging_options[] = {
	{OPT_BOOL, 'p', "pipe", offsetof(struct messaging_opts, pipes), NULL,
	 "Use pipe() instead of socketpair()"},
	{OPT_BOOL, 't', "thread", offsetof(struct messaging_opts, threads), NULL,
	 "Be multi thread instead of multi process"},
	{OPT_UINT, 'g', "group", offsetof(struct messaging_opts, groups), "n",
	 "Specify number of groups"},
	{OPT_UINT, 'l', "nr_loops", offsetof(struct messaging_opts, loops), "n",
	 "Specify the number of loops to run (default: 100)"},
	{OPT_END},
};

struct group;
struct task {
	struct group *group;
	int in; /* of a receiver; -1: a sender */
	pid_t pid;
	pthread_t thread;
};

struct group {
	struct messaging *run;
	int ends[SENDERS][2]; /* of each receiver: where it reads, where senders write */
	struct task tasks[2 * SENDERS];
};

struct messaging {
	const struct messaging_opts *o;
	int ready[2]; /* each task writes a byte when it stands */
	int go[2];    /* a byte lets all go; its end without one ends them */
	struct group *groups;
	unsigned int started; /* tasks, in order */
};

static bool messaging_read_all(int fd, size_t n)
{
	char bytes[MESSAGE];

	for (size_t got = 0; got < n;) {
		ssize_t more = read(fd, bytes, MIN(n - got, sizeof(bytes)));

		if (more <= 0)
			return false;
		got += (size_t)more;
	}
	return true;
}

static bool messaging_write_all(int fd)
{
	static const char bytes[MESSAGE];

	for (size_t sent = 0; sent < MESSAGE;) {
		ssize_t more = write(fd, bytes + sent, MESSAGE - sent);

		if (more <= 0)
			return false;
		sent += (size_t)more;
	}
	return true;
}

static bool task_wait_go(const struct messaging *run)
{
	struct pollfd p = {.fd = run->go[0], .events = POLLIN};

	if (write(run->ready[1], "", 1) != 1)
		return false;
	if (!run->o->threads)
		close(run->ready[1]);
	return poll(&p, 1, -1) == 1 && p.revents & POLLIN;
}

static bool task_work(const struct task *t)
{
	const struct messaging *run = t->group->run;

	if (!task_wait_go(run))
		return false;
	for (unsigned int i = 0; i < run->o->loops; i++)
		for (unsigned int j = 0; j < SENDERS; j++)
			if (t->in >= 0 ? !messaging_read_all(t->in, MESSAGE)
				       : !messaging_write_all(t->group->ends[j][1]))
				return false;
	return true;
}

static void *task_thread(void *v)
{
	return task_work(v) ? v : NULL;
}

static void task_process(const struct task *t)
{
	close(t->group->run->go[1]);
	/* each side must see the other's end, should that come early */
	for (unsigned int j = 0; j < SENDERS; j++) {
		if (t->group->ends[j][0] >= 0 && t->group->ends[j][0] != t->in)
			close(t->group->ends[j][0]);
		if (t->in >= 0)
			close(t->group->ends[j][1]);
	}
	_exit(task_work(t) ? 0 : 1);
}

static int task_start(struct task *t, struct err *err)
{
	int got;

	if (t->group->run->o->threads) {
		pthread_attr_t attr;

		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, 64 << 10);
		got = pthread_create(&t->thread, &attr, task_thread, t);
		pthread_attr_destroy(&attr);
		if (got)
			return err_sys(err, got, "cannot start a thread");
	} else {
		t->pid = fork();
		if (t->pid < 0)
			return err_sys(err, errno, "cannot start a process");
		if (!t->pid)
			task_process(t);
	}
	t->group->run->started++;
	return 0;
}

static int channel_open(const struct messaging_opts *o, int ends[2])
{
	return o->pipes ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static void group_close(struct group *g)
{
	for (unsigned int i = 0; i < SENDERS; i++)
		for (int j = 0; j < 2; j++)
			if (g->ends[i][j] >= 0) {
				close(g->ends[i][j]);
				g->ends[i][j] = -1;
			}
}

static int group_start(struct group *g, struct err *err)
{
	const bool processes = !g->run->o->threads;

	for (unsigned int i = 0; i < SENDERS; i++)
		if (channel_open(g->run->o, g->ends[i]))
			return err_sys(err, errno, "cannot make a %s",
				       g->run->o->pipes ? "pipe" : "pair of sockets");
	for (unsigned int i = 0; i < 2 * SENDERS; i++) {
		g->tasks[i] = (struct task){.group = g, .in = i < SENDERS ? g->ends[i][0] : -1};
		if (task_start(&g->tasks[i], err))
			return -1;
	}
	if (processes)
		group_close(g);
	return 0;
}

/* Waits for all that were started: true when each did its part. */
static bool tasks_end(struct messaging *run)
{
	bool whole = true;

	for (unsigned int i = 0; i < run->started; i++) {
		struct task *t = &run->groups[i / (2 * SENDERS)].tasks[i % (2 * SENDERS)];
		void *result = NULL;
		int status = 1;

		if (run->o->threads)
			whole &= !pthread_join(t->thread, &result) && result;
		else
			whole &= waitpid(t->pid, &status, 0) == t->pid && !status;
	}
	return whole;
}

static void tasks_kill(struct messaging *run)
{
	for (unsigned int i = 0; i < run->started && !run->o->threads; i++)
		kill(run->groups[i / (2 * SENDERS)].tasks[i % (2 * SENDERS)].pid, SIGKILL);
}

/* Starts them all, lets them go, waits. The time from their start signal to the last one's end in
 * *ns. */
static int messaging_run(struct messaging *run, uint64_t *ns, struct err *err)
{
	uint64_t start;
	bool whole;
	int got = 0;

	for (unsigned int g = 0; g < run->o->groups && !got; g++)
		got = group_start(&run->groups[g], err);
	if (!run->o->threads) {
		close(run->ready[1]);
		run->ready[1] = -1;
	}
	if (!got && !messaging_read_all(run->ready[0], run->started))
		got = err_set(err, ERR_SYSTEM, "a task ended before it was ready");
	if (got)
		tasks_kill(run);
	start = bench_now_ns();
	if (!got && write(run->go[1], "", 1) != 1)
		got = err_sys(err, errno, "cannot let the tasks go");
	close(run->go[1]);
	run->go[1] = -1;
	whole = tasks_end(run);
	*ns = bench_now_ns() - start;
	return got || whole ? got : err_set(err, ERR_SYSTEM, "a sender or receiver failed");
}

static int measure_messaging(struct bench *b, const void *v, struct err *err)
{
	const struct messaging_opts *o = v;
	struct messaging run = {.o = o, .ready = {-1, -1}, .go = {-1, -1}};
	uint64_t ns = 0;
	int got;

	perf_raise_files();
	run.groups = mem_zero(MAX(o->groups, 1u) * sizeof(*run.groups));
	for (unsigned int g = 0; g < o->groups; g++) {
		run.groups[g].run = &run;
		for (unsigned int i = 0; i < SENDERS; i++)
			run.groups[g].ends[i][0] = run.groups[g].ends[i][1] = -1;
	}
	got = pipe(run.ready) || pipe(run.go) ? err_sys(err, errno, "cannot make a pipe")
					      : messaging_run(&run, &ns, err);
	for (unsigned int g = 0; g < o->groups; g++)
		group_close(&run.groups[g]);
	for (int i = 0; i < 2; i++) {
		if (run.ready[i] >= 0)
			close(run.ready[i]);
		if (run.go[i] >= 0)
			close(run.go[i]);
	}
	free(run.groups);
	if (got)
		return -1;
	if (!b->simple)
		buf_printf(b->text,
			   "# %d sender and receiver %s per group\n# %u groups == %u %s run\n\n",
			   SENDERS, o->threads ? "threads" : "processes", o->groups,
			   o->groups * 2 * SENDERS, o->threads ? "threads" : "processes");
	bench_value(b, (double)ns / 1e9, "sec");
	buf_printf(b->text, b->simple ? "%llu.%03llu\n" : "     Total time: %llu.%03llu [sec]\n",
		   (unsigned long long)(ns / 1000000000),
		   (unsigned long long)(ns / 1000000 % 1000));
	return 0;
}

const struct bench_suite bench_sched_messaging = {
	.defaults = &(const struct messaging_opts){.groups = 10, .loops = 100},
	.opts_size = sizeof(struct messaging_opts),
	.measure = measure_messaging,
};
