/* SPDX-License-Identifier: MIT */
/* The code of the hottest functions, for exporters that show it. */
#ifndef CMD_EXPORT_CODE_H
#define CMD_EXPORT_CODE_H

#include "analysis/annotate/excerpts.h"
#include "data/recording.h"

/* Adds the columns that samples need for it. */
void export_code_ask(const struct recording *rec, struct samples_options *wanted);
/* Makes excerpts of the first event that has samples. They stay empty for pipes, branches and
 * memory accesses. filter may be NULL. */
void export_code_make(const struct recording *rec, const struct samples *samples,
		      const struct filter *filter, const struct disasm_options *how,
		      struct excerpts *code);

#endif
