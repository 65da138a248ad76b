// SPDX-License-Identifier: MIT
/*
 * Preloaded: opening a file whose path holds $SLOW_FILE takes $SLOW_MS milliseconds the first time,
 * as on a disk or in a file system that has to fetch it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void wait_for(const char *path)
{
	static bool fetched;
	const char *name = getenv("SLOW_FILE"), *ms = getenv("SLOW_MS");

	if (fetched || !name || !ms || !strstr(path, name))
		return;
	fetched = true;
	usleep((useconds_t)atoi(ms) * 1000);
}

typedef int (*open_fn)(const char *path, int flags, ...);

/* What a program with large file offsets calls. */
int open64(const char *path, int flags, ...)
{
	open_fn real = (open_fn)dlsym(RTLD_NEXT, "open64");
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	wait_for(path);
	return real(path, flags, mode);
}
