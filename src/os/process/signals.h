/* SPDX-License-Identifier: MIT */
/*
 * Signals as something to read: blocked for this process and delivered through a descriptor, so
 * that nothing is ever interrupted half-way.
 */
#ifndef OS_SIGNALS_H
#define OS_SIGNALS_H

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd; /* readable when one came; -1 or 0: not open */
	sigset_t before;
};

/* list ends with 0. SIGPIPE and SIGXFSZ become errors of write. */
int signals_open(struct signals *s, const int *list, struct err *err);
int signals_next(struct signals *s); /* the next one, or 0 */
/* The same; *typed: it came from the terminal's keys, so that the whole foreground got it. */
int signals_next_from(struct signals *s, bool *typed);
/* Those that nobody has read yet are forgotten. */
void signals_close(struct signals *s);
/* At the end of a measurement that a signal ended: dies of that signal, as a program without a
 * handler does. Returns for SIGINT, which asks for the result, for sig 0 (none came), and with
 * command (a command was run, whose exit status counts). */
void signals_die(int sig, bool command);
/* True when SIGINT or SIGTERM is pending; it stays pending. For loops that may take long. */
bool signals_end_asked(void);

#endif
