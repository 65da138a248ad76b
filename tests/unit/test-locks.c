// SPDX-License-Identifier: MIT
/* Rows of locks, of recordings made in memory with known times. */
#include "tracepoints.h"

#include "analysis/lock/locks.h"

enum { BEGIN = 1, END, ACQUIRE, ACQUIRED, CONTENDED, RELEASE };

#define ADDRESS_FIELD(name)                                                                        \
	"\tfield:void * " name ";\toffset:0;\tsize:8;\tsigned:0;\n"
#define FLAGS_FIELD "\tfield:unsigned int flags;\toffset:8;\tsize:4;\tsigned:0;\n"
#define NAME_FIELD  "\tfield:char name[4];\toffset:12;\tsize:4;\tsigned:0;\n"
#define FORMAT(name, id, fields)                                                                   \
	"name: " name "\nID: " id "\nformat:\n" fields "\nprint fmt: \"\"\n"

static const char *const formats[] = {
	FORMAT("contention_begin", "1", ADDRESS_FIELD("lock_addr") FLAGS_FIELD),
	FORMAT("contention_end", "2", ADDRESS_FIELD("lock_addr")),
	FORMAT("lock_acquire", "3", ADDRESS_FIELD("lockdep_addr") FLAGS_FIELD NAME_FIELD),
	FORMAT("lock_acquired", "4", ADDRESS_FIELD("lockdep_addr") NAME_FIELD),
	FORMAT("lock_contended", "5", ADDRESS_FIELD("lockdep_addr") NAME_FIELD),
	FORMAT("lock_release", "6", ADDRESS_FIELD("lockdep_addr") NAME_FIELD),
};

static void put_lock(struct traced *m, int kind, uint64_t time, uint32_t tid, uint64_t address,
		     uint32_t flags)
{
	const struct {
		uint64_t address;
		uint32_t flags;
		char name[4];
		uint32_t pad[2];
	} raw = {address, flags, {'a', (char)('0' + address), 0, 0}, {0}};

	traced_put(m, kind, time, 0, tid, &raw, sizeof(raw));
}

/* Each row: "key name acquired contended total max min; ". */
static void rows_are(struct traced *m, const struct locks_options *how, const char *want,
		     struct locks *l)
{
	struct err e = {0};
	AUTO_BUF text = {0};

	traced_open(m, "lock", formats, ARRAY_SIZE(formats));
	locks_init(l, how);
	assert_int_equal(locks_read(l, m->rec, m->world, NULL, &e), 0);
	locks_sort(l);
	for (size_t i = 0; i < l->order.n; i++) {
		const struct locks_row *r = &l->rows.at[l->order.at[i]];
		const uint64_t least = r->value[LOCKS_WAIT_MIN];

		buf_printf(&text, "%u %s %u %u %u %u %d; ", (unsigned int)r->key, locks_name(l, r),
			   (unsigned int)r->value[LOCKS_ACQUIRED],
			   (unsigned int)r->value[LOCKS_CONTENDED],
			   (unsigned int)r->value[LOCKS_WAIT_TOTAL],
			   (unsigned int)r->value[LOCKS_WAIT_MAX], (int)least);
	}
	assert_string_equal(buf_text(&text), want);
	traced_close(m);
}

static void fill_waits(struct traced *m)
{
	put_lock(m, BEGIN, 100, 7, 1, LOCK_F_SPIN);
	put_lock(m, BEGIN, 120, 8, 2, LOCK_F_MUTEX);
	put_lock(m, BEGIN, 130, 8, 2, LOCK_F_MUTEX); /* spun for again: the first one counts */
	put_lock(m, END, 150, 7, 1, 0);
	put_lock(m, END, 160, 9, 1, 0); /* its begin was before the recording */
	put_lock(m, BEGIN, 200, 9, 1, LOCK_F_SPIN);
	put_lock(m, END, 210, 9, 1, 0);
	put_lock(m, END, 320, 8, 2, 0);
}

