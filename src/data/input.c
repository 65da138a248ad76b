// SPDX-License-Identifier: MIT
#include "data/input.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes that one read from a descriptor asks for. */
#define INPUT_CHUNK (256 * 1024)

static int check_owner(const char *path, const struct stat *st, struct err *err)
{
	if (!st->st_uid || st->st_uid == geteuid())
		return 0;
	err_set(err, ERR_RIGHTS, "file %s not owned by current user or root", path);
	return err_hint(err, "use -f to override");
}

/* Makes reads from fd wait again, and waits for a fifo's writer. The open itself did not wait, so
 * that another user's fifo cannot hold us up. */
static void let_wait(int fd, mode_t mode)
{
	struct pollfd ready = {fd, POLLIN, 0};

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	while (S_ISFIFO(mode) && poll(&ready, 1, -1) < 0 && errno == EINTR)
		;
}

int input_open(struct input *in, const char *path, const struct input_options *opts,
	       struct err *err)
{
	struct stat st;
	void *map;

	*in = (struct input){.fd = -1, .size = UINT64_MAX};
	if (!strcmp(path, "-")) {
		in->fd = STDIN_FILENO;
	} else {
		in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		in->owns_fd = true;
	}
	if (in->fd < 0 || fstat(in->fd, &st))
		return err_sys(err, errno, "failed to open %s", path);
	if (in->owns_fd && !(opts && opts->any_owner) && check_owner(path, &st, err))
		return -1;
	if (in->owns_fd)
		let_wait(in->fd, st.st_mode);
	in->mtime = st.st_mtime;
	/* standard input can be a file ("- < FILE"); when it was read in part already, it is taken
	 * as a pipe */
	if (!S_ISREG(st.st_mode) || (!in->owns_fd && lseek(in->fd, 0, SEEK_CUR) != 0))
		return 0;
	in->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	in->size = (uint64_t)st.st_size;
	in->seekable = true;
	if ((opts && opts->no_mmap) || !st.st_size)
		return 0;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, in->fd, 0);
	if (map == MAP_FAILED)
		return 0; /* the file can still be read */
	madvise(map, (size_t)st.st_size, MADV_SEQUENTIAL);
	in->map = map;
	in->mapped = in->of_file = true;
	return 0;
}

void input_over(struct input *in, const void *p, size_t n)
{
	*in = (struct input){.map = p, .size = n, .fd = -1};
	if (!p)
		in->map = (const uint8_t *)"";
}

void input_share(struct input *in, const struct input *of)
{
	*in = (struct input){.map = of->map,
			     .size = of->size,
			     .fd = of->fd,
			     .seekable = of->seekable,
			     .of_file = of->of_file};
}

void input_passed(const struct input *in, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	from = (from + page - 1) / page * page;
	to = to / page * page;
	if (in->of_file && from < to)
		madvise((void *)(uintptr_t)(in->map + from), to - from, MADV_DONTNEED);
}

void input_release(struct input *in)
{
	if (in->mapped)
		munmap((void *)in->map, in->size);
	if (in->owns_fd && in->fd >= 0)
		close(in->fd);
	buf_release(&in->window);
	*in = (struct input){.fd = -1};
}

static const uint8_t *clamp(const uint8_t *p, uint64_t left, size_t want, size_t *got)
{
	*got = left < want ? (size_t)left : want;
	return *got ? p : NULL;
}

/* Sets the end or the error of the input by the result n of a read. */
static void input_note_end(struct input *in, ssize_t n)
{
	in->eof = n <= 0;
	if (n < 0)
		in->error = errno;
}

/* Fills the window with up to want bytes from offset on. */
static void input_fill(struct input *in, uint64_t offset, size_t want)
{
	uint64_t skip = offset - in->window_at;
	ssize_t n;

	if (offset < in->window_at || skip > in->window.n) {
		if (in->seekable) {
			in->window_at = offset;
			skip = 0;
			buf_clear(&in->window);
			in->eof = false;
		} else if (offset < in->window_at) {
			return;
		}
	}
	/* a pipe: discard the bytes before offset */
	while (skip > in->window.n && !in->eof) {
		skip -= in->window.n;
		in->window_at += in->window.n;
		buf_clear(&in->window);
		buf_reserve(&in->window, INPUT_CHUNK);
		do
			n = read(in->fd, in->window.at, INPUT_CHUNK);
		while (n < 0 && errno == EINTR);
		input_note_end(in, n);
		in->window.n = n > 0 ? (size_t)n : 0;
	}
	if (skip > in->window.n)
		skip = in->window.n;
	if (skip < in->window.n)
		memmove(in->window.at, in->window.at + skip, in->window.n - skip);
	in->window.n -= skip;
	in->window_at += skip;
	while (in->window.n < want && !in->eof) {
		buf_reserve(&in->window, INPUT_CHUNK);
		if (in->seekable)
			n = pread(in->fd, in->window.at + in->window.n, INPUT_CHUNK,
				  (off_t)(in->window_at + in->window.n));
		else
			n = read(in->fd, in->window.at + in->window.n, INPUT_CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		input_note_end(in, n);
		in->window.n += n > 0 ? (size_t)n : 0;
	}
}

const uint8_t *input_at(struct input *in, uint64_t offset, size_t want, size_t *got)
{
	*got = 0;
	if (in->map)
		return offset < in->size ? clamp(in->map + offset, in->size - offset, want, got)
					 : NULL;
	if (offset < in->window_at || offset - in->window_at > in->window.n ||
	    in->window.n - (offset - in->window_at) < want)
		input_fill(in, offset, want);
	if (offset < in->window_at || offset - in->window_at > in->window.n)
		return NULL;
	return clamp((const uint8_t *)in->window.at + (offset - in->window_at),
		     in->window.n - (offset - in->window_at), want, got);
}

size_t input_read(struct input *in, uint64_t offset, void *to, size_t least, size_t n)
{
	size_t done = 0;
	const uint8_t *p;

	/* first the bytes that the map or the window has; the rest is read straight into to */
	p = input_at(in, offset, in->map || in->seekable ? n : 1, &done);
	if (!p)
		return 0;
	if (in->map || in->seekable) {
		memcpy(to, p, done);
		return done;
	}
	done = MIN(in->window.n - (size_t)(offset - in->window_at), n);
	memcpy(to, p, done);
	in->window.n -= (size_t)(p - (const uint8_t *)in->window.at) + done;
	memmove(in->window.at, p + done, in->window.n);
	in->window_at = offset + done;
	while (done < least && !in->eof) {
		ssize_t more = read(in->fd, (uint8_t *)to + done, n - done);

		if (more < 0 && errno == EINTR)
			continue;
		input_note_end(in, more);
		done += more > 0 ? (size_t)more : 0;
		in->window_at = offset + done;
	}
	return done;
}
