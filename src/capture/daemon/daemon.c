// SPDX-License-Identifier: MIT
#include "capture/daemon/daemon.h"

#include "os/files/daemon_dir.h"
#include "os/process/background.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REQUEST_MOST 4096

static void log_line(const struct daemon *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void log_line(const struct daemon *d, const char *fmt, ...)
{
	AUTO_BUF line = {0};
	AUTO_CHAR *text = NULL;
	char when[32];
	struct timeval now;
	struct tm local;
	va_list args;

	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &local);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &local);
	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	buf_printf(&line, "[%s.%06lu] %s", when, (unsigned long)now.tv_usec, text ? text : "");
	buf_make_safe(&line, 0);
	buf_char(&line, '\n');
	(void)!write(d->log, line.at, line.n);
}

static int load_config(const struct daemon_options *o, struct daemon_config *out, struct err *err)
{
	struct config config = {0};
	int failed;

	if (o->config && access(o->config, R_OK))
		return err_sys(err, errno, "cannot read the configuration '%s'", o->config);
	failed = o->config ? config_read(&config, o->config, err) : config_load(&config, err);
	if (!failed)
		failed = daemon_config_take(out, &config, err);
	config_release(&config);
	return failed;
}

const char *daemon_base(const struct daemon_options *o, struct arena *arena, struct err *err)
{
	struct daemon_config config = {0};
	const char *base = NULL;

	if (o->base && !o->config)
		return o->base;
	if (!load_config(o, &config, err)) {
		base = o->base ? o->base : config.base ? arena_strdup(arena, config.base) : NULL;
		if (!base) {
			err_set(err, ERR_INPUT, "the base directory of the daemon is not set");
			err_hint(err, "'daemon.base' of the configuration or --base names it");
		}
	}
	daemon_config_release(&config);
	return base;
}

static void sessions_remove(struct daemon *d, size_t i)
{
	daemon_session_release(&d->sessions.at[i]);
	memmove(d->sessions.at + i, d->sessions.at + i + 1,
		(--d->sessions.n - i) * sizeof(*d->sessions.at));
}

static void say_end(const struct daemon *d, const struct daemon_session *s)
{
	AUTO_BUF text = {0};

	daemon_session_say_end(s, &text);
	log_line(d, "%s", buf_text(&text));
}

static void sessions_collect(struct daemon *d)
{
	for (size_t i = d->sessions.n; i-- > 0;) {
		if (!daemon_session_ended(&d->sessions.at[i]))
			continue;
		say_end(d, &d->sessions.at[i]);
		sessions_remove(d, i);
	}
}

static void sessions_end(struct daemon *d)
{
	for (size_t i = 0; i < d->sessions.n; i++)
		daemon_session_stop(&d->sessions.at[i]);
	for (; d->sessions.n; sessions_remove(d, 0)) {
		daemon_session_wait(&d->sessions.at[0]);
		say_end(d, &d->sessions.at[0]);
	}
}

static const struct daemon_wanted *wanted_find(const struct daemon_config *c, const char *name)
{
	for (size_t i = 0; i < c->sessions.n; i++)
		if (!strcmp(c->sessions.at[i].name, name))
			return &c->sessions.at[i];
	return NULL;
}

/* Its place among the sessions; their number when it does not run. */
static size_t session_place(const struct daemon *d, const char *name)
{
	size_t i = 0;

	while (i < d->sessions.n && strcmp(d->sessions.at[i].name, name))
		i++;
	return i;
}

/* Starts a session, which gets that place among the others. False: it did not start. */
static bool session_start(struct daemon *d, const struct daemon_wanted *w, size_t place)
{
	struct daemon_session s, *at;
	struct err err = {0};

	if (daemon_session_start(&s, d->base, w->name, w->run, &d->signals.before, &err)) {
		log_line(d, "session '%s' not started: %s", w->name, err.text);
		return false;
	}
	log_line(d, "reconfig: ruining session [%s:%d]: %s", s.name, (int)s.pid, s.run);
	vec_add(&d->sessions, s);
	at = &d->sessions.at[place];
	memmove(at + 1, at, (size_t)(vec_last(&d->sessions) - at) * sizeof(*at));
	*at = s;
	return true;
}

/* Ends sessions that are no longer configured or whose options changed; then starts those that do
 * not run, each behind the one before it in the configuration. */
