// SPDX-License-Identifier: MIT
#include "os/tracing/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAX_FILE (64u << 20) /* no file of tracefs that we read is near it */

/* Checks as open() does (AT_EACCESS): access() ignores effective ids and capabilities. */
static bool has_events(const char *root)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events", root);
	return !faccessat(AT_FDCWD, path, F_OK, AT_EACCESS);
}

bool tracefs_is_mounted(const char *dir)
{
	struct statfs at;

	return !statfs(dir, &at) && at.f_type == TRACEFS_MAGIC;
}

const char *tracefs_find(const char *debugfs, struct arena *arena)
{
	static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
					     "/tracing", "/trace"};

	if (!debugfs)
		debugfs = getenv("PERF_DEBUGFS_DIR");
	if (debugfs && *debugfs) {
		const char *root = arena_printf(arena, "%s/tracing", debugfs);

		if (has_events(root))
			return root;
	}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (has_events(places[i]))
			return places[i];
	return NULL;
}

/* Mounts tracefs, as perf does, when a file was missing because tracefs is not mounted in its usual
 * place. False leaves errno unchanged. */
static bool mounted_now(const char *root)
{
	int missed = errno;

	if (missed == ENOENT && !strcmp(root, TRACEFS_USUAL) && !has_events(root)) {
		/* it may fail because another perf has just done it */
		mount("tracefs", root, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
		if (has_events(root))
			return true;
	}
	errno = missed;
	return false;
}

static int tracefs_refused(struct err *err, int sys, const char *root, const char *name)
{
	err_sys(err, sys, "cannot read '%s/%s'", root, name);
	if (sys == ENOENT && !has_events(root)) {
		err_hint(err, "mount it: mount -t tracefs tracefs %s", root);
	} else if (sys == EACCES || sys == EPERM) {
		if (err)
			err->code = ERR_RIGHTS;
		err_hint(err,
			 "tracepoints can be read by root, or by all after\n"
			 "  sudo mount -o remount,mode=755 %s",
			 root);
	}
	return -1;
}

static int read_names(const char *root, const char *name, bool sorted, struct arena *arena,
		      struct names *out, struct err *err)
{
	int got = text_names(root, name, sorted, true, arena, out);

	if (got && mounted_now(root))
		got = text_names(root, name, sorted, true, arena, out);
	return got ? tracefs_refused(err, errno, root, name) : 0;
}

int tracefs_systems(const char *root, bool sorted, struct arena *arena, struct names *out,
		    struct err *err)
{
	return read_names(root, "events", sorted, arena, out, err);
}

int tracefs_events(const char *root, const char *system, bool sorted, struct arena *arena,
		   struct names *out, struct err *err)
{
	char name[NAME_MAX + 16];

	snprintf(name, sizeof(name), "events/%s", system);
	return read_names(root, name, sorted, arena, out, err);
}

int tracefs_format(const char *root, const char *system, const char *event, struct buf *out,
		   struct err *err)
{
	char name[2 * NAME_MAX + 32];

	snprintf(name, sizeof(name), "events/%s/%s/format", system, event);
	if (tracefs_read(root, name, out))
		return tracefs_refused(err, errno, root, name);
	return 0;
}

int tracefs_id(const char *root, const char *system, const char *event, uint64_t *id,
	       struct err *err)
{
	char name[2 * NAME_MAX + 32];
	struct arena arena = {0};
	const char *line;
	int ret = 0;

	snprintf(name, sizeof(name), "events/%s/%s/id", system, event);
	line = text_line(root, name, &arena);
	if (!line && mounted_now(root))
		line = text_line(root, name, &arena);
	if (line)
		*id = strtoull(line, NULL, 10);
	else
		ret = tracefs_refused(err, errno, root, name);
	arena_release(&arena);
	return ret;
}

int tracefs_read(const char *root, const char *name, struct buf *out)
{
	int got = text_read(root, name, MAX_FILE, out);

	return got && mounted_now(root) ? text_read(root, name, MAX_FILE, out) : got;
}
