// SPDX-License-Identifier: MIT
#include "unit.h"

#include "base/buf.h"
#include "base/cursor.h"
#include "base/digits.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "base/rbtree.h"
#include "base/sorted.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void compare_number(unsigned long long v)
{
	struct buf b = {0};
	char want[256];

	buf_dec_right(&b, v, 7);
	buf_char(&b, '|');
	buf_dec_zero(&b, v, 6);
	buf_char(&b, '|');
	buf_hex_right(&b, v, 16);
	buf_char(&b, '|');
	buf_hex_zero(&b, v, 5);
	buf_char(&b, '|');
	buf_sdec(&b, (int64_t)v);
	buf_char(&b, '|');
	buf_dec(&b, v);
	buf_char(&b, '|');
	buf_hex(&b, v);
	buf_char(&b, '|');
	buf_reserve(&b, 2 * DIGITS_MAX);
	b.n = (size_t)(digits_sdec(digits_6(b.at + b.n, (uint32_t)(v % 1000000)), (int64_t)v) -
		       b.at);
	snprintf(want, sizeof(want), "%7llu|%06llu|%16llx|%05llx|%lld|%llu|%llx|%06llu%lld", v, v,
		 v, v, (long long)v, v, v, v % 1000000, (long long)v);
	assert_string_equal(buf_text(&b), want);
	buf_release(&b);
}

/* Each number of digits, in tens and in sixteens, from its first to its last. */
static void numbers_are_as_printf_writes_them(void **state)
{
	unsigned long long ten = 1, sixteen = 1;

	(void)state;
	for (int i = 0; i < 20; i++, ten *= 10) {
		compare_number(ten - 1);
		compare_number(ten);
		compare_number(ten + ten / 2 + 7);
	}
	for (int i = 0; i < 16; i++, sixteen *= 16) {
		compare_number(sixteen - 1);
		compare_number(sixteen * 10);
	}
	compare_number(UINT64_MAX);
}

static void points_stand_before_decimals(void **state)
{
	static const uint64_t numbers[] = {0,	      7,	  99,		100,
					   999999999, 1000000000, 123456789012, UINT64_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		for (size_t decimals = 0; decimals <= BUF_POINT_MOST; decimals++)
			for (size_t width = 0; width < 40; width += 13) {
				const uint64_t v = numbers[i];
				uint64_t power = 1;
				struct buf b = {0};
				char number[64], want[128];

				for (size_t n = 0; n < decimals; n++)
					power *= 10;
				snprintf(number, sizeof(number), "%" PRIu64 ".%0*" PRIu64,
					 v / power, (int)decimals, v % power);
				if (!decimals)
					*strchr(number, '.') = 0;
				snprintf(want, sizeof(want), "x%*s", (int)width, number);
				buf_char(&b, 'x');
				buf_point(&b, v, decimals, width);
				assert_string_equal(buf_text(&b), want);
				buf_release(&b);
			}
}

#define COMPARE_TEXT(...)                                                                          \
	do {                                                                                       \
		struct buf b_ = {0};                                                               \
		char want_[8192];                                                                  \
		snprintf(want_, sizeof(want_), __VA_ARGS__);                                       \
		buf_str(&b_, "before ");                                                           \
		buf_printf(&b_, __VA_ARGS__);                                                      \
		assert_string_equal(buf_text(&b_) + strlen("before "), want_);                     \
		buf_release(&b_);                                                                  \
	} while (0)

static void texts_are_as_printf_writes_them(void **state)
{
	static const long long numbers[] = {0,	   1,	      -1,	 9,	    10,	      -10,
					    12345, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};

	(void)state;
	COMPARE_TEXT("plain, 100%%");
	COMPARE_TEXT("%s|%5s|%-5s|%2s|%.2s|%-6.3s|%*s|%-*s|%.*s|", "text", "abc", "abc", "abc",
		     "abc", "abcdef", 7, "right", 7, "left", 2, "cut");
	COMPARE_TEXT("%s|%5s|%c|%3c|%-3c|", "", "x", 'a', 'b', 'c');
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const long long n = numbers[i];

		COMPARE_TEXT("%d|%5d|%-5d|%05d|%i|%u|%3u|%x|%08x|%#x|", (int)n, (int)n, (int)n,
			     (int)n, (int)n, (unsigned)n, (unsigned)n, (unsigned)n, (unsigned)n,
			     (unsigned)n);
		COMPARE_TEXT("%lld|%9lld|%-9lld|%024lld|%llu|%llx|%016llx|%#llx|%ld|%lu|%zu|%*lld|",
			     n, n, n, n, (unsigned long long)n, (unsigned long long)n,
			     (unsigned long long)n, (unsigned long long)n, (long)n,
			     (unsigned long)n, (size_t)n, 12, n);
		/* what is left to the C library, with other text around it */
		COMPARE_TEXT("%d %+d % d %.3d %#10x %o %X %hhx %g %5.1e %p %s", (int)n, (int)n,
			     (int)n, (int)n, (unsigned)n, (unsigned)n, (unsigned)n,
			     (unsigned char)n, (double)n, (double)n, (void *)&state, "end");
	}
}

