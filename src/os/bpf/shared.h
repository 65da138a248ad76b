/* SPDX-License-Identifier: MIT */
/*
 * Events that several processes share. A table, pinned in the BPF file system, maps an event's
 * attribute to the array that holds the event, open on each CPU. An event lives as long as a
 * process counts with its array.
 */
#ifndef OS_BPF_SHARED_H
#define OS_BPF_SHARED_H

#include "base/err.h"

#include <stddef.h>

#define SHARED_EVENTS_USUAL "/sys/fs/bpf/perf_attr_map"
#define SHARED_EVENT_KEY    144 /* bytes of an attribute */

/*
 * The array of the event with this attribute: that of another process, or a new one that open fills
 * (with bpf_events_put; it returns 0 or a negative errno). path NULL: the usual one. A descriptor,
 * or -1 with *err.
 */
int shared_events_get(const char *path, const void *attr, int (*open)(void *ctx, int events),
		      void *ctx, struct err *err);

#endif
