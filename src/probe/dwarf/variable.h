/* SPDX-License-Identifier: MIT */
/* The arguments of a probe, from what the user named to what the kernel fetches. */
#ifndef PROBE_DWARF_VARIABLE_H
#define PROBE_DWARF_VARIABLE_H

#include "probe/dwarf/location.h"
#include "probe/spec.h"

/* Finds a variable by its name: in scope (a function, real or inlined) at the address, else in its
 * unit. */
bool probe_variable_find(const struct probe_frame *f, Dwarf_Die *scope, const char *name,
			 Dwarf_Die *out);
/* The name, fetch and type of an argument. 1: out is filled; 0: the variable cannot be had at this
 * place, *why says why; -1 with *err: the argument makes no sense for it. Notes that the user
 * should read are appended as lines. */
int probe_variable_fetch(const struct probe_frame *f, Dwarf_Die *scope, const struct probe_arg *arg,
			 const struct probe_spec *spec, struct arena *arena,
			 struct probe_fetch *out, const char **why, struct buf *notes,
			 struct err *err);

#endif
