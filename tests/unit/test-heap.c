// SPDX-License-Identifier: MIT
/* What processes got of malloc() and did not give back, of recordings made in memory. */
#include "tracepoints.h"

#include "analysis/leaks/heap.h"

enum { MALLOC = 1, MALLOC_RETURN, REALLOC, REALLOC_RETURN, CALLOC, CALLOC_RETURN, FREE };

#define U64(name, at) "\tfield:u64 " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"
#define FORMAT(name, id, fields)                                                                   \
	"name: " name "\nID: " id "\nformat:\n" fields "\nprint fmt: \"\"\n"

static const char *const formats[] = {
	FORMAT("malloc", "1", U64("size", "0")),
	FORMAT("malloc_return", "2", U64("ret", "0")),
	FORMAT("realloc", "3", U64("old", "0") U64("size", "8")),
	FORMAT("realloc_return", "4", U64("ret", "0")),
	FORMAT("calloc", "5", U64("n", "0") U64("size", "8")),
	FORMAT("calloc_return", "6", U64("ret", "0")),
	FORMAT("free", "7", U64("old", "0")),
};
static const char *const names[] = {"uprobe:libc.so.6:malloc",	"uretprobe:libc.so.6:malloc",
				    "uprobe:libc.so.6:realloc", "uretprobe:libc.so.6:realloc",
				    "uprobe:libc.so.6:calloc",	"uretprobe:libc.so.6:calloc",
				    "uprobe:libc.so.6:free"};

static void put_call(struct traced *m, int kind, uint64_t time, uint32_t tid, uint64_t a,
		     uint64_t b)
{
	const uint64_t raw[3] = {a, b, 0};

	traced_put(m, kind, time, 0, tid, raw, sizeof(raw));
}

static void heap_of(struct traced *m, struct heap *h)
{
	struct err e = {0};

	traced_open(m, "perf_1", formats, ARRAY_SIZE(formats));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		m->rec->m.events.events.at[i]->name = names[i];
	assert_int_equal(heap_read(h, m->rec, m->world, &e), 0);
}

static void end(struct traced *m, struct heap *h)
{
	heap_release(h);
	traced_close(m);
}

static void what_nobody_freed_is_left(void **state)
{
	struct traced m = {0};
	struct heap h;

	(void)state;
	put_call(&m, FREE, 999, 7, 0x900, 0); /* from before */
	put_call(&m, MALLOC, 1000, 7, 100, 0);
	put_call(&m, CALLOC, 1001, 8, 10, 30); /* of another process, at the same address */
	put_call(&m, MALLOC_RETURN, 1002, 7, 0x10, 0);
	put_call(&m, CALLOC_RETURN, 1003, 8, 0x10, 0);
	put_call(&m, FREE, 1004, 7, 0, 0); /* free(NULL) */
	put_call(&m, FREE, 1100, 7, 0x10, 0);
	put_call(&m, MALLOC, 1200, 7, 1u << 20, 0);
	put_call(&m, MALLOC_RETURN, 1201, 7, 0, 0); /* no memory */
	put_call(&m, MALLOC, 1998, 8, 64, 0);
	put_call(&m, MALLOC_RETURN, 1999, 8, 0x20, 0);
	heap_of(&m, &h);
	assert_int_equal(h.allocations, 3);
	assert_int_equal(h.allocated, 464);
	assert_int_equal(h.failed, 1);
	assert_int_equal(h.frees, 1);
	assert_int_equal(h.freed, 100);
	assert_int_equal(h.frees_before, 1);
	assert_int_equal(h.hits, 11);
	assert_int_equal(h.uncertain, 0);
	assert_int_equal(h.leaks.rows.n, 1); /* samples without chains: of one caller */
	assert_int_equal(h.leaks.rows.at[0].bytes, 364);
	assert_int_equal(h.leaks.rows.at[0].count, 2);
	assert_int_equal(h.leaks.rows.at[0].oldest, 1003);
	assert_int_equal(h.leaks.rows.at[0].grown[0], 300);
	assert_int_equal(h.leaks.rows.at[0].grown[3], 64);
	assert_null(heap_frame(&h, h.leaks.rows.at[0].by, 0));
	end(&m, &h);
}

