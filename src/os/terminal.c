// SPDX-License-Identifier: MIT
#include "os/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool terminal_is(int fd)
{
	return isatty(fd);
}

int terminal_width(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

pid_t reader_start(const char *command, int *fd)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	/* for a "less" to which the user said nothing: leave at once when all fits on a screen */
	setenv("LESS", "FRSX", 0);
	pid = fork();
	if (!pid) {
		signal(SIGPIPE, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		dup2(ends[0], STDIN_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	if (pid < 0) {
		int saved = errno;

		close(ends[1]);
		errno = saved;
		return -1;
	}
	*fd = ends[1];
	return pid;
}

void reader_wait(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
