// SPDX-License-Identifier: MIT
/* The cache of which symbol names an address that several cover: what is kept is read again, of the
 * same file and the same way of comparing names only; what is damaged is not. */
#include "folder.h"

#include "base/hash.h"
#include "symbol/cache/covered.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY_NAME "covered-0102030405060708090a0b0c0d0e0f1011121314"
#define FRAME	   20

static const struct covered_key key = {
	{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 20},
	0x1234567890,
	1};
static const struct covered_run runs[] = {
	{0x1000, 0x1010, 3}, {0x1010, 0x1020, UINT32_MAX}, {0x2000, UINT64_MAX, 0}};

static char box[64], path[128];

static int make_box(void **state)
{
	(void)state;
	strcpy(box, "/tmp/test-covered-XXXXXX");
	if (!mkdtemp(box))
		return -1;
	snprintf(path, sizeof(path), "%s/" ENTRY_NAME, box);
	covered_store(box, &key, runs, ARRAY_SIZE(runs), 1 << 20);
	return 0;
}

static int remove_box(void **state)
{
	(void)state;
	return folder_remove(box);
}

static uint32_t find(const struct covered *c, uint64_t address)
{
	uint32_t place;

	return covered_find(c, address, &place) ? place : 77;
}

static void what_was_kept_is_found(void **state)
{
	struct covered c, none = {0};
	struct stat st;

	(void)state;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_true(covered_load(&c, box, &key));
	assert_int_equal(find(&c, 0xfff), 77);
	assert_int_equal(find(&c, 0x1000), 3);
	assert_int_equal(find(&c, 0x100f), 3);
	assert_int_equal(find(&c, 0x1010), UINT32_MAX);
	assert_int_equal(find(&c, 0x1020), 77);
	assert_int_equal(find(&c, 0x1fff), 77);
	assert_int_equal(find(&c, 0x2000), 0);
	assert_int_equal(find(&c, UINT64_MAX - 1), 0);
	assert_int_equal(find(&c, UINT64_MAX), 77);
	covered_release(&c);
	assert_int_equal(find(&none, 0x1000), 77);
}

static void refused(const struct covered_key *k)
{
	struct covered c;

	assert_false(covered_load(&c, box, k));
	assert_int_equal(c.n, 0);
}

static void other_files_are_refused(void **state)
{
	struct covered_key k = key;

	(void)state;
	k.symbols++;
	refused(&k);
	k = key;
	k.how = 0;
	refused(&k);
	k = key;
	k.build_id.size = 16;
	refused(&k);
	k.build_id.size = 0;
	refused(&k);
}

static void write_entry(const uint8_t *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

static void put(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static void damage_is_refused(void **state)
{
	uint8_t p[1024];
	FILE *f = fopen(path, "rb");
	const size_t n = fread(p, 1, sizeof(p), f);
	const uint32_t counts[] = {0, 2, 4, 0x7fffffff, UINT32_MAX};
	struct covered c;

	(void)state;
	fclose(f);
	assert_int_equal(n, FRAME + 8 + 20 + 12 + 3 * 20);
	for (size_t k = 0; k < n; k++) {
		write_entry(p, k);
		refused(&key);
	}
	for (size_t i = 0; i < n; i++) {
		p[i] ^= 16;
		write_entry(p, n);
		refused(&key);
		p[i] ^= 16;
	}
	/* with a checksum that is right */
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		put(p + FRAME, counts[i], 4);
		put(p + 8, hash_bytes(p + 16, n - 16, 0), 8);
		write_entry(p, n);
		refused(&key);
	}
	unlink(path);
	assert_false(covered_load(&c, box, &key));
}

static void what_does_not_fit_is_not_kept(void **state)
{
	struct covered_key k = key;
	struct stat st;

	(void)state;
	k.build_id.bytes[0] = 9;
	snprintf(path, sizeof(path), "%s/covered-0902030405060708090a0b0c0d0e0f1011121314", box);
	covered_store(box, &k, runs, ARRAY_SIZE(runs), 100);
	assert_int_equal(stat(path, &st), -1);
	covered_store(box, &k, runs, COVERED_MAX + 1, 1 << 30);
	assert_int_equal(stat(path, &st), -1);
	covered_store(box, &k, runs, 0, 1 << 30);
	assert_int_equal(stat(path, &st), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_kept_is_found),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(damage_is_refused),
		cmocka_unit_test(what_does_not_fit_is_not_kept),
	};

	return cmocka_run_group_tests(tests, make_box, remove_box);
}
