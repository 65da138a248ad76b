// SPDX-License-Identifier: MIT
/* Markers in a build-id store, and the cache of which entries have any: what is kept is used for as
 * long as nothing came or went, only when the store had been at rest, and only when nobody else can
 * have made it. */
#include "folder.h"

#include "symbol/cache/entry.h"
#include "symbol/cache/markers.h"
#include "symbol/elf/sdt.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

#define SIZE (1u << 20) /* of the cache */

static char box[64], store[128], cache[128];

static int make_box(void **state)
{
	char home[128];

	(void)state;
	strcpy(box, "/tmp/test-markers-XXXXXX");
	if (!mkdtemp(box))
		return -1;
	snprintf(store, sizeof(store), "%s/store", box);
	snprintf(cache, sizeof(cache), "%s/cache/perf/lines", box);
	snprintf(home, sizeof(home), "%s/cache", box);
	setenv("XDG_CACHE_HOME", home, 1);
	return mkdir(store, 0700);
}

static int remove_box(void **state)
{
	(void)state;
	return folder_remove(box);
}

static void file_of(const char *id, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "opt/x/%s/%s", id, name);
	folder_put(store, path, text);
}

static void probes(const char *id, const char *text)
{
	file_of(id, "probes", text);
}

static void entry(const char *id, const char *text)
{
	char path[400], to[128];

	probes(id, text);
	snprintf(path, sizeof(path), "%s/.build-id", store);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/.build-id/%.2s", store, id);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s", store, id, id + 2);
	snprintf(to, sizeof(to), "../../opt/x/%s", id);
	assert_int_equal(symlink(to, path), 0);
}

static void remove_entry(const char *id)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s", store, id, id + 2);
	assert_int_equal(unlink(path), 0);
}

/* "sdt_a:b@1111 ...", read so many seconds from now. */
static const char *read_at(uint64_t cache_size, int seconds)
{
	static char text[512];
	struct sdt_probes p;
	size_t n = 0;

	sdt_read(&p, store, cache_size, time(NULL) + seconds);
	*text = 0;
	for (size_t i = 0; i < p.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s@%.4s", i ? " " : "",
				      p.at[i].event, p.at[i].build_id);
	sdt_release(&p);
	return text;
}

#define LATER 3600

/* The one file of the cache; false: there is none. */
static bool kept(char path[400])
{
	DIR *d = opendir(cache);
	struct dirent *e;
	bool found = false;

	while (d && (e = readdir(d)))
		if (*e->d_name != '.') {
			assert_memory_equal(e->d_name, "markers-", 8);
			assert_false(found);
			snprintf(path, 400, "%s/%s", cache, e->d_name);
			found = true;
		}
	if (d)
		closedir(d);
	return found;
}

#define ONE   "1111111111111111111111111111111111111111"
#define ALSO  "1122222222222222222222222222222222222222"
#define TWO   "2222222222222222222222222222222222222222"
#define THREE "3333333333333333333333333333333333333333"

static void three_entries(void)
{
	entry(ONE, "");
	entry(ALSO, "%sdt_a:x=x\np:sdt_a/x /opt/x:0x1\n");
	entry(TWO, "");
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122");
}

static void what_is_kept_is_used(void **state)
{
	char path[400];
	struct stat st;

	(void)state;
	three_entries();
	assert_true(kept(path));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* lists of markers that change where nothing came or went: the empty one is not looked at
	 */
	probes(TWO, "%sdt_b:y=y\n");
	probes(ALSO, "%sdt_a:x=x\n%sdt_a:z=z\n");
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_a:z@1122");
	assert_string_equal(read_at(0, LATER), "sdt_a:x@1122 sdt_a:z@1122 sdt_b:y@2222");
}

static void what_comes_and_goes_is_seen(void **state)
{
	(void)state;
	three_entries();
	entry(THREE, "%sdt_c:c=c\n");
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_c:c@3333");
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_c:c@3333");
	remove_entry(ALSO);
	assert_string_equal(read_at(SIZE, LATER), "sdt_c:c@3333");
	remove_entry(TWO);
	probes(TWO, "%sdt_b:y=y\n");
	entry(TWO, "%sdt_b:y=y\n");
	assert_string_equal(read_at(SIZE, LATER), "sdt_b:y@2222 sdt_c:c@3333");
	remove_entry(THREE);
	assert_string_equal(read_at(SIZE, LATER), "sdt_b:y@2222");
}

/* Another store in the place of the first one, its folders made anew. */
static void another_folder_is_seen(void **state)
{
	char from[256], to[300];

	(void)state;
	three_entries();
	snprintf(from, sizeof(from), "%s/.build-id/22", store);
	snprintf(to, sizeof(to), "%s/.build-id/old", store);
	assert_int_equal(rename(from, to), 0);
	probes(TWO, "%sdt_b:y=y\n");
	mkdir(from, 0700);
	snprintf(to, sizeof(to), "%s/.build-id/22/%s", store, &TWO[2]);
	assert_int_equal(symlink("../../opt/x/" TWO, to), 0);
	assert_non_null(strstr(read_at(SIZE, LATER), "sdt_b:y@2222"));
}

