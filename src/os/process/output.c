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

/* True when the command has written all it had to. */
static bool output_read_all(int fd, struct buf *out, size_t max)
{
	const size_t start = out->n;

	while (out->n - start < max) {
		ssize_t got;

		buf_reserve(out, CHUNK);
		got = read(fd, out->at + out->n, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		out->n += (size_t)got;
	}
	return false;
}

int command_output(char *const *argv, struct buf *out, size_t max, struct err *err)
{
	int ends[2], status = 0, sys;
	pid_t pid, got;

	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	sys = command_start(argv, ends[1], &pid);
	close(ends[1]);
	if (sys) {
		close(ends[0]);
		return err_sys(err, sys, "cannot run '%s'", argv[0]);
	}
	if (!output_read_all(ends[0], out, max))
		kill(pid, SIGTERM);
	close(ends[0]);
	do
		got = waitpid(pid, &status, 0);
	while (got < 0 && errno == EINTR);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
