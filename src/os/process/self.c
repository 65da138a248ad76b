// SPDX-License-Identifier: MIT
#include "os/process/self.h"

#include "base/mem.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

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
