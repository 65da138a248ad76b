/* SPDX-License-Identifier: MIT */
/*
 * An error as a value: a code for the program and one sentence for the user.
 *
 * The sentence is written where the knowledge is, travels up through the last parameter of
 * every function that can fail, and is printed once, by the command's main. It is lower case, one
 * line, without a full stop, with its subject in single quotes: "cannot open 'x.data': No such file
 * or directory". The hint says what to do about it and may be empty.
 *
 * A struct err that is all zero is valid and means "no error". It owns nothing.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum err_code {
	ERR_NONE = 0,
	ERR_USAGE,	 /* the command line is wrong: exit status 129 */
	ERR_SYSTEM,	 /* the system refused: .sys holds the errno */
	ERR_INPUT,	 /* the input cannot be what it should be */
	ERR_RIGHTS,	 /* the user lacks a right; the hint names it */
	ERR_UNSUPPORTED, /* this kernel, machine or recording has no such thing */
	ERR_INTERRUPTED, /* a signal asked to stop */
};

struct err {
	enum err_code code;
	int sys;	/* errno, or 0 */
	char text[768]; /* always terminated; control characters are shown as \xNN */
	char hint[768]; /* always terminated; may hold several lines; control characters as in .text
			 */
	bool drawn;	/* the hint holds the sentence too, see err_draw() */
};

/* Each fills *e (which may be NULL: the sentence is then dropped) and returns -1. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* As err_set(ERR_SYSTEM), with ": " and strerror(sys) added. */
int err_sys(struct err *e, int sys, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Sets the hint; returns -1 so that it can end a return statement. */
int err_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* As err_hint(), for a hint that includes the sentence, drawn below the place in the input that it
 * is about: only the hint is then shown. A later err_hint() or err_prefix() has both shown
 * again. */
int err_draw(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Puts "WHAT: " before the sentence that *e holds; returns -1. */
int err_prefix(struct err *e, const char *what);

#endif