static void reconfigure(struct daemon *d)
{
	struct daemon_config config = {0};
	struct err err = {0};
	char path[PATH_MAX];
	size_t place = 0;

	if (load_config(d->options, &config, &err)) {
		log_line(d, "reconfig: nothing is changed: %s", err.text);
		daemon_config_release(&config);
		return;
	}
	if (!d->options->base && config.base && realpath(config.base, path) &&
	    strcmp(path, d->path))
		log_line(d, "reconfig: the base stays '%s' as long as the daemon runs", d->path);
	sessions_collect(d);
	for (size_t i = d->sessions.n; i-- > 0;) {
		struct daemon_session *s = &d->sessions.at[i];
		const struct daemon_wanted *w = wanted_find(&config, s->name);

		if (w && !strcmp(w->run, s->run))
			continue;
		daemon_session_stop(s);
		daemon_session_wait(s);
		say_end(d, s);
		log_line(d, "reconfig: session '%s' killed", s->name);
		sessions_remove(d, i);
	}
	for (size_t i = 0; i < config.sessions.n; i++) {
		const size_t runs = session_place(d, config.sessions.at[i].name);

		if (runs < d->sessions.n)
			place = runs + 1;
		else
			place += session_start(d, &config.sessions.at[i], place);
	}
	daemon_config_release(&config);
}

/* Watches the file's folder: editors often replace a file instead of writing to it. */
static void watch_folder_of(const struct daemon *d, const char *file)
{
	char real[PATH_MAX], *slash;

	if (!realpath(file, real))
		snprintf(real, sizeof(real), "%s", file);
	slash = strrchr(real, '/');
	if (slash == real)
		slash[1] = 0;
	else if (slash)
		*slash = 0;
	inotify_add_watch(d->watch, slash ? real : ".", IN_CLOSE_WRITE | IN_MOVED_TO | IN_MASK_ADD);
}

static void watch_config(const struct daemon *d)
{
	const char *only = d->options->config ? d->options->config : getenv("PERF_CONFIG");
	AUTO_CHAR *user = config_user_path();

	if (only) {
		watch_folder_of(d, only);
		return;
	}
	watch_folder_of(d, CONFIG_SYSTEM_PATH);
	if (user)
		watch_folder_of(d, user);
}

/* True for the base name of a configuration file. */
static bool is_config_name(const struct daemon *d, const char *name)
{
	const char *only = d->options->config ? d->options->config : getenv("PERF_CONFIG");
	char real[PATH_MAX];
	const char *slash;

	if (!only)
		return !strcmp(name, "perfconfig") || !strcmp(name, ".perfconfig");
	if (realpath(only, real))
		only = real;
	slash = strrchr(only, '/');
	return !strcmp(name, slash ? slash + 1 : only);
}

