/* SPDX-License-Identifier: MIT */
#ifndef OS_PRIORITY_H
#define OS_PRIORITY_H

/* Runs this process with SCHED_FIFO at that priority; -1 with errno when it may not. */
int priority_realtime(int priority);
/* Makes this process the first to run among the ordinary ones, where it may: rings don't wait. */
void priority_first(void);
/* Makes this thread run before all ordinary ones, and before who made it, where it may: for what
 * never runs for long. */
void priority_above_all(void);

#endif
