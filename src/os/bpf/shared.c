// SPDX-License-Identifier: MIT
#include "os/bpf/shared.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define EVENTS_MOST 256 /* in one table */

struct value {
	uint32_t array_id;
	uint32_t unused[3];
};

static int explain(struct err *err, int sys, const char *path)
{
	err_sys(err, sys, "cannot share counters through '%s'", path);
	if (sys == EPERM)
		return bpf_allowed()
			       ? err_hint(err, "It must lie in a BPF file system: mount -t bpf bpf "
					       "/sys/fs/bpf")
			       : err_hint(err, "This needs root, or the capabilities CAP_BPF and "
					       "CAP_PERFMON.");
	if (sys == ENOENT || sys == EINVAL || sys == EACCES)
		return err_hint(
			err, "--bpf-attr-map names a file in a BPF file system (mount -t bpf bpf "
			     "/sys/fs/bpf).");
	return -1;
}

static bool is_table(int fd)
{
	struct bpf_map_info info;

	return !bpf_map_about(fd, &info) && info.type == BPF_MAP_TYPE_HASH &&
	       info.key_size == SHARED_EVENT_KEY && info.value_size == sizeof(struct value);
}

static int open_table(const char *path)
{
	int fd = bpf_pinned(path), got;

	if (fd != -ENOENT)
		return fd;
	fd = bpf_table_new("perf_attr_map", SHARED_EVENT_KEY, sizeof(struct value), EVENTS_MOST);
	if (fd < 0)
		return fd;
	got = bpf_pin(fd, path);
	if (!got)
		return fd;
	close(fd);
	/* Another process has pinned its table first. */
	return got == -EEXIST ? bpf_pinned(path) : got;
}

/* A descriptor of the array that the table has for an event; -ENOENT: none, or it is gone. */
static int find(int table, const void *attr)
{
	struct bpf_map_info info;
	struct value v;
	int fd;

	if (bpf_map_read(table, attr, &v))
		return -ENOENT;
	fd = bpf_map_by_id(v.array_id);
	if (fd < 0)
		return -ENOENT;
	if (!bpf_map_about(fd, &info) && info.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
	    info.id == v.array_id && !strcmp(info.name, BPF_EVENTS_NAME))
		return fd;
	close(fd);
	return -ENOENT;
}

/* Removes the events whose array is gone: no process counts with them any more. */
static void clean(int table)
{
	char key[SHARED_EVENT_KEY], next[SHARED_EVENT_KEY];
	bool first = true;

	while (!bpf_map_next(table, first ? NULL : key, next)) {
		int fd = find(table, next);

		if (fd < 0) {
			bpf_map_remove(table, next);
			first = true; /* the order may have changed */
			continue;
		}
		close(fd);
		memcpy(key, next, sizeof(key));
		first = false;
	}
}

static int make(int table, const void *attr, int (*open)(void *ctx, int events), void *ctx)
{
	struct value v = {0};
	struct bpf_map_info info;
	int fd = bpf_events_new(), got;

	if (fd < 0)
		return fd;
	got = open(ctx, fd);
	if (!got)
		got = bpf_map_about(fd, &info);
	if (!got) {
		v.array_id = info.id;
		got = bpf_map_write(table, attr, &v);
		if (got == -E2BIG) {
			clean(table);
			got = bpf_map_write(table, attr, &v);
		}
	}
	if (!got)
		return fd;
	close(fd);
	return got;
}

int shared_events_get(const char *path, const void *attr, int (*open)(void *ctx, int events),
		      void *ctx, struct err *err)
{
	AUTO_FD table = -1;
	int fd;

	path = path ? path : SHARED_EVENTS_USUAL;
	table = open_table(path);
	if (table < 0)
		return explain(err, -table, path);
	if (!is_table(table)) {
		err_set(err, ERR_SYSTEM, "'%s' belongs to another program", path);
		return err_hint(err,
				"--bpf-attr-map names another file, which those who are to share "
				"counters have in common.");
	}
	if (flock(table, LOCK_EX))
		return explain(err, errno, path);
	fd = find(table, attr);
	if (fd < 0)
		fd = make(table, attr, open, ctx);
	flock(table, LOCK_UN);
	return fd < 0 ? explain(err, -fd, path) : fd;
}
