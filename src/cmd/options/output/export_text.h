/* SPDX-License-Identifier: MIT */
/* What is written about one recording, or about recordings that are compared. */
#ifndef CMD_OUTPUT_EXPORT_TEXT_H
#define CMD_OUTPUT_EXPORT_TEXT_H

#include "cmd/options/output/opts_export.h"

/* The command line of one recording; the names of several. In the arena, or borrowed. */
const char *export_title(const struct export_side *sides, size_t n, struct arena *arena);
/* The losses of all; of several, each with its name. */
void export_losses(const struct export_side *sides, size_t n, struct buf *out);

#endif
