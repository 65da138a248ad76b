// SPDX-License-Identifier: MIT
#include "symbol/cache/markers.h"

#include "os/files/private_dir.h"
#include "symbol/cache/entry.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES (4u << 20)

static const struct cache_form form = {"PERFMRKS", 1};

struct marker_folder marker_folder_of(const char *name, const struct stat *st)
{
	return (struct marker_folder){.name = name,
				      .dev = st->st_dev,
				      .ino = st->st_ino,
				      .s = st->st_ctim.tv_sec,
				      .ns = (uint32_t)st->st_ctim.tv_nsec};
}

const struct marker_folder *marker_folders_find(const struct marker_folders *all,
						const struct marker_folder *now, size_t *from)
{
	const struct marker_folder *kept;

	while (*from < all->n && strcmp(all->at[*from].name, now->name) < 0)
		++*from;
	if (*from == all->n)
		return NULL;
	kept = &all->at[*from];
	return !strcmp(kept->name, now->name) && kept->dev == now->dev && kept->ino == now->ino &&
			       kept->s == now->s && kept->ns == now->ns
		       ? kept
		       : NULL;
}

bool marker_folder_settled(const struct marker_folder *folder, int64_t time)
{
	return folder->s < time - MARKERS_SETTLED;
}

static void file_name(const struct stat *store, char name[64])
{
	snprintf(name, 64, "markers-%llx-%llx", (unsigned long long)store->st_dev,
		 (unsigned long long)store->st_ino);
}

/* Reads a name; NULL: it is no file name. */
static const char *take_name(struct cursor *c, struct arena *arena)
{
	uint8_t n = cursor_u8(c);
	const char *p = cursor_bytes(c, n);

	return c->bad || !n || *p == '.' || memchr(p, '/', n) || memchr(p, 0, n)
		       ? NULL
		       : arena_strndup(arena, p, n);
}

static bool take_folder(struct cursor *c, struct arena *arena, struct marker_folder *f)
{
	const char *name;
	uint32_t n;

	f->name = take_name(c, arena);
	f->dev = cursor_u64(c);
	f->ino = cursor_u64(c);
	f->s = (int64_t)cursor_u64(c);
	f->ns = cursor_u32(c);
	n = cursor_u32(c);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		name = take_name(c, arena);
		if (!name)
			return false;
		vec_add(&f->look, name);
	}
	return f->name && !c->bad;
}

static bool markers_take(struct cursor *c, struct arena *arena, struct marker_folders *out)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct marker_folder f = {0};
		bool sound = take_folder(c, arena, &f);

		vec_add(out, f);
		if (!sound)
			return false;
	}
	return !c->bad;
}

void marker_folders_load(struct marker_folders *out, struct arena *arena, const char *dir,
			 const struct stat *store)
{
	int fd = private_dir_open(dir, false);
	struct mapped bytes = {0};
	struct cursor c;
	char name[64];

	*out = (struct marker_folders){0};
	if (fd < 0)
		return;
	file_name(store, name);
	if (!private_dir_read(fd, name, MAX_BYTES, &bytes) &&
	    !(cache_entry_open(bytes.p, bytes.n, &form, &c) && markers_take(&c, arena, out)))
		marker_folders_release(out);
	mapped_release(&bytes);
	close(fd);
}

static void markers_put_name(struct buf *b, const char *name)
{
	size_t n = strlen(name);
	uint8_t length = (uint8_t)MIN(n, 255);

	buf_add(b, &length, 1);
	buf_add(b, name, length);
}

void marker_folders_store(const struct marker_folders *all, const char *dir,
			  const struct stat *store, uint64_t max)
{
	AUTO_BUF bytes = {0};
	char name[64];

	cache_entry_begin(&bytes, &form);
	cache_put_u32(&bytes, (uint32_t)all->n);
	for (size_t i = 0; i < all->n; i++) {
		const struct marker_folder *f = &all->at[i];

		markers_put_name(&bytes, f->name);
		cache_put_u64(&bytes, f->dev);
		cache_put_u64(&bytes, f->ino);
		cache_put_u64(&bytes, (uint64_t)f->s);
		cache_put_u32(&bytes, f->ns);
		cache_put_u32(&bytes, (uint32_t)f->look.n);
		for (size_t j = 0; j < f->look.n; j++)
			markers_put_name(&bytes, f->look.at[j]);
	}
	cache_entry_end(&bytes);
	if (bytes.n > MIN(max, MAX_BYTES))
		return;
	file_name(store, name);
	private_dir_store(dir, name, bytes.at, bytes.n, max);
}

void marker_folders_release(struct marker_folders *all)
{
	for (size_t i = 0; i < all->n; i++)
		vec_release(&all->at[i].look);
	vec_release(all);
}
