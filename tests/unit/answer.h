/* SPDX-License-Identifier: MIT */
/* Rows of {what is asked, what must come}: a text, or '!' and a part of the error. */
#ifndef TESTS_ANSWER_H
#define TESTS_ANSWER_H

#include "unit.h"

#include "base/buf.h"
#include "base/err.h"

#include <string.h>

/* 1, and says so, when the answer isn't what was wanted; got: what the asked function returned. */
static inline int answer_differs(const char *asked, int got, struct buf *text,
				 const struct err *err, const char *want)
{
	if (want[0] == '!' ? got && strstr(err->text, want + 1)
			   : !got && !strcmp(buf_text(text), want))
		return 0;
	print_error("'%s' became\n%s\n%s\nnot\n%s\n", asked, buf_text(text), err->text, want);
	return 1;
}

#endif
