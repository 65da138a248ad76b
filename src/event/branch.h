/* SPDX-License-Identifier: MIT */
/*
 * The words for branch sampling: of `record -j` and of the branch_type term.
 */
#ifndef EVENT_BRANCH_H
#define EVENT_BRANCH_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/* "any_call,u": the attr.branch_sample_type bits. Any branch is meant when only privilege levels
 * are given. 0, or -1 with *err. */
int branch_parse(const char *text, uint64_t *bits, struct err *err);
/* Appends the words, separated by blanks. */
void branch_names(struct buf *out);

#endif
