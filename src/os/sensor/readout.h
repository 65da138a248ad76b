/* SPDX-License-Identifier: MIT */
/*
 * A number that the machine shows as text and that no PMU counts: a sensor of hwmon, or a resource
 * that the clients of a GPU driver used. hwmon.h and drm.h find readouts by name; counts read them
 * here, as often as needed.
 *
 * A readout gives the current value. A readout that grows (energy, engine time) counts as the
 * difference of two values. Any other readout counts as its last value.
 */
#ifndef OS_SENSOR_READOUT_H
#define OS_SENSOR_READOUT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum readout_kind {
	READOUT_NONE, /* all zero: nothing to read */
	READOUT_FILE, /* the number in a file */
	READOUT_DRM,  /* the sum of a key over the clients of a DRM driver */
};

struct readout {
	enum readout_kind kind;
	bool grows;
	const char *path; /* of READOUT_FILE: the file; of READOUT_DRM: what stands for /proc */
	const char *driver, *key; /* of READOUT_DRM: "i915", "drm-engine-render" */
};

/*
 * The current value, which may be negative (temperatures). pids: the processes whose clients are
 * meant, or NULL for all; sensors ignore it. A process that is gone, or whose files may not be
 * read, adds nothing. 0, or -1 with *err.
 */
int readout_get(const struct readout *r, const int *pids, size_t n, int64_t *value,
		struct err *err);

#endif
