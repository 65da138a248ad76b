// SPDX-License-Identifier: MIT
/* What the kernel's allocators did, of recordings made in memory. */
#include "tracepoints.h"

#include "analysis/kmem/kmem.h"

#include <unistd.h>

enum { KMALLOC = 1, KFREE, PAGE_ALLOC, PAGE_FREE };

#define U64(name, at) "\tfield:unsigned long " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"
#define FORMAT(name, id, fields, print)                                                            \
	"name: " name "\nID: " id "\nformat:\n" fields "\nprint fmt: " print "\n"

static const char *const formats[] = {
	FORMAT("kmalloc", "1",
	       U64("call_site", "0") U64("ptr", "8") U64("bytes_req", "16")
		       U64("bytes_alloc", "24"),
	       "\"\""),
	FORMAT("kfree", "2", U64("call_site", "0") U64("ptr", "8"), "\"\""),
	FORMAT("mm_page_alloc", "3",
	       U64("pfn", "0") U64("order", "8") U64("gfp_flags", "16") U64("migratetype", "24"),
	       "\"pfn=%lu gfp_flags=GFP_KERNEL|__GFP_COMP x\", REC->pfn"),
	FORMAT("mm_page_free", "4", U64("pfn", "0") U64("order", "8"), "\"\""),
};

static void put_words(struct traced *m, int kind, uint64_t time, uint32_t cpu, uint64_t a,
		      uint64_t b, uint64_t c, uint64_t d)
{
	const uint64_t raw[5] = {a, b, c, d, 0};

	traced_put(m, kind, time, cpu, 7, raw, sizeof(raw));
}

static void kmem_of(struct traced *m, const struct kmem_options *how, struct kmem *k)
{
	struct err e = {0};

	traced_open(m, "kmem", formats, ARRAY_SIZE(formats));
	kmem_init(k, how);
	assert_int_equal(kmem_read(k, m->rec, m->world, NULL, &e), 0);
}

static void fill_objects(struct traced *m)
{
	put_words(m, KMALLOC, 1000, 0, 0x10, 0xa0, 50, 64);
	put_words(m, KMALLOC, 1100, 0, 0x10, 0xb0, 64, 64);
	put_words(m, KMALLOC, 1200, 1, 0x20, 0xc0, 100, 128);
	put_words(m, KFREE, 1300, 1, 0x30, 0xa0, 0, 0); /* on another CPU */
	put_words(m, KFREE, 1400, 1, 0x30, 0xd0, 0, 0); /* allocated before */
	put_words(m, KMALLOC, 1999, 0, 0x10, 0xa0, 40, 64);
}

static void objects_are_summed_by_caller_and_address(void **state)
{
	const struct kmem_options how = {.slab = true, .objects = true};
	struct kmem_sort by = {0};
	struct traced m = {0};
	struct err e = {0};
	struct kmem k;

	(void)state;
	fill_objects(&m);
	kmem_of(&m, &how, &k);
	assert_int_equal(k.requested, 254);
	assert_int_equal(k.allocated, 320);
	assert_int_equal(k.freed, 64);
	assert_int_equal(k.allocations, 4);
	assert_int_equal(kmem_sort_parse(&by, "hit", false, &e), 0);
	kmem_sort_rows(k.callers.at, k.callers.n, &by);
	assert_int_equal(k.callers.n, 2);
	assert_int_equal(k.callers.at[0].address, 0x10);
	assert_int_equal(k.callers.at[0].hits, 3);
	assert_int_equal(k.callers.at[0].pingpongs, 1);
	vec_clear(&by.keys);
	assert_int_equal(kmem_sort_parse(&by, "ptr", false, &e), 0);
	kmem_sort_rows(k.objects.at, k.objects.n, &by);
	assert_int_equal(k.objects.at[0].address, 0xc0);
	assert_int_equal(k.objects.at[2].hits, 2);
	assert_int_equal(kmem_sort_parse(&by, "order", false, &e), -1);
	vec_release(&by.keys);
	kmem_release(&k);
	traced_close(&m);
}

/* More objects than the table begins with: each is allocated twice, the second time with another
 * size, and freed on another CPU when its number is odd. */
