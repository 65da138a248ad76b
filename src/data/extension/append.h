/* SPDX-License-Identifier: MIT */
/*
 * Adds an extension (doc/format.md) to a file that was written before: behind those that it has,
 * and before the checksums, which stay the last. The data do not move. A writer that dies meanwhile
 * leaves a file without its last extensions.
 */
#ifndef DATA_APPEND_H
#define DATA_APPEND_H

#include "base/err.h"

#include <stddef.h>

/* which: a number from FEATURE_EXTENSION on. 0, or -1 with *err. */
int extension_append(const char *path, unsigned int which, const void *p, size_t n,
		     struct err *err);

#endif
