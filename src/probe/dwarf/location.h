/* SPDX-License-Identifier: MIT */
/*
 * Where a variable's value is when a probe is hit, in the words of the kernel: a register, memory
 * at offsets from it, a static variable, or a constant.
 *
 * Source: DWARF 5, sections 2.5 and 2.6.
 */
#ifndef PROBE_DWARF_LOCATION_H
#define PROBE_DWARF_LOCATION_H

#include "probe/definition.h"
#include "probe/dwarf/debug.h"

/* A place in a function, at which a probe is to be. */
struct probe_frame {
	struct probe_debug *debug;
	Dwarf_Die unit;
	Dwarf_Die function; /* the real one, whatever was inlined */
	Dwarf_Addr address;
	Dwarf_Op *frame_ops; /* what DW_OP_fbreg counts from; NULL: unknown */
	size_t n_frame_ops;
	void *cfi_frame; /* owns them when they come from call frame information */
};

/* Learns the frame of f->function at f->address. Release it. */
void probe_frame_init(struct probe_frame *f);
void probe_frame_release(struct probe_frame *f);

/* Fills base and derefs of out, whose strings live in the arena. NULL; or why the value cannot be
 * had, in the arena: "it was optimised out here". *memory: the value lies in memory, at the last of
 * derefs. */
const char *probe_location_find(const struct probe_frame *f, Dwarf_Die *variable,
				struct arena *arena, struct probe_fetch *out, bool *memory);
/* The name of a register by its DWARF number, as the kernel takes it; NULL. */
const char *probe_register(uint16_t machine, unsigned int number);

#endif
