// SPDX-License-Identifier: MIT
#include "os/process/spawn.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(char *const *argv, int go, int fail, const struct spawn_options *o)
{
	sigset_t none;
	const int ready = 0;
	char c;
	int sys;

	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (o->ignores_interrupt)
		signal(SIGINT, SIG_IGN);
	if (o->input)
		dup2(o->input, STDIN_FILENO);
	if (o->output || o->to_stderr)
		dup2(o->output ? o->output : STDERR_FILENO, STDOUT_FILENO);
	/* What readers see of the time between fork and exec. */
	prctl(PR_SET_NAME, "perf-exec");
	/* All that is left is the exec. */
	if (write(fail, &ready, sizeof(ready)) < 0)
		_exit(126);
	/* The recorder's end of the pipe closes without a byte when it gives up. */
	if (read(go, &c, 1) != 1)
		_exit(0);
	execvp(argv[0], argv);
	sys = errno;
	if (write(fail, &sys, sizeof(sys)) < 0)
		_exit(126);
	_exit(sys == ENOENT ? 127 : 126);
}

int spawn_prepare(struct spawn *s, char *const *argv, const struct spawn_options *opts,
		  struct err *err)
{
	static const struct spawn_options usual = {0};
	int go[2], fail[2];
	pid_t pid;

	*s = (struct spawn){.go_fd = -1, .fail_fd = -1, .name = argv[0]};
	if (pipe2(go, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	if (pipe2(fail, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return err_sys(err, errno, "cannot make a pipe");
	}
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		close(fail[0]);
		child(argv, go[0], fail[1], opts ? opts : &usual);
	}
	close(go[0]);
	close(fail[1]);
	if (pid < 0) {
		int sys = errno;

		close(go[1]);
		close(fail[0]);
		return err_sys(err, sys, "cannot start '%s'", argv[0]);
	}
	s->pid = pid;
	s->go_fd = go[1];
	s->fail_fd = fail[0];
	return 0;
}

/* Takes what the child sends: 0 when it is ready, the errno of its exec. False: nothing
 * more comes. */
static bool read_word(const struct spawn *s, int *word)
{
	ssize_t got;

	do
		got = read(s->fail_fd, word, sizeof(*word));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(*word);
}

void spawn_wait_ready(struct spawn *s)
{
	int word;

	if (!s->ready)
		read_word(s, &word);
	s->ready = true;
}

int spawn_start(struct spawn *s, struct err *err)
{
	if (write(s->go_fd, "", 1) != 1)
		return err_sys(err, errno, "cannot start the command");
	close(s->go_fd);
	s->go_fd = -1;
	return 0;
}

static bool is_process(const char *name)
{
	char *end;
	long n = strtol(name, &end, 10);

	return !*end && n > 0 && n <= INT_MAX && (!kill((pid_t)n, 0) || errno == EPERM);
}

int spawn_refused(const char *name, int sys, struct err *err)
{
	err_sys(err, sys, "cannot run '%s'", name);
	if (sys != ENOENT || !is_process(name))
		return -1;
	return err_hint(err, "the process of this number is asked for by '-p %s'", name);
}

int spawn_check(struct spawn *s, struct err *err)
{
	int sys = 0;
	bool failed;

	spawn_wait_ready(s);
	failed = read_word(s, &sys);
	close(s->fail_fd);
	s->fail_fd = -1;
	return failed ? spawn_refused(s->name, sys, err) : 0;
}

int spawn_go(struct spawn *s, struct err *err)
{
	return spawn_start(s, err) ? -1 : spawn_check(s, err);
}

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

static bool wait_for(struct spawn *s, int flags)
{
	struct rusage used = {0};
	pid_t got;

	if (!s->pid || s->ended)
		return true;
	do
		got = wait4(s->pid, &s->status, flags, &used);
	while (got < 0 && errno == EINTR);
	/* Somebody else's wait took the status: there is nothing left to know. */
	s->ended = got == s->pid || got < 0;
	s->user_ns = ns_of(&used.ru_utime);
	s->system_ns = ns_of(&used.ru_stime);
	return s->ended;
}

bool spawn_ended(struct spawn *s)
{
	return wait_for(s, WNOHANG);
}

void spawn_wait(struct spawn *s)
{
	wait_for(s, 0);
}

void spawn_end(struct spawn *s)
{
	if (s->pid && !s->ended)
		kill(s->pid, SIGTERM);
}

void spawn_release(struct spawn *s, bool kill_it)
{
	if (!s->pid)
		return;
	if (s->go_fd >= 0)
		close(s->go_fd);
	if (s->fail_fd >= 0)
		close(s->fail_fd);
	if (!s->ended && kill_it)
		kill(s->pid, SIGTERM);
	wait_for(s, 0);
	s->go_fd = s->fail_fd = -1;
	s->pid = 0;
}

int spawn_exit_status(const struct spawn *s)
{
	if (!s->ended)
		return 0;
	return WIFSIGNALED(s->status) ? 128 + WTERMSIG(s->status) : WEXITSTATUS(s->status);
}

bool spawn_was_killed(const struct spawn *s)
{
	return s->ended && WIFSIGNALED(s->status);
}

int spawn_shell(const char *line, struct err *err)
{
	char sh[] = "sh", follows[] = "-c";
	AUTO_CHAR *copy = mem_strdup(line);
	char *const argv[] = {sh, follows, copy, NULL};
	struct spawn s;
	int got;

	if (spawn_prepare(&s, argv, NULL, err))
		return -1;
	got = spawn_go(&s, err);
	spawn_wait(&s);
	spawn_release(&s, false);
	return got ? -1 : spawn_exit_status(&s);
}