static void realloc_moves_and_frees(void **state)
{
	struct traced m = {0};
	struct heap h;

	(void)state;
	put_call(&m, REALLOC, 1000, 7, 0, 50); /* is malloc() inside */
	put_call(&m, MALLOC, 1001, 7, 50, 0);
	put_call(&m, MALLOC_RETURN, 1002, 7, 0x10, 0);
	put_call(&m, REALLOC_RETURN, 1003, 7, 0x10, 0);
	put_call(&m, REALLOC, 1010, 7, 0x10, 500);
	put_call(&m, REALLOC_RETURN, 1011, 7, 0x30, 0);
	put_call(&m, REALLOC, 1020, 7, 0x30, 9000); /* fails: the old one stays */
	put_call(&m, REALLOC_RETURN, 1021, 7, 0, 0);
	heap_of(&m, &h);
	assert_int_equal(h.allocations, 2);
	assert_int_equal(h.allocated, 550);
	assert_int_equal(h.failed, 1);
	assert_int_equal(h.leaks.rows.n, 1);
	assert_int_equal(h.leaks.rows.at[0].bytes, 500);
	end(&m, &h);

	m = (struct traced){0};
	put_call(&m, MALLOC, 1000, 7, 50, 0);
	put_call(&m, MALLOC_RETURN, 1001, 7, 0x10, 0);
	put_call(&m, REALLOC, 1010, 7, 0x10, 0); /* frees */
	put_call(&m, REALLOC_RETURN, 1011, 7, 0, 0);
	heap_of(&m, &h);
	assert_int_equal(h.failed, 0);
	assert_int_equal(h.freed, 50);
	assert_int_equal(h.leaks.rows.n, 0);
	end(&m, &h);
}

static void returns_that_are_missing_spoil_nothing_else(void **state)
{
	struct traced m = {0};
	struct heap h;

	(void)state;
	put_call(&m, MALLOC_RETURN, 1000, 7, 0x8, 0); /* its call was before */
	put_call(&m, CALLOC, 1001, 7, 1, 1);	      /* never returns: longjmp() */
	for (uint64_t i = 1; i <= 5; i++) {
		put_call(&m, MALLOC, 1000 + 10 * i, 7, 100, 0);
		put_call(&m, MALLOC_RETURN, 1001 + 10 * i, 7, 0x10 * i, 0);
	}
	put_call(&m, FREE, 1100, 7, 0x50, 0);
	heap_of(&m, &h);
	/* the first two may be calls inside of calloc() */
	assert_int_equal(h.allocations, 3);
	assert_int_equal(h.frees, 1);
	assert_int_equal(h.uncertain, 2);
	end(&m, &h);
}

static void a_loss_inside_of_a_call_is_told(void **state)
{
	struct traced m = {0};
	struct heap h;

	(void)state;
	put_call(&m, MALLOC, 1000, 7, 100, 0);
	traced_put_lost(&m, 1001);
	put_call(&m, MALLOC_RETURN, 1002, 7, 0x10, 0); /* perhaps of another call */
	put_call(&m, MALLOC, 1003, 7, 100, 0);
	put_call(&m, MALLOC_RETURN, 1004, 7, 0x20, 0);
	heap_of(&m, &h);
	assert_int_equal(h.losses, 1);
	assert_int_equal(h.uncertain, 1);
	assert_int_equal(h.allocations, 1);
	end(&m, &h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_nobody_freed_is_left),
		cmocka_unit_test(realloc_moves_and_frees),
		cmocka_unit_test(returns_that_are_missing_spoil_nothing_else),
		cmocka_unit_test(a_loss_inside_of_a_call_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
