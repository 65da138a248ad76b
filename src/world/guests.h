/* SPDX-License-Identifier: MIT */
/*
 * Guests: the kernels of virtual machines, each with its modules. Samples of a guest name the
 * process and thread of the host that run it. Maps of guests' kernels are recorded once, at the
 * beginning, and hold at all times. For the files of world/ only.
 *
 * The guest of a process is the one with its pid, which exists where --guestmount has a folder for
 * it, --guest-code is given, or a self-contained recording knows it; else the default one (pid 0),
 * which --guestkallsyms and --guestmodules speak of.
 */
#ifndef WORLD_GUESTS_H
#define WORLD_GUESTS_H

#include "world/state.h"

/* Takes the MMAP record of a guest's kernel or module. */
void guest_add_mmap(struct world *w, const struct record *r, const struct build_id *id);
/* The map of the kernel of the guest that the process pid runs, or NULL. */
const struct map *guest_find(const struct world *w, uint32_t pid, uint64_t ip);
void guests_release(struct world *w);

#endif
