// SPDX-License-Identifier: MIT
/* The cache of source lines: what is kept is read again; what is damaged or somebody else's
 * is not. */
#include "folder.h"

#include "base/hash.h"
#include "os/files/private_dir.h"
#include "symbol/lines/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENTRY_NAME "0102030405060708090a0b0c0d0e0f1011121314"

static const struct line_cache_key key = {
	{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 20}, 77};

static char box[64];

static int make_box(void **state)
{
	(void)state;
	strcpy(box, "/tmp/test-lines-XXXXXX");
	return mkdtemp(box) ? 0 : -1;
}

static int remove_box(void **state)
{
	(void)state;
	return folder_remove(box);
}

/* An address with the levels of a function that stands in another one. */
static void add(struct line_cache_news *news, uint64_t vaddr, const char *inner, uint32_t line)
{
	vec_add(&news->places, (struct line_cache_place){vaddr, news->levels.n, inner ? 2 : 0});
	if (!inner)
		return;
	vec_add(&news->levels, (struct line_level){inner, "/src/a.h", line});
	vec_add(&news->levels, (struct line_level){"outer", NULL, line + 1});
}

static void assert_levels(const struct line_cache *c, uint64_t vaddr, const char *inner,
			  uint32_t line)
{
	struct line_levels got = {0};

	assert_true(line_cache_find(c, vaddr, &got));
	assert_int_equal(got.n, inner ? 2 : 0);
	if (inner) {
		assert_string_equal(got.at[0].function, inner);
		assert_string_equal(got.at[0].file, "/src/a.h");
		assert_int_equal(got.at[0].line, line);
		assert_string_equal(got.at[1].function, "outer");
		assert_null(got.at[1].file);
		assert_int_equal(got.at[1].line, line + 1);
	}
	vec_release(&got);
}

static void assert_unknown(const struct line_cache *c, uint64_t vaddr)
{
	struct line_levels got = {0};

	assert_false(line_cache_find(c, vaddr, &got));
	assert_int_equal(got.n, 0);
	vec_release(&got);
}

static struct buf some_bytes(void)
{
	struct line_cache_news news = {0};
	struct line_cache none = {0};
	struct buf b = {0};

	add(&news, 0x3000, "three", 30);
	add(&news, 0x1000, "one", 10);
	add(&news, 0x2000, NULL, 0);
	assert_true(line_cache_bytes(&none, &news, &key, &b));
	line_cache_news_release(&news);
	return b;
}

/* A copy, as a mapped that owns it. */
static struct mapped copy_of(const struct buf *b, size_t n)
{
	uint8_t *p = mem_alloc(n + 1);

	memcpy(p, b->at, n);
	return (struct mapped){.p = p, .n = n, .heap = true};
}

static void what_is_kept_is_found(void **state)
{
	struct buf b = some_bytes(), again = {0};
	struct line_cache_news news = {0};
	struct line_cache c, d;

	(void)state;
	assert_memory_equal(b.at, "PERFLINE", 8);
	assert_true(line_cache_take(&c, copy_of(&b, b.n), &key));
	assert_levels(&c, 0x1000, "one", 10);
	assert_levels(&c, 0x2000, NULL, 0);
	assert_levels(&c, 0x3000, "three", 30);
	assert_unknown(&c, 0);
	assert_unknown(&c, 0x1001);
	assert_unknown(&c, UINT64_MAX);
	/* news come beside what is there; of two, the new one holds */
	add(&news, 0x2000, "two", 20);
	add(&news, 0x4000, "four", 40);
	add(&news, 0, "zero", 0);
	assert_true(line_cache_bytes(&c, &news, &key, &again));
	assert_true(line_cache_take(&d, copy_of(&again, again.n), &key));
	assert_int_equal(d.n_places, 5);
	assert_levels(&d, 0, "zero", 0);
	assert_levels(&d, 0x1000, "one", 10);
	assert_levels(&d, 0x2000, "two", 20);
	assert_levels(&d, 0x3000, "three", 30);
	assert_levels(&d, 0x4000, "four", 40);
	line_cache_release(&c);
	line_cache_release(&d);
	line_cache_news_release(&news);
	buf_release(&b);
	buf_release(&again);
}

static void damage_is_refused(void **state)
{
	struct buf b = some_bytes();
	struct line_cache c;

	(void)state;
	for (size_t n = 0; n < b.n; n++)
		assert_false(line_cache_take(&c, copy_of(&b, n), &key));
	for (size_t i = 0; i < b.n; i++) {
		b.at[i] ^= 0x40;
		assert_false(line_cache_take(&c, copy_of(&b, b.n), &key));
		b.at[i] ^= 0x40;
	}
	buf_char(&b, 0);
	assert_false(line_cache_take(&c, copy_of(&b, b.n), &key));
	buf_release(&b);
}

