// SPDX-License-Identifier: MIT
#include "os/files/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* NULL, with errno set, when the path is too long to exist. */
static const char *text_join(char path[PATH_MAX], const char *dir, const char *name)
{
	int n = dir ? snprintf(path, PATH_MAX, "%s/%s", dir, name)
		    : snprintf(path, PATH_MAX, "%s", name);

	if (n < 0 || n >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return path;
}

int text_read(const char *dir, const char *name, size_t max, struct buf *out)
{
	char path[PATH_MAX];
	AUTO_FD fd = -1;
	size_t start = out->n;

	if (!text_join(path, dir, name))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	for (;;) {
		ssize_t n;

		buf_reserve(out, 4096);
		n = read(fd, out->at + out->n, out->cap - out->n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			return 0;
		out->n += (size_t)n;
		if (out->n - start > max) {
			errno = EFBIG;
			return -1;
		}
	}
}

const char *text_line(const char *dir, const char *name, struct arena *arena)
{
	struct buf b = {0};
	const char *line = NULL;

	if (!text_read(dir, name, 1 << 20, &b))
		line = arena_strndup(arena, buf_text(&b), strcspn(buf_text(&b), "\n"));
	buf_release(&b);
	return line;
}

static int text_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the names in d, and closes d. */
static void add_names(DIR *d, bool only_dirs, struct arena *arena, struct names *out)
{
	struct dirent *e;

	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		if (only_dirs && e->d_type != DT_DIR && e->d_type != DT_LNK &&
		    e->d_type != DT_UNKNOWN)
			continue;
		vec_add(out, arena_strdup(arena, e->d_name));
	}
	closedir(d);
}

int text_names_in(int dir, struct arena *arena, struct names *out)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	add_names(d, false, arena, out);
	return 0;
}

int text_names(const char *dir, const char *sub, bool sorted, bool only_dirs, struct arena *arena,
	       struct names *out)
{
	char path[PATH_MAX];
	size_t start = out->n;
	DIR *d;

	if (!text_join(path, sub ? dir : NULL, sub ? sub : dir))
		return -1;
	d = opendir(path);
	if (!d)
		return -1;
	add_names(d, only_dirs, arena, out);
	if (sorted && out->n > start)
		qsort(out->at + start, out->n - start, sizeof(*out->at), text_by_name);
	return 0;
}
