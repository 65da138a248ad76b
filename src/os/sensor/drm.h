/* SPDX-License-Identifier: MIT */
/*
 * Resources that the clients of GPU drivers used, as the kernel shows them for every open file of a
 * DRM device in /proc/PID/fdinfo/FD (Documentation/gpu/drm-usage-stats.rst): lines "drm-KEY: NUMBER
 * [UNIT]".
 *
 * proc_root stands for "/proc", dev_root (DRM_DEV_ROOT) for the folder of the device files.
 */
#ifndef OS_SENSOR_DRM_H
#define OS_SENSOR_DRM_H

#include "base/mem.h"
#include "os/sensor/readout.h"

#define DRM_DEV_ROOT "/dev/dri"

struct drm_key {
	const char *pmu;  /* "drm_i915", as perf (since 6.17) calls it */
	const char *name; /* "drm-engine-render" */
	const char *unit; /* "ns", "cycles", "hz", "bytes" or "capacity" */
	const char *about;
	struct readout readout;
};
struct drm {
	struct arena arena;
	VEC(struct drm_key) keys; /* by device, then by name; each driver's once */
};

/* Reads the keys that each driver shows for a client. To see them, this opens every device that it
 * may open: call it only when the user asks for them. */
void drm_read(struct drm *d, const char *dev_root, const char *proc_root);
void drm_release(struct drm *d);
bool drm_is_of(const struct drm_key *k, const char *pmu); /* any case, globs */

/* The sum of a driver's key over the clients that these processes (NULL: all) have open; a client
 * that several processes have open is counted once. In the key's unit, memory in bytes. */
int64_t drm_sum(const char *proc_root, const char *driver, const char *key, const int *pids,
		size_t n);

#endif
