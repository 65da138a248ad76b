// SPDX-License-Identifier: MIT
#include "os/process/background.h"

#include "base/mem.h"
#include "os/process/self.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Standard input becomes empty, output and error go to out. */
static int leave_terminal(int out)
{
	const int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return empty < 0 || dup2(empty, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	       dup2(out, STDERR_FILENO) < 0;
}

pid_t background_enter(int out, int *ready, struct err *err)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	pid = fork();
	if (pid < 0) {
		err_sys(err, errno, "cannot make a process");
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	if (!pid) {
		close(ends[0]);
		setsid();
		if (leave_terminal(out))
			_exit(255);
		*ready = ends[1];
		return 0;
	}
	close(ends[1]);
	while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(ends[0]);
	return pid;
}

pid_t background_run_self(char *const *argv, int dir, int out, const sigset_t *blocked,
			  struct err *err)
{
	AUTO_CHAR *self = self_program();
	const pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return err_sys(err, errno, "cannot make a process");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (getppid() == parent && !fchdir(dir) && !leave_terminal(out) &&
	    !sigprocmask(SIG_SETMASK, blocked, NULL))
		execv(self ? self : "/proc/self/exe", argv);
	_exit(127);
}
