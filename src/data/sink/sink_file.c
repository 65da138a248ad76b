// SPDX-License-Identifier: MIT
#include "data/sink/sink_file.h"

#include "base/mem.h"
#include "os/files/files.h"
#include "os/files/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 8 /* another process may create the file again each time */

/* True for a name that a recording has in its directory, or in kcore_dir below it. */
static bool is_of_recording(const char *name, bool in_kcore)
{
	if (in_kcore)
		return !strcmp(name, "kcore") || !strcmp(name, "kallsyms") ||
		       !strcmp(name, "modules");
	return !strncmp(name, "data", 4) &&
	       (!name[4] || (name[4] == '.' && !name[5 + strspn(name + 5, "0123456789")]));
}

/* True when a directory is the user's own and has only files of a recording. remove_it: removes
 * them. */
static bool is_recording(int at, const char *dir, bool in_kcore, bool remove_it)
{
	AUTO_FD fd = openat(at, dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct arena arena = {0};
	struct names names = {0};
	struct stat st;
	bool is = fd >= 0 && !fstat(fd, &st) && st.st_uid == geteuid() &&
		  !text_names_in(fd, &arena, &names);

	for (size_t i = 0; i < names.n && is; i++) {
		if (!in_kcore && !strcmp(names.at[i], "kcore_dir"))
			is = is_recording(fd, names.at[i], true, remove_it);
		else
			is = is_of_recording(names.at[i], in_kcore) &&
			     (!remove_it || !unlinkat(fd, names.at[i], 0));
	}
	vec_release(&names);
	arena_release(&arena);
	return is && (!remove_it || !unlinkat(at, dir, AT_REMOVEDIR));
}

/* Removes an old recording that a rename cannot replace: a directory in the place of a file, or a
 * file in that of a directory. */
static bool remove_recording(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return false;
	if (S_ISREG(st.st_mode))
		return !unlink(path);
	return S_ISDIR(st.st_mode) && is_recording(AT_FDCWD, path, false, false) &&
	       is_recording(AT_FDCWD, path, false, true);
}

/* Moves PATH to PATH.old; an empty file is not worth keeping. */
static int move_old(const char *path, struct err *err)
{
	struct stat st;
	AUTO_CHAR *old = NULL;

	if (lstat(path, &st))
		return 0;
	if (S_ISREG(st.st_mode) && !st.st_size) {
		if (unlink(path) && errno != ENOENT)
			return err_sys(err, errno, "cannot replace '%s'", path);
		return 0;
	}
	old = mem_printf("%s.old", path);
	if (rename(path, old)) {
		int why = errno;

		if (!remove_recording(old) || rename(path, old)) {
			/* A directory with other things in it. */
			AUTO_CHAR *older = mem_printf("%s.older", path);

			if (rename(old, older) || rename(path, old))
				return err_sys(err, why, "cannot rename '%s' to '%s'", path, old);
		}
	}
	return 0;
}

static bool is_usable(const struct stat *st)
{
	bool mine = st->st_uid == geteuid();

	if (S_ISREG(st->st_mode))
		return mine && !st->st_size && st->st_nlink == 1 &&
		       !(st->st_mode & (S_IWGRP | S_IWOTH));
	return (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode) || S_ISFIFO(st->st_mode)) &&
	       (mine || !st->st_uid);
}

/* Opens what is at path, if it may be written to. Checks again after the open. */
static int open_usable(const char *path)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) || !is_usable(&st))
		return -1;
	fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) || !is_usable(&st))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int open_new(const char *path, bool as_directory)
{
	const int flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC;

	if (as_directory) {
		AUTO_FD dir = mkdir(path, S_IRWXU)
				      ? -1
				      : open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		return dir < 0 ? -1 : openat(dir, "data", flags, S_IRUSR | S_IWUSR);
	}
	return open(path, flags, S_IRUSR | S_IWUSR);
}

int sink_file_open(const char *path, bool as_directory, struct err *err)
{
	int named = as_directory ? -1 : files_descriptor(path), fd = -1;

	if (named >= 0) {
		fd = fcntl(named, F_DUPFD_CLOEXEC, 0);
		return fd < 0 ? err_sys(err, errno, "cannot open '%s' for writing", path) : fd;
	}
	for (int i = 0; i < TRIES && fd < 0; i++) {
		fd = open_new(path, as_directory);
		if (fd >= 0)
			break;
		if (errno != EEXIST)
			return err_sys(err, errno,
				       as_directory ? "cannot make '%s'"
						    : "cannot open '%s' for writing",
				       path);
		fd = as_directory ? -1 : open_usable(path);
		if (fd < 0 && move_old(path, err))
			return -1;
	}
	return fd < 0 ? err_sys(err, EEXIST, "cannot open '%s' for writing", path) : fd;
}
