// SPDX-License-Identifier: MIT
#include "os/files/files.h"

#include "base/mem.h"
#include "base/options/options.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int files_make_dir(const char *path)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n >= sizeof(part)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(part, path, n + 1);
	for (char *p = part + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = 0;
		if (mkdir(part, 0755) && errno != EEXIST)
			return -1;
		*p = '/';
	}
	return mkdir(part, 0755) && errno != EEXIST ? -1 : 0;
}

static int copy_bytes(int from, int to)
{
	char block[65536];
	ssize_t got;

	/* With reflinks the two files share their blocks until one is written to. */
	while ((got = copy_file_range(from, NULL, to, NULL, 1 << 30, 0)) > 0)
		;
	/* Copies what copy_file_range() left (all of a file of /proc). */
	while ((got = read(from, block, sizeof(block))) > 0)
		for (ssize_t at = 0, put; at < got; at += put) {
			put = write(to, block + at, (size_t)(got - at));
			if (put < 0)
				return -1;
		}
	return got < 0 ? -1 : 0;
}

static int new_file(int dir, const char *path)
{
	return openat(dir, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
}

/* Closes the file; removes it when writing it failed. */
static int finish_file(int fd, int dir, const char *path, int failed)
{
	int why = errno;

	if (close(fd) && !failed) {
		failed = -1;
		why = errno;
	}
	if (failed)
		unlinkat(dir, path, 0);
	errno = why;
	return failed;
}

int files_copy_at(const char *from, int dir, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, failed, why;

	if (in < 0)
		return -1;
	out = new_file(dir, to);
	failed = out < 0 ? -1 : finish_file(out, dir, to, copy_bytes(in, out));
	why = errno;
	close(in);
	errno = why;
	return failed;
}

int files_copy(const char *from, const char *to)
{
	return files_copy_at(from, AT_FDCWD, to);
}

int files_write_at(const void *p, size_t n, int dir, const char *to)
{
	int out = new_file(dir, to);
	ssize_t put = 0;

	if (out < 0)
		return -1;
	for (size_t at = 0; at < n && put >= 0; at += (size_t)put)
		put = write(out, (const char *)p + at, n - at);
	return finish_file(out, dir, to, put < 0 ? -1 : 0);
}

int files_write(const void *p, size_t n, const char *to)
{
	return files_write_at(p, n, AT_FDCWD, to);
}

int files_in_memory(const void *p, size_t n, char path[FILES_MEMORY_PATH])
{
	const int fd = memfd_create("perf", MFD_CLOEXEC);
	ssize_t put = 0;

	for (size_t at = 0; fd >= 0 && at < n && put >= 0; at += (size_t)put)
		put = write(fd, (const char *)p + at, n - at);
	if (fd >= 0 && put < 0) {
		close(fd);
		return -1;
	}
	snprintf(path, FILES_MEMORY_PATH, "/proc/%d/fd/%d", (int)getpid(), fd);
	return fd;
}

int files_rename_new(const char *from, const char *to)
{
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	/* some file systems lack RENAME_NOREPLACE */
	if (!faccessat(AT_FDCWD, to, F_OK, AT_SYMLINK_NOFOLLOW)) {
		errno = EEXIST;
		return -1;
	}
	return rename(from, to);
}

int files_descriptor(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	uint64_t fd;

	if (!strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		size_t n = strlen(folders[i]);

		if (!strncmp(path, folders[i], n) && !parse_u64(path + n, &fd) && fd < 1u << 20)
			return (int)fd;
	}
	return -1;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

int files_remove_tree(const char *path)
{
	return nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool file_identify(const char *path, struct file_identity *out)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	unsigned int generation[2] = {0}; /* declared as a long, filled in as an int */
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	*out = (struct file_identity){
		.maj = major(st.st_dev),
		.min = minor(st.st_dev),
		.ino = st.st_ino,
		.mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec,
	};
	if (!ioctl(fd, FS_IOC_GETVERSION, generation))
		out->generation = generation[0];
	return true;
}
