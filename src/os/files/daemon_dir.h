/* SPDX-License-Identifier: MIT */
/*
 * The base directory of a daemon, which belongs to one user alone: its lock, its logs, its socket
 * and the named pipes of its sessions. Nothing in it is opened through a link, and pipes and
 * sockets are always made anew.
 *
 * Functions return a descriptor (or 0), or -1 with *err.
 */
#ifndef OS_DAEMON_DIR_H
#define OS_DAEMON_DIR_H

#include "base/err.h"

#include <limits.h>

#define DAEMON_SOCKET "control"
#define DAEMON_LOCK   "lock"
#define DAEMON_OUTPUT "output"

/* real gets the path with all links followed. Refused: a directory of another user, and one that
 * others may write to. */
int daemon_dir_open(const char *path, char real[PATH_MAX], struct err *err);
/* The lock is held as long as the descriptor, or a copy that a fork made, is open. Fails when
 * another daemon, perf 6.1's too, has it. */
int daemon_dir_lock(int dir, const char *path, struct err *err);
/* Writes the pid of the daemon that holds the lock into the lock file; pid 0: no daemon does. */
void daemon_dir_say_owner(int lock, int pid);
/* Opens a file for appending. Its old contents are dropped. */
int daemon_dir_create(int dir, const char *name, struct err *err);
/* Opens a folder of the directory; makes it when it is missing. */
int daemon_dir_make(int dir, const char *name, struct err *err);
/* A new named pipe, open for both directions without waiting. */
int daemon_dir_fifo(int dir, const char *name, struct err *err);
/* A new socket that accepts calls of this user and of root only. */
int daemon_dir_listen(int dir, struct err *err);
/* Accepts the next call, or returns -1 (without an error: the caller has gone, or is another user).
 * A caller has a second to send each piece of its request, and a second to take the answer. */
int daemon_dir_accept(int listener);
/* Calls the daemon of the directory, which has a minute to answer. */
int daemon_dir_connect(int dir, const char *path, struct err *err);

#endif
