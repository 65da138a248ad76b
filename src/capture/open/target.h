/* SPDX-License-Identifier: MIT */
/*
 * What is measured: the whole machine, some of its CPUs, running processes or threads, or a command
 * that is about to start.
 */
#ifndef CAPTURE_TARGET_H
#define CAPTURE_TARGET_H

#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>

/* As options give it. */
struct target_options {
	const char *pids, *tids, *user, *cpus;
	bool system_wide, per_thread;
	bool all_threads; /* every thread that runs now, each by itself */
};

/* As it was found. */
struct target {
	VEC(int) tids;	  /* of tasks; one -1 when not bound to any */
	VEC(int) cpus;	  /* one -1 when not bound to any */
	VEC(int) pids;	  /* processes whose maps and names are synthesized, unless system_wide */
	bool system_wide; /* every task on these CPUs */
	bool all_cpus;	  /* cpus is all that are online */
};

/* With command, its process (already made) is the target unless others are given. proc_root as in
 * os/proc/proc.h. */
int target_find(struct target *t, const struct target_options *opts, int command_pid,
		const char *proc_root, const char *sys_root, struct err *err);
void target_release(struct target *t);
/*
 * Opens events for a target that target_find() found with these options. A task that was made
 * between the listing of tasks and the opening of their events inherits none. All events are then
 * closed, the target is found anew, and the events are opened again: for a second at most, since a
 * program may make threads all the time. tell then gets a line for the user. On failure opened
 * events stay open.
 */
struct target_attach {
	const struct target_options *opts;
	int command_pid;
	const char *proc_root, *sys_root;
	int (*open)(void *ctx, bool again, struct err *err);
	void (*close)(void *ctx);
	void (*tell)(void *ctx, const char *line);
	void *ctx;
};
int target_attach(struct target *t, const struct target_attach *how, struct err *err);
/* True when the command itself is measured, and does not merely set the duration. */
bool target_is_command(const struct target_options *opts);

#endif
