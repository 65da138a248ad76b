/* SPDX-License-Identifier: MIT */
/* -j and -x: the rows of a table for other programs instead of the text for people. */
#ifndef CMD_OPTS_FORM_H
#define CMD_OPTS_FORM_H

#include "base/options/options.h"

struct form_opts {
	const char *separator; /* -x; NULL: none */
	bool json;
};

/* -j -x */
extern const struct opt form_opts[];
/* Call it before the options are used. 0, or -1 with *err: they exclude each other, or -x is empty.
 */
int form_opts_check(struct form_opts *o, struct err *err);
/* True when rows were asked for. .separator is then that of rows_begin(). */
bool form_is_rows(const struct form_opts *o);

#endif
