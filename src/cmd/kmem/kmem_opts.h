/* SPDX-License-Identifier: MIT */
/* kmem's options as typed. Options before and after the command's word go into one struct. */
#ifndef CMD_KMEM_OPTS_H
#define CMD_KMEM_OPTS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/opts_form.h"
#include "view/kmem/kmem.h"

struct kmem_opts {
	struct input_opts input;
	struct symbol_options symbols;
	struct kmem_view view;
	struct form_opts form;
	/* Larger for the option typed later: -s and -l apply to the latest one. */
	unsigned int caller, alloc, slab, page;
	bool pages_by_default; /* kmem.default */
	bool live, leaks, strict;
	const char *time;
};

extern const struct opt kmem_opts[];
extern const struct cmd cmd_kmem_stat;

void kmem_opts_release(struct kmem_opts *o);

#endif
