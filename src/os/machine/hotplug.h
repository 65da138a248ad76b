/* SPDX-License-Identifier: MIT */
/*
 * CPUs that go offline and come back during a measurement, as the kernel's uevents tell. A process
 * in another network namespace gets no uevents: no CPU is listed then.
 */
#ifndef OS_HOTPLUG_H
#define OS_HOTPLUG_H

#include "base/buf.h"
#include "base/mem.h"

/* A CPU that went offline or came back. Times are of CLOCK_MONOTONIC. */
struct hotplug_cpu {
	int cpu;
	enum {
		HOTPLUG_MEASURED, /* set by the caller that reopened its events */
		HOTPLUG_AWAY,
		HOTPLUG_MISSED, /* it is online, but not measured */
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
/* As hotplug_next(), from the text of one uevent. */
struct hotplug_cpu *hotplug_note(struct hotplug *h, const char *said, uint64_t now_ns);
/* Appends a line for each CPU in h->cpus that is one of these (NULL: all). */
void hotplug_tell(const struct hotplug *h, const int *cpus, size_t n, uint64_t now_ns,
		  struct buf *out);
void hotplug_close(struct hotplug *h);

#endif
