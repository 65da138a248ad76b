/* SPDX-License-Identifier: MIT */
/*
 * Closing that takes its time, done by somebody else. The last close of a tracepoint's event waits
 * for every CPU to leave the tracepoint (some 30 ms each, one after the other): hundreds of them
 * take half a minute in which nobody should have to wait for a prompt.
 */
#ifndef OS_LINGER_H
#define OS_LINGER_H

#include <stddef.h>

/*
 * Makes a process that keeps these descriptors (and nothing else of ours) open until *hold is
 * closed, and then ends. The caller closes them first, which is quick, then *hold. Returns 0, or -1
 * when there is no such process: *hold is then -1.
 */
int linger(const int *fds, size_t n, int *hold);

#endif
