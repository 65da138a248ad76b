// SPDX-License-Identifier: MIT
#include "data/extension/append.h"

#include "base/buf.h"
#include "data/extension/checksum.h"
#include "data/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL 16 /* bytes behind a payload: its size, and what it is */

static bool append_read(int fd, off_t at, void *to, size_t n)
{
	return pread(fd, to, n, at) == (ssize_t)n;
}

static int append_write(int fd, off_t at, const void *p, size_t n)
{
	while (n) {
		const ssize_t got = pwrite(fd, p, n, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		p = (const char *)p + got;
		at += got;
		n -= (size_t)got;
	}
	return 0;
}

/* Reads the checksums at the end of the file into b. Returns their offset; the file's size when
 * there are none. */
static off_t take_sums(int fd, off_t size, struct buf *b)
{
	uint64_t tail[2];
	size_t n;

	if (size < TAIL || !append_read(fd, size - TAIL, tail, sizeof(tail)) ||
	    tail[1] != CHECKSUM_MAGIC || tail[0] > (uint64_t)size - TAIL)
		return size;
	n = (size_t)tail[0] + TAIL;
	buf_reserve(b, n);
	if (!append_read(fd, size - (off_t)n, b->at, n))
		return size;
	b->n = n;
	return size - (off_t)n;
}

int extension_append(const char *path, unsigned int which, const void *p, size_t n, struct err *err)
{
	const uint64_t tail[2] = {n, FEATURE_EXTENSION_MAGIC | (uint64_t)which << 32};
	AUTO_FD fd = open(path, O_RDWR | O_CLOEXEC);
	AUTO_BUF sums = {0};
	struct stat st;
	off_t at;

	if (fd < 0 || fstat(fd, &st))
		return err_sys(err, errno, "cannot write '%s'", path);
	at = take_sums(fd, st.st_size, &sums);
	if (!append_write(fd, at, p, n) && !append_write(fd, at + (off_t)n, tail, sizeof(tail)) &&
	    !append_write(fd, at + (off_t)(n + sizeof(tail)), sums.at, sums.n))
		return 0;
	err_sys(err, errno, "cannot write '%s'", path);
	/* the file becomes what it was; if that fails, too, it lacks its checksums */
	if (!ftruncate(fd, at))
		append_write(fd, at, sums.at, sums.n);
	return -1;
}
