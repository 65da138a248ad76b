// SPDX-License-Identifier: MIT
#include "symbol/store/store_entry.h"

#include "base/mem.h"
#include "os/files/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEX "0123456789abcdef"

bool store_id_of_names(const char *first, const char *rest, char id[41])
{
	const size_t n = strlen(rest);

	if (strlen(first) != 2 || !n || n > 38 || n % 2 || strspn(first, HEX) != 2 ||
	    strspn(rest, HEX) != n)
		return false;
	snprintf(id, 41, "%s%s", first, rest);
	return true;
}

void store_link_name(const char *id, char name[STORE_LINK_MAX])
{
	snprintf(name, STORE_LINK_MAX, ".build-id/%.2s/%.38s", id, strlen(id) > 2 ? id + 2 : "");
}

int store_open(const char *dir)
{
	return open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* The PATH of a link target "../../PATH/ID"; NULL when it has another form. */
static const char *path_of_target(char *target, const char *id)
{
	char *end = strrchr(target, '/');

	if (strncmp(target, "../../", 6) || !end || strcmp(end + 1, id) || end <= target + 6 ||
	    target[6] == '/')
		return NULL;
	*end = 0;
	/* "[kernel.kallsyms]" has no leading slash */
	return !beneath_is_plain(target + 6) ? NULL : target[6] == '[' ? target + 6 : target + 5;
}

static enum store_link store_entry_follow(int store, char *target, const char *id,
					  char path[PATH_MAX])
{
	char entry[PATH_MAX];
	const char *named = path_of_target(target, id);

	if (!named || snprintf(entry, sizeof(entry), "%s/%s", named, id) >= (int)sizeof(entry))
		return STORE_REFUSED;
	AUTO_FD fd = beneath_open(store, entry, O_PATH);

	if (fd < 0)
		return errno == ENOENT ? STORE_NOTHING : STORE_REFUSED;
	snprintf(path, PATH_MAX, "%s", named);
	return STORE_ENTRY;
}

enum store_link store_link_read(int store, const char *id, char path[PATH_MAX])
{
	char name[STORE_LINK_MAX], target[PATH_MAX];
	ssize_t n;

	store_link_name(id, name);
	name[strlen(".build-id/xx")] = 0;
	AUTO_FD folder = beneath_open(store, name, O_PATH | O_DIRECTORY);

	if (folder < 0)
		return errno == ENOENT ? STORE_NOTHING : STORE_REFUSED;
	store_link_name(id, name);
	n = readlinkat(folder, name + strlen(".build-id/xx/"), target, sizeof(target) - 1);
	if (n < 0)
		return errno == EINVAL ? STORE_ITSELF : STORE_NOTHING;
	target[n] = 0;
	return store_entry_follow(store, target, id, path);
}

static bool may_read(int store, const char *path)
{
	AUTO_FD fd = beneath_open(store, path, O_PATH);

	return fd >= 0 || errno != ELOOP;
}

bool store_may_read(const char *dir, const char *id, const char *suffix)
{
	AUTO_FD store = store_open(dir);
	char path[PATH_MAX], name[STORE_LINK_MAX];
	AUTO_CHAR *file = NULL;

	if (store < 0)
		return true;
	switch (store_link_read(store, id, path)) {
	case STORE_NOTHING:
		return true;
	case STORE_ENTRY:
		file = mem_printf("%s/%s%s", path, id, suffix);
		return may_read(store, file);
	case STORE_ITSELF:
		store_link_name(id, name);
		file = mem_printf("%s%s", name, suffix);
		return may_read(store, file);
	case STORE_REFUSED:
		break;
	}
	return false;
}

bool store_may_read_path(const char *dir, const char *path)
{
	AUTO_FD store = store_open(dir);

	return store < 0 || may_read(store, path);
}