static void waits_end_where_their_task_gets_the_lock(void **state)
{
	const struct locks_options by_lock = {.by = LOCKS_BY_ADDRESS, .sort = LOCKS_WAIT_TOTAL,
					      .max_stack = 8},
				   by_task = {.by = LOCKS_BY_TASK, .sort = LOCKS_WAIT_TOTAL,
					      .max_stack = 8};
	struct traced m = {0}, tasks = {0};
	struct locks l;

	(void)state;
	fill_waits(&m);
	rows_are(&m, &by_lock, "2 Unknown 1 1 200 200 200; 1 Unknown 2 2 60 50 10; ", &l);
	assert_string_equal(lock_type_name(l.rows.at[l.order.at[0]].flags), "mutex");
	locks_release(&l);
	fill_waits(&tasks);
	rows_are(&tasks, &by_task,
		 "8 Unknown 1 1 200 200 200; 7 Unknown 1 1 50 50 50; 9 Unknown 1 1 10 10 10; ",
		 &l);
	locks_release(&l);
}

static void filters_keep_types_and_addresses(void **state)
{
	struct locks_options how = {.by = LOCKS_BY_ADDRESS, .sort = LOCKS_WAIT_TOTAL,
				    .max_stack = 8};
	struct traced spin = {0}, one = {0};
	struct err e = {0};
	struct locks l;

	(void)state;
	assert_int_equal(lock_filter_add_types(&how.filter, "spinlock,rwsem", &e), 0);
	assert_int_equal(how.filter.types, 1ull << 1 | 1ull << 2 | 1ull << 4);
	assert_int_equal(lock_filter_add_types(&how.filter, "nonsense", &e), -1);
	fill_waits(&spin);
	rows_are(&spin, &how, "1 Unknown 2 2 60 50 10; ", &l);
	locks_release(&l);
	how.filter.types = 0;
	lock_filter_add_locks(&how.filter, "0x2");
	fill_waits(&one);
	rows_are(&one, &how, "2 Unknown 1 1 200 200 200; ", &l);
	locks_release(&l);
	lock_filter_release(&how.filter);
}

static void waits_over_a_loss_are_uncertain(void **state)
{
	const struct locks_options how = {.by = LOCKS_BY_ADDRESS, .max_stack = 8};
	struct traced m = {0};
	struct locks l;

	(void)state;
	put_lock(&m, BEGIN, 100, 7, 1, 0);
	traced_put_lost(&m, 110);
	put_lock(&m, END, 150, 7, 1, 0);
	put_lock(&m, BEGIN, 160, 7, 1, 0);
	put_lock(&m, END, 170, 7, 1, 0);
	rows_are(&m, &how, "1 Unknown 2 2 60 50 10; ", &l);
	assert_int_equal(l.uncertain, 1);
	assert_int_equal(l.uncertain_ns, 50);
	locks_release(&l);
}

static void lockdep_tells_all_acquisitions(void **state)
{
	const struct locks_options how = {.by = LOCKS_BY_ADDRESS, .sort = LOCKS_ACQUIRED,
					  .max_stack = 8};
	struct traced m = {0};
	struct locks l;

	(void)state;
	for (uint64_t at = 100; at < 400; at += 100) {
		put_lock(&m, ACQUIRE, at, 7, 1, 0);
		if (at == 200)
			put_lock(&m, CONTENDED, at + 10, 7, 1, 0);
		put_lock(&m, ACQUIRED, at + 50, 7, 1, 0);
		put_lock(&m, RELEASE, at + 60, 7, 1, 0);
	}
	put_lock(&m, ACQUIRE, 400, 7, 2, 2); /* twice for reading */
	put_lock(&m, ACQUIRE, 410, 7, 2, 2);
	put_lock(&m, RELEASE, 420, 7, 2, 0);
	put_lock(&m, RELEASE, 430, 7, 2, 0);
	put_lock(&m, ACQUIRE, 440, 7, 3, 0);
	put_lock(&m, RELEASE, 450, 7, 3, 0); /* it was never acquired */
	rows_are(&m, &how, "1 a1 3 1 40 40 40; 2 a2 2 0 0 0 -1; 3 a3 0 0 0 0 -1; ", &l);
	assert_int_equal(l.bad[LOCKS_BAD_RELEASE], 1);
	assert_int_equal(l.bad[LOCKS_BAD_ACQUIRE], 0);
	assert_int_equal(l.uncertain, 0);
	locks_release(&l);
}

