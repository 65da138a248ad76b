/* SPDX-License-Identifier: MIT */
/* What workloads share. */
#ifndef SELFTEST_WORKLOAD_H
#define SELFTEST_WORKLOAD_H

#include "base/err.h"

#include <stdint.h>

/* Of a function whose name must be seen: neither inlined, nor cloned, nor made one with an equal
 * one. */
#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone, no_icf))
#endif

/* When a workload ends, in time of monotonic_ns(): its first argument in seconds from now, or one
 * second. Returns 0, or -1 with *err. */
int workload_end(int argc, char **argv, uint64_t *end, struct err *err);

int workload_jitdump(int argc, char **argv, struct err *err);

#endif
