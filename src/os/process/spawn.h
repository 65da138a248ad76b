/* SPDX-License-Identifier: MIT */
/*
 * A command started in two steps: made (and measurable) first, then let go to exec.
 */
#ifndef OS_SPAWN_H
#define OS_SPAWN_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct spawn {
	pid_t pid;   /* 0: none */
	int go_fd;   /* writing to it lets the child exec */
	int fail_fd; /* the child says here that it is ready, and its errno when exec fails */
	bool ready;
	int status; /* as from waitpid, once ended */
	bool ended;
	const char *name; /* as typed; not copied */
	uint64_t user_ns,
		system_ns; /* used by it and the children that it waited for, once ended */
};

struct spawn_options {
	bool to_stderr;		/* the command's standard output goes to standard error */
	bool ignores_interrupt; /* SIGINT does nothing to the command */
	/* Descriptors that become the command's standard input and output; 0: those of this
	 * process. */
	int input, output;
};

/* Forks; the child waits. argv ends with NULL and stays until the release. 0 or -1 with *err. */
int spawn_prepare(struct spawn *s, char *const *argv, const struct spawn_options *opts,
		  struct err *err);
/* Waits until all that is left to the child is its exec: clocks that start now don't time
 * the fork. */
void spawn_wait_ready(struct spawn *s);
/* Lets it go, and waits until the exec has happened or failed. -1 with *err by
 * spawn_refused(). */
int spawn_go(struct spawn *s, struct err *err);
/* Lets it go without waiting for the exec: this process then does not wake up and disturb the
 * measured command. */
int spawn_start(struct spawn *s, struct err *err);
/* After spawn_start(), when the child has ended: 0, or -1 with *err as
 * spawn_go(). */
int spawn_check(struct spawn *s, struct err *err);
/* True when the child has ended; takes its status without waiting. */
bool spawn_ended(struct spawn *s);
void spawn_wait(struct spawn *s); /* until it has ended */
void spawn_end(struct spawn *s);  /* asks it to end, with SIGTERM */
/* A child that wasn't let go is ended; one that runs gets SIGTERM when kill is set. Waits
 * for it. */
void spawn_release(struct spawn *s, bool kill);
bool spawn_was_killed(const struct spawn *s);
/* The exit status a shell would give: 128 + signal when it was killed. */
int spawn_exit_status(const struct spawn *s);
/* Sets *err: name could not be run, for this errno. A hint names '-p' when it is the number of a
 * process. Returns -1. */
int spawn_refused(const char *name, int sys, struct err *err);
/* Runs a line of shell and waits for it: its exit status, or -1 with *err. */
int spawn_shell(const char *line, struct err *err);

#endif
