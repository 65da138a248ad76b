// SPDX-License-Identifier: MIT
#include "unit.h"

#include "base/mem.h"
#include "event/syscalls.h"

static void test_numbers(void **state)
{
	static const struct {
		const char *name;
		int x86_64, aarch64;
	} known[] = {
		{"read", 0, 63},
		{"io_setup", 206, 0},
		{"openat", 257, 56},
		{"open", 2, -1},
		{"newfstat", 5, 80},
		{"newstat", 4, -1},
		{"newlstat", 6, -1},
		{"newfstatat", 262, 79},
		{"newuname", 63, 160},
		{"sendfile64", 40, 71},
		{"umount", 166, 39},
		{"execve", 59, 221},
		{"fadvise64", 221, -1},
		{"fadvise64_64", -1, 223},
		{"clone3", 435, 435},
		{"futex_wait", 455, 455},
		{"personality", 135, -1},
		{"arm64_personality", -1, 92},
		{"write", 1, 64},
		{"_sysctl", 156, -1},
		/* what programs call so is another function in the kernel */
		{"fstat", -1, -1},
		{"stat", -1, -1},
		{"uname", -1, -1},
		{"umount2", -1, -1},
		{"", -1, -1},
		{"zzz", -1, -1},
		{"rea", -1, -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		assert_int_equal(syscall_of_tracepoint("x86_64", known[i].name), known[i].x86_64);
		assert_int_equal(syscall_of_tracepoint("aarch64", known[i].name), known[i].aarch64);
		assert_int_equal(syscall_of_tracepoint("mips", known[i].name), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
