/* SPDX-License-Identifier: MIT */
/* The file "probes" of an entry of the build-id store: definitions of probes in the entry's file,
 * as `perf probe --cache` keeps them (probe/kept_probes.h has its form). */
#ifndef SYMBOL_STORE_PROBES_H
#define SYMBOL_STORE_PROBES_H

#include "base/buf.h"
#include "base/err.h"

/* Reads the file of the entry with that build-id. False: there is none that may be read. */
bool store_probes_read(const char *dir, const char *id, struct buf *out);
/* Replaces it in the entry DIR/PATH/ID, which is there. 0, or -1 with *err. */
int store_probes_write(const char *dir, const char *path, const char *id, const struct buf *text,
		       struct err *err);

#endif
