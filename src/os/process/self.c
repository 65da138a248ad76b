// SPDX-License-Identifier: MIT
#include "os/process/self.h"

#include "base/mem.h"
#include "os/files/text.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MOST (2u << 20) /* bytes of a command line */

char *self_command(void)
{
	AUTO_BUF line = {0};
	const char *p, *end;

	if (text_read(NULL, "/proc/self/cmdline", ARGUMENTS_MOST, &line) || !line.n)
		return NULL;
	end = line.at + line.n;
	for (p = line.at; p < end; p += strnlen(p, (size_t)(end - p)) + 1)
		if (p > line.at && *p != '-')
			return mem_strndup(p, strnlen(p, (size_t)(end - p)));
	return NULL;
}

char *self_folder(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));
	const char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;

	return slash ? mem_strndup(path, (size_t)(slash - path)) : NULL;
}

char *self_program(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = 0;
	return access(path, X_OK) ? NULL : mem_strdup(path);
}
