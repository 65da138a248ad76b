/* SPDX-License-Identifier: MIT */
/*
 * Optional libraries: loaded by name at the first use of one of their functions, so that starting
 * perf costs nothing and no library has to be installed.
 */
#ifndef OS_LIBRARY_H
#define OS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library_function {
	const char *name;
	void *place; /* address of the function pointer to set */
};

/*
 * Loads "libNAME.so.N" and finds all n functions; NULL when it isn't there or lacks one of them,
 * and always in a program that is linked statically (library_possible says so).
 */
void *library_open(const char *name, const struct library_function *functions, size_t n);
/* NULL is allowed. */
void library_close(void *library);
bool library_possible(void);

#endif
