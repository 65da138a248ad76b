// SPDX-License-Identifier: MIT
#include "os/proc/proc_fds.h"

#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool link_read(const char *name, char *path, size_t n)
{
	ssize_t got = readlink(name, path, n - 1);

	if (got <= 0)
		return false;
	path[got] = 0;
	return true;
}

bool proc_fd_path(const char *root, uint32_t pid, int fd, char *path, size_t n)
{
	char name[256];

	return snprintf(name, sizeof(name), "%s/%u/fd/%d", root, pid, fd) < (int)sizeof(name) &&
	       link_read(name, path, n);
}

bool proc_fd_closes_on_exec(const char *root, uint32_t pid, int fd)
{
	AUTO_CHAR *name = mem_printf("%s/%u/fdinfo/%d", root, pid, fd);
	AUTO_CHAR *text = proc_file(name, NULL);
	const char *flags = text ? strstr(text, "flags:") : NULL;

	return flags && strtoul(flags + strlen("flags:"), NULL, 8) & O_CLOEXEC;
}

bool proc_current_dir(const char *root, uint32_t pid, char *path, size_t n)
{
	char name[256];

	return snprintf(name, sizeof(name), "%s/%u/cwd", root, pid) < (int)sizeof(name) &&
	       link_read(name, path, n);
}

int proc_fds(const char *root, uint32_t pid, struct proc_ids *out)
{
	char name[256];
	struct dirent *e;
	DIR *d;

	if (snprintf(name, sizeof(name), "%s/%u/fd", root, pid) >= (int)sizeof(name))
		return -1;
	d = opendir(name);
	if (!d)
		return -1;
	while ((e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			vec_add(out, atoi(e->d_name));
	closedir(d);
	return 0;
}
