/* SPDX-License-Identifier: MIT */
/* Text within XML and HTML. */
#ifndef VIEW_MARKUP_H
#define VIEW_MARKUP_H

#include "base/buf.h"

/* Appends text as content or as the value of an attribute. */
void put_markup(const char *text, struct buf *out);

#endif
