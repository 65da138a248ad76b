// SPDX-License-Identifier: MIT
/* The scheduler's statistics: text of the kernel's versions, records, differences and means. */
#include "folder.h"
#include "recordings.h"

#include "analysis/sched/stats.h"
#include "capture/count/schedstat_run.h"

#include <unistd.h>

static char root[] = "/tmp/test-schedstat-XXXXXX";

static int begin(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}
static int finish(void **state)
{
	(void)state;
	return folder_remove(root);
}

/* The text of two CPUs with a domain; each number is base + its place in its line. */
static void put_text(int version, unsigned long jiffies, unsigned int base)
{
	struct buf b = {0};

	buf_printf(&b, "version %d\ntimestamp %lu\n", version, jiffies);
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		buf_printf(&b, "cpu%u", cpu);
		for (unsigned int i = 0; i < 9; i++)
			buf_printf(&b, " %u", base * (cpu + 1) + i);
		buf_printf(&b, "\ndomain0 %s00000000,00000005", version >= 17 ? "SMT " : "");
		for (unsigned int i = 0; i < (version >= 17 ? 45u : 36u); i++)
			buf_printf(&b, " %u", base * (cpu + 1) + 100 + i);
		buf_char(&b, '\n');
	}
	folder_put(root, "schedstat", buf_text(&b));
	buf_release(&b);
}

static void reads_all_versions(void **state)
{
	(void)state;
	for (int version = 15; version <= 17; version++) {
		struct schedstat s = {0};
		struct err e = {0};

		put_text(version, 4295000000ul, 1000);
		assert_int_equal(schedstat_read(&s, root, &e), 0);
		assert_int_equal(s.version, version);
		assert_int_equal(s.jiffies, 4295000000ul);
		assert_int_equal(s.rows.n, 4);
		assert_int_equal(s.rows.at[2].cpu, 1);
		assert_int_equal(s.rows.at[2].domain, -1);
		assert_int_equal(s.rows.at[2].values[8], 2008);
		assert_int_equal(s.rows.at[3].domain, 0);
		assert_int_equal(s.rows.at[3].values[35], 2135);
		assert_int_equal(s.rows.at[3].values[44], version == 17 ? 2144 : 0);
		assert_int_equal(s.domains.n, 2);
		assert_string_equal(s.domains.at[0].list, "0,2");
		assert_string_equal(s.domains.at[0].mask, "00000000,00000005");
		if (version == 17)
			assert_string_equal(s.domains.at[1].name, "SMT");
		else
			assert_null(s.domains.at[1].name);
		schedstat_release(&s);
	}
}

static void says_what_it_cannot_read(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"version 14\n", "Unsupported"},
		{"version 18\n", "Unsupported"},
		{"cpu0 1 2 3 4 5 6 7 8 9\n", "a line that is not known"},
		{"version 15\ntimestamp 1\ncpu0 1 2 3 4 5 6 7 8\n", "a line that is not known"},
		{"version 15\ntimestamp 1\ncpu0 1 2 3 4 5 6 7 8 9 10\n",
		 "a line that is not known"},
		{"version 15\ntimestamp 1\ndomain0 3 1\n", "a line that is not known"},
		{"version 15\ntimestamp x\n", "a line that is not known"},
		{"version 15\ntimestamp 1\n", "names no CPU"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct schedstat s = {0};
		struct err e = {0};

		folder_put(root, "schedstat", cases[i].text);
		assert_int_equal(schedstat_read(&s, root, &e), -1);
		if (!strstr(e.text, cases[i].error))
			fail_msg("%s: %s", cases[i].text, e.text);
		schedstat_release(&s);
	}
}

