/* SPDX-License-Identifier: MIT */
/* The parts of samples_resolve() and samples_free(), for the files of this folder. */
#ifndef PROFILE_SAMPLES_PRIVATE_H
#define PROFILE_SAMPLES_PRIVATE_H

#include "profile/samples/samples.h"

void cell_ids_release(struct cell_ids *ids);
/* Forgets the frames of raw chains, whose ids cells_renew_dictionaries() changes. */
void samples_forget_chains(struct samples *s);
/* To be called with 1, 2, 3, ... while the chains of cells are read one after the other, and with 0
 * at the end: now and then gives back the pages of the file that words of chains stand in. */
void samples_chains_passed(const struct samples *s, uint32_t cells);
/* Looks up source lines and inlined functions of the addresses of cells [first, ...), where those
 * are wanted: all at once, on all CPUs. */
void samples_find_lines(struct samples *s, uint32_t first);

#endif
