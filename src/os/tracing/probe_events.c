// SPDX-License-Identifier: MIT
#include "os/tracing/probe_events.h"

#include "os/tracing/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *probe_events_file_of(enum probe_events which)
{
	return which == PROBES_OF_KERNEL ? "kprobe_events" : "uprobe_events";
}

static int probe_events_refused(struct err *err, int sys, const char *root, enum probe_events which)
{
	struct stat st;
	AUTO_CHAR *events = mem_printf("%s/events", root);

	if (sys == ENOENT && !stat(events, &st)) {
		err_set(err, ERR_UNSUPPORTED, "this kernel has no probes in %s",
			which == PROBES_OF_KERNEL ? "itself" : "programs");
		return err_hint(err, "it was built without %s",
				which == PROBES_OF_KERNEL ? "CONFIG_KPROBE_EVENTS"
							  : "CONFIG_UPROBE_EVENTS");
	}
	err_sys(err, sys, "cannot open '%s/%s'", root, probe_events_file_of(which));
	if (sys == EACCES || sys == EPERM) {
		if (err)
			err->code = ERR_RIGHTS;
		return err_hint(err, "only root may make and remove probes");
	}
	return sys == ENOENT ? err_hint(err, "mount it: mount -t tracefs tracefs %s", root) : -1;
}

int probe_events_read(const char *root, enum probe_events which, struct buf *out, struct err *err)
{
	if (!tracefs_read(root, probe_events_file_of(which), out))
		return 0;
	if (errno == ENOENT) {
		struct stat st;
		AUTO_CHAR *events = mem_printf("%s/events", root);

		if (!stat(events, &st))
			return 0;
	}
	return probe_events_refused(err, errno, root, which);
}

int probe_events_open(const char *root, enum probe_events which, struct err *err)
{
	AUTO_CHAR *path = mem_printf("%s/%s", root, probe_events_file_of(which));
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	return fd < 0 ? probe_events_refused(err, errno, root, which) : fd;
}

bool probe_events_may_write(const char *root, enum probe_events which, struct err *err)
{
	int fd = probe_events_open(root, which, err);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The last message of error_log, when it is of that line: "[ 12.345] trace_uprobe: error: Invalid
 * type", below it "  Command: " and the line. NULL: there is none. */
static const char *kernel_words(struct buf *log, const char *line)
{
	char *text = (char *)buf_text(log), *last = NULL, *end, *command;

	for (char *at = text; (at = strstr(at, ": error: "));)
		last = at += strlen(": error: ");
	if (!last)
		return NULL;
	end = strchr(last, '\n');
	command = end ? strstr(end, "Command: ") : NULL;
	/* the event's name is enough */
	if (!command || strncmp(command + strlen("Command: "), line, strcspn(line, " ")) != 0)
		return NULL;
	*end = 0;
	return last;
}

int probe_events_write(const char *root, int fd, const char *line, struct err *err)
{
	AUTO_BUF log = {0};
	const char *words;
	int sys;

	if (write(fd, line, strlen(line)) == (ssize_t)strlen(line))
		return 0;
	sys = errno;
	tracefs_read(root, "error_log", &log);
	words = kernel_words(&log, line);
	if (words)
		err_set(err, ERR_INPUT, "the kernel refuses '%s': %s", line, words);
	else
		err_sys(err, sys, "the kernel refuses '%s'", line);
	if (sys == EILSEQ)
		return err_hint(err, "no instruction begins there");
	if (words && !strcmp(words, "Failed to register probe event"))
		return err_hint(
			err, "the kernel takes no probes there: it is code that probes themselves "
			     "need, or no code");
	return -1;
}

#define TRIES	 100
#define PAUSE_NS 10000000 /* between tries */

int probe_events_remove(const char *root, int fd, const char *name, struct err *err)
{
	static const struct timespec pause = {.tv_nsec = PAUSE_NS};
	AUTO_CHAR *line = mem_printf("-:%s", name);
	struct err why;
	int failed = -1;

	for (int i = 0; i < TRIES; i++) {
		why = (struct err){0};
		failed = probe_events_write(root, fd, line, &why);
		if (!failed || why.sys != EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
	if (failed && why.sys == EBUSY)
		err_hint(&why, "somebody records it");
	if (failed && err)
		*err = why;
	return failed;
}

bool probe_events_can_share(const char *root)
{
	AUTO_BUF text = {0};

	return !tracefs_read(root, "README", &text) && strstr(buf_text(&text), "Create/append/");
}
