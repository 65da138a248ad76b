/* SPDX-License-Identifier: MIT */
/*
 * Finds the entries of units that are in other files (split DWARF): in .dwo files, or in a package.
 *
 * libdw before 0.191 looks for a unit's own .dwo file only, by the path in the skeleton unit. So a
 * unit is taken out of the package when it is asked for, and made a file in memory; the skeleton
 * unit, in the image that libdw reads, is made to name that file.
 */
#ifndef SYMBOL_LINES_SPLIT_UNITS_H
#define SYMBOL_LINES_SPLIT_UNITS_H

#include "base/buf.h"
#include "os/files/files.h"
#include "symbol/lines/split_package.h"

#include <elfutils/libdw.h>
#include <pthread.h>

struct split_units {
	struct split_package *package; /* NULL: there is none */
	pthread_mutex_t lock;	       /* of the file and the image */
	int fd; /* of the file in memory, which is another one for each unit */
	char path[FILES_MEMORY_PATH];
	uint8_t *image; /* of the program; borrowed */
	size_t n;
	bool swap;		      /* the image is in the other byte order */
	uint32_t path_at;	      /* of the path in .debug_str */
	size_t offsets_at, offsets_n; /* .debug_str_offsets in the image */
};

/* Looks for the package of a program or debug file. split_units_close() must follow. */
void split_units_open(struct split_units *u, const char *path);
void split_units_close(struct split_units *u);
/* The string that must be the last one in .debug_str of the image; NULL: no image is needed. */
const char *split_units_path(const struct split_units *u);
/* The image, which must last as long as u. */
void split_units_set_image(struct split_units *u, const struct buf *image);
/* Replaces a skeleton unit by the unit with its entries. False: it is no skeleton, or its entries
 * are not there. Any thread may ask, with a libdw handle of its own over the image. */
bool split_units_find(struct split_units *u, Dwarf_Die *unit);

#endif