static void compare_fixed(double v)
{
	COMPARE_TEXT("%.0f %.1f %.2f %.3f %f %.8f %.9f %.12f", v, v, v, v, v, v, v, v);
	COMPARE_TEXT("%9.2f %-9.2f| %09.2f %*.*f", v, v, v, 14, 5, v);
}

/* Halves that are exact in binary are rounded to even, all others to the nearest. */
static void fractions_are_as_printf_writes_them(void **state)
{
	static const double values[] = {0.0,
					0.5,
					1.5,
					2.5,
					0.25,
					0.75,
					0.125,
					0.375,
					1e-9,
					5e-10,
					4.9999999999e-10,
					5e-324,
					2.2250738585072014e-308,
					0.1,
					0.3,
					0.005,
					0.015,
					9.995,
					99.5,
					999999.9999995,
					4503599627370495.5,
					4503599627370496.0,
					9223372036.854775,
					9223372036.854776,
					1e15,
					1e300,
					1e-300,
					(double)INFINITY,
					(double)NAN};
	uint64_t bits = 88172645463325252u;

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		compare_fixed(values[i]);
		compare_fixed(-values[i]);
	}
	for (int i = 0; i < 20000; i++) {
		double v;

		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		compare_fixed((double)(bits >> 20) / (double)(1u << (bits & 31)));
		if (i % 16)
			continue;
		memcpy(&v, &bits, sizeof(v));
		compare_fixed(v);
	}
}

static void safe_text_has_no_control_characters(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {{"", ""},
		     {"plain", "plain"},
		     {"\033[1m", "\\x1b[1m"},
		     {"a\nb\177", "a\\x0ab\\x7f"},
		     {"\303\244", "\303\244"},
		     {"\302\233"
		      "31m",
		      "\\xc2\\x9b31m"},
		     {"\233x", "\\x9bx"},
		     {"\302", "\302"},
		     {"\342\202\254uro", "\342\202\254uro"},
		     {"\342\202\n", "\342\\x82\\x0a"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf b = {0};

		buf_safe(&b, cases[i].text);
		assert_string_equal(buf_text(&b), cases[i].want);
		buf_release(&b);
	}
}

/* Words of eight bytes are looked at at once. */
static void each_byte_of_a_text_is_looked_at(void **state)
{
	char text[20];

	(void)state;
	for (int c = 1; c < 256; c++)
		for (size_t at = 0; at < sizeof(text); at++) {
			struct buf b = {0};

			memset(text, 'x', sizeof(text));
			text[at] = (char)c;
			assert_int_equal(text_is_safe(text, sizeof(text)),
					 (c >= 0x20 && c < 0x7f) || c >= 0xa0);
			buf_str(&b, "\n");
			buf_add(&b, text, sizeof(text));
			buf_make_safe(&b, 1);
			assert_int_equal(b.n, text_is_safe(text, sizeof(text)) ? 21 : 24);
			buf_release(&b);
		}
}

static void a_cursor_never_leaves_its_bytes(void **state)
{
	const uint8_t bytes[] = {1, 2, 3, 4, 'a', 'b', 0, 9};
	struct cursor c = cursor_over(bytes, sizeof(bytes), false);

	(void)state;
	assert_int_equal(cursor_u32(&c), 0x04030201);
	assert_string_equal(cursor_str(&c, 3), "ab");
	assert_int_equal(cursor_u16(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_left(&c), 1);
	c = cursor_over(bytes, sizeof(bytes), true);
	assert_int_equal(cursor_u32(&c), 0x01020304);
	c = cursor_over("abc", 3, false);
	assert_null(cursor_str(&c, 3));
	assert_true(c.bad);
}

static void interning_gives_dense_ids(void **state)
{
	struct intern in = {0};
	char name[16];

	(void)state;
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 1000; i++) {
			snprintf(name, sizeof(name), "n%u", i);
			assert_int_equal(intern_str(&in, name), i);
		}
	assert_string_equal(intern_text(&in, 999), "n999");
	assert_int_equal(intern_find(&in, "n1", 2), 1);
	assert_int_equal(intern_find(&in, "zz", 2), HASH_NONE);
	intern_release(&in);
}

/* Long bytes are hashed by other instructions, where the processor has them. */
static void hashes_are_the_same_in_pieces(void **state)
{
	static const size_t sizes[] = {0, 1, 300, 1023, 1024, 1025, 5000, 70000};
	struct hash_stream *h = hash_stream_new();
	uint8_t *p = mem_alloc(70000);

	(void)state;
	for (size_t i = 0; i < 70000; i++)
		p[i] = (uint8_t)(i * i >> 3);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		hash_stream_reset(h);
		hash_stream_add(h, p, sizes[i] / 3);
		hash_stream_add(h, p + sizes[i] / 3, sizes[i] - sizes[i] / 3);
		assert_int_equal(hash_bytes(p, sizes[i], 0), hash_stream_value(h));
	}
	hash_stream_free(h);
	free(p);
}

