// SPDX-License-Identifier: MIT
#include "symbol/cache/instructions.h"

#include "base/hash.h"
#include "os/files/private_dir.h"
#include "symbol/cache/entry.h"

#include <stdio.h>
#include <unistd.h>

#define MAX_ENTRY (64u << 20) /* bytes */

static const struct cache_form form = {"PERFASM", 1};

/* True when the content is well-formed and its instructions have n bytes of code together. */
static bool is_whole(struct cursor content, size_t n)
{
	size_t code = 0;

	while (cursor_left(&content) && code < n) {
		const uint32_t size = cursor_u32(&content), length = cursor_u32(&content);

		if (!cursor_bytes(&content, length) || !size)
			return false;
		code += size;
	}
	return code == n && !cursor_left(&content) && !content.bad;
}

static void instructions_load(struct kept_instructions *k, size_t n)
{
	AUTO_CHAR *folder = cache_dir();
	int dir = folder ? private_dir_open(folder, false) : -1;

	if (dir < 0)
		return;
	k->found = !private_dir_read(dir, k->name, MAX_ENTRY, &k->bytes) &&
		   cache_entry_open(k->bytes.p, k->bytes.n, &form, &k->at) && is_whole(k->at, n);
	close(dir);
}

void kept_instructions_open(struct kept_instructions *k, const void *code, size_t n, uint64_t vaddr,
			    const char *machine, const char *dialect, uint64_t max)
{
	uint64_t hash = hash_bytes(code, n, vaddr);

	*k = (struct kept_instructions){.max = max};
	if (!max)
		return;
	hash = hash_bytes(machine, strlen(machine), hash);
	hash = hash_bytes(dialect, strlen(dialect), hash);
	snprintf(k->name, sizeof(k->name), "asm-%016llx", (unsigned long long)hash);
	instructions_load(k, n);
	if (!k->found)
		cache_entry_begin(&k->news, &form);
}

uint32_t kept_instructions_next(struct kept_instructions *k, struct buf *out)
{
	const uint32_t size = cursor_u32(&k->at), length = cursor_u32(&k->at);
	const char *text = cursor_bytes(&k->at, length);

	if (text)
		buf_add(out, text, length);
	return size;
}

void kept_instructions_add(struct kept_instructions *k, uint32_t size, const char *text, size_t n)
{
	if (!k->max || k->found)
		return;
	cache_put_u32(&k->news, size);
	cache_put_u32(&k->news, (uint32_t)n);
	buf_add(&k->news, text, n);
}

void kept_instructions_close(struct kept_instructions *k, bool whole)
{
	AUTO_CHAR *folder = k->news.n && whole ? cache_dir() : NULL;

	if (folder) {
		cache_entry_end(&k->news);
		private_dir_store(folder, k->name, k->news.at, k->news.n, k->max);
	}
	mapped_release(&k->bytes);
	buf_release(&k->news);
	*k = (struct kept_instructions){0};
}
