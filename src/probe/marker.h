/* SPDX-License-Identifier: MIT */
/* Probes at markers that a program was built with (SDT). */
#ifndef PROBE_MARKER_H
#define PROBE_MARKER_H

#include "probe/definition.h"

/* An argument of a marker ("-4@%edi", "8@-24(%rbp)", "4@$5") as the kernel fetches it, called argN.
 * False: it is of a form that the kernel cannot fetch. */
bool probe_marker_arg(uint16_t machine, const char *text, size_t n, unsigned int number,
		      struct arena *arena, struct probe_fetch *out);

#endif