static void masks_become_lists(void **state)
{
	static const char *const cases[][2] = {
		{"1", "0"},
		{"f", "0-3"},
		{"80000000,00000000,00000001", "0,95"},
		{"ffffffff,ffffffff", "0-63"},
		{"00000000,ff00ff01", "0,8-15,24-31"},
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct schedstat s = {0};
		struct err e = {0};
		int n = snprintf(text, sizeof(text),
				 "version 15\ntimestamp 1\ncpu0 1 2 3 4 5 6 7 8 9\ndomain0 %s",
				 cases[i][0]);

		for (int k = 0; k < 36; k++)
			n += snprintf(text + n, sizeof(text) - (size_t)n, " %d", k);
		folder_put(root, "schedstat", text);
		assert_int_equal(schedstat_read(&s, root, &e), 0);
		assert_string_equal(s.domains.at[0].list, cases[i][1]);
		schedstat_release(&s);
	}
}

static void switched_on_for_a_time(void **state)
{
	struct err e = {0};
	bool changed;

	(void)state;
	/* a kernel without the switch counts always */
	assert_int_equal(schedstat_switch_on(root, &changed, &e), 0);
	assert_false(changed);
	folder_put(root, "sys/kernel/sched_schedstats", "1");
	assert_int_equal(schedstat_switch_on(root, &changed, &e), 0);
	assert_false(changed);
	folder_put(root, "sys/kernel/sched_schedstats", "0");
	assert_int_equal(schedstat_switch_on(root, &changed, &e), 0);
	assert_true(changed);
	assert_int_equal(schedstat_switch_on(root, &changed, &e), 0);
	assert_false(changed);
	assert_int_equal(schedstat_switch_off(root, &e), 0);
	assert_int_equal(schedstat_switch_on(root, &changed, &e), 0);
	assert_true(changed);
}

struct taken {
	struct buf records;
	struct sched_stats stats;
	int n, version;
};

/* Takes the snapshot both ways, as records and live, and makes the kernel count on. */
static int take(void *ctx, const struct schedstat *s, struct err *err)
{
	struct taken *t = ctx;

	for (size_t i = 0; i < s->rows.n; i++)
		schedstat_encode(s, &s->rows.at[i], &t->records);
	t->n++;
	put_text(t->version, 4295000500ul, 5000);
	return sched_stats_take(&t->stats, s, err);
}

static void expect_stats(const struct sched_stats *s, uint32_t version)
{
	assert_int_equal(s->version, version);
	assert_int_equal(s->jiffies, 500);
	assert_int_equal(s->rows.n, 4);
	/* 5000 - 1000 on CPU 0, twice that on CPU 1, 6000 on average */
	assert_int_equal(s->rows.at[0].row.values[7], 4000);
	assert_int_equal(s->rows.at[3].row.values[35], 8000);
	assert_int_equal(s->mean.n, 2);
	assert_int_equal(s->mean.at[0].domain, -1);
	assert_int_equal(s->mean.at[0].values[0], 6000);
	assert_int_equal(s->mean.at[1].domain, 0);
	assert_int_equal(s->mean.at[1].values[35], 6000);
	assert_int_equal(s->mean.at[1].values[44], version == 17 ? 6000 : 0);
}

static void counts_between_snapshots(void **state)
{
	(void)state;
	for (int version = 15; version <= 17; version++) {
		char *command[] = {(char *)"sh", (char *)"-c", (char *)"exit 7", NULL};
		struct taken t = {.version = version};
		const struct schedstat_run run = {
			.proc_root = root, .command = command, .take = take, .ctx = &t};
		struct attr a = attr_of(BASIC);
		struct schedstat_result result = {0};
		struct sched_stats read = {0};
		struct err e = {0};
		struct buf file;
		struct recording *rec;
		char value[2] = {0};
		char path[64];
		FILE *f;

		put_text(version, 4295000000ul, 1000);
		folder_put(root, "sys/kernel/sched_schedstats", "0");
		assert_int_equal(schedstat_run(&run, &result, &e), 0);
		assert_int_equal(result.exit_status, 7);
		assert_int_equal(t.n, 2);
		snprintf(path, sizeof(path), "%s/sys/kernel/sched_schedstats", root);
		f = fopen(path, "r");
		assert_non_null(f);
		assert_int_equal(fread(value, 1, 1, f), 1);
		fclose(f);
		assert_string_equal(value, "0"); /* as it was */
		assert_int_equal(sched_stats_end(&t.stats, &e), 0);
		expect_stats(&t.stats, (uint32_t)version);
		assert_non_null(sched_stats_domain(&t.stats, 1, 0));
		assert_null(sched_stats_domain(&t.stats, 1, 1));

		/* a CPU's record has 72 bytes, a domain's 208 */
		assert_int_equal(t.records.n, 4 * (72 + 208));
		file = make_file(&a, 1, &t.records);
		rec = open_bytes(&file);
		assert_int_equal(sched_stats_read(&read, rec, &e), 0);
		expect_stats(&read, (uint32_t)version);
		sched_stats_release(&read);
		recording_free(rec);
		buf_release(&file);
		sched_stats_release(&t.stats);
		buf_release(&t.records);
	}
}