static void many_objects_are_found_again(void **state)
{
	const struct kmem_options how = {.slab = true, .objects = true},
				  callers = {.slab = true};
	const struct kmem_options *const hows[] = {&how, &callers};
	enum { OBJECTS = 3000 };

	(void)state;
	for (size_t h = 0; h < ARRAY_SIZE(hows); h++) {
		struct kmem_sort by = {0};
		struct traced m = {0};
		struct err e = {0};
		struct kmem k;

		for (uint64_t i = 0; i < OBJECTS; i++)
			put_words(&m, KMALLOC, 1000 + i, 0, 0x10, i * 64, 50, 64);
		for (uint64_t i = 0; i < OBJECTS; i++)
			put_words(&m, KMALLOC, 5000 + i, 0, 0x10 + i % 3, i * 64, 100, 128);
		for (uint64_t i = 0; i < OBJECTS; i++)
			put_words(&m, KFREE, 9000 + i, i % 2, 0x30, i * 64, 0, 0);
		kmem_of(&m, hows[h], &k);
		assert_int_equal(k.allocated, OBJECTS * 192);
		assert_int_equal(k.freed, OBJECTS * 128);
		assert_int_equal(kmem_sort_parse(&by, "callsite", false, &e), 0);
		kmem_sort_rows(k.callers.at, k.callers.n, &by);
		assert_int_equal(k.callers.n, 3);
		assert_int_equal(k.callers.at[2].address, 0x10);
		assert_int_equal(k.callers.at[2].hits, OBJECTS + OBJECTS / 3);
		assert_int_equal(k.callers.at[2].allocated, OBJECTS * 64 + OBJECTS / 3 * 128);
		assert_int_equal(k.callers.at[2].pingpongs, OBJECTS / 6);
		assert_int_equal(k.objects.n, hows[h]->objects ? OBJECTS : 0);
		vec_clear(&by.keys);
		assert_int_equal(kmem_sort_parse(&by, "ptr", false, &e), 0);
		kmem_sort_rows(k.objects.at, k.objects.n, &by);
		for (uint64_t i = 0; i < k.objects.n; i++) {
			const struct kmem_row *row = &k.objects.at[OBJECTS - 1 - i];

			assert_int_equal(row->address, i * 64);
			assert_int_equal(row->caller, 0x10 + i % 3);
			assert_int_equal(row->requested, 150);
			assert_int_equal(row->allocated, 192);
			assert_int_equal(row->hits, 2);
			assert_int_equal(row->pingpongs, i % 2);
		}
		vec_release(&by.keys);
		kmem_release(&k);
		traced_close(&m);
	}
}

/* What was freed where records are missing seems to be live: the losses are counted. */
static void losses_are_counted(void **state)
{
	const struct kmem_options how = {.slab = true};
	struct traced m = {0};
	struct kmem k;

	(void)state;
	put_words(&m, KMALLOC, 1000, 0, 0x10, 0xa0, 50, 64);
	traced_put_lost(&m, 1100);
	put_words(&m, KMALLOC, 1200, 0, 0x10, 0xa0, 50, 64); /* it was freed unseen */
	traced_put_lost(&m, 1300);
	kmem_of(&m, &how, &k);
	assert_int_equal(k.losses, 2);
	assert_int_equal(k.freed, 0);
	assert_int_equal(k.allocated, 128);
	kmem_release(&k);
	traced_close(&m);
}

static void leaks_are_what_nobody_freed(void **state)
{
	const struct kmem_options how = {.slab = true, .leaks = true};
	struct traced m = {0};
	struct kmem k;

	(void)state;
	fill_objects(&m);
	kmem_of(&m, &how, &k);
	assert_int_equal(k.leaks.rows.n, 2);
	/* both have 128 bytes: the more often allocated one comes first */
	assert_int_equal(k.leaks.rows.at[0].bytes, 128);
	assert_int_equal(k.leaks.rows.at[0].count, 2);
	assert_int_equal(k.leaks.rows.at[0].oldest, 1100);
	assert_int_equal(k.leaks.rows.at[0].grown[0], 64);
	assert_int_equal(k.leaks.rows.at[0].grown[3], 64);
	assert_int_equal(k.leaks.rows.at[1].bytes, 128);
	assert_int_equal(k.leaks.rows.at[1].count, 1);
	kmem_release(&k);
	traced_close(&m);
}

static void fill_pages(struct traced *m)
{
	put_words(m, PAGE_ALLOC, 1000, 0, 5, 0, 0xcc0, 0);
	put_words(m, PAGE_ALLOC, 1100, 0, 8, 3, 0xcc0, 1);
	put_words(m, PAGE_ALLOC, 1200, 0, UINT64_MAX, 2, 0xcc0, 1); /* failed */
	put_words(m, PAGE_FREE, 1300, 0, 5, 0, 0, 0);
	put_words(m, PAGE_FREE, 1400, 0, 99, 1, 0, 0); /* allocated before */
}

static void pages_are_counted_by_order(void **state)
{
	const struct kmem_options how = {.pages = true},
				  live = {.pages = true, .live = true, .leaks = true};
	struct traced m = {0}, again = {0};
	struct kmem k;

	(void)state;
	fill_pages(&m);
	kmem_of(&m, &how, &k);
	assert_int_equal(k.page_allocs, 3);
	assert_int_equal(k.page_frees, 2);
	assert_int_equal(k.page_unknown, 1);
	assert_int_equal(k.page_fails, 1);
	assert_int_equal(k.orders[0][0], 1);
	assert_int_equal(k.orders[3][1], 1);
	assert_int_equal(k.gfps.n, 1);
	assert_string_equal(intern_text(&k.gfp_texts, 0), "GFP_KERNEL|__GFP_COMP");
	kmem_release(&k);
	traced_close(&m);
	fill_pages(&again);
	kmem_of(&again, &live, &k);
	assert_int_equal(k.orders[0][0], 0);
	assert_int_equal(k.orders[3][1], 1);
	assert_int_equal(k.leaks.rows.n, 1);
	assert_int_equal(k.leaks.rows.at[0].bytes, 8 * (uint64_t)sysconf(_SC_PAGESIZE));
	kmem_release(&k);
	traced_close(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_summed_by_caller_and_address),
		cmocka_unit_test(many_objects_are_found_again),
		cmocka_unit_test(losses_are_counted),
		cmocka_unit_test(leaks_are_what_nobody_freed),
		cmocka_unit_test(pages_are_counted_by_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
