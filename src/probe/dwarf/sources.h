/* SPDX-License-Identifier: MIT */
/* Source files of units: where they are, and which of their lines match a pattern. */
#ifndef PROBE_DWARF_SOURCES_H
#define PROBE_DWARF_SOURCES_H

#include "base/err.h"
#include "base/mem.h"

#include <elfutils/libdw.h>
#include <stdbool.h>

struct source_lines {
	VEC(uint32_t);
};

/* The name of a unit's source that ends as the file that was asked for; NULL. */
const char *source_of_unit(Dwarf_Die *unit, const char *tail);
/* The path of a source that a unit names: in dir when that is given (with fewer and fewer of its
 * folders until it is there), else as it is, or below the folder where it was compiled. To be
 * freed. */
char *source_path(Dwarf_Die *unit, const char *file, const char *dir);
/* The lines that match, blanks on both sides aside. "*" stands for any text. 0, or -1 with *err. */
int source_lines_matching(const char *path, const char *pattern, struct source_lines *out,
			  struct err *err);
bool source_lines_has(const struct source_lines *l, uint32_t line);
/* True when all of a line matches; blanks don't count. */
bool source_line_matches(const char *line, size_t n, const char *pattern);

#endif