static void put32(struct buf *b, size_t at, uint32_t v)
{
	memcpy(b->at + at, &v, sizeof(v));
}

/* The checksum made right, as an attacker would. */
static void seal(struct buf *b)
{
	uint64_t sum = hash_bytes(b->at + 16, b->n - 16, 0);

	memcpy(b->at + 8, &sum, sizeof(sum));
}

static void numbers_that_lead_outside_do_no_harm(void **state)
{
	struct line_levels got = {0};
	struct buf b = some_bytes();
	struct line_cache c;

	(void)state;
	put32(&b, 64 + 8, 3); /* the first place: levels from 3 on */
	put32(&b, 64 + 3 * 16, 1u << 30); /* the first level's function */
	seal(&b);
	assert_true(line_cache_take(&c, copy_of(&b, b.n), &key));
	assert_unknown(&c, 0x1000);
	assert_true(line_cache_find(&c, 0x3000, &got));
	vec_clear(&got);
	line_cache_release(&c);
	put32(&b, 64 + 8, 0);
	seal(&b);
	assert_true(line_cache_take(&c, copy_of(&b, b.n), &key));
	assert_true(line_cache_find(&c, 0x1000, &got));
	assert_null(got.at[0].function);
	line_cache_release(&c);
	put32(&b, 20, 1u << 28); /* places */
	seal(&b);
	assert_false(line_cache_take(&c, copy_of(&b, b.n), &key));
	vec_release(&got);
	buf_release(&b);
}

static void other_versions_and_files_are_refused(void **state)
{
	struct line_cache_key other = key;
	struct buf b = some_bytes();
	struct line_cache c;

	(void)state;
	other.build_id.bytes[19] = 0;
	assert_false(line_cache_take(&c, copy_of(&b, b.n), &other));
	other = key;
	other.identity = 78; /* other debug information */
	assert_false(line_cache_take(&c, copy_of(&b, b.n), &other));
	other.identity = 0; /* there is none any more */
	assert_true(line_cache_take(&c, copy_of(&b, b.n), &other));
	line_cache_release(&c);
	put32(&b, 16, 2);
	seal(&b);
	assert_false(line_cache_take(&c, copy_of(&b, b.n), &key));
	buf_release(&b);
}

static void store_one(const char *dir, uint64_t vaddr, const char *name, uint64_t max)
{
	struct line_cache_news news = {0};

	add(&news, vaddr, name, (uint32_t)vaddr);
	line_cache_store(dir, &key, &news, max);
	line_cache_news_release(&news);
}

static void a_folder_holds_what_was_stored(void **state)
{
	AUTO_CHAR *dir = mem_printf("%s/a/lines", box), *path = mem_printf("%s/" ENTRY_NAME, dir);
	struct line_cache c;
	struct stat st;

	(void)state;
	assert_false(line_cache_load(&c, dir, &key));
	store_one(dir, 0x1000, "one", 1 << 20);
	store_one(dir, 0x2000, "two", 1 << 20);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_true(line_cache_load(&c, dir, &key));
	assert_levels(&c, 0x1000, "one", 0x1000);
	assert_levels(&c, 0x2000, "two", 0x2000);
	line_cache_release(&c);
	/* damaged: as if it weren't there, then written anew */
	assert_int_equal(truncate(path, 70), 0);
	assert_false(line_cache_load(&c, dir, &key));
	store_one(dir, 0x3000, "three", 1 << 20);
	assert_true(line_cache_load(&c, dir, &key));
	assert_int_equal(c.n_places, 1);
	line_cache_release(&c);
}

