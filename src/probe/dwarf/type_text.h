/* SPDX-License-Identifier: MIT */
/* Types in words: "struct st*". */
#ifndef PROBE_DWARF_TYPE_TEXT_H
#define PROBE_DWARF_TYPE_TEXT_H

#include "base/buf.h"

#include <elfutils/libdw.h>

/* Appends the type of a variable, without its qualifiers. */
void type_text(Dwarf_Die *variable, struct buf *out);

#endif
