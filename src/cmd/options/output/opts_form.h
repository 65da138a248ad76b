/* SPDX-License-Identifier: MIT */
/* -j, -x and --html: the rows of a table for other programs instead of the text for people. */
#ifndef CMD_OPTS_FORM_H
#define CMD_OPTS_FORM_H

#include "base/options/options.h"
#include "view/out/rows.h"

struct env;

struct form_opts {
	const char *separator; /* -x; NULL: none */
	const char *html;      /* the file of --html, "-" for standard output; NULL: none */
	bool json;
};

#define FORM_HTML_HELP "write a page with the rows for a web browser, where they can be sorted"

/* -j -x --html */
extern const struct opt form_opts[];
/* Call it before the options are used. 0, or -1 with *err: they exclude each other, or -x is empty.
 */
int form_opts_check(struct form_opts *o, struct err *err);
/* True when rows were asked for. */
bool form_is_rows(const struct form_opts *o);

/*
 * Where rows go, and how:
 *
 *   struct form_output f;
 *   failed = form_begin(&f, &o->form, env, env->out, &err);
 *   if (!failed) {
 *           thing_show_rows(thing, f.out, &f.rows);
 *           failed = form_end(&f, &err);
 *   }
 */
struct form_output {
	struct rows_form rows;
	struct out *out;
	/* private */
	struct out file;
	struct buf title;
	const char *path; /* NULL: not a file of ours */
};
/* out: where rows of -j and -x go. The page of --html has the command line as its title. 0, or
 * -1 with *err: the file cannot be written. */
int form_begin(struct form_output *f, const struct form_opts *o, const struct env *env,
	       struct out *out, struct err *err);
/* Closes the file, and says how large it is. 0, or -1 with *err. */
int form_end(struct form_output *f, struct err *err);

#endif
