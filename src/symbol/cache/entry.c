// SPDX-License-Identifier: MIT
#include "symbol/cache/entry.h"

#include "base/hash.h"
#include "os/files/files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define CHECKED_FROM 16 /* magic and checksum come before */

struct cursor cache_cursor(const void *p, size_t n)
{
	return cursor_over(p, n, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

bool cache_entry_open(const void *p, size_t n, const struct cache_form *form,
		      struct cursor *content)
{
	const void *magic;
	uint64_t sum;

	*content = cache_cursor(p, n);
	magic = cursor_bytes(content, 8);
	sum = cursor_u64(content);
	return n >= CACHE_FRAME && !memcmp(magic, form->magic, 8) &&
	       sum == hash_bytes((const uint8_t *)p + CHECKED_FROM, n - CHECKED_FROM, 0) &&
	       cursor_u32(content) == form->version;
}

void cache_put_u32(struct buf *b, uint32_t v)
{
	uint8_t p[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};

	buf_add(b, p, sizeof(p));
}

void cache_put_u64(struct buf *b, uint64_t v)
{
	cache_put_u32(b, (uint32_t)v);
	cache_put_u32(b, (uint32_t)(v >> 32));
}

void cache_entry_begin(struct buf *b, const struct cache_form *form)
{
	buf_add(b, form->magic, 8);
	cache_put_u64(b, 0);
	cache_put_u32(b, form->version);
}

void cache_entry_end(struct buf *b)
{
	uint64_t sum = hash_bytes(b->at + CHECKED_FROM, b->n - CHECKED_FROM, 0);

	for (int i = 0; i < 8; i++)
		b->at[8 + i] = (char)(sum >> (8 * i));
}

char *cache_dir(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct stat st;

	/* XDG Base Directory Specification: paths that aren't absolute are to be ignored */
	if (cache && *cache == '/')
		return mem_printf("%s/perf/lines", cache);
	if (!home || *home != '/' || stat(home, &st))
		return NULL;
	return mem_printf("%s/.cache/perf/lines", home);
}

int cache_purge(struct err *err)
{
	AUTO_CHAR *dir = cache_dir();

	if (dir && files_remove_tree(dir) && errno != ENOENT)
		return err_sys(err, errno, "cannot remove '%s'", dir);
	return 0;
}
