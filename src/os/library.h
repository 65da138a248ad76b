/* SPDX-License-Identifier: MIT */
/*
 * Libraries that are used when they are there: loaded by name at the moment somebody asks for what
 * they do, so that starting costs nothing and nothing has to be installed.
 */
#ifndef OS_LIBRARY_H
#define OS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library_function {
	const char *name;
	void *place; /* of a pointer to such a function */
};

/*
 * Loads "libNAME.so.N" and finds all n functions; NULL when it isn't there or lacks one of them,
 * and always in a program that is linked statically (library_possible says so).
 */
void *library_open(const char *name, const struct library_function *functions, size_t n);
/* NULL is nothing. */
void library_close(void *library);
bool library_possible(void);

#endif
