// SPDX-License-Identifier: MIT
/* Reads and writes the entries of the lines cache in its folder. */
#include "os/files/private_dir.h"
#include "symbol/lines/cache.h"

#include <unistd.h>

#define MAX_ENTRY (64u << 20) /* bytes */

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
