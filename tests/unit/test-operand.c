// SPDX-License-Identifier: MIT
#include "unit.h"
#include "probe/types/operand.h"

#include <string.h>

static unsigned int read_text(struct operands *o, const char *text, size_t *n)
{
	*n = strcspn(text, " ");
	return operands_read(o, text, *n);
}

static void memory_has_its_registers_and_offset(void **state)
{
	struct operands o;
	size_t n;

	(void)state;
	assert_int_equal(read_text(&o, "mov    -0x18(%rbp,%r9,8),%rax", &n), 2);
	assert_int_equal(o.from.kind, OPERAND_MEMORY);
	assert_int_equal(o.from.base, 6);
	assert_int_equal(o.from.index, 9);
	assert_int_equal(o.from.offset, -0x18);
	assert_int_equal(o.to.kind, OPERAND_REGISTER);
	assert_int_equal(o.to.base, 0);
	assert_true(o.to.whole);
	assert_ptr_equal(operands_memory(&o, "mov", 3), &o.from);
}

static void the_program_counter_has_the_address_behind_the_text(void **state)
{
	struct operands o;
	size_t n;

	(void)state;
	assert_int_equal(read_text(&o, "addl $0x1,0x2e43(%rip)        # 4058 <sink>", &n), 2);
	assert_true(o.to.has_address);
	assert_int_equal(o.to.address, 0x4058);
	assert_int_equal(o.from.kind, OPERAND_NUMBER);
	assert_int_equal(o.from.offset, 1);
	read_text(&o, "movl   %eax,0x1c(,%rcx,4)", &n);
	assert_true(o.to.has_address);
	assert_int_equal(o.to.address, 0x1c);
	assert_false(o.from.whole);
	read_text(&o, "movq   %fs:0x28,%rax", &n);
	assert_true(o.from.segment);
	assert_int_equal(o.from.offset, 0x28);
}

static void of_three_operands_the_number_goes(void **state)
{
	struct operands o;
	size_t n;

	(void)state;
	assert_int_equal(read_text(&o, "imulq  $0x30,0x8(%rdi),%rax", &n), 3);
	assert_int_equal(o.from.kind, OPERAND_MEMORY);
	assert_int_equal(o.from.base, 5);
	assert_int_equal(o.to.base, 0);
	assert_int_equal(read_text(&o, "vaddsd 0x8(%rdi),%xmm0,%xmm1", &n), 3);
	assert_non_null(operands_memory(&o, "vaddsd", 6));
}

static void an_address_alone_is_no_access(void **state)
{
	struct operands o;
	size_t n;

	(void)state;
	read_text(&o, "leaq   0x8(%rdi),%rax", &n);
	assert_null(operands_memory(&o, "leaq", 4));
	read_text(&o, "nopw   0x0(%rax,%rax,1)", &n);
	assert_null(operands_memory(&o, "nopw", 4));
	assert_int_equal(read_text(&o, "ret", &n), 0);
	assert_true(o.stack);
	read_text(&o, "movl   (,%", &n); /* cut: nothing is read behind the end */
	read_text(&o, "movl   %fs:", &n);
	read_text(&o, "movl   (%rip", &n);
}

static bool writes(const char *text, int number)
{
	struct operands o;
	size_t n;
	const unsigned int count = read_text(&o, text, &n);

	return operands_write(&o, count, text, n, number);
}

static void registers_that_change_are_known(void **state)
{
	(void)state;
	assert_true(writes("mov    %rdi,%rax", 0));
	assert_true(writes("movl   $0x1,%eax", 0));
	assert_false(writes("mov    %rax,%rdi", 0));
	assert_false(writes("cmpq   %rdi,%rax", 0));
	assert_false(writes("testl  %eax,%eax", 0));
	assert_false(writes("movq   %rdi,(%rax)", 0));
	assert_true(writes("divq   %rcx", 2));
	assert_true(writes("cqto", 2));
	assert_true(writes("cltq", 0));
	assert_true(writes("xchgq  %rax,%rdx", 0));
	assert_true(writes("syscall", 11));
	assert_false(writes("syscall", 12));
	assert_true(writes("popq   %rbx", 3));
	assert_false(writes("pushq  %rbx", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_has_its_registers_and_offset),
		cmocka_unit_test(the_program_counter_has_the_address_behind_the_text),
		cmocka_unit_test(of_three_operands_the_number_goes),
		cmocka_unit_test(an_address_alone_is_no_access),
		cmocka_unit_test(registers_that_change_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
