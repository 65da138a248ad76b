/* SPDX-License-Identifier: MIT */
/*
 * perf daemon: a process in the background that runs the sessions of the configuration, answers
 * calls on a socket in its base directory, and follows the configuration when it changes.
 *
 * A call is "VERB\nARGUMENT\n", ended by closing that direction. Its answer is '0' (done) or '1'
 * (not, or not for all) and a text for the user:
 *   list   the sessions; the argument is "", "v" (all that is known), or ',' and a separator
 *   signal SIGUSR2 for the session of that name, or without a name for all
 *   ping   whether the session of that name, or without a name all, answer
 *   stop   answered when all sessions have ended
 */
#ifndef CAPTURE_DAEMON_H
#define CAPTURE_DAEMON_H

#include "capture/daemon/daemon_config.h"
#include "capture/daemon/daemon_session.h"
#include "os/process/signals.h"

#include <limits.h>

struct daemon_options {
	const char *config; /* a file, or NULL: the usual ones */
	const char *base;   /* the directory, or NULL: that of the configuration */
	bool foreground;    /* stay in this process, and say on standard output what happens */
};

/* The directory that options and configuration name, in the arena; NULL with *err. */
const char *daemon_base(const struct daemon_options *o, struct arena *arena, struct err *err);
/* Runs a daemon. In the background: returns when its sessions are started, and once more in the
 * new process when the daemon ends. 0, or -1 with *err. */
int daemon_serve(const struct daemon_options *o, struct err *err);
/* Calls the daemon of the directory: appends its text. 0; 1: not (all) done; -1 with *err. */
int daemon_call(const char *base, const char *verb, const char *argument, struct buf *answer,
		struct err *err);

/* A daemon that runs. */
struct daemon {
	const struct daemon_options *options;
	char path[PATH_MAX]; /* of the base directory */
	int base, lock, listener, watch, log;
	int watched_base; /* of watch: the base directory */
	struct signals signals;
	VEC(struct daemon_session) sessions; /* none of them has ended, as far as known */
	time_t start;
	bool ending;
	int to_answer; /* the connection that asked to stop, or -1 */
};

/* Appends the answer to a call. False: not (all) of it was done. */
bool daemon_reply(struct daemon *d, const char *verb, const char *argument, struct buf *out);

#endif
