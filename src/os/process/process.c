// SPDX-License-Identifier: MIT
#include "os/process/process.h"

#include "os/files/mapped.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int32_t process_inner_pid(const char *root, int32_t pid)
{
	AUTO_CHAR *path = mem_printf("%s/proc/%d/status", root, pid);
	int32_t inner = pid;
	struct mapped m;
	char *line;

	if (mapped_read(&m, path, 1 << 16, NULL) < 0)
		return pid;
	line = strstr((char *)m.p, "\nNSpid:");
	if (line) {
		char *end = strchr(line + 1, '\n'), *last;

		if (end)
			*end = 0;
		last = strrchr(line, '\t');
		if (last && sscanf(last + 1, "%d", &inner) != 1)
			inner = pid;
	}
	mapped_release(&m);
	return inner;
}

int64_t process_start_ns(const char *root, int32_t pid)
{
	AUTO_CHAR *path = mem_printf("%s/proc/%d/stat", root, pid);
	const int64_t hz = sysconf(_SC_CLK_TCK);
	unsigned long long ticks;
	struct mapped m;
	char *comm_end;
	bool found;

	if (mapped_read(&m, path, 1 << 16, NULL) < 0)
		return -1;
	/* field 22 of proc(5); a comm may hold blanks and parentheses */
	comm_end = strrchr((char *)m.p, ')');
	found = comm_end &&
		sscanf(comm_end + 1,
		       " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d"
		       " %*d %*d %llu",
		       &ticks) == 1;
	mapped_release(&m);
	return found && ticks < INT64_MAX / 1000000000 ? (int64_t)ticks * (1000000000 / hz) : -1;
}

bool process_sees_all(const char *proc_root)
{
	AUTO_CHAR *path = mem_printf("%s/self/ns/pid", proc_root);
	char found[64] = "";

	/* PROC_PID_INIT_INO of <linux/proc_ns.h> */
	return readlink(path, found, sizeof(found) - 1) <= 0 || !strcmp(found, "pid:[4026531836]");
}

bool process_root(const char *root, int32_t pid, char *path, size_t n)
{
	/* a chroot shares the namespace */
	static const char *const kinds[] = {"ns/mnt", "root"};
	bool differs = false;

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !differs; i++) {
		AUTO_CHAR *own = mem_printf("%s/proc/self/%s", root, kinds[i]);
		AUTO_CHAR *its = mem_printf("%s/proc/%d/%s", root, pid, kinds[i]);
		struct stat a, b;

		if (stat(own, &a) < 0 || stat(its, &b) < 0)
			return false;
		differs = a.st_ino != b.st_ino || a.st_dev != b.st_dev;
	}
	return differs && snprintf(path, n, "%s/proc/%d/root", root, pid) < (int)n;
}

void process_open_path(int fd, char *path, size_t n)
{
	snprintf(path, n, "/proc/self/fd/%d", fd);
}

/* The name of an open file, without the path of its root when that root is a folder of ours
 * (chroot). */
static int name_in_root(int fd, int root, char *name, size_t n)
{
	char path[64], folder[PATH_MAX];
	ssize_t got, len;

	process_open_path(root, path, sizeof(path));
	len = readlink(path, folder, sizeof(folder));
	process_open_path(fd, path, sizeof(path));
	got = readlink(path, name, n - 1);
	if (len < 0 || got < 0)
		return -errno;
	name[got] = 0;
	if (len > 1 && got > len && name[len] == '/' && !memcmp(name, folder, (size_t)len))
		memmove(name, name + len, (size_t)(got - len) + 1);
	return 0;
}

int process_open_file(int32_t pid, const char *path, char *real, size_t n)
{
	struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
	AUTO_CHAR *its = mem_printf("/proc/%d/root", pid);
	AUTO_FD root = open(its, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd, failed;

	if (root < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	if (fd < 0)
		return -errno;
	failed = name_in_root(fd, root, real, n);
	if (failed)
		close(fd);
	return failed ? failed : fd;
}

bool process_maps_file(const char *root, int32_t pid, uint64_t start, uint64_t end,
		       const char *name, char *path, size_t n)
{
	char found[PATH_MAX];
	ssize_t len;

	if (snprintf(path, n, "%s/proc/%d/map_files/%llx-%llx", root, pid,
		     (unsigned long long)start, (unsigned long long)end) >= (int)n)
		return false;
	len = readlink(path, found, sizeof(found));
	return len > 0 && (size_t)len == strlen(name) && !memcmp(found, name, (size_t)len);
}

int process_watch(int32_t tid)
{
	/* Threads since Linux 6.9: PIDFD_THREAD is O_EXCL. */
	long fd = syscall(SYS_pidfd_open, tid, 0);

	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_pidfd_open, tid, O_EXCL);
	return fd < 0 ? -errno : (int)fd;
}

bool process_exists(int32_t tid)
{
	return !kill(tid, 0) || errno == EPERM;
}

const void *own_vdso(size_t *n)
{
	uintptr_t vdso = getauxval(AT_SYSINFO_EHDR), found = 0;
	struct mapped m;

	if (!vdso || mapped_read(&m, "/proc/self/maps", 16 << 20, NULL) < 0)
		return NULL;
	for (char *line = (char *)m.p; line && *line; line = strchr(line, '\n')) {
		unsigned long start, end;

		line += *line == '\n';
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && start == vdso && end > start) {
			found = vdso;
			*n = end - start;
		}
	}
	mapped_release(&m);
	return (const void *)found;
}
