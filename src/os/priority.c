// SPDX-License-Identifier: MIT
#include "os/priority.h"

#include <sched.h>

int priority_realtime(int priority)
{
	struct sched_param p = {.sched_priority = priority};

	return sched_setscheduler(0, SCHED_FIFO, &p);
}
