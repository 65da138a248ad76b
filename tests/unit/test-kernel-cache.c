// SPDX-License-Identifier: MIT
/* The cache of the running kernel's symbols: what is kept is read again, of this kernel and this
 * boot only; what is damaged or somebody else's is not. */
#include "folder.h"

#include "base/hash.h"
#include "symbol/cache/kernel_cache.h"
#include "symbol/table/symbol_table.h"

#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENTRY_NAME "kernel-0102030405060708090a0b0c0d0e0f1011121314"
#define TEXT	   0xffffffff81000000ull
#define FRAME	   20

static const struct kernel_key key = {
	{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 20},
	"11111111-2222-3333-4444-555555555555",
	TEXT,
	TEXT};

static char box[64];

static int make_box(void **state)
{
	(void)state;
	strcpy(box, "/tmp/test-kernel-cache-XXXXXX");
	return mkdtemp(box) ? 0 : -1;
}

static int remove_box(void **state)
{
	(void)state;
	return folder_remove(box);
}

/* As loading leaves it: sorted, with ends. */
static struct symbol_table table_of(const char *last)
{
	const struct symbol all[] = {
		{.start = 0x10, .name = "per_cpu", .binding = STB_LOCAL, .type = STT_OBJECT},
		{.start = TEXT, .name = "_text", .binding = STB_GLOBAL, .type = STT_FUNC},
		{.start = TEXT + 0x40,
		 .name = "cpu_startup_entry",
		 .binding = STB_WEAK,
		 .type = STT_FUNC},
		{.start = TEXT + 0x50, .name = last, .binding = STB_LOCAL, .type = STT_FUNC},
	};
	struct symbol_table t = {0};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		vec_add(&t, all[i]);
		t.at[i].end = i + 1 < ARRAY_SIZE(all) ? all[i + 1].start : TEXT + 0x2000;
	}
	return t;
}

static struct buf bytes_of(const char *last)
{
	struct symbol_table t = table_of(last);
	struct buf b = {0};

	assert_true(stored_symbols_bytes(&t, &key, &b));
	symbol_table_release(&t);
	return b;
}

static struct mapped copy_of(const struct buf *b, size_t n)
{
	struct mapped m = {.p = mem_alloc(n + 1), .n = n, .heap = true};

	memcpy((void *)m.p, b->at, n);
	return m;
}

static void assert_symbol(const struct symbol_table *t, uint64_t address, uint64_t start,
			  uint64_t end, const char *name)
{
	const struct symbol *s = symbol_table_find(t, address);

	assert_non_null(s);
	assert_string_equal(s->name, name);
	assert_true(s->start == start && s->end == end);
	assert_ptr_equal(s, symbol_table_find(t, address));
	assert_ptr_equal(s, &t->at[s->index]);
}

static void what_is_kept_is_found(void **state)
{
	AUTO_BUF b = bytes_of("last");
	struct symbol_table t = {0};
	const struct symbol *s;

	(void)state;
	assert_true(stored_symbols_take(&t, copy_of(&b, b.n), &key));
	symbol_table_seal(&t);
	assert_int_equal(t.n, 4);
	assert_null(symbol_table_find(&t, 0xf));
	assert_symbol(&t, 0x10, 0x10, TEXT, "per_cpu");
	assert_symbol(&t, TEXT - 1, 0x10, TEXT, "per_cpu");
	assert_symbol(&t, TEXT, TEXT, TEXT + 0x40, "_text");
	assert_symbol(&t, TEXT + 0x4f, TEXT + 0x40, TEXT + 0x50, "cpu_startup_entry");
	assert_symbol(&t, TEXT + 0x50, TEXT + 0x50, TEXT + 0x2000, "last");
	assert_symbol(&t, TEXT + 0x1fff, TEXT + 0x50, TEXT + 0x2000, "last");
	assert_null(symbol_table_find(&t, TEXT + 0x2000));
	s = symbol_table_at(&t, 2);
	assert_int_equal(s->binding, STB_WEAK);
	assert_int_equal(s->type, STT_FUNC);
	assert_true(s->idle);
	s = symbol_table_at(&t, 0);
	assert_int_equal(s->binding, STB_LOCAL);
	assert_int_equal(s->type, STT_OBJECT);
	assert_false(s->idle);
	symbol_table_release(&t);
}

static void refused(const struct buf *b, size_t n, const struct kernel_key *k)
{
	struct symbol_table t = {0};

	assert_false(stored_symbols_take(&t, copy_of(b, n), k));
	assert_int_equal(t.n, 0);
}

