// SPDX-License-Identifier: MIT
#include "os/files/mapped.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK: a fifo that took a file's place must not hang us. */
static int open_regular(const char *path, struct stat *st, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return err_sys(err, errno, "cannot open '%s'", path);
	if (fstat(fd, st) < 0 || !S_ISREG(st->st_mode)) {
		close(fd);
		return err_set(err, ERR_INPUT, "'%s' is not a regular file", path);
	}
	return fd;
}

/* Bytes to reserve: the file's whole pages, and one page of zeros behind them. */
static size_t room_for(size_t n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n + page - 1) / page * page + page;
}

void *mapped_map(int fd, size_t n, int flags)
{
	const size_t room = room_for(n);
	void *p;

	if (room < n) {
		errno = ENOMEM;
		return NULL;
	}
	p = mmap(NULL, room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	if (mmap(p, n, PROT_READ, MAP_PRIVATE | MAP_FIXED | flags, fd, 0) != MAP_FAILED)
		return p;
	munmap(p, room);
	return NULL;
}

static uint64_t mtime_ns(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec;
}

int mapped_open(struct mapped *m, const char *path, struct err *err)
{
	struct stat st;
	AUTO_FD fd = open_regular(path, &st, err);
	void *p;

	*m = (struct mapped){0};
	if (fd < 0)
		return -1;
	m->owner = st.st_uid;
	if (!st.st_size)
		return err_set(err, ERR_INPUT, "'%s' is empty", path);
	p = mapped_map(fd, (size_t)st.st_size, 0);
	if (!p)
		return err_sys(err, errno, "cannot map '%s'", path);
	m->p = p;
	m->n = (size_t)st.st_size;
	m->held = (size_t)st.st_blocks * 512;
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	m->mtime_ns = mtime_ns(&st);
	return 0;
}

bool mapped_changed(const struct mapped *m, const char *path)
{
	struct stat st;

	return m->ino && !stat(path, &st) && st.st_dev == m->dev && st.st_ino == m->ino &&
	       ((size_t)st.st_size != m->n || mtime_ns(&st) != m->mtime_ns);
}

/* The whole of an open file. */
static int read_whole(struct mapped *m, int fd, const struct stat *st, const char *path, size_t max,
		      struct err *err)
{
	size_t cap, n = 0;
	uint8_t *p;

	cap = st->st_size > 0 && (size_t)st->st_size < max ? (size_t)st->st_size + 1 : 1 << 16;
	p = mem_alloc(cap + 1);
	for (;;) {
		ssize_t got;

		if (n == cap) {
			if (cap > max)
				break;
			cap *= 2;
			p = mem_resize(p, cap + 1);
		}
		got = read(fd, p + n, cap - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			err_sys(err, errno, "cannot read '%s'", path);
			free(p);
			return -1;
		}
		if (!got)
			break;
		n += (size_t)got;
	}
	if (n > max) {
		free(p);
		return err_set(err, ERR_INPUT, "'%s' is larger than expected", path);
	}
	p[n] = 0;
	*m = (struct mapped){.p = p, .n = n, .heap = true, .owner = st->st_uid, .held = n,
			     .mtime_ns = mtime_ns(st)};
	return 0;
}

int mapped_read(struct mapped *m, const char *path, size_t max, struct err *err)
{
	struct stat st;
	AUTO_FD fd = open_regular(path, &st, err);

	*m = (struct mapped){0};
	return fd < 0 ? -1 : read_whole(m, fd, &st, path, max, err);
}

int mapped_read_own(struct mapped *m, const char *path, size_t max, bool any_owner, struct err *err)
{
	struct stat st;
	AUTO_FD fd = open_regular(path, &st, err);

	*m = (struct mapped){0};
	if (fd < 0)
		return -1;
	if (!any_owner && st.st_uid && st.st_uid != geteuid())
		return err_set(err, ERR_RIGHTS, "'%s' belongs to another user", path);
	return read_whole(m, fd, &st, path, max, err);
}

int file_open(const char *path, uint32_t *owner, struct err *err)
{
	struct stat st;
	int fd = open_regular(path, &st, err);

	*owner = fd < 0 ? 0 : st.st_uid;
	return fd;
}

size_t file_read_at(int fd, uint64_t offset, void *p, size_t n)
{
	size_t done = 0;

	while (done < n && offset + done <= INT64_MAX) {
		ssize_t got = pread(fd, (char *)p + done, n - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

void mapped_release(struct mapped *m)
{
	if (m->heap)
		free((void *)m->p);
	else if (m->p)
		munmap((void *)m->p, room_for(m->n));
	*m = (struct mapped){0};
}

void mapped_give_back(const struct mapped *m)
{
	if (m->p && !m->heap)
		madvise((void *)(uintptr_t)m->p, m->n, MADV_DONTNEED);
}

bool file_is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}
