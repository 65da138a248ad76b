/* SPDX-License-Identifier: MIT */
/* A measurement that goes on until a command ends, processes are gone, or a signal comes. */
#ifndef CAPTURE_MEASURED_H
#define CAPTURE_MEASURED_H

#include "capture/open/target.h"
#include "os/process/signals.h"
#include "os/process/spawn.h"

#include <poll.h>

/* All zero is valid. */
struct measured {
	struct signals signals;
	struct spawn command; /* .pid is 0 when there is none */
	struct target target;
	VEC(struct pollfd) polls; /* signals, the caller's, then the processes that are measured */
	size_t alive;		  /* of these processes */
	int signal;		  /* the last one that came; 0: none */
	bool stop;		  /* it is over */
};

/* Adds the caller's descriptor (-1: none) to what is waited for, and the processes of m->target
 * when t names processes or threads. */
void measured_watch(struct measured *m, int fd, const struct target_options *t);
/* Waits for at most so many ms (-1: for ever) and sets .stop and .signal. A key of the terminal
 * reaches the command, too: it ends the measurement only when it comes again. 0 when the time is
 * up, 1 or more when something came, or -1 with errno set. */
int measured_wait(struct measured *m, int ms);
/* Whether the command could be run: 0, or -1 with *err as spawn_go(). */
int measured_check(struct measured *m, struct err *err);
/* Ends the command and releases all but .signal. The command's exit status, or 0 without one. */
int measured_end(struct measured *m);

#endif
