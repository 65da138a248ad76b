// SPDX-License-Identifier: MIT
#include "os/library.h"

#ifdef PERF_STATIC

/* A static program has a C library of its own; a library would bring another one. */
void *library_open(const char *name, const struct library_function *functions, size_t n)
{
	(void)name, (void)functions, (void)n;
	return NULL;
}

void library_close(void *library)
{
	(void)library;
}

bool library_possible(void)
{
	return false;
}

#else

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *name, const struct library_function *functions, size_t n)
{
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; library && i < n; i++) {
		void *found = dlsym(library, functions[i].name);

		memcpy(functions[i].place, &found, sizeof(found));
		if (!found) {
			dlclose(library);
			library = NULL;
		}
	}
	return library;
}

void library_close(void *library)
{
	if (library)
		dlclose(library);
}

bool library_possible(void)
{
	return true;
}

#endif
