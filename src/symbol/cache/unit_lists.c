// SPDX-License-Identifier: MIT
#include "symbol/cache/unit_lists.h"

#include "os/files/private_dir.h"
#include "symbol/cache/entry.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UNITS_FILE_MAX (16u << 20) /* bytes */

static const struct cache_form form = {"PERFUNIT", 1};

static void unit_lists_name(const struct unit_lists_key *key, char name[64])
{
	char id[41];

	build_id_text(&key->build_id, id);
	snprintf(name, 64, "units-%s", id);
}

static bool unit_list_take(struct cursor *c, struct arena *arena, struct unit_list *out)
{
	const uint32_t length = cursor_u32(c);
	const void *question = cursor_bytes(c, length);
	uint64_t *units;

	out->n = cursor_u32(c);
	if (c->bad || !length || length > UNIT_QUESTION_MAX || out->n > UNIT_LIST_MAX ||
	    cursor_left(c) < out->n * sizeof(*units))
		return false;
	out->question = arena_strndup(arena, question, length);
	out->units = units = arena_alloc(arena, MAX(out->n, 1) * sizeof(*units));
	for (size_t i = 0; i < out->n; i++)
		units[i] = cursor_u64(c);
	return true;
}

static bool unit_lists_take(struct unit_lists *l, struct cursor *c,
			    const struct unit_lists_key *key)
{
	const uint32_t size = cursor_u32(c);
	const void *id = cursor_bytes(c, sizeof(key->build_id.bytes));
	const uint64_t identity = cursor_u64(c);
	const uint32_t n = cursor_u32(c);

	if (c->bad || size != key->build_id.size || memcmp(id, key->build_id.bytes, size) ||
	    identity != key->identity || n > UNIT_LISTS_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct unit_list list;

		if (!unit_list_take(c, &l->arena, &list))
			return false;
		vec_add(l, list);
	}
	return true;
}

void unit_lists_load(struct unit_lists *l, const char *dir, const struct unit_lists_key *key)
{
	const int fd = key->build_id.size ? private_dir_open(dir, false) : -1;
	struct mapped bytes = {0};
	struct cursor c;
	char name[64];

	*l = (struct unit_lists){0};
	if (fd < 0)
		return;
	unit_lists_name(key, name);
	if (!private_dir_read(fd, name, UNITS_FILE_MAX, &bytes) &&
	    !(cache_entry_open(bytes.p, bytes.n, &form, &c) && unit_lists_take(l, &c, key)))
		unit_lists_release(l);
	mapped_release(&bytes);
	close(fd);
}

void unit_lists_release(struct unit_lists *l)
{
	vec_release(l);
	arena_release(&l->arena);
	*l = (struct unit_lists){0};
}

const struct unit_list *unit_lists_find(const struct unit_lists *l, const char *question)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->at[i].question, question))
			return &l->at[i];
	return NULL;
}

void unit_lists_add(struct unit_lists *l, const char *question, const uint64_t *units, size_t n)
{
	const size_t length = strlen(question);
	uint64_t *copy;

	if (!length || length > UNIT_QUESTION_MAX || n > UNIT_LIST_MAX ||
	    unit_lists_find(l, question))
		return;
	copy = arena_alloc(&l->arena, MAX(n, 1) * sizeof(*copy));
	if (n)
		memcpy(copy, units, n * sizeof(*copy));
	vec_add(l, (struct unit_list){0});
	memmove(l->at + 1, l->at, (l->n - 1) * sizeof(*l->at));
	l->at[0] = (struct unit_list){arena_strdup(&l->arena, question), copy, n};
	if (l->n > UNIT_LISTS_MAX)
		l->n = UNIT_LISTS_MAX;
}

static void unit_list_put(const struct unit_list *list, struct buf *out)
{
	const size_t length = strlen(list->question);

	cache_put_u32(out, (uint32_t)length);
	buf_add(out, list->question, length);
	cache_put_u32(out, (uint32_t)list->n);
	for (size_t i = 0; i < list->n; i++)
		cache_put_u64(out, list->units[i]);
}

void unit_lists_store(const struct unit_lists *l, const char *dir, const struct unit_lists_key *key,
		      uint64_t max)
{
	AUTO_BUF bytes = {0};
	size_t n = 0, room = 0;
	char name[64];

	if (!key->build_id.size)
		return;
	for (; n < l->n; n++) {
		room += 8 + strlen(l->at[n].question) + l->at[n].n * 8;
		if (room > MIN(max, UNITS_FILE_MAX) / 2)
			break;
	}
	cache_entry_begin(&bytes, &form);
	cache_put_u32(&bytes, key->build_id.size);
	buf_add(&bytes, key->build_id.bytes, sizeof(key->build_id.bytes));
	cache_put_u64(&bytes, key->identity);
	cache_put_u32(&bytes, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		unit_list_put(&l->at[i], &bytes);
	cache_entry_end(&bytes);
	unit_lists_name(key, name);
	private_dir_store(dir, name, bytes.at, bytes.n, max);
}
