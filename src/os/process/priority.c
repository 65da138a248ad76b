// SPDX-License-Identifier: MIT
#include "os/process/priority.h"

#include <sched.h>
#include <sys/resource.h>

int priority_realtime(int priority)
{
	struct sched_param p = {.sched_priority = priority};

	return sched_setscheduler(0, SCHED_FIFO, &p);
}

void priority_first(void)
{
	/* Without the right to do so, the priority stays unchanged. */
	(void)setpriority(PRIO_PROCESS, 0, -20);
}

void priority_above_all(void)
{
	struct sched_param now = {0};

	sched_getparam(0, &now);
	if (now.sched_priority < 99 && priority_realtime(now.sched_priority + 1))
		priority_first();
}
