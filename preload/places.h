/* SPDX-License-Identifier: MIT */
/* For libraries that are loaded into programs: addresses as places in files, and slots of tables in
 * shared memory. They allocate nothing, take no lock of the C library, and keep errno. */
#ifndef PRELOAD_PLACES_H
#define PRELOAD_PLACES_H

#include "os/preload/place_table.h"

#include <stdbool.h>
#include <stddef.h>

#define RARE	       __attribute__((noinline, cold))
#define PLACES_NO_SLOT UINT32_MAX

/* Finds the file that is mapped at an address, by /proc/self/maps. files: PRELOAD_FILES of them. */
void places_find(struct preload_place *place, uint64_t address, struct preload_file *files);
/* A key of two numbers, never 0. */
uint64_t places_key(uint64_t a, uint64_t b);
/* Finds a key's slot in a table of n slots (a power of two), which begin with their keys, or claims
 * a free one; *is_new is then set: it must be filled. PLACES_NO_SLOT: there is no room, and
 * *left_out is counted up. */
uint32_t places_claim_slot(char *first, size_t size, uint32_t n, uint64_t key, uint64_t *left_out,
			   bool *is_new);

#endif
