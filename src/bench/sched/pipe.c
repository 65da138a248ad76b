// SPDX-License-Identifier: MIT
#include "bench/suites.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct pipe_opts {
	unsigned int loops;
	bool threads;
};

const struct opt pipe_options[] = {
	{OPT_UINT, 'l', "loop", offsetof(struct pipe_opts, loops), "n", "Specify number of loops"},
	{OPT_BOOL, 'T', "threaded", offsetof(struct pipe_opts, threads), NULL,
	 "Specify threads/process based task setup"},
	{OPT_END},
};

/* One of the two: it waits for a word from the other and answers, or begins. */
struct pipe_end {
	int in, out;
	unsigned int loops;
	bool begins;
};

static bool pipe_send(const struct pipe_end *e)
{
	int word = 0;

	return write(e->out, &word, sizeof(word)) == sizeof(word);
}

static bool pipe_wait(const struct pipe_end *e)
{
	int word;

	return read(e->in, &word, sizeof(word)) == sizeof(word);
}

static bool pipe_play(const struct pipe_end *e)
{
	for (unsigned int i = 0; i < e->loops; i++)
		if (e->begins ? !pipe_send(e) || !pipe_wait(e) : !pipe_wait(e) || !pipe_send(e))
			return false;
	return true;
}

static void *pipe_thread(void *v)
{
	pipe_play(v);
	return NULL;
}

static int play_threads(struct pipe_end *first, struct pipe_end *second, struct err *err)
{
	pthread_t thread;
	int got = pthread_create(&thread, NULL, pipe_thread, second);

	if (got)
		return err_sys(err, got, "cannot start a thread");
	pipe_play(first);
	pthread_join(thread, NULL);
	return 0;
}

static int play_processes(struct pipe_end *first, struct pipe_end *second, struct err *err)
{
	pid_t pid = fork();
	bool played;
	int status;

	if (pid < 0)
		return err_sys(err, errno, "cannot start a process");
	if (!pid) {
		close(first->in);
		close(first->out);
		_exit(pipe_play(second) ? 0 : 1);
	}
	/* ours are closed, so that the end of either process is seen by the other */
	close(second->in);
	close(second->out);
	second->in = second->out = -1;
	played = pipe_play(first);
	if (!played)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return played && !status ? 0 : err_set(err, ERR_SYSTEM, "the second process ended early");
}

static int measure_pipe(struct bench *b, const void *v, struct err *err)
{
	const struct pipe_opts *o = v;
	int there[2] = {-1, -1}, back[2] = {-1, -1}, got = -1;
	struct pipe_end first, second;
	uint64_t start;

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC)) {
		err_sys(err, errno, "cannot make a pipe");
	} else {
		first = (struct pipe_end){back[0], there[1], o->loops, true};
		second = (struct pipe_end){there[0], back[1], o->loops, false};
		start = bench_now_ns();
		got = (o->threads ? play_threads : play_processes)(&first, &second, err);
		start = bench_now_ns() - start;
		if (!o->threads)
			there[0] = second.in, back[1] = second.out;
	}
	for (int i = 0; i < 2; i++) {
		if (there[i] >= 0)
			close(there[i]);
		if (back[i] >= 0)
			close(back[i]);
	}
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