static void folders_of_others_are_refused(void **state)
{
	AUTO_CHAR *dir = mem_printf("%s/open", box), *there = mem_printf("%s/there", box);
	AUTO_CHAR *link = mem_printf("%s/link", box), *path = mem_printf("%s/" ENTRY_NAME, there);
	AUTO_CHAR *victim = mem_printf("%s/victim", box);
	struct line_cache c;
	struct stat st;

	(void)state;
	assert_int_equal(mkdir(dir, 0777) | chmod(dir, 0777), 0);
	assert_int_equal(private_dir_open(dir, false), -1);
	assert_int_equal(errno, EPERM);
	store_one(dir, 0x1000, "one", 1 << 20);
	assert_int_equal(rmdir(dir), 0); /* nothing is in it */
	assert_int_equal(mkdir(there, 0700) | symlink(there, link), 0);
	store_one(link, 0x1000, "one", 1 << 20);
	assert_int_equal(stat(path, &st), -1);
	/* a link in its place is neither read nor written through */
	close(open(victim, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(symlink(victim, path), 0);
	assert_false(line_cache_load(&c, there, &key));
	store_one(there, 0x1000, "one", 1 << 20);
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	if (geteuid())
		return;
	assert_int_equal(mkdir(dir, 0700) | chown(dir, 12345, 0), 0);
	assert_int_equal(private_dir_open(dir, false), -1);
	assert_int_equal(errno, EPERM);
}

static void two_writers_leave_a_whole_file(void **state)
{
	AUTO_CHAR *dir = mem_printf("%s/two", box), *path = mem_printf("ls -A %s | wc -l", dir);
	struct line_cache c;
	uint64_t known = 0;
	int status;
	FILE *f;

	(void)state;
	for (int child = 0; child < 4; child++) {
		if (fork())
			continue;
		for (uint64_t i = 0; i < 40; i++)
			store_one(dir, (uint64_t)child << 16 | i, "some", 1 << 20);
		_exit(0);
	}
	for (int i = 0; i < 200; i++) {
		if (line_cache_load(&c, dir, &key)) {
			assert_true(c.n_places > 0);
			line_cache_release(&c);
		}
	}
	while (wait(&status) > 0)
		assert_int_equal(status, 0);
	assert_true(line_cache_load(&c, dir, &key));
	for (uint64_t i = 0; i < 4; i++) {
		struct line_levels got = {0};

		known += line_cache_find(&c, i << 16 | 39, &got);
		vec_release(&got);
	}
	assert_true(known > 0); /* who comes last takes along what he found */
	line_cache_release(&c);
	f = popen(path, "r");
	assert_non_null(f);
	assert_int_equal(fgetc(f), '1'); /* no temporary file is left */
	pclose(f);
}

static void what_was_not_used_goes_first(void **state)
{
	AUTO_CHAR *dir = mem_printf("%s/trim", box);
	const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	char block[4096] = {0};
	int fd = private_dir_open(dir, true);
	struct mapped m;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(private_dir_replace(fd, "a", block, sizeof(block)), 0);
	assert_int_equal(private_dir_replace(fd, "b", block, sizeof(block)), 0);
	assert_int_equal(private_dir_replace(fd, "c", block, sizeof(block)), 0);
	assert_int_equal(private_dir_replace(fd, ".new-1-1", block, sizeof(block)), 0);
	assert_int_equal(utimensat(fd, "b", old, 0) | utimensat(fd, "a", old, 0), 0);
	assert_int_equal(utimensat(fd, ".new-1-1", old, 0), 0);
	assert_int_equal(private_dir_read(fd, "a", sizeof(block) - 1, &m), -1);
	assert_int_equal(errno, EFBIG);
	assert_int_equal(private_dir_read(fd, "a", sizeof(block), &m), 0); /* used now */
	assert_int_equal(m.n, sizeof(block));
	mapped_release(&m);
	private_dir_trim(fd, 2 * sizeof(block));
	assert_int_equal(faccessat(fd, "a", F_OK, 0), 0);
	assert_int_equal(faccessat(fd, "b", F_OK, 0), -1);
	assert_int_equal(faccessat(fd, "c", F_OK, 0), 0);
	assert_int_equal(faccessat(fd, ".new-1-1", F_OK, 0), -1); /* its writer died */
	close(fd);
}

/* With sudo, root has the HOME of another user, who could not change a cache of root's. */
static void root_makes_no_folder_in_another_user_s(void **state)
{
	AUTO_CHAR *home = mem_printf("%s/home", box), *cache = mem_printf("%s/.cache", home);
	AUTO_CHAR *dir = mem_printf("%s/perf/lines", cache);
	int fd;

	(void)state;
	assert_int_equal(mkdir(home, 0755), 0);
	if (geteuid() || chown(home, 12345, -1))
		skip();
	assert_int_equal(private_dir_open(dir, true), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(access(cache, F_OK), -1);
	/* what the user has made there stays as it was, too */
	assert_int_equal(mkdir(cache, 0755), 0);
	assert_int_equal(chown(cache, 12345, -1), 0);
	assert_int_equal(private_dir_open(dir, true), -1);
	assert_int_equal(rmdir(cache), 0);
	assert_int_equal(chown(home, 0, -1), 0);
	fd = private_dir_open(dir, true);
	assert_true(fd >= 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_found),
		cmocka_unit_test(damage_is_refused),
		cmocka_unit_test(numbers_that_lead_outside_do_no_harm),
		cmocka_unit_test(other_versions_and_files_are_refused),
		cmocka_unit_test(a_folder_holds_what_was_stored),
		cmocka_unit_test(folders_of_others_are_refused),
		cmocka_unit_test(two_writers_leave_a_whole_file),
		cmocka_unit_test(what_was_not_used_goes_first),
		cmocka_unit_test(root_makes_no_folder_in_another_user_s),
	};

	return cmocka_run_group_tests(tests, make_box, remove_box);
}