static struct schedstat snapshot_of(struct schedstat_row *rows, size_t n)
{
	struct schedstat s = {.version = 16, .jiffies = 10};

	for (size_t i = 0; i < n; i++)
		vec_add(&s.rows, rows[i]);
	return s;
}

static void expect_refused(struct schedstat_row *before, size_t n, struct schedstat_row *after,
			   size_t m, const char *error)
{
	struct schedstat a = snapshot_of(before, n), b = snapshot_of(after, m);
	struct sched_stats s = {0};
	struct err e = {0};

	if (!sched_stats_take(&s, &a, &e) && !sched_stats_take(&s, &b, &e))
		assert_int_equal(sched_stats_end(&s, &e), -1);
	if (!strstr(e.text, error))
		fail_msg("'%s' lacks '%s'", e.text, error);
	sched_stats_release(&s);
	schedstat_release(&a);
	schedstat_release(&b);
}

static void refuses_snapshots_that_differ(void **state)
{
	struct schedstat_row rows[] = {{0, -1, {0}}, {0, 0, {0}}, {1, -1, {0}}};

	(void)state;
	expect_refused(rows, 3, rows, 2, "CPU 1 is in one of the two snapshots only");
	expect_refused(rows, 2, rows, 3, "CPU 1 is in one of the two snapshots only");
	expect_refused(rows, 2, rows, 1, "domain 0 of CPU 0 is in one");
	expect_refused(rows, 3, rows, 0, "only the first snapshot");
	expect_refused(rows, 0, rows, 0, "Data is not available");
}

/* Numbers of 32 bits begin anew; those of 64 bits do not. */
static void narrow_numbers_wrap(void **state)
{
	struct schedstat_row before = {0, -1, {[0] = 0xfffffff0, [6] = 0xfffffff0}};
	struct schedstat_row after = {0, -1, {[0] = 0x10, [6] = 0x100000010}};
	struct schedstat a = snapshot_of(&before, 1), b = snapshot_of(&after, 1);
	struct sched_stats s = {0};
	struct err e = {0};

	(void)state;
	assert_int_equal(sched_stats_take(&s, &a, &e), 0);
	assert_int_equal(sched_stats_take(&s, &b, &e), 0);
	assert_int_equal(sched_stats_end(&s, &e), 0);
	assert_int_equal(s.rows.at[0].row.values[0], 0x20);
	assert_int_equal(s.rows.at[0].row.values[6], 0x20);
	sched_stats_release(&s);
	schedstat_release(&a);
	schedstat_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_versions),
		cmocka_unit_test(says_what_it_cannot_read),
		cmocka_unit_test(masks_become_lists),
		cmocka_unit_test(switched_on_for_a_time),
		cmocka_unit_test(counts_between_snapshots),
		cmocka_unit_test(refuses_snapshots_that_differ),
		cmocka_unit_test(narrow_numbers_wrap),
	};

	return cmocka_run_group_tests(tests, begin, finish);
}