static void sums_of_the_kernel_become_rows(void **state)
{
	const struct locks_options by_task = {.by = LOCKS_BY_TASK, .sort = LOCKS_WAIT_TOTAL,
					      .max_stack = 8},
				   by_lock = {.by = LOCKS_BY_ADDRESS, .names_of_lock = true};
	static const uint64_t frames[] = {0xffffffff81000000, 0xffffffff81000010};
	struct lock_sum s = {.tid = 7, .flags = LOCK_F_MUTEX, .count = 2, .total_ns = 30,
			     .max_ns = 20, .min_ns = 10, .frames = frames, .n_frames = 2};
	struct traced m = {0};
	struct locks l;

	(void)state;
	traced_open(&m, "lock", formats, ARRAY_SIZE(formats));
	locks_init(&l, &by_task);
	locks_add_sum(&l, m.world, &s);
	s = (struct lock_sum){.tid = -1, .count = 1, .total_ns = 99, .max_ns = 99, .min_ns = 99};
	locks_add_sum(&l, m.world, &s);
	s = (struct lock_sum){.tid = 7, .count = 1, .total_ns = 5, .max_ns = 5, .min_ns = 5};
	locks_add_sum(&l, m.world, &s);
	locks_sort(&l);
	assert_int_equal(l.order.n, 2);
	assert_int_equal(l.rows.at[l.order.at[0]].key, UINT32_MAX);
	assert_int_equal(l.rows.at[0].value[LOCKS_CONTENDED], 3);
	assert_int_equal(l.rows.at[0].value[LOCKS_WAIT_TOTAL], 35);
	assert_int_equal(l.rows.at[0].value[LOCKS_WAIT_MAX], 20);
	assert_int_equal(l.rows.at[0].value[LOCKS_WAIT_MIN], 5);
	assert_int_equal(l.rows.at[0].value[LOCKS_AVG_WAIT], 11);
	locks_release(&l);
	locks_init(&l, &by_lock);
	s.address = 0xffff888000001000;
	s.part_of = "mmap_lock";
	locks_add_sum(&l, m.world, &s);
	assert_string_equal(locks_name(&l, &l.rows.at[0]), "mmap_lock");
	assert_int_equal(l.rows.at[0].address, s.address);
	locks_release(&l);
	traced_close(&m);
}

static void add_symbol(struct world *w, uint64_t address, const char *name)
{
	const struct record r = {
		.header = {.type = RECORD_KSYMBOL},
		.ksymbol = {.addr = address, .len = 0x100, .ksym_type = 1, .name = name}};

	world_add(w, &r, 1);
}

/* The linker's bounds of sections stand in for all variables that a kernel does not list. */
static void bounds_of_sections_are_no_locks(void **state)
{
	struct traced m = {0};

	(void)state;
	traced_open(&m, "lock", formats, ARRAY_SIZE(formats));
	add_symbol(m.world, 0xffffffffc1000000, "__start_init_stack");
	add_symbol(m.world, 0xffffffffc1001000, "pool_mutex");
	assert_string_equal(locks_symbol_of_lock(m.world, 0xffffffffc1000010), "");
	assert_string_equal(locks_symbol_of_lock(m.world, 0xffffffffc1001010), "pool_mutex");
	traced_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_end_where_their_task_gets_the_lock),
		cmocka_unit_test(filters_keep_types_and_addresses),
		cmocka_unit_test(waits_over_a_loss_are_uncertain),
		cmocka_unit_test(sums_of_the_kernel_become_rows),
		cmocka_unit_test(lockdep_tells_all_acquisitions),
		cmocka_unit_test(bounds_of_sections_are_no_locks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
