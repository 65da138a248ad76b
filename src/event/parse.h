/* SPDX-License-Identifier: MIT */
/*
 * The event language: what follows -e.
 *
 *   list   := item {"," item}
 *   item   := event | [name] "{" event {"," event} "}" [":" mods]
 *   event  := base ["/" terms "/" [mods]] | base [":" mods]
 *   base   := "cycles", "page-faults", ...     a hardware, software or tool event
 *           | "L1-dcache-load-misses", ...     cache [-op] [-result], any spelling
 *           | "r" HEX | TYPE ":" CONFIG        raw
 *           | ["%"] SYSTEM ":" NAME            tracepoints; both may hold * ? [...]
 *           | "mem:" ADDR ["/" LEN] [":" [r][w][x]]
 *           | ("uprobe:" | "uretprobe:") PROGRAM ":" PROBE   a probe that is made for the command
 *           | ("kprobe:" | "kretprobe:") [MODULE ":"] PROBE
 *           | PMU "/" ... "/" | ALIAS          of sysfs or the vendor's lists
 *   terms  := [term {"," term}],  term := name ["=" value]
 *   PROBE  := point ["(" arg {("," | blank) arg} ")"], both as in probe/spec.h
 *   mods   := u k h G H I  p pp ppp P  S D e W b R X
 *
 * Numbers are decimal, hexadecimal (0x) or octal (0). Blanks may stand around words.
 *
 * Sampling options, inheritance and everything else that commands decide is left to the capture.
 * The events hold what the text said: attr.type, config*, exclude_*, precise_ip, pinned, exclusive,
 * and the requests of struct event (.fixed tells which are set). Names that neither the kernel's
 * lists nor sysfs have are searched in this order: the vendor's lists, sensors
 * (hwmon_DEVICE/temp1/, temp1), GPU clients (drm_DRIVER/drm-engine-render/), and libpfm4
 * (INST_RETIRED:ANY_P:u).
 *
 * attr.exclude_guest is set unless the modifiers decide it. Tracepoints, breakpoints and bpf-output
 * have sample_period 1 and, but for breakpoints, SAMPLE_RAW, TIME, CPU and PERIOD.
 */
#ifndef EVENT_PARSE_H
#define EVENT_PARSE_H

#include "base/err.h"
#include "event/event.h"

struct vendor;

/* The sources of a machine's events. A root that is NULL: there are none of that kind. */
struct event_host {
	const char *pmu_root;	  /* see os/pmu.h */
	const char *tracefs_root; /* see os/tracing/tracefs.h */
	const char *hwmon_root;	  /* see os/sensor/hwmon.h */
	const char *drm_root;	  /* see os/sensor/drm.h */
	const char *proc_root;	  /* "/proc", for the use of GPUs by clients */
	const struct vendor *vendor; /* the vendor's lists, or NULL; see event/vendor/vendor.h */
	const char
		*cores; /* "cpu_atom": core events are for this kind of cores only; NULL: for all
			 * kinds */
	bool pfm; /* names that are found nowhere else are tried with libpfm4; see event/pfm.h */
};

/* The sources of this machine, all that it has. The strings live in the arena. */
struct event_host event_host_here(struct arena *arena);

/*
 * Appends the events that text names to the set. 0, or -1 with *err: the sentence says what is
 * wrong, the hint shows where, and the nearest name when a name is unknown. Events before the
 * mistake are then in the set.
 */
int event_parse(struct event_set *set, const char *text, const struct event_host *host,
		struct err *err);

#endif
