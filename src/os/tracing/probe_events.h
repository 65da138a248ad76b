/* SPDX-License-Identifier: MIT */
/*
 * The probes that the kernel has: ROOT/kprobe_events and ROOT/uprobe_events of tracefs, whose lines
 * are definitions.
 *
 * Source: the kernel's Documentation/trace/kprobetrace.rst and uprobetracer.rst.
 */
#ifndef OS_PROBE_EVENTS_H
#define OS_PROBE_EVENTS_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>

enum probe_events { PROBES_OF_KERNEL, PROBES_OF_USER };

/* Appends all definitions, a line each; nothing when the kernel knows no probes of that kind. 0, or
 * -1 with *err. */
int probe_events_read(const char *root, enum probe_events which, struct buf *out, struct err *err);
/* A descriptor to write definitions to, or -1 with *err: the hint says what is missing. */
int probe_events_open(const char *root, enum probe_events which, struct err *err);
/* True when this user may write definitions; else *err says why not, as probe_events_open() does.
 */
bool probe_events_may_write(const char *root, enum probe_events which, struct err *err);
/* Writes one line: a definition, or "-:GROUP/EVENT" to remove one. 0, or -1 with *err, which holds
 * the kernel's own message when there is one. */
int probe_events_write(const char *root, int fd, const char *line, struct err *err);
/* Removes the probes of that name, "GROUP/EVENT". Events that were just closed hold their probe a
 * little longer: waits for that, up to a second. 0, or -1 with *err. */
int probe_events_remove(const char *root, int fd, const char *name, struct err *err);
/* True when several probes can have one event's name (Linux 5.5 and later). */
bool probe_events_can_share(const char *root);

#endif
