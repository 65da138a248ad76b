// SPDX-License-Identifier: MIT
#include "bench/suites.h"
#include "os/machine/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

struct pipe_opts {
	const char *groups;
	unsigned int loops;
	bool threads, nonblocking;
};

#define AT(field) offsetof(struct pipe_opts, field)

const struct opt pipe_options[] = {
	{OPT_STRING, 'G', "cgroups", AT(groups), "SEND,RECV",
	 "Put sender and receivers in given cgroups"},
	{OPT_UINT, 'l', "loop", AT(loops), "n", "Specify number of loops"},
	{OPT_BOOL, 'n', "nonblocking", AT(nonblocking), NULL, "Use non-blocking operations"},
	{OPT_BOOL, 'T', "threaded", AT(threads), NULL, "Specify threads/process based task setup"},
	{OPT_END},
};

/* One of the two: it waits for a word from the other and answers, or begins. */
struct pipe_end {
	int in, out;
	int poll;  /* with -n, an epoll of .in, else -1 */
	int group; /* the file that moves who writes to it into a cgroup; -1: none */
	unsigned int loops;
	bool begins;
	int failed; /* an errno */
	pid_t pid;
	pthread_t thread;
};

static bool pipe_send(const struct pipe_end *e)
{
	int word = 0;

	return write(e->out, &word, sizeof(word)) == sizeof(word);
}

static bool pipe_wait(const struct pipe_end *e)
{
	struct epoll_event event;
	int word;

	if (e->poll >= 0 && epoll_wait(e->poll, &event, 1, -1) != 1)
		return false;
	return read(e->in, &word, sizeof(word)) == sizeof(word);
}

/* Returns 0 or an errno. */
static int pipe_play(const struct pipe_end *e)
{
	if (e->group >= 0 && write(e->group, "0", 1) != 1)
		return errno;
	for (unsigned int i = 0; i < e->loops; i++)
		if (e->begins ? !pipe_send(e) || !pipe_wait(e) : !pipe_wait(e) || !pipe_send(e))
			return errno ? errno : EPIPE;
	return 0;
}

