// SPDX-License-Identifier: MIT
/*
 * twins SECONDS LIBRARY LIBRARY: loads the libraries in turn, runs a function of each for half a
 * millisecond, and unloads it again; so for a span of processor time. Each lies where the other
 * lay.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int call(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*run)(long) = library ? (void (*)(long))dlsym(library, "twin_run") : NULL;
	double end = now() + 0.0005;

	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	while (now() < end)
		run(20000);
	return dlclose(library);
}

int main(int argc, char **argv)
{
	double end = argc > 1 ? now() + atof(argv[1]) : 0;

	if (argc != 4)
		return 2;
	while (now() < end)
		if (call(argv[2]) || call(argv[3]))
			return 1;
	return 0;
}
