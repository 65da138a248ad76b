/* SPDX-License-Identifier: MIT */
/*
 * The sensors of a machine, as the kernel's hwmon class shows them (Documentation/hwmon/
 * sysfs-interface.rst): root/hwmonN with a file name, and for each sensor files TYPE + NUMBER + "_"
 * + ITEM, such as temp1_input, temp1_label, temp1_crit.
 *
 * root is HWMON_ROOT, or a folder of text files in tests.
 */
#ifndef OS_SENSOR_HWMON_H
#define OS_SENSOR_HWMON_H

#include "base/mem.h"
#include "os/sensor/readout.h"

#define HWMON_ROOT "/sys/class/hwmon"

struct hwmon_sensor {
	const char *pmu;	/* "hwmon_coretemp": as perf (since 6.13) calls the device */
	const char *folder;	/* "hwmon3" */
	const char *name;	/* "temp1" */
	const char *label_name; /* "temp_core_0", or NULL without a label */
	const char *unit;	/* "'C", "V", "A", "W", "J", "rpm", "%", "Hz" or "" */
	double scale;		/* factor from the file's number to the unit */
	const char *about; /* a sentence: kind, device and label; and the limits if asked for */
	struct readout readout;
};
struct hwmon {
	struct arena arena;
	VEC(struct hwmon_sensor) sensors; /* by folder, then by name */
};

/* All sensors; none when there is no such class. limits: also reads each sensor's other files,
 * which takes long on some chips. */
void hwmon_read(struct hwmon *h, const char *root, bool limits);
void hwmon_release(struct hwmon *h);
/* True when pmu names the sensor's device: by its name (any case, globs) or by its folder. */
bool hwmon_is_of(const struct hwmon_sensor *s, const char *pmu);
bool hwmon_is_called(const struct hwmon_sensor *s, const char *name); /* any case, either name */

#endif
