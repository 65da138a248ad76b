// SPDX-License-Identifier: MIT
#include "os/machine/cgroup.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MOST 64

/* The hierarchy that perf events use: perf_event of version 1, else version 2, mounted alone or
 * beside version 1. */
static char *hierarchy(const char *sys_root)
{
	static const char *const places[] = {"perf_event", "unified", "."};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char *dir = mem_printf("%s/fs/cgroup/%s", sys_root, places[i]);
		AUTO_CHAR *mark = mem_printf("%s/cgroup.procs", dir);

		if (!access(mark, F_OK))
			return dir;
		free(dir);
	}
	return NULL;
}

int cgroup_open(const char *sys_root, const char *name)
{
	AUTO_CHAR *dir = hierarchy(sys_root);
	AUTO_CHAR *path = dir ? mem_printf("%s/%s", dir, name) : NULL;

	if (!dir) {
		errno = ENODEV;
		return -1;
	}
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The id in PERF_RECORD_CGROUP and samples is the directory's file handle. */
static uint64_t id_of(const char *dir)
{
	uint8_t room[sizeof(struct file_handle) + sizeof(uint64_t)] = {0};
	struct file_handle *h = (struct file_handle *)room;
	uint64_t id;
	int mount;

	h->handle_bytes = sizeof(id);
	if (name_to_handle_at(AT_FDCWD, dir, h, &mount, 0))
		return 0;
	memcpy(&id, room + sizeof(*h), sizeof(id));
	return id;
}

uint64_t cgroup_id(const char *sys_root, const char *name)
{
	AUTO_CHAR *dir = hierarchy(sys_root);
	AUTO_CHAR *path = dir ? mem_printf("%s/%s", dir, name) : NULL;

	if (dir)
		return id_of(path);
	errno = ENODEV;
	return 0;
}

static void walk(const char *dir, const char *path, int depth,
		 void (*take)(void *ctx, const char *path, uint64_t id), void *ctx)
{
	uint64_t id = id_of(dir);
	struct dirent *e;
	DIR *d;

	if (id)
		take(ctx, path, id);
	d = depth ? opendir(dir) : NULL;
	while (d && (e = readdir(d))) {
		AUTO_CHAR *below = NULL, *name = NULL;

		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		below = mem_printf("%s/%s", dir, e->d_name);
		name = mem_printf("%s/%s", path[1] ? path : "", e->d_name);
		walk(below, name, depth - 1, take, ctx);
	}
	if (d)
		closedir(d);
}

void cgroup_each(const char *sys_root, void (*take)(void *ctx, const char *path, uint64_t id),
		 void *ctx)
{
	AUTO_CHAR *dir = hierarchy(sys_root);

	if (dir)
		walk(dir, "/", DEPTH_MOST, take, ctx);
}
