// SPDX-License-Identifier: MIT
/* A daemon's answers, and the caller's side. */
#include "capture/daemon/daemon.h"
#include "os/files/daemon_dir.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MOST (1 << 20) /* bytes */

static unsigned long minutes_since(time_t start)
{
	return (unsigned long)(daemon_clock() - start) / 60;
}

static void list_separated(const struct daemon *d, const char *sep, struct buf *out)
{
	buf_printf(out, "%d%sdaemon%s%s%s%s/" DAEMON_OUTPUT "%s%s/" DAEMON_LOCK "%s%lu\n",
		   (int)getpid(), sep, sep, d->path, sep, d->path, sep, d->path, sep,
		   minutes_since(d->start));
	for (size_t i = 0; i < d->sessions.n; i++) {
		const struct daemon_session *s = &d->sessions.at[i];

		buf_printf(out, "%d%s%s%s%s", (int)s->pid, sep, s->name, sep, s->run);
		buf_printf(out, "%s%s/session-%s", sep, d->path, s->name);
		buf_printf(out, "%s%s/session-%s/output", sep, d->path, s->name);
		buf_printf(out, "%s%s/session-%s/control", sep, d->path, s->name);
		buf_printf(out, "%s%s/session-%s/ack", sep, d->path, s->name);
		buf_printf(out, "%s%lu\n", sep, minutes_since(s->start));
	}
}

static void list_lines(const struct daemon *d, bool verbose, struct buf *out)
{
	buf_printf(out, "[%d:daemon] base: %s\n", (int)getpid(), d->path);
	if (verbose) {
		buf_printf(out, "  output:  %s/" DAEMON_OUTPUT "\n", d->path);
		buf_printf(out, "  lock:    %s/" DAEMON_LOCK "\n", d->path);
		buf_printf(out, "  up:      %lu minutes\n", minutes_since(d->start));
	}
	for (size_t i = 0; i < d->sessions.n; i++) {
		const struct daemon_session *s = &d->sessions.at[i];

		buf_printf(out, "[%d:%s] perf record %s\n", (int)s->pid, s->name, s->run);
		if (!verbose)
			continue;
		buf_printf(out, "  base:    %s/session-%s\n", d->path, s->name);
		buf_printf(out, "  output:  %s/session-%s/output\n", d->path, s->name);
		buf_printf(out, "  control: %s/session-%s/control\n", d->path, s->name);
		buf_printf(out, "  ack:     %s/session-%s/ack\n", d->path, s->name);
		buf_printf(out, "  up:      %lu minutes\n", minutes_since(s->start));
	}
}

static bool session_ping(const struct daemon_session *s, struct buf *out)
{
	const bool answers = daemon_session_ping(s);

	buf_printf(out, "%-4s %s\n", answers ? "OK" : "FAIL", s->name);
	return answers;
}

static bool session_signal(const struct daemon_session *s, struct buf *out)
{
	if (kill(s->pid, SIGUSR2)) {
		buf_printf(out, "session '%s' got no signal: %s\n", s->name, strerror(errno));
		return false;
	}
	buf_printf(out, "signal %d sent to session '%s [%d]'\n", SIGUSR2, s->name, (int)s->pid);
	return true;
}

/* Signals or pings the session of that name, or all with "". */
static bool each_session(const struct daemon *d, const char *name, bool ping, struct buf *out)
{
	bool all = true, any = false;

	for (size_t i = 0; i < d->sessions.n; i++) {
		const struct daemon_session *s = &d->sessions.at[i];

		if (!s->pid || (*name && strcmp(name, s->name)))
			continue;
		any = true;
		all &= ping ? session_ping(s, out) : session_signal(s, out);
	}
	if (*name && !any)
		buf_printf(out, ping ? "FAIL %s (not found)\n" : "session '%s' not found\n", name);
	return all && (any || !*name);
}

bool daemon_reply(struct daemon *d, const char *verb, const char *argument, struct buf *out)
{
	if (!strcmp(verb, "list")) {
		if (*argument == ',')
			list_separated(d, argument + 1, out);
		else
			list_lines(d, *argument == 'v', out);
		return true;
	}
	if (!strcmp(verb, "ping") || !strcmp(verb, "signal"))
		return each_session(d, argument, *verb == 'p', out);
	if (!strcmp(verb, "stop")) {
		d->ending = true;
		return true;
	}
	buf_str(out, "the daemon doesn't know this word\n");
	return false;
}

static int call_send(int fd, const char *verb, const char *argument, struct err *err)
{
	AUTO_BUF request = {0};

	buf_printf(&request, "%s\n%s\n", verb, argument);
	if (send(fd, request.at, request.n, MSG_NOSIGNAL) != (ssize_t)request.n ||
	    shutdown(fd, SHUT_WR))
		return err_sys(err, errno, "cannot talk to the daemon");
	return 0;
}

static int call_receive(int fd, struct buf *out, struct err *err)
{
	ssize_t n;

	do {
		buf_reserve(out, 4096);
		n = recv(fd, out->at + out->n, 4096, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, errno, "the daemon does not answer");
		out->n += (size_t)n;
	} while (n && out->n < ANSWER_MOST);
	return out->n ? 0 : err_set(err, ERR_INPUT, "the daemon does not answer");
}

int daemon_call(const char *base, const char *verb, const char *argument, struct buf *answer,
		struct err *err)
{
	char path[PATH_MAX];
	AUTO_BUF text = {0};
	AUTO_FD dir = daemon_dir_open(base, path, err);
	AUTO_FD fd = dir < 0 ? -1 : daemon_dir_connect(dir, path, err);

	if (fd < 0 || call_send(fd, verb, argument, err) || call_receive(fd, &text, err))
		return -1;
	buf_make_lines_safe(&text, 0);
	buf_add(answer, text.at + 1, text.n - 1);
	return text.at[0] != '0';
}
