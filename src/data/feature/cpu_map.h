/* SPDX-License-Identifier: MIT */
/*
 * Lists of CPUs as records hold them: CPU_MAP, and EVENT_UPDATE of an event with CPUs of its own.
 *
 * Three forms, told by the u16 in front: 0, a u16 for each CPU (~0: bound to none, -1 here); 1, a
 * bit map of 4- or 8-byte words; 2, the first and the last CPU of a range, after a flag that says
 * that "bound to none" is in the list, too. Source: tools/perf's event layout (facts), checked
 * against files of perf 6.1.
 */
#ifndef DATA_CPU_MAP_H
#define DATA_CPU_MAP_H

#include "base/buf.h"
#include "base/cursor.h"
#include "os/machine/cpus.h"

/* Replaces *out, in the order of the map. 0, or -1 when it is cut short or of no known form (*out
 * then has what was there). */
int cpu_map_decode(struct cursor c, struct cpu_list *out);
/* Appends a map, padded to 8 bytes, in the form that perf 6.1 writes: a range when the CPUs are
 * one. The CPUs are in ascending order and below 65535. */
void cpu_map_encode(const int *cpus, size_t n, struct buf *out);

#endif
