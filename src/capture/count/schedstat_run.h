/* SPDX-License-Identifier: MIT */
/* Snapshots of the scheduler's statistics before and after a command, or until a signal comes. */
#ifndef CAPTURE_SCHEDSTAT_RUN_H
#define CAPTURE_SCHEDSTAT_RUN_H

#include "os/machine/schedstat.h"

struct schedstat_run {
	const char *proc_root;
	char **command; /* ends with NULL; NULL: until SIGINT or SIGTERM comes */
	/* Called with each of the two snapshots. 0, or -1 with *err. */
	int (*take)(void *ctx, const struct schedstat *s, struct err *err);
	void *ctx;
};

struct schedstat_result {
	int exit_status; /* the command's, as a shell gives it */
	int signal;	 /* that ended it; 0: none */
};

/* Turns the statistics on for that time where they are off. 0, or -1 with *err. */
int schedstat_run(const struct schedstat_run *run, struct schedstat_result *result,
		  struct err *err);

#endif
