/* SPDX-License-Identifier: MIT */
/* Control groups as perf events see them: the perf_event hierarchy (version 1) or the
 * unified one. */
#ifndef OS_CGROUP_H
#define OS_CGROUP_H

#include <stdint.h>

/* Opens the directory of a group, named from the hierarchy's root; -1 with errno. */
int cgroup_open(const char *sys_root, const char *name);
/* The kernel's id of a group; 0 with errno. */
uint64_t cgroup_id(const char *sys_root, const char *name);
/* Calls take for every group: its path from the root ("/") and the kernel's id of it. */
void cgroup_each(const char *sys_root, void (*take)(void *ctx, const char *path, uint64_t id),
		 void *ctx);

#endif