static void other_kernels_and_boots_are_refused(void **state)
{
	AUTO_BUF b = bytes_of("last");
	struct kernel_key k = key;

	(void)state;
	k.build_id.bytes[19]++;
	refused(&b, b.n, &k);
	k = key;
	k.build_id.size = 16;
	refused(&b, b.n, &k);
	k = key;
	k.boot_id[35]++;
	refused(&b, b.n, &k);
	k = key;
	k.text += 0x200000;
	refused(&b, b.n, &k);
	k = key;
	k.stext = 0;
	refused(&b, b.n, &k);
	k.build_id.size = 0;
	refused(&b, b.n, &k);
}

static void damage_is_refused(void **state)
{
	AUTO_BUF b = bytes_of("last");

	(void)state;
	for (size_t n = 0; n < b.n; n++)
		refused(&b, n, &key);
	for (size_t i = 0; i < b.n; i++) {
		b.at[i] ^= 16;
		refused(&b, b.n, &key);
		b.at[i] ^= 16;
	}
}

static void put32(struct buf *b, size_t at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		b->at[at + (size_t)i] = (char)(v >> (8 * i));
}

static void seal(struct buf *b)
{
	uint64_t sum = hash_bytes(b->at + 16, b->n - 16, 0);

	put32(b, 8, (uint32_t)sum);
	put32(b, 12, (uint32_t)(sum >> 32));
}

/* With a checksum that is right, numbers still lead nowhere outside. */
static void wrong_numbers_lead_nowhere(void **state)
{
	const size_t starts = FRAME + 12 + 20 + BOOT_ID + 16, names = starts + 4 * 8;
	const uint32_t counts[] = {0, 3, 5, 0x7fffffff, UINT32_MAX};
	AUTO_BUF b = bytes_of("last");
	struct symbol_table t = {0};

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_SIZE(counts); i++) {
		AUTO_BUF bad = bytes_of("last");

		put32(&bad, FRAME + 4 * (i % 2), counts[i / 2]);
		seal(&bad);
		refused(&bad, bad.n, &key);
	}
	put32(&b, names + 4, UINT32_MAX); /* a name */
	put32(&b, starts + 16, 0);	  /* an address that is lower than those before it */
	put32(&b, starts + 20, 0);
	seal(&b);
	assert_true(stored_symbols_take(&t, copy_of(&b, b.n), &key));
	assert_string_equal(symbol_table_at(&t, 1)->name, "");
	for (size_t i = 0; i < t.n; i++)
		assert_true(symbol_table_at(&t, i)->end >= symbol_table_at(&t, i)->start);
	symbol_table_release(&t);
	b.at[b.n - 1] = 'x'; /* the last string has no end */
	seal(&b);
	refused(&b, b.n, &key);
	b.at[b.n - 1] = 0;
	put32(&b, 16, 2); /* another version */
	seal(&b);
	refused(&b, b.n, &key);
}

/* Ends that the starts don't tell. */
static void what_is_not_plain_is_not_stored(void **state)
{
	struct symbol_table t = table_of("last"), none = {0};
	struct kernel_key k = key;
	AUTO_BUF b = {0};

	(void)state;
	assert_false(stored_symbols_bytes(&none, &key, &b));
	t.at[1].end -= 8;
	assert_false(stored_symbols_bytes(&t, &key, &b));
	t.at[1].end += 8;
	t.at[3].end += 8;
	assert_false(stored_symbols_bytes(&t, &key, &b));
	t.at[3].end -= 8;
	k.build_id.size = 0;
	assert_false(stored_symbols_bytes(&t, &k, &b));
	assert_int_equal(b.n, 0);
	assert_true(stored_symbols_bytes(&t, &key, &b));
	symbol_table_release(&t);
}

static void store_one(const char *dir, const struct kernel_key *k, const char *last, uint64_t max)
{
	struct symbol_table t = table_of(last);

	kernel_cache_store(dir, k, &t, max);
	symbol_table_release(&t);
}

static void a_folder_holds_what_was_stored(void **state)
{
	AUTO_CHAR *dir = mem_printf("%s/a/lines", box), *path = mem_printf("%s/" ENTRY_NAME, dir);
	struct kernel_key next_boot = key;
	struct symbol_table t = {0};
	struct stat st;

	(void)state;
	next_boot.boot_id[0]++;
	assert_false(kernel_cache_load(&t, dir, &key));
	store_one(dir, &key, "last", 100); /* larger than the folder may become */
	assert_int_equal(stat(path, &st), -1);
	store_one(dir, &key, "last", 1 << 20);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_true(kernel_cache_load(&t, dir, &key));
	assert_symbol(&t, TEXT + 0x50, TEXT + 0x50, TEXT + 0x2000, "last");
	symbol_table_release(&t);
	/* the next boot takes its place */
	assert_false(kernel_cache_load(&t, dir, &next_boot));
	store_one(dir, &next_boot, "other", 1 << 20);
	assert_false(kernel_cache_load(&t, dir, &key));
	assert_true(kernel_cache_load(&t, dir, &next_boot));
	assert_symbol(&t, TEXT + 0x50, TEXT + 0x50, TEXT + 0x2000, "other");
	symbol_table_release(&t);
	assert_int_equal(truncate(path, 70), 0);
	assert_false(kernel_cache_load(&t, dir, &next_boot));
	assert_int_equal(truncate(path, 0), 0);
	assert_false(kernel_cache_load(&t, dir, &next_boot));
	/* a link, or somebody else's */
	assert_int_equal(unlink(path) | symlink("/etc/passwd", path), 0);
	assert_false(kernel_cache_load(&t, dir, &key));
	store_one(dir, &key, "last", 1 << 20);
	assert_true(kernel_cache_load(&t, dir, &key));
	symbol_table_release(&t);
	if (geteuid())
		return;
	assert_int_equal(chown(path, 12345, 0), 0);
	assert_false(kernel_cache_load(&t, dir, &key));
}

