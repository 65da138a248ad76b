// SPDX-License-Identifier: MIT
#include "os/files/private_dir.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_BETWEEN_NOTES 3600 /* of use: most reads then write nothing */
#define ABANDONED_AFTER	      600  /* seconds: a temporary file of a writer that died */
#define TEMPORARY	      ".new-"

/* False for root in a folder of another user (sudo with that user's HOME): the user could not
 * change what root makes there. */
static bool may_make_in(const char *above)
{
	struct stat st;

	return geteuid() || (!stat(*above ? above : "/", &st) && !st.st_uid);
}

static int make_all(const char *path)
{
	char part[PATH_MAX], above[PATH_MAX] = "";
	size_t n = strlen(path);

	if (*path != '/' || n >= sizeof(part)) {
		errno = *path == '/' ? ENAMETOOLONG : EINVAL;
		return -1;
	}
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i])
			continue;
		memcpy(part, path, i);
		part[i] = 0;
		if (access(part, F_OK) && !may_make_in(above)) {
			errno = EPERM;
			return -1;
		}
		if (mkdir(part, 0700) && errno != EEXIST)
			return -1;
		memcpy(above, part, i + 1);
	}
	return 0;
}

/* Closes the file, and returns -1 with errno set to why. */
static int private_dir_refuse(int fd, int why)
{
	close(fd);
	errno = why;
	return -1;
}

int private_dir_open(const char *path, bool make)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, fd = open(path, flags);
	struct stat st;

	if (fd < 0 && errno == ENOENT && make && !make_all(path))
		fd = open(path, flags);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st))
		return private_dir_refuse(fd, errno);
	return st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH))
		       ? fd
		       : private_dir_refuse(fd, EPERM);
}

static void note_use(int fd, const struct stat *st)
{
	if (time(NULL) - st->st_mtime > SECONDS_BETWEEN_NOTES)
		(void)!futimens(fd, NULL);
}

static int open_own(int dir, const char *name, size_t max, struct stat *st)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, st))
		return private_dir_refuse(fd, errno);
	if (!S_ISREG(st->st_mode) || st->st_uid != geteuid())
		return private_dir_refuse(fd, EPERM);
	return (uint64_t)st->st_size > max ? private_dir_refuse(fd, EFBIG) : fd;
}

int private_dir_read(int dir, const char *name, size_t max, struct mapped *out)
{
	struct stat st;
	int fd = open_own(dir, name, max, &st);
	uint8_t *p;
	size_t n;

	*out = (struct mapped){0};
	if (fd < 0)
		return -1;
	p = mem_alloc((size_t)st.st_size + 1);
	n = file_read_at(fd, 0, p, (size_t)st.st_size);
	p[n] = 0;
	*out = (struct mapped){.p = p, .n = n, .heap = true, .owner = st.st_uid};
	note_use(fd, &st);
	close(fd);
	return 0;
}

int private_dir_map(int dir, const char *name, size_t max, struct mapped *out)
{
	struct stat st;
	int fd = open_own(dir, name, max, &st);
	void *p;

	*out = (struct mapped){0};
	if (fd < 0)
		return -1;
	if (!st.st_size)
		return private_dir_refuse(fd, EINVAL);
	/* populate: the caller checks the file from end to end */
	p = mapped_map(fd, (size_t)st.st_size, MAP_POPULATE);
	if (!p)
		return private_dir_refuse(fd, errno);
	*out = (struct mapped){.p = p, .n = (size_t)st.st_size, .owner = st.st_uid};
	note_use(fd, &st);
	close(fd);
	return 0;
}

static int private_dir_write_all(int fd, const void *p, size_t n)
{
	ssize_t put;

	for (size_t at = 0; at < n; at += (size_t)put) {
		put = write(fd, (const char *)p + at, n - at);
		if (put < 0)
			return -1;
	}
	return 0;
}

int private_dir_replace(int dir, const char *name, const void *p, size_t n)
{
	char temporary[64];
	int fd, failed, why;

	snprintf(temporary, sizeof(temporary), TEMPORARY "%d-%lx", (int)getpid(), (unsigned long)p);
	fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	failed = private_dir_write_all(fd, p, n);
	why = errno;
	if (close(fd) && !failed) {
		failed = -1;
		why = errno;
	}
	if (!failed && renameat(dir, temporary, dir, name)) {
		failed = -1;
		why = errno;
	}
	if (failed)
		unlinkat(dir, temporary, 0);
	errno = why;
	return failed;
}

struct kept {
	char *name;
	uint64_t size;
	time_t used;
};

static int by_use(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return x->used < y->used ? -1 : x->used > y->used;
}

void private_dir_trim(int dir, uint64_t max)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	VEC(struct kept) files = {0};
	uint64_t total = 0;
	struct dirent *e;
	struct stat st;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(d))) {
		if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			continue;
		if (!strncmp(e->d_name, TEMPORARY, strlen(TEMPORARY))) {
			if (time(NULL) - st.st_mtime > ABANDONED_AFTER)
				unlinkat(dir, e->d_name, 0);
			continue;
		}
		vec_add(&files,
			(struct kept){mem_strdup(e->d_name), (uint64_t)st.st_size, st.st_mtime});
		total += (uint64_t)st.st_size;
	}
	closedir(d);
	if (files.n)
		qsort(files.at, files.n, sizeof(*files.at), by_use);
	for (size_t i = 0; i < files.n; i++) {
		if (total > max && !unlinkat(dir, files.at[i].name, 0))
			total -= files.at[i].size;
		free(files.at[i].name);
	}
	vec_release(&files);
}

int private_dir_store(const char *path, const char *name, const void *p, size_t n, uint64_t max)
{
	int dir = private_dir_open(path, true), failed;

	if (dir < 0)
		return -1;
	failed = private_dir_replace(dir, name, p, n);
	if (!failed)
		private_dir_trim(dir, max);
	close(dir);
	return failed;
}
