// SPDX-License-Identifier: MIT
#include "os/files/beneath.h"

#include "base/mem.h"
#include "os/files/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DEEP 32 /* each folder on the way down holds a descriptor */

/* Takes the next component off a path. 1, 0 at the end, or -1 with errno set. */
static int next_component(const char **path, char name[NAME_MAX + 1])
{
	const char *p = *path + strspn(*path, "/");
	const size_t n = strcspn(p, "/");

	*path = p + n;
	if (!n)
		return 0;
	if (n > NAME_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(name, p, n);
	name[n] = 0;
	if (strcmp(name, ".") && strcmp(name, ".."))
		return 1;
	errno = ELOOP;
	return -1;
}

bool beneath_is_plain(const char *path)
{
	char name[NAME_MAX + 1];
	int more;

	while ((more = next_component(&path, name)) > 0)
		;
	return !more;
}

/* openat() of one component. A symbolic link fails with ELOOP, whatever the flags. */
static int open_component(int dir, const char *name, int flags)
{
	int fd = openat(dir, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && !(flags & O_PATH))
		return fd;
	if (fd < 0 && errno != ENOTDIR)
		return -1;
	if (fd >= 0 ? fstat(fd, &st) : fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		st.st_mode = S_IFLNK;
	if (!S_ISLNK(st.st_mode)) {
		if (fd < 0)
			errno = ENOTDIR;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	errno = ELOOP;
	return -1;
}

static int walk(int top, const char *path, int flags, bool make)
{
	char name[NAME_MAX + 1], next[NAME_MAX + 1];
	int dir = open_component(top, ".", O_PATH | O_DIRECTORY), more, fd;

	more = dir < 0 ? -1 : next_component(&path, name);
	if (!more) {
		fd = openat(dir, ".", flags | O_CLOEXEC);
		close(dir);
		return fd;
	}
	while (more > 0) {
		more = next_component(&path, next);
		if (more < 0)
			break;
		if (make && mkdirat(dir, name, 0755) && errno != EEXIST)
			more = -1;
		fd = more < 0 ? -1 : open_component(dir, name, more ? O_PATH | O_DIRECTORY : flags);
		close(dir);
		dir = fd;
		if (fd < 0 || !more)
			return fd;
		memcpy(name, next, sizeof(name));
	}
	if (dir >= 0)
		close(dir);
	return -1;
}

int beneath_open(int top, const char *path, int flags)
{
	return walk(top, path, flags, false);
}

int beneath_make_dir(int top, const char *path)
{
	return walk(top, path, O_PATH | O_DIRECTORY, true);
}

/* All names in an open folder, also those that begin with a dot. */
static int all_names(int folder, struct arena *arena, struct names *out)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			vec_add(out, arena_strdup(arena, e->d_name));
	closedir(d);
	return 0;
}

static int remove_tree(int parent, const char *name, dev_t device, int deep)
{
	struct arena arena = {0};
	struct names names = {0};
	struct stat st;
	int failed, fd;

	if (!unlinkat(parent, name, 0))
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	fd = open_component(parent, name, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return -1;
	failed = fstat(fd, &st) ? -1 : 0;
	if (!failed && (deep > MOST_DEEP || st.st_dev != device)) {
		errno = deep > MOST_DEEP ? ENAMETOOLONG : EXDEV;
		failed = -1;
	}
	if (!failed)
		failed = all_names(fd, &arena, &names);
	for (size_t i = 0; i < names.n && !failed; i++)
		failed = remove_tree(fd, names.at[i], device, deep + 1);
	vec_release(&names);
	arena_release(&arena);
	close(fd);
	return failed ? -1 : unlinkat(parent, name, AT_REMOVEDIR);
}

int beneath_remove_tree(int parent, const char *name)
{
	struct stat st;

	return fstat(parent, &st) ? -1 : remove_tree(parent, name, st.st_dev, 0);
}

void beneath_remove_empty(int top, const char *path)
{
	AUTO_CHAR *part = mem_strdup(path);
	char *slash;

	for (size_t n; (n = strlen(part)) > 0;) {
		int dir, failed;

		slash = strrchr(part, '/');
		if (slash && !slash[1]) {
			*slash = 0;
			continue;
		}
		if (slash)
			*slash = 0;
		dir = beneath_open(top, slash ? part : "", O_PATH | O_DIRECTORY);
		failed = dir < 0 || unlinkat(dir, slash ? slash + 1 : part, AT_REMOVEDIR);
		if (dir >= 0)
			close(dir);
		if (failed || !slash)
			return;
	}
}
