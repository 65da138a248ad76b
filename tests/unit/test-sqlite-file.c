// SPDX-License-Identifier: MIT
/* Databases as SQLite's own shell reads them. */
#include "unit.h"

#include "view/convert/sqlite_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define ID "(id integer NOT NULL PRIMARY KEY, "

struct database {
	char path[64];
	struct sqlite_file file;
	size_t numbers, texts;
};

static void database_begin(struct database *d)
{
	strcpy(d->path, "/tmp/perf-sqlite-XXXXXX");
	d->file = (struct sqlite_file){.fd = mkstemp(d->path)};
	assert_true(d->file.fd >= 0);
	d->numbers = sqlite_file_add_table(&d->file, "numbers",
					   "CREATE TABLE numbers " ID "a bigint, b bigint)");
	d->texts =
		sqlite_file_add_table(&d->file, "texts", "CREATE TABLE texts " ID "t varchar(9))");
	sqlite_file_add_table(&d->file, "none", "CREATE TABLE none " ID "t varchar(9))");
	sqlite_file_add_view(&d->file, "sums",
			     "CREATE VIEW sums AS SELECT sum(a) AS s FROM numbers");
}

static void database_add_number(struct database *d, int64_t id, int64_t a)
{
	const struct sqlite_value row[] = {{.number = id}, {.number = a}, {.number = id + 1}};

	sqlite_file_add(&d->file, d->numbers, row, ARRAY_SIZE(row));
}

/* A text of n letters, of which the last is '.'. */
static void database_add_text(struct database *d, int64_t id, size_t n)
{
	AUTO_BUF text = {0};

	if (n)
		buf_fill(&text, 'x', n - 1);
	buf_str(&text, n ? "." : "");
	sqlite_file_add(&d->file, d->texts,
			(struct sqlite_value[]){{.number = id}, {.text = buf_text(&text)}}, 2);
}

static void database_end(struct database *d)
{
	struct err err = {0};

	assert_int_equal(sqlite_file_end(&d->file, d->path, &err), 0);
	sqlite_file_release(&d->file);
	close(d->file.fd);
}

/* What sqlite3 says to a query. */
static void database_answers(const struct database *d, const char *query, const char *wanted)
{
	AUTO_CHAR *command = mem_printf("sqlite3 %s \"%s\"", d->path, query);
	char answer[1024];
	FILE *pipe = popen(command, "r");
	size_t n;

	assert_non_null(pipe);
	n = fread(answer, 1, sizeof(answer) - 1, pipe);
	answer[n] = '\0';
	assert_int_equal(pclose(pipe), 0);
	assert_string_equal(answer, wanted);
}

static void needs_shell(void)
{
	if (system("sqlite3 -version >/dev/null 2>&1")) {
		print_message("there is no sqlite3 that could read it\n");
		skip();
	}
}

static void numbers_of_all_sizes_are_read_back(void **state)
{
	static const int64_t numbers[] = {0,
					  1,
					  2,
					  -1,
					  127,
					  128,
					  -128,
					  -129,
					  32767,
					  32768,
					  -32769,
					  8388607,
					  8388608,
					  -8388609,
					  2147483647,
					  2147483648,
					  -2147483649,
					  140737488355327,
					  140737488355328,
					  -140737488355329,
					  INT64_MAX,
					  INT64_MIN};
	AUTO_BUF wanted = {0};
	struct database d;

	(void)state;
	needs_shell();
	database_begin(&d);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		database_add_number(&d, (int64_t)i - 3, numbers[i]);
		buf_printf(&wanted, "%lld|%lld|%lld\n", (long long)i - 3, (long long)numbers[i],
			   (long long)i - 2);
	}
	database_end(&d);
	database_answers(&d, "PRAGMA integrity_check", "ok\n");
	database_answers(&d, "SELECT * FROM numbers", buf_text(&wanted));
	database_answers(&d, "SELECT count(*) FROM none", "0\n");
	unlink(d.path);
}

/* The bounds: 127 is the last length of a one-byte head, 8157 bytes fit into a leaf. */
static void texts_of_all_lengths_are_read_back(void **state)
{
	static const size_t lengths[] = {0,    1,    57,   58,	  126,	 127,	 128,	 8150, 8151,
					 8152, 8153, 8154, 8155,  8156,	 8157,	 8158,	 8159, 8160,
					 9188, 9189, 9190, 16370, 16384, 100000, 5000000};
	AUTO_BUF wanted = {0};
	struct database d;

	(void)state;
	needs_shell();
	database_begin(&d);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		database_add_text(&d, (int64_t)i, lengths[i]);
		buf_printf(&wanted, "%zu|%zu\n", lengths[i], lengths[i] ? lengths[i] - 1 : 0);
	}
	database_end(&d);
	database_answers(&d, "PRAGMA integrity_check", "ok\n");
	database_answers(&d, "SELECT length(t), length(replace(t, '.', '')) FROM texts",
			 buf_text(&wanted));
	unlink(d.path);
}

/* So many rows that pages stand over pages over leaves, and that ids have up to 9 bytes. */
static void a_tree_of_three_levels_finds_every_row(void **state)
{
	const int64_t n = 600000, step = INT64_MAX / n;
	struct database d;

	(void)state;
	needs_shell();
	database_begin(&d);
	for (int64_t i = 0; i < n; i++)
		database_add_number(&d, i * step, i);
	database_end(&d);
	assert_true(d.file.pages > 2 * 545);
	database_answers(&d, "PRAGMA integrity_check", "ok\n");
	database_answers(&d, "SELECT count(*), sum(a), max(id) FROM numbers",
			 "600000|179999700000|9223356664567871909\n");
	database_answers(&d,
			 "SELECT a FROM numbers WHERE id = 399999 * (9223372036854775807 / 600000)",
			 "399999\n");
	database_answers(&d, "SELECT s FROM sums", "179999700000\n");
	unlink(d.path);
}

static void a_full_disk_is_told_once(void **state)
{
	struct err err = {0};
	struct database d;

	(void)state;
	database_begin(&d);
	close(d.file.fd);
	unlink(d.path);
	d.file.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	if (d.file.fd < 0)
		skip();
	for (int64_t i = 0; i < 100000; i++)
		database_add_number(&d, i, i);
	assert_int_equal(d.file.failed, ENOSPC);
	assert_int_equal(sqlite_file_end(&d.file, "a.db", &err), -1);
	assert_string_equal(err.text, "cannot write 'a.db': No space left on device");
	sqlite_file_release(&d.file);
	close(d.file.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_all_sizes_are_read_back),
		cmocka_unit_test(texts_of_all_lengths_are_read_back),
		cmocka_unit_test(a_tree_of_three_levels_finds_every_row),
		cmocka_unit_test(a_full_disk_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
