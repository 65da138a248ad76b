// SPDX-License-Identifier: MIT
#include "data/sink_out.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Moves PATH to PATH.old, as every perf does; an empty file is not worth keeping. */
static int move_old(const char *path, struct err *err)
{
	struct stat st;
	AUTO_CHAR *old = NULL;

	if (lstat(path, &st) || S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode))
		return 0;
	if (S_ISREG(st.st_mode) && !st.st_size)
		return 0;
	old = mem_printf("%s.old", path);
	if (rename(path, old)) {
		/* A directory that was left there by a recording with threads or kcore. */
		AUTO_CHAR *older = mem_printf("%s.older", path);

		if (rename(old, older) || rename(path, old))
			return err_sys(err, errno, "cannot rename '%s' to '%s'", path, old);
	}
	return 0;
}

int sink_out_open(struct sink_out *o, const char *path, bool keep_old, struct err *err)
{
	struct stat st;

	*o = (struct sink_out){.fd = -1, .path = mem_strdup(path)};
	if (!strcmp(path, "-")) {
		o->fd = STDOUT_FILENO;
		o->is_pipe = true;
		return 0;
	}
	if (keep_old && move_old(path, err))
		return -1;
	o->fd = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (o->fd < 0)
		return err_sys(err, errno, "cannot open '%s' for writing", path);
	o->owned = true;
	if (fstat(o->fd, &st))
		return 0;
	o->is_pipe = !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode);
	o->named = st.st_nlink;
	return 0;
}

int sink_out_add(struct sink_out *o, const void *a, size_t a_len, const void *b, size_t b_len,
		 struct err *err)
{
	struct iovec v[2] = {{(void *)a, a_len}, {(void *)b, b_len}};
	int first = 0;

	if (o->fd < 0) {
		if (o->mem->n > o->pos)
			o->mem->n = o->pos;
		buf_add(o->mem, a, a_len);
		buf_add(o->mem, b, b_len);
		o->pos += a_len + b_len;
		return 0;
	}
	while (first < 2) {
		ssize_t n;

		if (!v[first].iov_len) {
			first++;
			continue;
		}
		n = o->is_pipe ? writev(o->fd, v + first, 2 - first)
			       : pwritev(o->fd, v + first, 2 - first, (off_t)o->pos);
		if (n < 0) {
			if (errno == EINTR || errno == EAGAIN)
				continue;
			return err_sys(err, errno, "cannot write '%s'", o->path);
		}
		o->pos += (uint64_t)n;
		for (; first < 2 && (size_t)n >= v[first].iov_len; first++)
			n -= (ssize_t)v[first].iov_len;
		if (first < 2) {
			v[first].iov_base = (char *)v[first].iov_base + n;
			v[first].iov_len -= (size_t)n;
		}
	}
	return 0;
}

int sink_out_at(struct sink_out *o, uint64_t pos, const void *p, size_t n, struct err *err)
{
	if (o->fd < 0) {
		memcpy(o->mem->at + pos, p, n);
		return 0;
	}
	while (n) {
		ssize_t done = pwrite(o->fd, p, n, (off_t)pos);

		if (done < 0) {
			if (errno == EINTR)
				continue;
			return err_sys(err, errno, "cannot write '%s'", o->path);
		}
		p = (const char *)p + done;
		n -= (size_t)done;
		pos += (uint64_t)done;
	}
	return 0;
}

size_t sink_out_read(struct sink_out *o, uint64_t pos, void *p, size_t n)
{
	ssize_t got;

	if (o->fd < 0) {
		n = pos < o->mem->n ? MIN(n, o->mem->n - pos) : 0;
		memcpy(p, o->mem->at + pos, n);
		return n;
	}
	got = pread(o->fd, p, n, (off_t)pos);
	return got < 0 ? 0 : (size_t)got;
}

void sink_out_cut(struct sink_out *o, uint64_t pos)
{
	o->pos = pos;
	if (o->fd < 0)
		o->mem->n = pos;
	else if (!o->is_pipe && ftruncate(o->fd, (off_t)pos))
		o->pos = pos; /* what is left over beyond the end does no harm */
}

bool sink_out_gone(const struct sink_out *o)
{
	struct stat st;

	return o->named && !fstat(o->fd, &st) && !st.st_nlink;
}

void sink_out_close(struct sink_out *o)
{
	if (o->owned && o->fd >= 0)
		close(o->fd);
	free((char *)o->path);
	*o = (struct sink_out){.fd = -1};
}
