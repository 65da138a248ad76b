// SPDX-License-Identifier: MIT
#include "places.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static uint64_t parse_hex(const char **at)
{
	uint64_t v = 0;

	for (;; (*at)++) {
		const char c = **at;
		const int digit = c >= '0' && c <= '9'	 ? c - '0'
				  : c >= 'a' && c <= 'f' ? c - 'a' + 10
							 : -1;

		if (digit < 0)
			return v;
		v = v << 4 | (uint64_t)digit;
	}
}

static uint32_t file_number(const char *path, struct preload_file *files)
{
	if (path[0] != '/' || strlen(path) >= sizeof(files->path))
		return 0;
	for (uint32_t i = 0; i < PRELOAD_FILES; i++) {
		uint32_t unused = 0;

		if (__atomic_compare_exchange_n(&files[i].state, &unused, 1, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			strcpy(files[i].path, path);
			__atomic_store_n(&files[i].state, 2, __ATOMIC_RELEASE);
			return i + 1;
		}
		while (__atomic_load_n(&files[i].state, __ATOMIC_ACQUIRE) == 1)
			;
		if (!strcmp(files[i].path, path))
			return i + 1;
	}
	return 0;
}

/* The file of the line before, for variables that its pages continue into (.bss). */
struct map_before {
	char path[256];
	uint64_t end, offset;
};

/* Takes "START-END PERMS OFFSET DEV INODE PATH". True: the address is in it. */
static bool take_map(struct preload_place *place, const char *line, struct map_before *before,
		     struct preload_file *files)
{
	const char *at = line;
	const uint64_t start = parse_hex(&at), end = (at++, parse_hex(&at));
	uint64_t offset;

	at += strcspn(at + 1, " ") + 2;
	offset = parse_hex(&at);
	for (int i = 0; i < 2; i++)
		at += strcspn(at + 1, " ") + 1;
	at += strspn(at, " ");
	if (!*at && before->path[0] && before->end == start) {
		offset = before->offset; /* goes on */
	} else {
		strncpy(before->path, at, sizeof(before->path) - 1);
	}
	before->end = end;
	before->offset = offset + (end - start);
	if (place->address < start || place->address >= end)
		return false;
	place->file = file_number(before->path, files);
	place->offset = place->address - start + offset;
	return true;
}

RARE void places_find(struct preload_place *place, uint64_t address, struct preload_file *files)
{
	const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), saved = errno;
	struct map_before before = {0};
	char line[512], block[4096];
	size_t n = 0;
	ssize_t got;

	place->address = address;
	while (fd >= 0 && (got = read(fd, block, sizeof(block))) > 0)
		for (ssize_t i = 0; i < got; i++) {
			if (block[i] != '\n') {
				if (n < sizeof(line) - 1)
					line[n++] = block[i];
				continue;
			}
			line[n] = 0;
			n = 0;
			if (take_map(place, line, &before, files)) {
				close(fd);
				errno = saved;
				return;
			}
		}
	if (fd >= 0)
		close(fd);
	errno = saved;
}

uint64_t places_key(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b << 40 ^ b >> 24) * 0x9e3779b97f4a7c15u;

	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
	h ^= h >> 32;
	return h ? h : 1;
}

uint32_t places_claim_slot(char *first, size_t size, uint32_t n, uint64_t key, uint64_t *left_out,
			   bool *is_new)
{
	for (uint32_t i = 0; i < 64; i++) {
		const uint32_t at = (uint32_t)(key + i) & (n - 1);
		uint64_t *slot = (uint64_t *)(void *)(first + size * at), unused = 0;

		if (__atomic_load_n(slot, __ATOMIC_RELAXED) == key)
			return at;
		if (__atomic_compare_exchange_n(slot, &unused, key, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED)) {
			*is_new = true;
			return at;
		}
		if (unused == key)
			return at;
	}
	__atomic_add_fetch(left_out, 1, __ATOMIC_RELAXED);
	return PLACES_NO_SLOT;
}
