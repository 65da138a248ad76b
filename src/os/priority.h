/* SPDX-License-Identifier: MIT */
#ifndef OS_PRIORITY_H
#define OS_PRIORITY_H

/* Runs this process with SCHED_FIFO at that priority; -1 with errno when it may not. */
int priority_realtime(int priority);

#endif
