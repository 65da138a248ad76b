// SPDX-License-Identifier: MIT
#include "os/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_FILE (64u << 20) /* no file of tracefs that we read is near it */

/* As open() will see it: access() knows nothing of capabilities. */
static bool there(const char *path)
{
	return !faccessat(AT_FDCWD, path, F_OK, AT_EACCESS);
}

const char *tracefs_find(const char *debugfs, struct arena *arena)
{
	static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
					     "/tracing", "/trace"};
	char path[PATH_MAX];

	if (!debugfs)
		debugfs = getenv("PERF_DEBUGFS_DIR");
	if (debugfs && *debugfs) {
		const char *root = arena_printf(arena, "%s/tracing", debugfs);

		snprintf(path, sizeof(path), "%s/events", root);
		if (there(path))
			return root;
	}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), "%s/events", places[i]);
		if (there(path))
			return places[i];
	}
	return NULL;
}

static int refused(struct err *err, int sys, const char *root, const char *name)
{
	char events[PATH_MAX];

	err_sys(err, sys, "cannot read '%s/%s'", root, name);
	snprintf(events, sizeof(events), "%s/events", root);
	if (sys == ENOENT && !there(events)) {
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

int tracefs_systems(const char *root, bool sorted, struct arena *arena, struct names *out,
		    struct err *err)
{
	if (text_names(root, "events", sorted, true, arena, out))
		return refused(err, errno, root, "events");
	return 0;
}

int tracefs_events(const char *root, const char *system, bool sorted, struct arena *arena,
		   struct names *out, struct err *err)
{
	char name[NAME_MAX + 16];

	snprintf(name, sizeof(name), "events/%s", system);
	if (text_names(root, name, sorted, true, arena, out))
		return refused(err, errno, root, name);
	return 0;
}

int tracefs_format(const char *root, const char *system, const char *event, struct buf *out,
		   struct err *err)
{
	char name[2 * NAME_MAX + 32];

	snprintf(name, sizeof(name), "events/%s/%s/format", system, event);
	if (text_read(root, name, MAX_FILE, out))
		return refused(err, errno, root, name);
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
	if (line)
		*id = strtoull(line, NULL, 10);
	else
		ret = refused(err, errno, root, name);
	arena_release(&arena);
	return ret;
}

int tracefs_read(const char *root, const char *name, struct buf *out)
{
	return text_read(root, name, MAX_FILE, out);
}
