/* SPDX-License-Identifier: MIT */
/*
 * CPUs that go offline and come back while somebody measures: the kernel says so at once (uevents).
 * Where it does not tell us (another network namespace), nothing is known.
 */
#ifndef OS_HOTPLUG_H
#define OS_HOTPLUG_H

#include "base/buf.h"
#include "base/mem.h"

/* One that went or came. Times are of CLOCK_MONOTONIC. */
struct hotplug_cpu {
	int cpu;
	enum {
		HOTPLUG_MEASURED, /* set by who opened its events again */
		HOTPLUG_AWAY,
		HOTPLUG_MISSED, /* it runs, but not measured */
	} state;
	uint64_t since_ns, away_ns, missed_ns; /* how long in all, up to since_ns */
};

struct hotplug {
	int fd; /* readable when a CPU went or came; -1 or 0: not open */
	VEC(struct hotplug_cpu) cpus;
};

void hotplug_open(struct hotplug *h);
/* The next CPU that went (AWAY) or came (MISSED), or NULL. Valid until the next call. */
struct hotplug_cpu *hotplug_next(struct hotplug *h, uint64_t now_ns);
/* The same from what the kernel said. */
struct hotplug_cpu *hotplug_note(struct hotplug *h, const char *said, uint64_t now_ns);
/* A line for each, of these (NULL: all). */
void hotplug_tell(const struct hotplug *h, const int *cpus, size_t n, uint64_t now_ns,
		  struct buf *out);
void hotplug_close(struct hotplug *h);

#endif
