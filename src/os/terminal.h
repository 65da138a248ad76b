/* SPDX-License-Identifier: MIT */
/* The terminal, and a child that reads what we write: the pager. */
#ifndef OS_TERMINAL_H
#define OS_TERMINAL_H

#include "os/process/guard.h"

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

bool terminal_is(int fd);
/* Its columns, or 0 when it isn't a terminal or doesn't say. */
int terminal_width(int fd);
/* Its size in cells. False when it isn't a terminal or doesn't say. */
bool terminal_size(int fd, unsigned int *columns, unsigned int *rows);

/* A terminal whose keys are read one by one, and not echoed. */
struct terminal_keys {
	int fd;
	bool changed;	      /* .before is to be put back */
	struct termios before;
};
/* Does nothing where fd isn't a terminal. Input that was typed before is thrown away. */
void terminal_keys_begin(struct terminal_keys *k, int fd);
void terminal_keys_end(struct terminal_keys *k);

/* Begins a guard (os/process/guard.h) that restores the terminal: it sends it the bytes goodbye and
 * sets the modes before. There is none where fd is no terminal. */
void terminal_guard_begin(struct guard *g, int fd, const struct termios *before,
			  const char *goodbye);

/* False when the program that a shell command begins with cannot be found. */
bool reader_exists(const char *command);
/* Runs a shell command whose standard input is the pipe that *fd is set to write to; the caller
 * closes it. Returns its pid, or -1 with errno. */
pid_t reader_start(const char *command, int *fd);
void reader_wait(pid_t pid);

#endif
