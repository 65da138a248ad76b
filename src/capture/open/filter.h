/* SPDX-License-Identifier: MIT */
/*
 * Filters as the kernel takes them: symbols become addresses. See event/filter/filter.h.
 */
#ifndef CAPTURE_FILTER_H
#define CAPTURE_FILTER_H

#include "event/filter/filter.h"

/*
 * Appends "filter 0xADDRESS/0xSIZE@FILE,..." with absolute paths; addresses in a file are offsets
 * in it, those of the kernel (without FILE) its own, from kallsyms (NULL: the running kernel's). 0,
 * or -1 with *err: a symbol that is not there, or that several are (the hint lists them).
 */
int filter_resolve_addresses(const struct address_filters *f, const char *kallsyms, struct buf *out,
			     struct err *err);

#endif
