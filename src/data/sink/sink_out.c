// SPDX-License-Identifier: MIT
#include "data/sink/sink_out.h"

#include "base/mem.h"
#include "os/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* A write costs as much as copying thousands of bytes, and the kernel takes larger pages for larger ones. */
#define BLOCK ((size_t)256 << 10)

/* What recordings have in their directories, and in kcore_dir below them. */
static bool is_of_recording(const char *name, bool in_kcore)
{
	if (in_kcore)
		return !strcmp(name, "kcore") || !strcmp(name, "kallsyms") || !strcmp(name, "modules");
	return !strncmp(name, "data", 4) && (!name[4] || (name[4] == '.' && !name[5 + strspn(name + 5, "0123456789")]));
}

/* Has a directory nothing but what recordings leave there? Then that is removed, if told so. */
static bool is_recording(const char *dir, bool in_kcore, bool remove_it)
{
	struct arena arena = {0};
	struct names names = {0};
	bool is = !text_names(dir, NULL, false, false, &arena, &names);

	for (size_t i = 0; i < names.n && is; i++) {
		AUTO_CHAR *path = mem_printf("%s/%s", dir, names.at[i]);

		if (!in_kcore && !strcmp(names.at[i], "kcore_dir"))
			is = is_recording(path, true, remove_it);
		else
			is = is_of_recording(names.at[i], in_kcore) && (!remove_it || !unlink(path));
	}
	vec_release(&names);
	arena_release(&arena);
	return is && (!remove_it || !rmdir(dir));
}

/* Something that a rename cannot replace: a directory where a file comes, or the other way round. */
static bool remove_recording(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return false;
	if (S_ISREG(st.st_mode))
		return !unlink(path);
	return S_ISDIR(st.st_mode) && is_recording(path, false, false) && is_recording(path, false, true);
}

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
	if (opts->keep_old && move_old(path, err))
		return -1;
	if (opts->as_directory && mkdir(path, S_IRWXU) && errno != EEXIST)
		return err_sys(err, errno, "cannot make '%s'", path);
	o->fd = open(o->path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (o->fd < 0)
		return err_sys(err, errno, "cannot open '%s' for writing", o->path);
	o->owned = true;
	if (!fstat(o->fd, &st)) {
		o->is_pipe = !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode);
		o->named = st.st_nlink;
	}
	if (o->queue)
		sink_queue_begin(o->queue, o->fd, o->is_pipe, 0);
	return 0;
}

static int write_all(struct sink_out *o, struct iovec *v, int n, uint64_t pos, struct err *err)
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

/* The queue writes no more: where it got to is where the output ends, and what else is written is waited for. */
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

/* To the queue, block by block. */
static int add_to_queue(struct sink_out *o, const void *p, size_t n, struct err *err)
{
	for (size_t at = 0, part; at < n; at += part) {
		part = MIN(n - at, BLOCK - o->late.n);
		if (!o->late.cap && n >= BLOCK / 4)
			buf_reserve(&o->late, BLOCK);
		buf_add(&o->late, (const char *)p + at, part);
		o->pos += part;
		if (o->late.n == BLOCK && hand_over(o, err))
			return -1;
	}
	return 0;
}

/* What waits, and both pieces. */
static int write_late(struct sink_out *o, const void *a, size_t a_len, const void *b, size_t b_len, struct err *err)
{
	struct iovec v[3] = {{o->late.at, o->late.n}, {(void *)a, a_len}, {(void *)b, b_len}};
	int got;

	if (o->queue) {
		if (add_to_queue(o, a, a_len, err) || add_to_queue(o, b, b_len, err))
			return -1;
		return o->is_pipe && o->late.n ? hand_over(o, err) : 0;
	}
	got = write_all(o, v, ARRAY_SIZE(v), o->pos - o->late.n, err);
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
	if (o->is_pipe || o->late.n + a_len + b_len >= BLOCK)
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
