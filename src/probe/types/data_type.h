/* SPDX-License-Identifier: MIT */
/* Types of debug information by their names and members. */
#ifndef PROBE_DATA_TYPE_H
#define PROBE_DATA_TYPE_H

#include "probe/types/data_types.h"

#include <elfutils/libdw.h>

/* Appends "struct task", "char*", "long[]". */
void data_type_name(Dwarf_Die *type, struct buf *out);
/* Fills t->members; names live in the arena. */
void data_type_fill(struct data_type *t, Dwarf_Die *type, struct arena *arena);

#endif
