/* SPDX-License-Identifier: MIT */
#ifndef OS_PRIORITY_H
#define OS_PRIORITY_H

/* Runs this process with SCHED_FIFO at that priority; -1 with errno when it may not. */
int priority_realtime(int priority);
/* Gives this process the highest ordinary priority (nice -20), where it may: rings that are not
 * drained in time lose records. */
void priority_first(void);
/* Gives this thread a real-time priority one above that of the thread that made it, where it may;
 * else as priority_first(). For threads that never run for long. */
void priority_above_all(void);

#endif