static void take_changes(struct daemon *d)
{
	char bytes[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
	const ssize_t n = read(d->watch, bytes, sizeof(bytes));
	bool changed = false;

	for (ssize_t at = 0; at < n;) {
		const struct inotify_event *e = (const struct inotify_event *)(bytes + at);
		const char *name = e->len ? e->name : "";

		at += (ssize_t)(sizeof(*e) + e->len);
		if (e->mask & (IN_DELETE | IN_MOVED_FROM)) {
			if (e->wd != d->watched_base || strcmp(name, DAEMON_SOCKET))
				continue;
			log_line(d, "the socket is gone: nobody can call any more");
			d->ending = true;
		} else if (e->mask & IN_Q_OVERFLOW || is_config_name(d, name)) {
			changed = true;
		}
	}
	if (changed && !d->ending)
		reconfigure(d);
}

static void answer_send(int fd, bool done, const struct buf *text)
{
	AUTO_BUF all = {0};
	size_t at = 0;
	ssize_t n;

	buf_char(&all, done ? '0' : '1');
	buf_add(&all, text->at, text->n);
	while (at < all.n && (n = send(fd, all.at + at, all.n - at, MSG_NOSIGNAL)) > 0)
		at += (size_t)n;
}

static void take_call(struct daemon *d)
{
	AUTO_FD fd = daemon_dir_accept(d->listener);
	AUTO_BUF text = {0};
	char request[REQUEST_MOST], *verb = request, *argument = request;
	size_t n = 0;
	ssize_t got;
	bool done;

	if (fd < 0)
		return;
	while (n < sizeof(request) - 1 &&
	       (got = recv(fd, request + n, sizeof(request) - 1 - n, 0)) > 0)
		n += (size_t)got;
	request[n] = 0;
	strsep(&argument, "\n");
	if (!argument || !strchr(argument, '\n'))
		return;
	*strchr(argument, '\n') = 0;
	sessions_collect(d);
	done = daemon_reply(d, verb, argument, &text);
	if (!d->ending) {
		answer_send(fd, done, &text);
		return;
	}
	d->to_answer = fd;
	fd = -1;
}

static void serve(struct daemon *d)
{
	struct pollfd on[] = {{.fd = d->signals.fd, .events = POLLIN},
			      {.fd = d->listener, .events = POLLIN},
			      {.fd = d->watch, .events = POLLIN}};
	int sig;

	while (!d->ending) {
		if (poll(on, ARRAY_SIZE(on), -1) < 0 && errno != EINTR)
			break;
		while ((sig = signals_next(&d->signals)))
			d->ending |= sig != SIGCHLD;
		sessions_collect(d);
		if (on[1].revents && !d->ending)
			take_call(d);
		if (on[2].revents && !d->ending)
			take_changes(d);
	}
}

static int open_watch(struct daemon *d, struct err *err)
{
	d->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (d->watch < 0)
		return err_sys(err, errno, "cannot watch the configuration");
	d->watched_base =
		inotify_add_watch(d->watch, d->path, IN_DELETE | IN_MOVED_FROM | IN_MASK_ADD);
	watch_config(d);
	return 0;
}

static int open_all(struct daemon *d, struct err *err)
{
	static const int list[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
	struct daemon_config config = {0};
	struct arena arena = {0};
	const char *base = daemon_base(d->options, &arena, err);
	/* errors in the configuration are reported now; later they go only to the log */
	int failed = !base || load_config(d->options, &config, err);

	daemon_config_release(&config);
	if (!failed)
		d->base = daemon_dir_open(base, d->path, err);
	arena_release(&arena);
	if (failed || d->base < 0)
		return -1;
	d->lock = daemon_dir_lock(d->base, d->path, err);
	if (d->lock < 0)
		return -1;
	d->listener = daemon_dir_listen(d->base, err);
	if (d->listener < 0)
		return -1;
	d->log = d->options->foreground ? dup(STDOUT_FILENO)
					: daemon_dir_create(d->base, DAEMON_OUTPUT, err);
	if (d->log < 0 || open_watch(d, err))
		return -1;
	return signals_open(&d->signals, list, err);
}

static void close_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void daemon_close_all(struct daemon *d)
{
	struct buf nothing = {0};

	signals_close(&d->signals);
	close_open(d->watch);
	close_open(d->listener);
	close_open(d->log);
	close_open(d->lock);
	close_open(d->base);
	/* answers "stop" after the lock is free: the caller may start the next daemon at once */
	if (d->to_answer >= 0)
		answer_send(d->to_answer, true, &nothing);
	close_open(d->to_answer);
	vec_release(&d->sessions);
}

/* Runs the daemon until it ends. Closes ready when the sessions are started; -1: no process
 * waits. */
static void live(struct daemon *d, int ready)
{
	d->start = daemon_clock();
	daemon_dir_say_owner(d->lock, (int)getpid());
	log_line(d, "daemon started (pid %d)", (int)getpid());
	reconfigure(d);
	close_open(ready);
	serve(d);
	unlinkat(d->base, DAEMON_SOCKET, 0);
	sessions_end(d);
	log_line(d, "daemon exited");
	daemon_dir_say_owner(d->lock, 0);
}

int daemon_serve(const struct daemon_options *o, struct err *err)
{
	struct daemon d = {.options = o,
			   .base = -1,
			   .lock = -1,
			   .listener = -1,
			   .watch = -1,
			   .log = -1,
			   .to_answer = -1};
	int failed = open_all(&d, err), ready = -1;
	pid_t other = 0;

	if (!failed && !o->foreground)
		other = background_enter(d.log, &ready, err);
	if (other < 0)
		failed = -1;
	if (!failed && !other)
		live(&d, ready);
	else if (failed && d.listener >= 0)
		unlinkat(d.base, DAEMON_SOCKET, 0);
	daemon_close_all(&d);
	return failed;
}
