/* SPDX-License-Identifier: MIT */
/*
 * Filters as the kernel takes them: symbols become addresses. See event/filter/filter.h.
 */
#ifndef CAPTURE_FILTER_H
#define CAPTURE_FILTER_H

#include "event/filter/filter.h"

/*
 * Appends "filter 0xADDRESS/0xSIZE@FILE,..." with absolute paths; addresses in a file are offsets
 * in it, those of the kernel (without FILE) are kernel addresses from kallsyms (NULL: the running
 * kernel's). 0, or -1 with *err: there is no such symbol, or more than one (the hint lists them).
 */
int filter_resolve_addresses(const struct address_filters *f, const char *kallsyms, struct buf *out,
			     struct err *err);

#endif
