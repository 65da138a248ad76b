// SPDX-License-Identifier: MIT
#include "cmd/test/test_child.h"

#include "os/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_SECONDS 120 /* limit of one test */

int test_folder_make(char folder[64])
{
	const char *root = getenv("TMPDIR");

	snprintf(folder, 64, "%.40s/perf-test-XXXXXX", root && *root ? root : "/tmp");
	return mkdtemp(folder) ? 0 : -1;
}

/* Sends the verdict, the reason and the output of a test. */
static void answer_send(int fd, enum selftest_verdict verdict, const struct selftest_run *r)
{
	struct buf all = {0};

	buf_char(&all, (char)verdict);
	buf_add(&all, r->why, sizeof(r->why));
	buf_add(&all, r->said.at, r->said.n);
	for (size_t sent = 0; sent < all.n;) {
		ssize_t more = write(fd, all.at + sent, all.n - sent);

		if (more <= 0)
			break;
		sent += (size_t)more;
	}
	buf_release(&all);
}

/* Reads a test's answer. Returns a signal that came meanwhile and ended the reading, or 0. */
static int answer_read(int fd, struct signals *signals, struct selftest_run *r,
		       enum selftest_verdict *verdict)
{
	struct pollfd polled[] = {{.fd = fd, .events = POLLIN},
				  {.fd = signals->fd, .events = POLLIN}};
	struct buf all = {0};
	int sig = 0;
	ssize_t got = 1;

	*verdict = SELFTEST_FAILED;
	while (got > 0 && !sig) {
		if (poll(polled, ARRAY_SIZE(polled), -1) < 0)
			continue;
		if (polled[1].revents)
			sig = signals_next(signals);
		if (!polled[0].revents)
			continue;
		buf_reserve(&all, 65536);
		got = read(fd, all.at + all.n, 65536);
		all.n += got > 0 ? (size_t)got : 0;
	}
	if (!sig && all.n > sizeof(r->why)) {
		*verdict = (enum selftest_verdict)all.at[0];
		memcpy(r->why, all.at + 1, sizeof(r->why));
		buf_add(&r->said, all.at + 1 + sizeof(r->why), all.n - 1 - sizeof(r->why));
	}
	buf_release(&all);
	return sig;
}

int test_child_start(const struct test_opts *o, struct numbered *t, const char *program,
		     const struct signals *signals, struct err *err)
{
	int ends[2];

	if (test_folder_make(t->run.folder) || pipe2(ends, O_CLOEXEC))
		return err_sys(err, errno, "cannot make room for a test");
	t->run.pid = fork();
	if (t->run.pid < 0)
		return err_sys(err, errno, "cannot start a test");
	if (!t->run.pid) {
		struct selftest_run r = {.program = program,
					 .folder = t->run.folder,
					 .dso = o->dso,
					 .objdump = o->objdump};

		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &signals->before, NULL);
		close(ends[0]);
		signal(SIGPIPE, SIG_DFL);
		alarm(MOST_SECONDS);
		answer_send(ends[1], t->test->try(&r), &r);
		_exit(0);
	}
	setpgid(t->run.pid, t->run.pid);
	close(ends[1]);
	t->run.fd = ends[0];
	return 0;
}

int test_child_end(struct numbered *t)
{
	int status = 0;

	close(t->run.fd);
	if (waitpid(t->run.pid, &status, WNOHANG) != t->run.pid) {
		kill(-t->run.pid, SIGKILL);
		waitpid(t->run.pid, &status, 0);
	} else if (WIFSIGNALED(status)) {
		kill(-t->run.pid, SIGKILL);
	}
	files_remove_tree(t->run.folder);
	return status;
}

int test_child_wait(struct numbered *t, struct signals *signals, struct selftest_run *r,
		    enum selftest_verdict *verdict)
{
	int status, sig = answer_read(t->run.fd, signals, r, verdict);

	if (sig)
		return sig;
	status = test_child_end(t);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		*verdict = selftest_fail(r, "not done after %d s", MOST_SECONDS);
	else if (WIFSIGNALED(status))
		*verdict = selftest_fail(r, "ended by signal %d (%s)", WTERMSIG(status),
					 strsignal(WTERMSIG(status)));
	return 0;
}