static uint64_t hash_of_square(uint32_t id)
{
	return hash_bytes(&(uint64_t){(uint64_t)id * id}, sizeof(uint64_t), 0);
}

/* Rows that are not theirs: the squares of ids. */
static void id_slots_find_what_lies_elsewhere(void **state)
{
	struct id_slots t = {0};
	uint64_t hash = hash_of_square(3);
	uint32_t i = id_slots_begin(&t, hash), id;

	(void)state;
	assert_int_equal(id_slots_next(&t, hash, &i), HASH_NONE);
	for (uint32_t k = 0; k < 10000; k++)
		id_slots_add(&t, k, hash_of_square(k));
	assert_int_equal(t.n, 10000);
	for (uint32_t k = 0; k < 10000; k++) {
		hash = hash_of_square(k);
		for (i = id_slots_begin(&t, hash); (id = id_slots_next(&t, hash, &i)) != k;)
			assert_int_not_equal(id, HASH_NONE);
	}
	/* two of one hash: both come, then no more */
	id_slots_add(&t, 77777, hash_of_square(5));
	hash = hash_of_square(5);
	i = id_slots_begin(&t, hash);
	assert_int_equal(id_slots_next(&t, hash, &i), 5);
	assert_int_equal(id_slots_next(&t, hash, &i), 77777);
	assert_int_equal(id_slots_next(&t, hash, &i), HASH_NONE);
	id_slots_release(&t);
}

static void idmap_keeps_every_key(void **state)
{
	struct idmap m = {0};

	(void)state;
	assert_int_equal(idmap_find(&m, 0), HASH_NONE);
	for (uint32_t i = 0; i < 5000; i++)
		*idmap_put(&m, (uint64_t)i << 32) = i;
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(idmap_find(&m, (uint64_t)i << 32), i);
	assert_int_equal(idmap_find(&m, 1), HASH_NONE);
	idmap_release(&m);
}

/* Black nodes on every way down from x; fails when a red node has a red child. */
static int black_height(const struct rb_tree *t, uint32_t x)
{
	const struct rb_node *n = &t->at[x];
	int left, right;

	if (x == RB_NIL)
		return 1;
	assert_false(n->red && (t->at[n->child[0]].red || t->at[n->child[1]].red));
	left = black_height(t, n->child[0]);
	right = black_height(t, n->child[1]);
	assert_int_equal(left, right);
	return left + !n->red;
}

