// SPDX-License-Identifier: MIT
#include "data/sink/sink_out.h"

#include "base/mem.h"
#include "data/sink/sink_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Small writes are gathered: a write costs as much as copying thousands of bytes. For larger writes
 * the kernel uses larger pages, and the largest where they begin at a multiple of their size. */
#define BLOCK ((size_t)256 << 10)

/* Bytes up to the end of the block at the current position. */
static size_t sink_out_block_left(const struct sink_out *o)
{
	return BLOCK - o->pos % BLOCK;
}

int sink_out_open(struct sink_out *o, const struct sink_options *opts, struct err *err)
{
	const char *path = opts->path;
	struct stat st;

	*o = (struct sink_out){.fd = -1, .queue = opts->queue};
	o->path = opts->as_directory ? mem_printf("%s/data", path) : mem_strdup(path);
	if (!strcmp(path, "-")) {
		o->fd = STDOUT_FILENO;
		o->is_pipe = true;
		if (o->queue)
			sink_queue_begin(o->queue, o->fd, true, 0);
		return 0;
	}
	o->fd = sink_file_open(path, opts->as_directory, err);
	if (o->fd < 0)
		return -1;
	o->owned = true;
	if (!fstat(o->fd, &st)) {
		o->is_pipe = !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode);
		o->named = st.st_nlink;
	}
	if (o->queue)
		sink_queue_begin(o->queue, o->fd, o->is_pipe, 0);
	return 0;
}

static int sink_out_write_all(struct sink_out *o, struct iovec *v, int n, uint64_t pos,
			      struct err *err)
{
	while (n) {
		ssize_t done;

		if (!v->iov_len) {
			v++;
			n--;
			continue;
		}
		done = o->is_pipe ? writev(o->fd, v, n) : pwritev(o->fd, v, n, (off_t)pos);
		if (done < 0) {
			if (errno == EINTR || errno == EAGAIN)
				continue;
			o->pos = pos;
			return err_sys(err, errno, "cannot write '%s'", o->path);
		}
		pos += (uint64_t)done;
		for (; n && (size_t)done >= v->iov_len; v++, n--)
			done -= (ssize_t)v->iov_len;
		if (n) {
			v->iov_base = (char *)v->iov_base + done;
			v->iov_len -= (size_t)done;
		}
	}
	o->pos = pos;
	return 0;
}

/* Gives up the queue after a failed write. The output ends at the queue's last written byte; later
 * writes are made without the queue. */
static int queue_failed(struct sink_out *o, int why, struct err *err)
{
	sink_queue_wait(o->queue);
	o->pos = sink_queue_written(o->queue);
	o->queue = NULL;
	buf_clear(&o->late);
	return err_sys(err, why, "cannot write '%s'", o->path);
}

static int hand_over(struct sink_out *o, struct err *err)
{
	int why = sink_queue_put(o->queue, o->pos - o->late.n, &o->late);

	return why ? queue_failed(o, why, err) : 0;
}

/* Hands bytes to the queue, block by block. */
static int add_to_queue(struct sink_out *o, const void *p, size_t n, struct err *err)
{
	for (size_t at = 0, part; at < n; at += part) {
		part = MIN(n - at, sink_out_block_left(o));
		if (!o->late.cap && n >= BLOCK / 4)
			buf_reserve(&o->late, BLOCK);
		buf_add(&o->late, (const char *)p + at, part);
		o->pos += part;
		if (!(o->pos % BLOCK) && hand_over(o, err))
			return -1;
	}
	return 0;
}

/* Writes the gathered bytes, then both pieces. */
static int write_late(struct sink_out *o, const void *a, size_t a_len, const void *b, size_t b_len,
		      struct err *err)
{
	struct iovec v[3] = {{o->late.at, o->late.n}, {(void *)a, a_len}, {(void *)b, b_len}};
	int got;

	if (o->queue) {
		if (add_to_queue(o, a, a_len, err) || add_to_queue(o, b, b_len, err))
			return -1;
		return o->is_pipe && o->late.n ? hand_over(o, err) : 0;
	}
	got = sink_out_write_all(o, v, ARRAY_SIZE(v), o->pos - o->late.n, err);
	buf_clear(&o->late);
	return got;
}

int sink_out_add(struct sink_out *o, const void *a, size_t a_len, const void *b, size_t b_len,
		 struct err *err)
{
	if (o->fd < 0) {
		if (o->mem->n > o->pos)
			o->mem->n = o->pos;
		buf_add(o->mem, a, a_len);
		buf_add(o->mem, b, b_len);
		o->pos += a_len + b_len;
		return 0;
	}
	if (o->is_pipe || a_len + b_len >= sink_out_block_left(o))
		return write_late(o, a, a_len, b, b_len, err);
	buf_add(&o->late, a, a_len);
	buf_add(&o->late, b, b_len);
	o->pos += a_len + b_len;
	return 0;
}

int sink_out_flush(struct sink_out *o, struct err *err)
{
	if (!o->late.n)
		return 0;
	return o->queue ? hand_over(o, err) : write_late(o, NULL, 0, NULL, 0, err);
}

int sink_out_wait(struct sink_out *o, struct err *err)
{
	int why;

	if (sink_out_flush(o, err))
		return -1;
	why = o->queue ? sink_queue_wait(o->queue) : 0;
	return why ? queue_failed(o, why, err) : 0;
}

int sink_out_settle(struct sink_out *o, struct err *err)
{
	int got = sink_out_wait(o, err);

	o->queue = NULL;
	return got;
}

uint64_t sink_out_written(const struct sink_out *o)
{
	return o->queue ? sink_queue_written(o->queue) : o->pos - o->late.n;
}

int sink_out_at(struct sink_out *o, uint64_t pos, const void *p, size_t n, struct err *err)
{
	if (o->fd < 0) {
		memcpy(o->mem->at + pos, p, n);
		return 0;
	}
	if (sink_out_flush(o, err))
		return -1;
	if (o->queue) {
		struct buf b = {0};
		int why;

		buf_add(&b, p, n);
		why = sink_queue_put(o->queue, pos, &b);
		buf_release(&b);
		return why ? queue_failed(o, why, err) : 0;
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
	if (sink_out_settle(o, NULL))
		return 0;
	got = pread(o->fd, p, n, (off_t)pos);
	return got < 0 ? 0 : (size_t)got;
}

void sink_out_cut(struct sink_out *o, uint64_t pos)
{
	sink_out_settle(o, NULL);
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
	sink_out_settle(o, NULL);
	if (o->owned && o->fd >= 0)
		close(o->fd);
	buf_release(&o->late);
	free((char *)o->path);
	*o = (struct sink_out){.fd = -1};
}
