/* SPDX-License-Identifier: MIT */
/*
 * What the descriptors of processes are open on: learnt from their system calls, and from /proc
 * what was open before.
 */
#ifndef ANALYSIS_CALLS_FDS_H
#define ANALYSIS_CALLS_FDS_H

#include "analysis/calls/call.h"
#include "base/hash.h"

struct fd_process;
struct call_fds {
	const char *proc_root; /* NULL: nothing is asked of a running system */
	bool incomplete;       /* not all calls that open and close come: nothing is kept */
	/* private */
	VEC(struct fd_process *) processes;
	struct idmap by_pid;
	char path[4096];
};
void call_fds_release(struct call_fds *f);
/* Notes what a process has open now. */
void call_fds_look(struct call_fds *f, uint32_t pid);
/* To be told of each call that has returned, after it was shown. */
void call_fds_add(struct call_fds *f, const struct call *c);
/* A new process has what its parent had. */
void call_fds_fork(struct call_fds *f, uint32_t pid, uint32_t parent);
/* Valid until the next call; NULL: not known. */
const char *call_fds_path(struct call_fds *f, uint32_t pid, int fd);

#endif
