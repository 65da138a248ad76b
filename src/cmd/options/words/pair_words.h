/* SPDX-License-Identifier: MIT */
/* What the commands that take --pair look for before they record. */
#ifndef CMD_PAIR_WORDS_H
#define CMD_PAIR_WORDS_H

#include "base/err.h"
#include "base/mem.h"
#include "symbol/elf/sdt.h"

/* The path of the file whose functions or markers are meant: exec, else the program of the command
 * argv, else that of the first of pids ("12,13"); exec and pids may be NULL. The caller frees it.
 * NULL with *err. */
char *measured_file(const char *exec, char *const *argv, const char *pids, struct err *err);

/* Returns the event of a name as -e takes it: of a marker in the file, or the name itself. It is
 * in the arena, or name. */
const char *pair_event_word(const struct sdt_markers *markers, const char *file, const char *name,
			    struct arena *arena);

#endif
