// SPDX-License-Identifier: MIT
#include "bench/suites.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct syscall_opts {
	unsigned int loops;
};

const struct opt syscall_options[] = {
	{OPT_UINT, 'l', "loop", offsetof(struct syscall_opts, loops), "n",
	 "Specify number of loops"},
	{OPT_END},
};

static int call_getppid(const char *path)
{
	(void)path;
	syscall(SYS_getppid);
	return 0;
}

static int call_getpgid(const char *path)
{
	(void)path;
	return syscall(SYS_getpgid, 0) < 0 ? errno : 0;
}

static int wait_for(pid_t pid)
{
	int status;

	if (pid < 0)
		return errno;
	if (waitpid(pid, &status, 0) != pid)
		return errno;
	return status ? ECHILD : 0;
}

static int call_fork(const char *path)
{
	pid_t pid = fork();

	(void)path;
	if (!pid)
		_exit(0);
	return wait_for(pid);
}

static int call_execve(const char *path)
{
	pid_t pid = fork();

	if (!pid) {
		execve(path, (char *[]){(char *)path, NULL}, NULL);
		_exit(1);
	}
	return wait_for(pid);
}

static const char *program_true(void)
{
	return access("/bin/true", X_OK) ? "/usr/bin/true" : "/bin/true";
}

static int measure_calls(struct bench *b, const void *v, const char *name,
			 int (*call)(const char *), struct err *err)
{
	const struct syscall_opts *o = v;
	const char *path = program_true();
	uint64_t start = bench_now_ns();

	for (unsigned int i = 0; i < o->loops; i++) {
		int got = call(path);

		if (got)
			return err_sys(err, got, "%s failed", name);
	}
	start = bench_now_ns() - start;
	if (!b->simple)
		buf_printf(b->text, "# Executed %u %s calls\n", o->loops, name);
	bench_total_per_op(b, start, o->loops);
	return 0;
}

static int measure_getppid(struct bench *b, const void *o, struct err *err)
{
	return measure_calls(b, o, "getppid()", call_getppid, err);
}

static int measure_getpgid(struct bench *b, const void *o, struct err *err)
{
	return measure_calls(b, o, "getpgid()", call_getpgid, err);
}

static int measure_fork(struct bench *b, const void *o, struct err *err)
{
	return measure_calls(b, o, "fork()", call_fork, err);
}

static int measure_execve(struct bench *b, const void *o, struct err *err)
{
	return measure_calls(b, o, "execve()", call_execve, err);
}

#define SYSCALL_SUITE(id, function, usual)                                                         \
	const struct bench_suite bench_syscall_##id = {                                            \
		.defaults = &(const struct syscall_opts){.loops = (usual)},                        \
		.opts_size = sizeof(struct syscall_opts),                                          \
		.measure = function,                                                               \
	}

SYSCALL_SUITE(basic, measure_getppid, 10000000);
SYSCALL_SUITE(getpgid, measure_getpgid, 10000000);
SYSCALL_SUITE(fork, measure_fork, 10000);
SYSCALL_SUITE(execve, measure_execve, 10000);
