/* SPDX-License-Identifier: MIT */
/*
 * A session of a daemon: a perf record in a folder of its own of the base directory, with named
 * pipes to talk to it (control, ack) and its output in a file.
 */
#ifndef CAPTURE_DAEMON_SESSION_H
#define CAPTURE_DAEMON_SESSION_H

#include "base/buf.h"
#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct daemon_session {
	char *name, *run; /* owned */
	int dir, control, ack;
	pid_t pid;    /* 0: it has ended */
	int status;   /* as from waitpid, once it has */
	time_t start; /* CLOCK_BOOTTIME, in seconds */
};

/* Starts it in the directory base, with those signals blocked. 0, or -1 with *err: nothing is to be
 * released then. */
int daemon_session_start(struct daemon_session *s, int base, const char *name, const char *run,
			 const sigset_t *blocked, struct err *err);
bool daemon_session_ended(struct daemon_session *s); /* does not wait */
void daemon_session_stop(struct daemon_session *s);  /* asks it to end, and does not wait */
/* After that: waits until it has ended. It gets SIGTERM after 10 seconds and SIGKILL after 30. */
void daemon_session_wait(struct daemon_session *s);
/* Does it answer within two seconds? */
bool daemon_session_ping(const struct daemon_session *s);
/* Appends how it ended: "session 'x' exited, status=0". */
void daemon_session_say_end(const struct daemon_session *s, struct buf *out);
/* Removes its pipes and closes all. It must have ended. */
void daemon_session_release(struct daemon_session *s);

time_t daemon_clock(void); /* CLOCK_BOOTTIME, in seconds */

#endif
