/* SPDX-License-Identifier: MIT */
/*
 * The paths of processes' descriptors: learnt from their system calls, and from /proc for
 * descriptors opened before.
 */
#ifndef ANALYSIS_CALLS_FDS_H
#define ANALYSIS_CALLS_FDS_H

#include "analysis/calls/call.h"
#include "base/hash.h"

struct fd_process;
struct call_fds {
	const char *proc_root; /* NULL: /proc is not read */
	bool incomplete;       /* not all calls that open and close are traced: nothing is kept */
	/* private */
	VEC(struct fd_process *) processes;
	VEC(uint32_t) spare; /* of processes: those that have ended */
	size_t look_at;	     /* so many processes are kept: look for those that have ended */
	struct idmap by_pid;
	char path[4096];
};
void call_fds_release(struct call_fds *f);
/* Reads the descriptors that a process has open now. */
void call_fds_look(struct call_fds *f, uint32_t pid);
/* The same of all processes. */
void call_fds_look_all(struct call_fds *f);
/* Call when calls were lost: any descriptor may be another file's now. /proc is asked again. */
void call_fds_forget(struct call_fds *f);
/* Call for each system call that has returned, and for exit_group, after it was shown. What is kept
 * of a process is freed when it ends: by exit_group, or when its folder of /proc is seen to be
 * gone. */
void call_fds_add(struct call_fds *f, const struct call *c);
/* Gives a new process the descriptors of its parent. */
void call_fds_fork(struct call_fds *f, uint32_t pid, uint32_t parent);
/* The path of a descriptor, valid until the next call; NULL: not known. */
const char *call_fds_path(struct call_fds *f, uint32_t pid, int fd);

#endif
