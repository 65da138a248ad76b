// SPDX-License-Identifier: MIT
/* Where entries of the cache of lines lie, and how they get there. */
#include "os/files.h"
#include "os/private_dir.h"
#include "symbol/lines/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_ENTRY (64u << 20) /* bytes */

char *line_cache_dir(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	/* XDG Base Directory Specification: what isn't absolute is to be ignored */
	if (cache && *cache == '/')
		return mem_printf("%s/perf/lines", cache);
	return home && *home == '/' ? mem_printf("%s/.cache/perf/lines", home) : NULL;
}

static bool load_from(struct line_cache *c, int dir, const struct line_cache_key *key)
{
	struct mapped bytes;
	char name[41];

	build_id_text(&key->build_id, name);
	return !private_dir_read(dir, name, MAX_ENTRY, &bytes) && line_cache_take(c, bytes, key);
}

bool line_cache_load(struct line_cache *c, const char *dir, const struct line_cache_key *key)
{
	int fd = private_dir_open(dir, false);
	bool loaded;

	*c = (struct line_cache){0};
	if (fd < 0)
		return false;
	loaded = load_from(c, fd, key);
	close(fd);
	return loaded;
}

void line_cache_store(const char *dir, const struct line_cache_key *key,
		      struct line_cache_news *news, uint64_t max)
{
	int fd = private_dir_open(dir, true);
	struct line_cache present = {0};
	AUTO_BUF bytes = {0};
	char name[41];

	if (fd < 0)
		return;
	load_from(&present, fd, key);
	build_id_text(&key->build_id, name);
	if (line_cache_bytes(&present, news, key, &bytes) && bytes.n <= MIN(max, MAX_ENTRY) &&
	    !private_dir_replace(fd, name, bytes.at, bytes.n))
		private_dir_trim(fd, max);
	line_cache_release(&present);
	close(fd);
}

int line_cache_purge(struct err *err)
{
	AUTO_CHAR *dir = line_cache_dir();

	if (dir && files_remove_tree(dir) && errno != ENOENT)
		return err_sys(err, errno, "cannot remove '%s'", dir);
	return 0;
}
