/* SPDX-License-Identifier: MIT */
/*
 * Descriptors whose last close takes long are closed by a process in the background. The last close
 * of a tracepoint's event waits until every CPU has left the tracepoint (some 30 ms each, one after
 * the other): hundreds of them take half a minute. perf itself must not wait for that.
 */
#ifndef OS_CLOSE_SLOWLY_H
#define OS_CLOSE_SLOWLY_H

#include <stddef.h>

/*
 * Makes a process that keeps these descriptors (and no others) open until *hold is
 * closed, and then ends. The caller closes them first, which is quick, then *hold. Returns 0, or -1
 * when there is no such process: *hold is then -1.
 */
int close_slowly(const int *fds, size_t n, int *hold);

#endif