static void a_tree_stays_sorted_and_balanced(void **state)
{
	enum { N = 500 };
	struct rb_node nodes[N + 1] = {0};
	struct rb_tree t = {.at = nodes};
	uint32_t seed = 1, count = 0, last = 0;

	(void)state;
	for (uint32_t x = 1; x <= N; x++) {
		uint32_t up = RB_NIL;
		int side = 0;

		seed = seed * 1103515245 + 12345;
		nodes[x].key = seed >> 16 & 255;
		for (uint32_t i = t.root; i != RB_NIL; i = nodes[i].child[side]) {
			up = i;
			side = nodes[x].key >= nodes[i].key;
		}
		rb_insert(&t, x, up, side);
		black_height(&t, t.root);
	}
	for (uint32_t x = 3; x <= N; x += 3) {
		rb_erase(&t, x);
		black_height(&t, t.root);
	}
	for (uint32_t x = rb_first(&t); x != RB_NIL; x = rb_next(&t, x), count++) {
		assert_true(nodes[x].key >= last);
		assert_int_not_equal(x % 3, 0);
		last = nodes[x].key;
	}
	assert_int_equal(count, N - N / 3);
}

static void keyed_ids_are_sorted_and_equal_ones_stay(void **state)
{
	static const uint64_t masks[] = {0xff, 0xff00000000000000, 0x10010, UINT64_MAX, 0};
	struct keyed at[1000];
	uint64_t x = 1;

	(void)state;
	for (size_t m = 0; m < ARRAY_SIZE(masks); m++) {
		for (uint32_t i = 0; i < ARRAY_SIZE(at); i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			at[i] = (struct keyed){(x ^ x >> 33) & masks[m], i};
		}
		for (int again = 0; again < 2; again++) { /* sorted already the second time */
			keyed_sort(at, ARRAY_SIZE(at));
			for (size_t i = 1; i < ARRAY_SIZE(at); i++)
				if (at[i - 1].key >= at[i].key) {
					assert_int_equal(at[i - 1].key, at[i].key);
					assert_true(at[i - 1].id < at[i].id);
				}
		}
	}
	keyed_sort(at, 1);
	keyed_sort(NULL, 0);
}

static void errors_show_no_control_characters(void **state)
{
	struct err e = {0};

	(void)state;
	assert_int_equal(err_set(&e, ERR_INPUT, "cannot read '%s'", "a\033[2Jb\n"), -1);
	assert_string_equal(e.text, "cannot read 'a\\x1b[2Jb\\x0a'");
	err_prefix(&e, "top");
	assert_string_equal(e.text, "top: cannot read 'a\\x1b[2Jb\\x0a'");
}

static void sorted_elements_are_counted_up_to_a_number(void **state)
{
	static const struct {
		char before;
		uint64_t key;
	} rows[] = {{0, 3}, {0, 5}, {0, 5}, {0, 9}, {0, UINT64_MAX}}, *none = NULL;
	static const struct {
		uint64_t key;
		size_t n;
	} wanted[] = {{0, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 3}, {8, 3},
		      {9, 4}, {UINT64_MAX - 1, 4}, {UINT64_MAX, 5}};
	const size_t no_rows = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		for (size_t n = 0; n <= ARRAY_SIZE(rows); n++)
			assert_int_equal(SORTED_UNTIL(rows, n, key, wanted[i].key),
					 MIN(wanted[i].n, n));
	assert_int_equal(SORTED_UNTIL(none, no_rows, key, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_as_printf_writes_them),
		cmocka_unit_test(points_stand_before_decimals),
		cmocka_unit_test(texts_are_as_printf_writes_them),
		cmocka_unit_test(fractions_are_as_printf_writes_them),
		cmocka_unit_test(safe_text_has_no_control_characters),
		cmocka_unit_test(each_byte_of_a_text_is_looked_at),
		cmocka_unit_test(a_cursor_never_leaves_its_bytes),
		cmocka_unit_test(interning_gives_dense_ids),
		cmocka_unit_test(id_slots_find_what_lies_elsewhere),
		cmocka_unit_test(hashes_are_the_same_in_pieces),
		cmocka_unit_test(idmap_keeps_every_key),
		cmocka_unit_test(a_tree_stays_sorted_and_balanced),
		cmocka_unit_test(keyed_ids_are_sorted_and_equal_ones_stay),
		cmocka_unit_test(errors_show_no_control_characters),
		cmocka_unit_test(sorted_elements_are_counted_up_to_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
