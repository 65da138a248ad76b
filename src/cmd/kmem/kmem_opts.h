/* SPDX-License-Identifier: MIT */
/* kmem's options, as typed: those before the word and after it go into the same struct. */
#ifndef CMD_KMEM_OPTS_H
#define CMD_KMEM_OPTS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "view/kmem/kmem.h"

struct kmem_opts {
	struct input_opts input;
	struct symbol_options symbols;
	struct kmem_view view;
	/* The one that was given last has the greater number: -s and -l are about it. */
	unsigned int caller, alloc, slab, page;
	bool pages_by_default; /* kmem.default */
	bool live, leaks, strict;
	const char *time;
};

extern const struct opt kmem_opts[];
extern const struct cmd cmd_kmem_stat;

void kmem_opts_release(struct kmem_opts *o);

#endif
