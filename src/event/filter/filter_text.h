/* SPDX-License-Identifier: MIT */
/* Errors of the filter parsers. Private to event/filter/. */
#ifndef EVENT_FILTER_TEXT_H
#define EVENT_FILTER_TEXT_H

#include "event/filter/filter.h"

/* Sets the error with a caret under at, a place in text, and returns -1. */
int filter_fail(struct err *err, const char *text, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds the name nearest to word to the error's hint. Returns -1. */
int filter_suggest(struct err *err, const char *word, size_t len, const char *const *names,
		   size_t n);

#endif
