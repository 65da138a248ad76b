// SPDX-License-Identifier: MIT
#include "unit.h"

#include "symbol/spin_x86.h"

#include <stdlib.h>
#include <string.h>

/* Does the instruction at that offset spin? hex: the bytes of a function. */
static bool spins(const char *hex, size_t at)
{
	uint8_t *bytes = malloc(strlen(hex));
	size_t n = 0;
	bool found;

	for (; *hex; n++) {
		bytes[n] = (uint8_t)strtoul(hex, (char **)&hex, 16);
		hex += *hex == ' ';
	}
	bytes = realloc(bytes, n); /* a sanitizer finds what reads beyond them */
	found = spin_x86_at(bytes, n, at);
	free(bytes);
	return found;
}

static void loops_that_read_a_flag_spin(void **state)
{
	(void)state;
	/* 1: cmpl $0, x(%rip); je 1b; ret */
	assert_true(spins("83 3d 00 00 00 00 00 74 f7 c3", 0));
	assert_true(spins("83 3d 00 00 00 00 00 74 f7 c3", 7));
	assert_false(spins("83 3d 00 00 00 00 00 74 f7 c3", 9)); /* behind the loop */
	/* push %rbp; mov %rsp, %rbp; nop; 1: movzbl x(%rip), %eax; xor $1, %eax; test %al, %al;
	 * jne 1b: what gcc makes without optimization */
	assert_true(spins("55 48 89 e5 90 0f b6 05 00 00 00 00 83 f0 01 84 c0 75 f2 5d c3", 12));
	/* 1: mov -8(%rbp), %rax; mov (%rax), %eax; test %eax, %eax; je 1b */
	assert_true(spins("48 8b 45 f8 8b 00 85 c0 74 f6", 4));
	/* 1: mov (%rdi), %eax; cmp %eax, (%rsi); setne %cl; test %cl, %cl; je, long, 1b */
	assert_true(spins("8b 07 39 06 0f 95 c1 84 c9 0f 84 f1 ff ff ff", 0));
	/* 1: xor %eax, %eax; cmp %eax, (%rdi,%r8,4); je 1b */
	assert_true(spins("31 c0 42 39 04 87 74 f8", 0));
	/* 1: testb $4, 8(%rdi); lfence; nopl (%rax); je 1b */
	assert_true(spins("f6 47 08 04 0f ae e8 0f 1f 00 74 f4", 0));
}

static void loops_that_change_something_work(void **state)
{
	(void)state;
	/* a list: 1: cmp %esi, 8(%rax); je 2f; mov (%rax), %rax; test %rax, %rax; jne 1b */
	assert_false(spins("39 70 08 74 08 48 8b 00 48 85 c0 75 f3", 0));
	/* a string: 1: inc %rax; cmpb $0, (%rax); jne 1b */
	assert_false(spins("48 ff c0 80 38 00 75 f8", 0));
	/* 1: add $1, %rax; cmpb $0, (%rax); jne 1b */
	assert_false(spins("48 83 c0 01 80 38 00 75 f7", 4));
	/* a count in memory: 1: addl $1, -4(%rbp); cmpl $9, -4(%rbp); jle 1b */
	assert_false(spins("83 45 fc 01 83 7d fc 09 7e f6", 0));
	/* a store: 1: mov %eax, (%rdi); cmpl $0, (%rsi); je 1b */
	assert_false(spins("89 07 83 3e 00 74 f9", 0));
	/* a call: 1: call 0; cmpl $0, (%rsi); je 1b */
	assert_false(spins("e8 fb ff ff ff 83 3e 00 74 f6", 5));
	/* a system call: 1: syscall; cmpl $0, (%rsi); je 1b */
	assert_false(spins("0f 05 83 3e 00 74 f9", 2));
	/* 1: lock cmpxchg %ecx, (%rdi); cmpl $0, (%rsi); jne 1b */
	assert_false(spins("f0 0f b1 0f 83 3e 00 75 f7", 0));
	/* nothing is read: 1: jmp 1b */
	assert_false(spins("eb fe", 0));
	/* a register that is set on one way only, and stays: 1: cmpl $0, (%rsi); je 2f;
	 * mov (%rdi), %rax; 2: mov (%rax), %rax; test %rax, %rax; jne 1b */
	assert_false(spins("83 3e 00 74 03 48 8b 07 48 8b 00 48 85 c0 75 f0", 0));
	/* and set on all */
	assert_true(spins("83 3e 00 90 90 48 8b 07 48 8b 00 48 85 c0 75 f0", 0));
}

static void pause_tells_that_a_loop_waits(void **state)
{
	char code[1024] = "f3 90 ";

	(void)state;
	/* 1: pause; sub $1, %ecx; jne 1b: it counts, too */
	assert_true(spins("f3 90 83 e9 01 75 f9", 2));
	/* 1: pause; xchg %eax, (%rdi); test %eax, %eax; jne 1b */
	assert_true(spins("f3 90 87 07 85 c0 75 f8", 2));
	/* rep ret and xchg %eax, %r8d with that prefix are no pause */
	assert_false(spins("f3 c3 87 07 85 c0 75 f8", 2));
	assert_false(spins("f3 41 90 87 07 85 c0 75 f7", 3));
	/* the pause is in a loop around that one: 1: pause; 2: add $1, %eax; jne 2b;
	 * sub $1, %ecx; jne 1b */
	assert_false(spins("f3 90 83 c0 01 75 fb 83 e9 01 75 f4", 2));
	assert_true(spins("f3 90 83 c0 01 75 fb 83 e9 01 75 f4", 7));
	/* in a long loop there is work: 1: pause; 130 times nop; jmp 1b */
	for (int i = 0; i < 130; i++)
		strcat(code, "90 ");
	strcat(code, "e9 77 ff ff ff");
	assert_false(spins(code, 2));
}

static void waits_with_a_delay_inside_spin(void **state)
{
	/* 1: mov $9, %ecx; 2: sub $1, %ecx; jne 2b; cmpl $0, (%rdi); je 1b */
	static const char code[] = "b9 09 00 00 00 83 e9 01 75 fb 83 3f 00 74 f1";

	(void)state;
	assert_true(spins(code, 5));
	assert_true(spins(code, 10));
}

static void what_is_no_code_does_not_spin(void **state)
{
	(void)state;
	assert_false(spins("c4 e0 7d 83 3e 00 74 fb", 3));
	assert_false(spins("83 3e 00 74", 0));
	assert_false(spins("83 3e 00 74 fb", 400));
	assert_false(spins("0f 05", 0));
	assert_false(spins("0f", 0));
	assert_false(spins("74 80", 0)); /* to before the function */
	/* into the middle of an instruction: the loop begins elsewhere than it seems */
	assert_false(spins("83 3e 00 74 fd", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_that_read_a_flag_spin),
		cmocka_unit_test(loops_that_change_something_work),
		cmocka_unit_test(pause_tells_that_a_loop_waits),
		cmocka_unit_test(waits_with_a_delay_inside_spin),
		cmocka_unit_test(what_is_no_code_does_not_spin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
