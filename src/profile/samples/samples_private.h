/* SPDX-License-Identifier: MIT */
/* What the files of this folder share: the parts of samples_resolve() and samples_free(). */
#ifndef PROFILE_SAMPLES_PRIVATE_H
#define PROFILE_SAMPLES_PRIVATE_H

#include "profile/samples/samples.h"

void cell_ids_release(struct cell_ids *ids);
/* Looks up source lines and inlined functions of the addresses of cells [first, ...), where those
 * are wanted: all at once, on all CPUs. */
void samples_find_lines(struct samples *s, uint32_t first);

#endif
