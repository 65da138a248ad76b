// SPDX-License-Identifier: MIT
#include "symbol/cache/covered.h"

#include "os/files/private_dir.h"
#include "symbol/cache/entry.h"

#include <stdio.h>
#include <unistd.h>

#define RUN    20 /* bytes */
#define HEADER (CACHE_FRAME + 8 + 20 + 12)

static const struct cache_form form = {"PERFCOVR", 1};

/* The lines of the file have an entry of the same build-id: the prefix tells them apart. */
static void entry_name(const struct covered_key *key, char name[64])
{
	char id[41];

	build_id_text(&key->build_id, id);
	snprintf(name, 64, "covered-%s", id);
}

static bool covered_is_sound(struct covered *c, const struct covered_key *key)
{
	struct cursor in;
	const uint8_t *id;
	uint32_t size;

	if (!cache_entry_open(c->bytes.p, c->bytes.n, &form, &in))
		return false;
	c->n = cursor_u32(&in);
	size = cursor_u32(&in);
	id = cursor_bytes(&in, sizeof(key->build_id.bytes));
	if (in.bad || size != key->build_id.size || memcmp(id, key->build_id.bytes, size) ||
	    cursor_u64(&in) != key->symbols || cursor_u32(&in) != key->how || in.bad)
		return false;
	c->runs = in.p;
	return cursor_left(&in) == (uint64_t)c->n * RUN;
}

bool covered_load(struct covered *c, const char *dir, const struct covered_key *key)
{
	char name[64];
	int fd = key->build_id.size ? private_dir_open(dir, false) : -1;

	*c = (struct covered){0};
	if (fd < 0)
		return false;
	entry_name(key, name);
	if (private_dir_read(fd, name, HEADER + COVERED_MAX * RUN, &c->bytes) ||
	    !covered_is_sound(c, key))
		covered_release(c);
	close(fd);
	return c->runs != NULL;
}

void covered_release(struct covered *c)
{
	mapped_release(&c->bytes);
	*c = (struct covered){0};
}

static struct covered_run run_at(const struct covered *c, size_t i)
{
	struct cursor in = cache_cursor(c->runs + i * RUN, RUN);
	struct covered_run run = {.start = cursor_u64(&in)};

	run.end = cursor_u64(&in);
	run.place = cursor_u32(&in);
	return run;
}

bool covered_find(const struct covered *c, uint64_t address, uint32_t *place)
{
	size_t first = 0, end = c->n;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		const struct covered_run run = run_at(c, middle);

		if (address >= run.start && address < run.end) {
			*place = run.place;
			return true;
		}
		if (address < run.start)
			end = middle;
		else
			first = middle + 1;
	}
	return false;
}

void covered_store(const char *dir, const struct covered_key *key, const struct covered_run *runs,
		   size_t n, uint64_t max)
{
	AUTO_BUF bytes = {0};
	char name[64];

	if (!key->build_id.size || n > COVERED_MAX || HEADER + n * RUN > max)
		return;
	cache_entry_begin(&bytes, &form);
	cache_put_u32(&bytes, (uint32_t)n);
	cache_put_u32(&bytes, key->build_id.size);
	buf_add(&bytes, key->build_id.bytes, sizeof(key->build_id.bytes));
	cache_put_u64(&bytes, key->symbols);
	cache_put_u32(&bytes, key->how);
	for (size_t i = 0; i < n; i++) {
		cache_put_u64(&bytes, runs[i].start);
		cache_put_u64(&bytes, runs[i].end);
		cache_put_u32(&bytes, runs[i].place);
	}
	cache_entry_end(&bytes);
	entry_name(key, name);
	private_dir_store(dir, name, bytes.at, bytes.n, max);
}
