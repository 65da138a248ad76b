/* SPDX-License-Identifier: MIT */
/* What a hit of a probe in a program costs on this machine, measured. */
#ifndef PROBE_PROBE_COST_H
#define PROBE_PROBE_COST_H

#include "base/err.h"

#include <stdint.h>

/*
 * Probes a return instruction of this process, and times it. The kernel executes such an
 * instruction in a single step: probes of instructions that it can emulate cost less. *ns: of a
 * hit, in the quickest of many tries. 0, or -1 with *err.
 */
int probe_cost_measure(const char *tracefs, uint64_t *ns, struct err *err);

#endif
