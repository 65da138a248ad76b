/* SPDX-License-Identifier: MIT */
/* Times in three significant digits and a unit. */
#ifndef VIEW_TIME_TEXT_H
#define VIEW_TIME_TEXT_H

#include "base/buf.h"

/* Appends "812 ns", "5.05 us", "50.5 ms", "505 s". */
void time_text(struct buf *out, uint64_t ns);
/* The same text, right-aligned in width columns. */
void time_text_right(struct buf *out, uint64_t ns, size_t width);
/* "12.3 %": part of whole; "0.0 %" when whole is 0. */
void share_text(struct buf *out, uint64_t part, uint64_t whole);
/* "1,234,567" */
void count_text(struct buf *out, uint64_t n);

#endif
