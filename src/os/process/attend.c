// SPDX-License-Identifier: MIT
#include "os/process/attend.h"

#include "base/mem.h"
#include "os/process/self.h"
#include "os/process/signals.h"
#include "os/process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void attend_until_ended(struct spawn *s, struct signals *signals)
{
	struct pollfd wait = {.fd = signals->fd, .events = POLLIN};

	while (!spawn_ended(s)) {
		int sig;
		bool typed;

		(void)poll(&wait, 1, -1);
		while ((sig = signals_next_from(signals, &typed)))
			if (sig != SIGCHLD && !typed)
				kill(s->pid, sig);
	}
}

int attend_program(char **argv, struct err *err)
{
	static const int list[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
	struct signals signals = {0};
	struct spawn s = {0};
	int status = -1;

	if (signals_open(&signals, list, err) || spawn_prepare(&s, argv, NULL, err)) {
		signals_close(&signals);
		return -1;
	}
	if (!spawn_go(&s, err)) {
		attend_until_ended(&s, &signals);
		status = spawn_exit_status(&s);
	}
	spawn_release(&s, true);
	signals_close(&signals);
	return status;
}

int attend_self(char **argv, struct err *err)
{
	AUTO_CHAR *self = self_program();

	if (!self)
		return err_set(err, ERR_UNSUPPORTED, "this program's own file cannot be run");
	argv[0] = self;
	return attend_program(argv, err);
}

struct pipeline {
	struct signals signals;
	struct spawn writer, reader;
	char **read; /* the reader's words; NULL: it was started */
	int fd;	     /* the pipe's end to read from; -1: the reader has it */
};

/* Waits for a signal, or for the first byte. */
static void pipeline_wait(struct pipeline *p)
{
	struct pollfd wait[] = {{.fd = p->signals.fd, .events = POLLIN},
				{.fd = p->fd, .events = POLLIN}};
	bool typed;
	int sig;

	(void)poll(wait, ARRAY_SIZE(wait), -1);
	while ((sig = signals_next_from(&p->signals, &typed))) {
		if (sig == SIGCHLD)
			continue;
		if (!spawn_ended(&p->writer) && !typed)
			kill(p->writer.pid, sig);
		else if (spawn_ended(&p->writer))
			spawn_end(&p->reader);
	}
}

static int pipeline_start_reader(struct pipeline *p, struct err *err)
{
	const struct spawn_options how = {.ignores_interrupt = true, .input = p->fd};
	struct pollfd first = {.fd = p->fd, .events = POLLIN};

	if (poll(&first, 1, 0) <= 0 || !(first.revents & POLLIN))
		return 0;
	if (spawn_prepare(&p->reader, p->read, &how, err) || spawn_go(&p->reader, err))
		return -1;
	close(p->fd);
	p->fd = -1;
	p->read = NULL;
	return 0;
}

static int pipeline_run(struct pipeline *p, char **writer, struct err *err)
{
	struct spawn_options how = {0};
	int fds[2], got;

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, errno, "cannot make a pipe");
	p->fd = fds[0];
	how.output = fds[1];
	got = spawn_prepare(&p->writer, writer, &how, err);
	close(fds[1]);
	if (got || spawn_go(&p->writer, err))
		return -1;
	/* a writer that has ended may have left bytes in the pipe */
	while (p->read && !spawn_ended(&p->writer)) {
		pipeline_wait(p);
		if (pipeline_start_reader(p, err))
			return -1;
	}
	if (p->read && pipeline_start_reader(p, err))
		return -1;
	while (!p->read && !spawn_ended(&p->reader))
		pipeline_wait(p);
	spawn_end(&p->writer);
	spawn_wait(&p->writer);
	got = spawn_exit_status(&p->writer);
	return got ? got : spawn_exit_status(&p->reader);
}

int attend_pipeline(char **writer, char **reader, struct err *err)
{
	static const int list[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
	struct pipeline p = {.read = reader, .fd = -1};
	AUTO_CHAR *self = self_program();
	int status;

	if (!self)
		return err_set(err, ERR_UNSUPPORTED, "this program's own file cannot be run");
	writer[0] = reader[0] = self;
	if (signals_open(&p.signals, list, err))
		return -1;
	status = pipeline_run(&p, writer, err);
	spawn_release(&p.writer, true);
	spawn_release(&p.reader, true);
	if (p.fd >= 0)
		close(p.fd);
	signals_close(&p.signals);
	return status;
}

static bool is_other_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino != b->st_ino || a->st_dev != b->st_dev || a->st_size != b->st_size ||
	       a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

int attend_record(char **argv, const char *output, int *status, struct err *err)
{
	struct stat before = {0}, after;

	(void)stat(output, &before);
	*status = attend_self(argv, err);
	if (*status < 0)
		return -1;
	return !stat(output, &after) && after.st_size && is_other_file(&before, &after);
}

static char *runnable_path(const char *path)
{
	struct stat st;

	return !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode) ? realpath(path, NULL)
									      : NULL;
}

char *program_path(const char *name, struct err *err)
{
	const char *list = getenv("PATH");
	char *found = NULL;

	if (strchr(name, '/')) {
		found = runnable_path(name);
	} else {
		AUTO_CHAR *copy = mem_strdup(list ? list : "/usr/bin:/bin");
		char *rest = copy;
		const char *folder;

		while (!found && (folder = strsep(&rest, ":"))) {
			AUTO_CHAR *path = mem_printf("%s/%s", *folder ? folder : ".", name);

			found = runnable_path(path);
		}
	}
	if (!found)
		spawn_refused(name, ENOENT, err);
	return found;
}

char *program_path_of(int pid, struct err *err)
{
	AUTO_CHAR *link = mem_printf("/proc/%d/exe", pid);
	char path[PATH_MAX];
	const ssize_t n = readlink(link, path, sizeof(path) - 1);
	struct stat named, runs;

	if (n <= 0 || stat(link, &runs)) {
		err_sys(err, errno, "the program of process %d is not known", pid);
		return NULL;
	}
	path[n] = 0;
	/* in a container, or after an update, the name leads to another file, or to none */
	if (!stat(path, &named) && named.st_ino == runs.st_ino && named.st_dev == runs.st_dev)
		return mem_strdup(path);
	return mem_strdup(link);
}
