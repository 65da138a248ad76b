/* SPDX-License-Identifier: MIT */
/* What the parsers of filters share. Private to event/filter/. */
#ifndef EVENT_FILTER_TEXT_H
#define EVENT_FILTER_TEXT_H

#include "event/filter/filter.h"

/* Sets the error with a caret under at, a place in text, and returns -1. */
int filter_fail(struct err *err, const char *text, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds to it which of the names is nearest to word. Returns -1. */
int filter_suggest(struct err *err, const char *word, size_t len, const char *const *names,
		   size_t n);

#endif
