/* SPDX-License-Identifier: MIT */
/*
 * Makes a recording self-contained: looks up all that reports, scripts and annotations of it look
 * up in files, and appends the answers to the recording (symbol/contained/contained.h).
 *
 * Looked up are the symbols, source lines and inlined functions of all sampled addresses, callers,
 * branches and data addresses; the code of the functions that were sampled or branched in, with the
 * lines of their source; the code between branches; the types of data that sampled instructions
 * access and that lie at sampled addresses of data.
 */
#ifndef ANALYSIS_CONTAIN_CONTAIN_H
#define ANALYSIS_CONTAIN_CONTAIN_H

#include "data/recording.h"
#include "symbol/contained/contained.h"

/* Does so for a file or a directory that ended as it should, whose stack dumps were made into call
 * chains before. Returns 1; 0: it is self-contained already, or has nothing to look up; or -1 with
 * *err. totals may be NULL. */
int contain_recording(struct recording *rec, const struct symbol_options *symbols,
		      struct contained_totals *totals, struct err *err);

#endif
