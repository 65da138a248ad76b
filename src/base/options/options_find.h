/* SPDX-License-Identifier: MIT */
/*
 * Finds options on a command line: shared by the parser and by completion, private to base/.
 */
#ifndef BASE_OPTIONS_FIND_H
#define BASE_OPTIONS_FIND_H

#include "base/options/options.h"

/* An option as it was typed: where it was found, and whether it is meant in the negative. */
struct opt_use {
	const struct opt *opt;
	char *base; /* the group's struct */
	bool unset;
	bool by_letter;
};

/* Finds a long name: a full name wins (itself over a negation), and a prefix must mean one option
 * only. 0, or -1 with *err. */
int opt_find_long(const struct opt_parse *p, const char *name, size_t n, struct opt_use *u,
		  struct err *err);
bool opt_find_letter(const struct opt_parse *p, char letter, struct opt_use *u);
/* The value that wasn't joined to its option: the next word, which advances *i, or what stands for
 * a missing value. False when the option needs a value and there is none. */
bool opt_next_value(const struct opt *o, char **argv, int *i, const char **value);

#endif
