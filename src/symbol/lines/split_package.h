/* SPDX-License-Identifier: MIT */
/*
 * The split debug information of a program in one file, PROGRAM.dwp (DWARF 5, section 7.3.5; GNU's
 * version 2 of it for DWARF 4).
 *
 * Type units of a package (-fdebug-types-section) are not taken out of it.
 */
#ifndef SYMBOL_LINES_SPLIT_PACKAGE_H
#define SYMBOL_LINES_SPLIT_PACKAGE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct split_package;

/* The package that goes with a program or with its debug file ("prog.debug"). NULL: there is none,
 * or it can't be read. */
struct split_package *split_package_open(const char *path);
/* A package by its own name. */
struct split_package *split_package_open_file(const char *file);
void split_package_close(struct split_package *p); /* p may be NULL */
/* Makes the .dwo file of a unit. False: the package doesn't have it, or it is damaged. */
bool split_package_unit(const struct split_package *p, uint64_t id, struct buf *out);

#endif