static void pipe_close(struct pipe_end *e)
{
	int *const fds[] = {&e->in, &e->out, &e->poll, &e->group};

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

/* A thread that fails lets the other one know. */
static void *pipe_thread(void *v)
{
	struct pipe_end *e = v;

	e->failed = pipe_play(e);
	if (e->failed)
		pipe_close(e);
	return NULL;
}

static int play_threads(struct pipe_end ends[2], struct err *err)
{
	sigset_t pipe_signal, before;
	int n = 0, got = 0;

	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
	for (; n < 2 && !got; n += !got)
		got = pthread_create(&ends[n].thread, NULL, pipe_thread, &ends[n]);
	if (got && n)
		pipe_close(&ends[1]);
	for (int i = 0; i < n; i++)
		pthread_join(ends[i].thread, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return got ? err_sys(err, got, "cannot start a thread") : 0;
}

static int play_processes(struct pipe_end ends[2], struct err *err)
{
	int n = 0, got = 0, status;

	for (; n < 2 && !got; n += !got) {
		ends[n].pid = fork();
		if (ends[n].pid < 0) {
			got = errno;
		} else if (!ends[n].pid) {
			pipe_close(&ends[!n]);
			_exit(pipe_play(&ends[n]));
		}
	}
	/* ours are closed, so that the end of either process is seen by the other */
	pipe_close(&ends[0]);
	pipe_close(&ends[1]);
	for (int i = 0; i < n; i++) {
		waitpid(ends[i].pid, &status, 0);
		ends[i].failed = WIFEXITED(status) ? WEXITSTATUS(status) : EPIPE;
	}
	return got ? err_sys(err, got, "cannot start a process") : 0;
}

/* Opens the file of a cgroup into which a task writes itself. */
static int pipe_open_group(const char *name, bool thread, struct err *err)
{
	int dir = *name ? cgroup_open("/sys", name) : -1, fd = -1;

	if (dir >= 0) {
		if (thread)
			fd = openat(dir, "cgroup.threads", O_WRONLY | O_CLOEXEC);
		if (thread && fd < 0) /* version 1 */
			fd = openat(dir, "tasks", O_WRONLY | O_CLOEXEC);
		if (!thread)
			fd = openat(dir, "cgroup.procs", O_WRONLY | O_CLOEXEC);
		close(dir);
	}
	if (fd < 0)
		err_set(err, ERR_INPUT, "no such cgroup: '%s'", name);
	return fd;
}

static int pipe_open_groups(const struct pipe_opts *o, struct pipe_end ends[2], struct err *err)
{
	AUTO_CHAR *text = mem_strdup(o->groups);
	char *second = strchr(text, ',');

	if (!second)
		return err_set(err, ERR_USAGE, "-G takes two cgroups, of sender and receiver: '%s'",
			       o->groups);
	*second++ = 0;
	ends[0].group = pipe_open_group(text, o->threads, err);
	ends[1].group = ends[0].group < 0 ? -1 : pipe_open_group(second, o->threads, err);
	return ends[1].group < 0 ? -1 : 0;
}

/* With -n: a task waits until there is something to be read. */
static int pipe_open_poll(struct pipe_end *e)
{
	struct epoll_event event = {.events = EPOLLIN};

	e->poll = epoll_create1(EPOLL_CLOEXEC);
	return e->poll < 0 || epoll_ctl(e->poll, EPOLL_CTL_ADD, e->in, &event) ? -1 : 0;
}

static int pipe_open(const struct pipe_opts *o, struct pipe_end ends[2], struct err *err)
{
	const int flags = O_CLOEXEC | (o->nonblocking ? O_NONBLOCK : 0);

	for (int i = 0; i < 2; i++) {
		int fds[2];

		if (pipe2(fds, flags))
			return err_sys(err, errno, "cannot make a pipe");
		ends[!i].in = fds[0];
		ends[i].out = fds[1];
	}
	if (o->nonblocking && (pipe_open_poll(&ends[0]) || pipe_open_poll(&ends[1])))
		return err_sys(err, errno, "cannot wait for a pipe");
	return o->groups ? pipe_open_groups(o, ends, err) : 0;
}

/* Two tasks play, both started for it: a cgroup that they enter is left when they end. */
static int pipe_run(const struct pipe_opts *o, struct pipe_end ends[2], struct err *err)
{
	int i;

	if ((o->threads ? play_threads : play_processes)(ends, err))
		return -1;
	/* a task that is left alone fails, too: by EPIPE */
	i = !ends[0].failed || (ends[0].failed == EPIPE && ends[1].failed);
	if (!ends[i].failed)
		return 0;
	err_sys(err, ends[i].failed, "the %s %s", i ? "receiving" : "sending",
		o->threads ? "thread" : "process");
	if (o->groups && ends[i].failed == EOPNOTSUPP)
		err_hint(err, "threads go into cgroups whose cgroup.type is 'threaded'");
	return -1;
}

static int measure_pipe(struct bench *b, const void *v, struct err *err)
{
	const struct pipe_opts *o = v;
	const struct pipe_end none = {.in = -1, .out = -1, .poll = -1, .group = -1};
	struct pipe_end ends[2] = {none, none};
	uint64_t start;
	int got;

	ends[0].loops = ends[1].loops = o->loops;
	ends[0].begins = true;
	got = pipe_open(o, ends, err);
	start = bench_now_ns();
	if (!got)
		got = pipe_run(o, ends, err);
	start = bench_now_ns() - start;
	pipe_close(&ends[0]);
	pipe_close(&ends[1]);
	if (got)
		return -1;
	if (!b->simple)
		buf_printf(b->text, "# Executed %u pipe operations between two %s\n\n", o->loops,
			   o->threads ? "threads" : "processes");
	bench_total_per_op(b, start, o->loops);
	return 0;
}

const struct bench_suite bench_sched_pipe = {
	.defaults = &(const struct pipe_opts){.loops = 1000000},
	.opts_size = sizeof(struct pipe_opts),
	.measure = measure_pipe,
};
