// SPDX-License-Identifier: MIT
#include "unit.h"
#include "probe/types/operand.h"

#include <elf.h>
#include <string.h>

static unsigned int read_of(uint16_t elf, struct operands *o, const char *text, size_t *n)
{
	*n = strcspn(text, " ");
	operand_machine_find(elf, 64)->read(o, text, *n);
	return o->n;
}

static unsigned int read_text(struct operands *o, const char *text, size_t *n)
{
	return read_of(EM_X86_64, o, text, n);
}

static unsigned int read_a64(struct operands *o, const char *text)
{
	size_t n;

	return read_of(EM_AARCH64, o, text, &n);
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
	assert_ptr_equal(operands_memory(&o), &o.from);
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
	assert_non_null(operands_memory(&o));
}

static void an_address_alone_is_no_access(void **state)
{
	struct operands o;
	size_t n;

	(void)state;
	read_text(&o, "leaq   0x8(%rdi),%rax", &n);
	assert_null(operands_memory(&o));
	read_text(&o, "nopw   0x0(%rax,%rax,1)", &n);
	assert_null(operands_memory(&o));
	assert_int_equal(read_text(&o, "ret", &n), 0);
	assert_true(o.stack);
	read_text(&o, "movl   (,%", &n); /* cut: nothing is read behind the end */
	read_text(&o, "movl   %fs:", &n);
	read_text(&o, "movl   (%rip", &n);
}

static bool writes_of(uint16_t elf, const char *text, int number)
{
	struct operands o;
	size_t n;

	read_of(elf, &o, text, &n);
	return operand_machine_find(elf, 64)->writes(&o, text, n, number);
}

static bool writes(const char *text, int number)
{
	return writes_of(EM_X86_64, text, number);
}

static bool writes_a64(const char *text, int number)
{
	return writes_of(EM_AARCH64, text, number);
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

static void aarch64_loads_into_the_first_register(void **state)
{
	struct operands o;

	(void)state;
	assert_int_equal(read_a64(&o, "ldr     x8, [x0, #16]"), 2);
	assert_int_equal(o.operation, OPERATION_MOVE);
	assert_int_equal(o.to.base, 8);
	assert_int_equal(o.from.base, 0);
	assert_int_equal(o.from.offset, 16);
	assert_ptr_equal(operands_memory(&o), &o.from);
	read_a64(&o, "ldrsw   x9, [x0, #8]");
	assert_int_equal(o.operation, OPERATION_OTHER); /* no pointer */
	assert_int_equal(o.from.offset, 8);
	read_a64(&o, "ldr     x1, [x2, w3, sxtw #3]");
	assert_int_equal(o.from.base, 2);
	assert_int_equal(o.from.index, 3);
	read_a64(&o, "str     x9, [sp, #-0x8]");
	assert_int_equal(o.to.kind, OPERAND_MEMORY);
	assert_int_equal(o.to.base, 31);
	assert_int_equal(o.to.offset, -8);
	assert_int_equal(o.from.base, 9);
	read_a64(&o, "ldp     x21, x20, [x19, #32]");
	assert_int_equal(o.to.base, 21);
	assert_int_equal(o.pair, 20);
	read_a64(&o, "ldr     x0, 0x1234 <table+0x4>");
	assert_true(o.from.has_address);
	assert_int_equal(o.from.address, 0x1234);
	assert_null(operand_machine_find(EM_RISCV, 64));
}

static void aarch64_moves_pointers_by_accesses(void **state)
{
	struct operands o;

	(void)state;
	read_a64(&o, "str     x12, [x11], #48");
	assert_int_equal(o.to.offset, 0);
	assert_int_equal(o.stepped, 11);
	assert_int_equal(o.step, 48);
	read_a64(&o, "stp     x29, x30, [sp, #-48]!");
	assert_int_equal(o.to.offset, -48);
	assert_int_equal(o.stepped, 31);
	assert_int_equal(o.step, -48);
	assert_true(writes_a64("str     x12, [x11], #48", 11));
	assert_true(writes_a64("ld1     { v0.16b }, [x1], x2", 1));
}

static void aarch64_computes_addresses(void **state)
{
	struct operands o;

	(void)state;
	read_a64(&o, "adrp    x8, 30000 <main+0xb4>");
	assert_int_equal(o.operation, OPERATION_ADDRESS);
	assert_int_equal(o.from.address, 0x30000);
	assert_null(operands_memory(&o));
	read_a64(&o, "add     x8, x9, #1736");
	assert_int_equal(o.operation, OPERATION_ADDRESS);
	assert_int_equal(o.from.base, 9);
	assert_int_equal(o.from.offset, 1736);
	read_a64(&o, "sub     sp, sp, #1, lsl #12");
	assert_int_equal(o.to.base, 31);
	assert_int_equal(o.from.offset, -4096);
	read_a64(&o, "add     x0, x1, x2, lsl #3");
	assert_int_equal(o.from.base, 1);
	assert_int_equal(o.from.index, 2);
	read_a64(&o, "sub     x0, x1, x2");
	assert_int_equal(o.operation, OPERATION_OTHER);
	read_a64(&o, "mov     x0, xzr");
	assert_int_equal(o.from.kind, OPERAND_NONE);
	read_a64(&o, "["); /* cut: nothing is read behind the end */
	read_a64(&o, "ldr     x0, [");
	read_a64(&o, "ldr     ,,");
}

static void aarch64_changes_registers(void **state)
{
	(void)state;
	assert_true(writes_a64("mov     x0, x1", 0));
	assert_false(writes_a64("mov     x0, x1", 1));
	assert_false(writes_a64("cmp     x0, x1", 0));
	assert_false(writes_a64("str     x0, [x1]", 0));
	assert_false(writes_a64("str     x0, [x1]", 1));
	assert_true(writes_a64("ldp     x2, x3, [x1]", 3));
	assert_true(writes_a64("ldadd   x2, x3, [x1]", 3));
	assert_true(writes_a64("stlxr   w4, x5, [x6]", 4));
	assert_false(writes_a64("stlxr   w4, x5, [x6]", 5));
	assert_false(writes_a64("prfm    pldl1keep, [x1]", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_has_its_registers_and_offset),
		cmocka_unit_test(the_program_counter_has_the_address_behind_the_text),
		cmocka_unit_test(of_three_operands_the_number_goes),
		cmocka_unit_test(an_address_alone_is_no_access),
		cmocka_unit_test(registers_that_change_are_known),
		cmocka_unit_test(aarch64_loads_into_the_first_register),
		cmocka_unit_test(aarch64_moves_pointers_by_accesses),
		cmocka_unit_test(aarch64_computes_addresses),
		cmocka_unit_test(aarch64_changes_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
