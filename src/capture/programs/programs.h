/* SPDX-License-Identifier: MIT */
/*
 * BPF programs that sum up what a target does: they are loaded for it, told its tasks, switched on
 * while it runs (until a command ends, processes are gone, or a signal comes), and read afterwards.
 */
#ifndef CAPTURE_PROGRAMS_H
#define CAPTURE_PROGRAMS_H

#include "capture/open/target.h"

struct programs_options {
	struct target_options target; /* without command, pids and tids: the whole machine */
	char *const *command;	      /* ends with NULL; NULL: none */
};

struct programs {
	/* Loads them for a target that was found. by_task: only for tasks that .follow names, and
	 * their children. 0, or -1 with *err. */
	int (*load)(void *ctx, const struct target *t, bool by_task, struct err *err);
	/* A task counts from now on, or from its next exec. 0 or a negative errno. NULL where the
	 * target is the whole machine. */
	int (*follow)(void *ctx, int tid, bool on_exec);
	void (*turn)(void *ctx, bool on);
	void *ctx;
};

struct programs_result {
	int exit_status; /* the command's, as a shell gives it */
	int signal;	 /* that ended it; 0: none */
};

/* 0, or -1 with *err. */
int programs_run(const struct programs *p, const struct programs_options *o,
		 struct programs_result *result, struct err *err);

#endif
