// SPDX-License-Identifier: MIT
#include "os/proc/wait_place.h"

#include "os/proc/proc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool task_line(const char *root, int pid, int tid, const char *file, char *line, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "task/%d/%s", tid, file);
	return proc_line(root, pid, path, line, size);
}

bool wait_place_read(const char *root, int pid, int tid, struct wait_place *place)
{
	char line[256];

	*place = (struct wait_place){.call = -1};
	/* "0" of a thread that is not blocked, and of one that may not be looked at */
	if (task_line(root, pid, tid, "wchan", line, sizeof(line)) && strcmp(line, "0") != 0)
		snprintf(place->function, sizeof(place->function), "%.39s", line);
	/* "running", or the call's number and its arguments; -1: blocked in no call */
	if (!task_line(root, pid, tid, "syscall", line, sizeof(line)) ||
	    sscanf(line, "%d", &place->call) != 1)
		place->call = -1;
	return *place->function || place->call >= 0;
}

bool wait_place_runs(const char *root, int pid, int tid, uint64_t *runs)
{
	char line[128];

	/* ns on CPUs, ns ready to run, and how often it ran */
	return task_line(root, pid, tid, "schedstat", line, sizeof(line)) &&
	       sscanf(line, "%*u %*u %" SCNu64, runs) == 1;
}