static void fresh_folders_are_not_kept(void **state)
{
	char path[400];

	(void)state;
	entry(ONE, "");
	assert_string_equal(read_at(SIZE, 0), "");
	assert_string_equal(read_at(SIZE, MARKERS_SETTLED - 1), "");
	assert_false(kept(path));
	probes(ONE, "%sdt_a:x=x\n");
	assert_string_equal(read_at(SIZE, MARKERS_SETTLED - 1), "sdt_a:x@1111");
	/* nor is one that is newer than now */
	assert_string_equal(read_at(SIZE, -LATER), "sdt_a:x@1111");
	assert_false(kept(path));
}

/* Where no list was made: a program has no markers for good, of what is none nobody knows. */
static void programs_are_looked_into_once(void **state)
{
	const char *const ids[] = {ONE, TWO, THREE};
	char command[512];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		entry(ids[i], "");
		snprintf(command, sizeof(command), "rm '%s/opt/x/%s/probes'", store, ids[i]);
		assert_int_equal(system(command), 0);
	}
	file_of(TWO, "elf", "text");
	snprintf(command, sizeof(command), "cp /proc/%d/exe '%s/opt/x/%s/elf'", (int)getpid(),
		 store, THREE);
	assert_int_equal(system(command), 0);
	assert_string_equal(read_at(SIZE, LATER), "");
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		probes(ids[i], "%sdt_a:x=x\n");
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1111 sdt_a:x@2222");
}

static void damage(const char *path, long at)
{
	FILE *f = fopen(path, "r+");

	assert_non_null(f);
	fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
	fputc('!', f);
	fclose(f);
}

static void what_is_damaged_is_nothing(void **state)
{
	const long places[] = {0, 9, 17, 25, -3};
	char path[400];

	(void)state;
	three_entries();
	assert_true(kept(path));
	probes(TWO, "%sdt_b:y=y\n");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		damage(path, places[i]);
		assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_b:y@2222");
		/* and is written anew */
		assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_b:y@2222");
	}
	assert_int_equal(truncate(path, 30), 0);
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_b:y@2222");
}

static void what_others_can_make_is_nothing(void **state)
{
	char path[400], away[128];

	(void)state;
	three_entries();
	assert_true(kept(path));
	probes(TWO, "%sdt_b:y=y\n");
	chmod(cache, 0770);
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_b:y@2222");
	chmod(cache, 0700);
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122");
	snprintf(away, sizeof(away), "%s/elsewhere", box);
	assert_int_equal(rename(path, away), 0);
	assert_int_equal(symlink(away, path), 0);
	assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_b:y@2222");
	if (!geteuid()) {
		/* it was replaced by a file just now */
		probes(TWO, "");
		assert_int_equal(chown(path, 12345, 12345), 0);
		assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122");
		probes(TWO, "%sdt_b:y=y\n");
		assert_int_equal(chown(path, 12345, 12345), 0);
		assert_string_equal(read_at(SIZE, LATER), "sdt_a:x@1122 sdt_b:y@2222");
	}
}

/* Checksums are right, numbers are not: of hostile content nothing is taken, and nothing is asked
 * of memory. */
static void content_is_checked(void **state)
{
	const struct cache_form form = {"PERFMRKS", 1};
	struct marker_folders out;
	struct arena arena = {0};
	struct stat st;
	char path[400];

	(void)state;
	three_entries();
	assert_true(kept(path));
	snprintf(path, sizeof(path), "%s/.build-id", store);
	assert_int_equal(stat(path, &st), 0);
	marker_folders_load(&out, &arena, cache, &st);
	assert_int_equal(out.n, 2);
	assert_int_equal(out.at[0].look.n, 1);
	assert_string_equal(out.at[0].look.at[0], &ALSO[2]);
	marker_folders_release(&out);
	assert_true(kept(path));
	for (int i = 0; i < 6; i++) {
		struct buf b = {0};
		FILE *f;

		cache_entry_begin(&b, &form);
		cache_put_u32(&b, i == 0 ? 0xffffffff : 1);
		if (i)
			buf_add(&b,
				i == 1	 ? "\0"
				: i == 2 ? "\1."
				: i == 3 ? "\3a/b"
				: i == 4 ? "\2a\0"
					 : "\2aa",
				i == 1	 ? 1
				: i == 3 ? 4
				: i == 2 ? 2
					 : 3);
		for (int j = 0; j < 7; j++)
			cache_put_u32(&b, 1);
		cache_put_u32(&b, 0xffffffff);
		cache_entry_end(&b);
		f = fopen(path, "w");
		assert_non_null(f);
		fwrite(b.at, 1, b.n, f);
		fclose(f);
		buf_release(&b);
		marker_folders_load(&out, &arena, cache, &st);
		assert_int_equal(out.n, 0);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_kept_is_used, make_box, remove_box),
		cmocka_unit_test_setup_teardown(what_comes_and_goes_is_seen, make_box, remove_box),
		cmocka_unit_test_setup_teardown(another_folder_is_seen, make_box, remove_box),
		cmocka_unit_test_setup_teardown(fresh_folders_are_not_kept, make_box, remove_box),
		cmocka_unit_test_setup_teardown(programs_are_looked_into_once, make_box,
						remove_box),
		cmocka_unit_test_setup_teardown(what_is_damaged_is_nothing, make_box, remove_box),
		cmocka_unit_test_setup_teardown(what_others_can_make_is_nothing, make_box,
						remove_box),
		cmocka_unit_test_setup_teardown(content_is_checked, make_box, remove_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
