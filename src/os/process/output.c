// SPDX-License-Identifier: MIT
#include "os/process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define CHUNK (64u << 10)

/* Starts the command with its output in fd; an errno, or 0. */
static int command_start(char *const *argv, int fd, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t usual;
	int sys;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, fd, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	sys = posix_spawnp(pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return sys;
}

bool child_output_read(struct child_output *o, struct buf *out)
{
	ssize_t got;

	buf_reserve(out, CHUNK);
	do
		got = read(o->fd, out->at + out->n, CHUNK);
	while (got < 0 && errno == EINTR);
	out->n += got > 0 ? (size_t)got : 0;
	o->ended = got == 0;
	return got > 0;
}

int child_output_begin(struct child_output *o, char *const *argv, struct err *err)
{
	int ends[2], sys;

	*o = (struct child_output){0};
	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	sys = command_start(argv, ends[1], &o->pid);
	close(ends[1]);
	o->fd = ends[0];
	if (!sys)
		return 0;
	close(ends[0]);
	return err_sys(err, sys, "cannot run '%s'", argv[0]);
}

int child_output_fork(struct child_output *o, struct err *err)
{
	int ends[2], nothing;

	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	*o = (struct child_output){.fd = ends[0], .pid = fork()};
	if (o->pid > 0) {
		close(ends[1]);
		return 0;
	}
	if (o->pid < 0) {
		err_sys(err, errno, "cannot make a process");
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	close(ends[0]);
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	dup2(ends[1], STDERR_FILENO);
	return 1;
}

int child_output_end(struct child_output *o)
{
	int status = 0;
	pid_t got;

	if (!o->ended)
		kill(o->pid, SIGTERM);
	close(o->fd);
	do
		got = waitpid(o->pid, &status, 0);
	while (got < 0 && errno == EINTR);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int command_output(char *const *argv, struct buf *out, size_t max, struct err *err)
{
	const size_t start = out->n;
	struct child_output o;

	if (child_output_begin(&o, argv, err))
		return -1;
	while (out->n - start < max && child_output_read(&o, out))
		;
	return child_output_end(&o);
}