static void two_writers_leave_a_whole_file(void **state)
{
	AUTO_CHAR *dir = mem_printf("%s/two", box);
	struct symbol_table t = {0};
	bool seen = false;
	int status;

	(void)state;
	for (int child = 0; child < 3; child++) {
		if (fork())
			continue;
		for (int i = 0; i < 100; i++)
			store_one(dir, &key, child ? "one" : "another one", 1 << 20);
		_exit(0);
	}
	for (int i = 0; i < 500; i++) {
		bool now = kernel_cache_load(&t, dir, &key);

		assert_true(now || !seen); /* once it is there it stays */
		seen |= now;
		symbol_table_release(&t);
		t = (struct symbol_table){0};
	}
	while (wait(&status) > 0)
		assert_int_equal(status, 0);
	assert_true(kernel_cache_load(&t, dir, &key));
	symbol_table_release(&t);
}

static void *look_everywhere(void *ctx)
{
	const struct symbol_table *t = ctx;
	size_t wrong = 0;

	for (uint64_t i = 0; i < 0x2000; i++) {
		const struct symbol *s = symbol_table_find(t, TEXT + i);

		wrong += !s || !s->name || s->start > TEXT + i || s->end <= TEXT + i;
	}
	return wrong ? ctx : NULL;
}

static void threads_may_ask_at_once(void **state)
{
	AUTO_BUF b = bytes_of("last");

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct symbol_table t = {0};
		pthread_t threads[4];
		void *wrong;

		assert_true(stored_symbols_take(&t, copy_of(&b, b.n), &key));
		for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
			assert_int_equal(pthread_create(&threads[i], NULL, look_everywhere, &t), 0);
		for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
			pthread_join(threads[i], &wrong);
			assert_null(wrong);
		}
		symbol_table_release(&t);
	}
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Where addresses are hidden, there is no key: neither is zero kept nor what was seen
 * before shown. */
static void hidden_addresses_have_no_key(void **state)
{
	AUTO_CHAR *random = mem_printf("%s/proc/sys/kernel/random", box),
		  *command = mem_printf("mkdir -p %s", random);
	AUTO_CHAR *proc = mem_printf("%s/proc", box), *symbols = mem_printf("%s/kallsyms", proc);
	AUTO_CHAR *boot = mem_printf("%s/boot_id", random);
	struct kernel_key k;

	(void)state;
	assert_int_equal(system(command), 0);
	put_file(boot, "11111111-2222-3333-4444-555555555555\n");
	if (build_id_of_kernel(&k.build_id))
		skip(); /* a kernel without a build-id */
	put_file(symbols, "0000000000000000 A per_cpu\n0000000000000000 T _text\n0000000000000000 "
			  "T _stext\n");
	assert_false(kernel_key_now(proc, &k));
	put_file(symbols, "0000000000000000 A per_cpu\nffffffff81000000 T _stext\nffffffff81000000 "
			  "T _text\n");
	assert_true(kernel_key_now(proc, &k));
	assert_true(k.text == TEXT && k.stext == TEXT);
	assert_string_equal(k.boot_id, key.boot_id);
	put_file(boot, "short\n");
	assert_false(kernel_key_now(proc, &k));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_found),
		cmocka_unit_test(other_kernels_and_boots_are_refused),
		cmocka_unit_test(damage_is_refused),
		cmocka_unit_test(wrong_numbers_lead_nowhere),
		cmocka_unit_test(what_is_not_plain_is_not_stored),
		cmocka_unit_test(a_folder_holds_what_was_stored),
		cmocka_unit_test(two_writers_leave_a_whole_file),
		cmocka_unit_test(threads_may_ask_at_once),
		cmocka_unit_test(hidden_addresses_have_no_key),
	};

	return cmocka_run_group_tests(tests, make_box, remove_box);
}
