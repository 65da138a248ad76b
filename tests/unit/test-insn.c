// SPDX-License-Identifier: MIT
#include "unit.h"

#include "symbol/insn_x86.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t parse(const char *hex, uint8_t *bytes, size_t max)
{
	size_t n = 0;

	for (; *hex && n < max; n++) {
		bytes[n] = (uint8_t)strtoul(hex, (char **)&hex, 16);
		hex += *hex == ' ';
	}
	return n;
}

static void check(const char *hex, bool is_64_bit)
{
	uint8_t bytes[32];
	size_t n = parse(hex, bytes, sizeof(bytes));
	size_t found;

	memset(bytes + n, 0x90, sizeof(bytes) - n);
	found = insn_x86_length(bytes, sizeof(bytes), is_64_bit);
	if (found != n)
		fail_msg("%s: %zu", hex, found);
	/* never beyond the bytes there are */
	for (size_t less = 0; less < n; less++)
		assert_int_equal(insn_x86_length(bytes, less, is_64_bit), 0);
}

static void lengths_in_64_bit_code(void **state)
{
	static const char *const code[] = {
		"90",
		"c3",
		"55",
		"48 89 e5",
		"f3 0f 1e fa",
		"e8 f8 0c 00 00",
		"eb fe",
		"c8 10 00 00",
		"48 8b 04 25 28 00 00 00",
		"f6 05 9e c4 01 00 10",
		"f6 d8",
		"f7 c1 01 00 00 00",
		"66 f7 c1 01 00",
		"48 f7 c1 01 00 00 00",
		"48 b8 01 02 03 04 05 06 07 08",
		"66 b8 01 02",
		"b8 01 02 03 04",
		"a1 01 02 03 04 05 06 07 08",
		"67 a1 01 02 03 04",
		"0f 84 00 01 00 00",
		"66 0f 84 00 01 00 00",
		"0f ba e0 05",
		"0f 05",
		"0f a2",
		"66 2e 0f 1f 84 00 00 00 00 00",
		"c4 e2 7d 18 05 10 20 30 40",
		"c5 f8 77",
		"c5 f9 70 c0 1b",
		"c4 e3 7d 19 c1 01",
		"62 f1 7c 48 10 07",
		"62 f3 fd 48 1b c1 01",
		"62 f1 fd 48 6f 44 24 01",
		"f0 48 0f b1 0f",
		"66 0f 3a 0f c1 08",
		"66 0f 38 00 c1",
		"9b",
		"8f c0",
		"c7 44 24 08 01 00 00 00",
		"64 48 8b 04 25 00 00 00 00",
		"48 8d 65 f0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		check(code[i], true);
}

static void lengths_in_32_bit_code(void **state)
{
	static const char *const code[] = {
		"40", "c5 06", "c4 46 10", "62 04 24", "a1 01 02 03 04", "67 8b 07", "67 8b 46 08",
		"67 8b 06 34 12", "9a 01 02 03 04 05 06", "66 e8 01 02", "c5 f8 77", "8b 04 24",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		check(code[i], false);
}

static void what_is_no_instruction_has_no_length(void **state)
{
	const uint8_t no_map[] = {0xc4, 0xe0, 0x7d, 0x18, 0x05, 1, 2, 3, 4};
	uint8_t prefixes[32];

	(void)state;
	memset(prefixes, 0x66, sizeof(prefixes));
	assert_int_equal(insn_x86_length(no_map, sizeof(no_map), true), 0);
	assert_int_equal(insn_x86_length(prefixes, sizeof(prefixes), true), 0);
	assert_int_equal(insn_x86_length(prefixes, 0, true), 0);
}

static bool branches(const char *hex)
{
	uint8_t bytes[32];

	return insn_x86_is_branch(bytes, parse(hex, bytes, sizeof(bytes)), true);
}

static void branches_are_known(void **state)
{
	(void)state;
	assert_true(branches("eb fe"));
	assert_true(branches("e8 00 00 00 00"));
	assert_true(branches("0f 85 00 00 00 00"));
	assert_true(branches("f3 c3"));
	assert_true(branches("ff 25 00 00 00 00"));
	assert_true(branches("ff d0"));
	assert_true(branches("0f 05"));
	assert_true(branches("cc"));
	assert_false(branches("ff 35 00 00 00 00"));
	assert_false(branches("c7 44 24 08 01 00 00 00"));
	assert_false(branches("90"));
	assert_false(branches("c5 f9 70 c0 1b"));
	assert_false(branches("e8 00 00"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_in_64_bit_code),
		cmocka_unit_test(lengths_in_32_bit_code),
		cmocka_unit_test(what_is_no_instruction_has_no_length),
		cmocka_unit_test(branches_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
