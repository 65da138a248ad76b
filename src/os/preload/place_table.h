/* SPDX-License-Identifier: MIT */
/* Addresses in programs, as libraries that are loaded into them note them in memory that perf
 * shares. All zero is empty. */
#ifndef OS_PLACE_TABLE_H
#define OS_PLACE_TABLE_H

#include <stdint.h>

#define PRELOAD_FILES 256

/* An address in a process, as a place in a file that it has mapped. */
struct preload_place {
	uint64_t address;
	uint64_t offset; /* in the file */
	uint32_t file;	 /* 1 + index of a struct preload_file; 0: in none */
	uint32_t pad;
};

struct preload_file {
	uint32_t state; /* 0: unused, 1: being written, 2: written */
	char path[252];
};

#endif
