/* SPDX-License-Identifier: MIT */
/* Runs tests of this program on this machine, several in parallel, and shows their results in
 * order. */
#ifndef CMD_TEST_RUN_H
#define CMD_TEST_RUN_H

#include "cmd/cmd.h"
#include "selftest/selftest.h"

struct test_opts {
	const char *skip, *workload, *dso, *objdump;
	int verbose;
	unsigned int runs;
	bool here, one_by_one, parallel, list_workloads;
};

struct numbered {
	const struct selftest *test;
	int number;
	struct started {
		pid_t pid;
		int fd;
		char folder[64];
	} run;
};

struct test_list {
	VEC(struct numbered);
	size_t started, ended; /* how many of them, in a run */
};

/* Selects tests by numbers and parts of names; no words select all. */
void test_list_choose(struct test_list *list, int argc, char **argv);
/* Returns 0, 1 when a test failed, or -1 with *err. */
int test_list_run(struct env *env, const struct test_opts *o, struct test_list *list,
		  const char *program, struct err *err);

#endif
