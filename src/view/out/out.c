// SPDX-License-Identifier: MIT
#include "view/out/out.h"

#include "base/mem.h"
#include "os/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void out_init(struct out *o, int fd)
{
	const char *term = getenv("TERM");

	struct stat st, nowhere;

	*o = (struct out){.fd = fd, .error_fd = -1, .terminal = terminal_is(fd)};
	if (!fstat(fd, &st))
		o->away = S_ISREG(st.st_mode) ||
			  (S_ISCHR(st.st_mode) && !stat("/dev/null", &nowhere) &&
			   st.st_rdev == nowhere.st_rdev);
	o->colour = o->terminal && term && strcmp(term, "dumb");
	if (o->terminal)
		o->width = terminal_width(fd);
}

void out_page(struct out *o, const char *pager)
{
	if (o->terminal && !o->pager_pid)
		o->pager = pager && *pager && strcmp(pager, "cat") ? pager : NULL;
}

static void start_pager(struct out *o)
{
	int fd;
	pid_t pid = reader_exists(o->pager) ? reader_start(o->pager, &fd) : -1;

	if (pid < 0) {
		/* plain output is better than none */
		dprintf(STDERR_FILENO, "cannot start the pager '%s'\n", o->pager);
		o->pager = NULL;
		return;
	}
	o->fd = fd;
	o->pager_pid = pid;
	/* Two writers would spoil the pager's screen. */
	if (!o->errors_apart && terminal_is(STDERR_FILENO)) {
		o->error_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		if (o->error_fd >= 0)
			dup2(fd, STDERR_FILENO);
	}
	/* ^C belongs to the pager: we end when it does. */
	signal(SIGINT, SIG_IGN);
}

static void end_pager(struct out *o)
{
	if (!o->pager_pid)
		return;
	if (o->error_fd >= 0) {
		dup2(o->error_fd, STDERR_FILENO);
		close(o->error_fd);
		o->error_fd = -1;
	}
	close(o->fd);
	o->fd = STDOUT_FILENO;
	reader_wait(o->pager_pid);
	o->pager_pid = 0;
	o->pager = NULL;
}

/* The length of the escape sequence at p when it is one of our own: a colour, or (first) the one
 * that clears the screen. 0: any other bytes. */
static size_t own_sequence(const char *p, size_t n, bool first)
{
	static const char *const own[] = {"\033[m", "\033[31m", "\033[32m", "\033[33m", "\033[34m",
					  "\033[35m", "\033[H\033[2J"};

	for (size_t i = 0; i < ARRAY_SIZE(own) - !first; i++)
		if (n >= strlen(own[i]) && !memcmp(p, own[i], strlen(own[i])))
			return strlen(own[i]);
	return 0;
}

/* The length of the UTF-8 character at p; 0: invalid UTF-8, or a control character that terminals
 * obey. */
static size_t character(const uint8_t *p, size_t n)
{
	size_t len = *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;

	if (!len || len > n || (*p == 0xc2 && p[1] < 0xa0))
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/*
 * Names of commands, files and functions are untrusted: a terminal must not obey control characters
 * in them. Rewrites all control characters but our own sequences as \xNN, as buf_safe() does.
 */
static void make_harmless(struct out *o)
{
	struct buf text = {0};
	size_t n, len;

	for (size_t at = 0; at < o->buf.n; at += len) {
		const char *p = o->buf.at + at;
		uint8_t c = (uint8_t)*p;

		for (n = 0; at + n < o->buf.n; n++) {
			c = (uint8_t)p[n];
			if (c >= 0x7f || (c < 0x20 && c != '\n' && c != '\t'))
				break;
		}
		buf_add(&text, p, n);
		len = n;
		if (at + n == o->buf.n)
			continue;
		p += n;
		n = own_sequence(p, o->buf.n - at - len, !(at + len));
		if (!n && c >= 0x80)
			n = character((const uint8_t *)p, o->buf.n - at - len);
		if (n)
			buf_add(&text, p, n);
		else
			buf_printf(&text, "\\x%02x", c);
		len += n ? n : 1;
	}
	buf_release(&o->buf);
	o->buf = text;
}

bool out_flush(struct out *o)
{
	AUTO_BUF packed = {0};
	size_t done = 0;

	if (o->terminal)
		make_harmless(o);
	if (o->pack) {
		o->pack(o->pack_ctx, &o->buf, &packed);
		buf_clear(&o->buf);
		buf_add(&o->buf, packed.at, packed.n);
	}
	if (o->buf.n && !o->sent && !o->away) {
		__atomic_store_n(&o->sent, true, __ATOMIC_RELAXED);
		out_progress_end(o);
	}
	if (o->pager && !o->pager_pid && o->buf.n)
		start_pager(o);
	while (!o->failed && done < o->buf.n) {
		ssize_t n = write(o->fd, o->buf.at + done, o->buf.n - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			o->failed = errno;
	}
	buf_clear(&o->buf);
	return !o->failed;
}

bool out_take(struct out *o, struct buf *text)
{
	struct buf empty = o->buf;

	if (o->buf.n) {
		buf_add(&o->buf, text->at, text->n);
	} else {
		o->buf = *text;
		*text = empty;
	}
	buf_clear(text);
	return out_ready(o);
}

int out_end(struct out *o, struct err *err)
{
	out_flush(o);
	end_pager(o);
	if (!o->failed || o->failed == EPIPE)
		return 0;
	err_sys(err, o->failed, "cannot write the output");
	o->failed = EPIPE; /* reported once; nothing more is written */
	return -1;
}

void out_release(struct out *o)
{
	end_pager(o);
	buf_release(&o->buf);
}

void out_percent_colour(struct out *o, double percent)
{
	double size = percent < 0 ? -percent : percent;

	if (!o->colour)
		return;
	o->coloured = size > 0.5;
	if (o->coloured)
		buf_str(&o->buf, size >= 5 ? "\033[31m" : "\033[32m");
}

void out_normal(struct out *o)
{
	if (o->coloured)
		buf_str(&o->buf, "\033[m");
	o->coloured = false;
}
