// SPDX-License-Identifier: MIT
#include "unit.h"

#include "base/mem.h"
#include "os/files/files.h"
#include "os/library.h"
#include "symbol/cache/instructions.h"
#include "symbol/disasm/flow.h"
#include "symbol/disasm/insn.h"
#include "symbol/disasm/llvm.h"
#include "symbol/disasm/simplify.h"

#include <elf.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

static const struct insn_machine *machine(uint16_t elf, uint8_t bits, bool big)
{
	const struct insn_machine *m = insn_machine_find(elf, bits, big);

	assert_non_null(m);
	return m;
}

static void every_machine_is_found_by_what_its_files_say(void **state)
{
	const struct insn_machine *all;
	const size_t n = insn_machines(&all);

	(void)state;
	assert_in_range(n, 20, 100);
	for (size_t i = 0; i < n; i++) {
		const struct insn_machine *found =
			insn_machine_find(all[i].elf, all[i].bits, all[i].big_endian);

		assert_ptr_equal(all[i].thumb ? insn_machine_thumb(found) : found, &all[i]);
		assert_false(found->thumb);
		assert_in_range(all[i].step, 1, 8);
		assert_true(all[i].jumps && all[i].calls && all[i].returns && all[i].nops &&
			    all[i].always);
	}
	assert_null(insn_machine_find(EM_VAX, 32, false));
}

/* A line for each text, four bytes apart from 0x1000 on; NULL: a line that is no instruction. */
static void disasm_make(struct disasm *d, const char *const *at, size_t n)
{
	*d = (struct disasm){.start = 0x1000, .end = 0x1000 + 4 * n};
	d->machine = machine(EM_X86_64, 64, false);
	for (size_t i = 0; i < n; i++)
		vec_add(&d->lines,
			(struct disasm_line){.vaddr = at[i] ? 0x1000 + 4 * i : DISASM_NO_ADDRESS,
					     .text = at[i] ? at[i] : "a comment"});
}

static void the_instruction_before_is_told_where_it_is_the_only_one(void **state)
{
	static const char *const certain[] = {
		"xor    %eax,%eax", "mov    (%rdi),%rdi", NULL, "add    $0x1,%rax",
		"jne    1004 <f+0x4>", "call   2000 <g>", "mov    %rax,%rbx", "jmp    2000 <g>",
		"nop", "ret", "nop"};
	static const size_t before[] = {DISASM_NO_LINE, DISASM_NO_LINE /* the loop's head */,
					1, 1, 3, 4, DISASM_NO_LINE /* after a call */, 6,
					DISASM_NO_LINE /* after a jump */, 8,
					DISASM_NO_LINE /* after a return */};
	static const char *const table[] = {"xor    %eax,%eax", "mov    (%rdi),%rdi",
					    "jmp    *%rax"};
	struct disasm d;
	struct arena arena = {0};
	struct disasm_flow flow;

	(void)state;
	disasm_make(&d, certain, ARRAY_SIZE(certain));
	disasm_flow_init(&flow, &d, &arena);
	assert_false(flow.has_unknown);
	for (size_t i = 0; i < ARRAY_SIZE(certain); i++)
		if (certain[i])
			assert_int_equal(disasm_flow_before(&flow, i), before[i]);
	disasm_release(&d);
	/* a jump to where only a register tells may lead anywhere */
	disasm_make(&d, table, ARRAY_SIZE(table));
	disasm_flow_init(&flow, &d, &arena);
	assert_true(flow.has_unknown);
	assert_int_equal(disasm_flow_before(&flow, 1), DISASM_NO_LINE);
	/* of a machine whose instructions are not known */
	d.machine = NULL;
	disasm_flow_init(&flow, &d, &arena);
	assert_false(flow.has_unknown);
	assert_int_equal(disasm_flow_before(&flow, 1), DISASM_NO_LINE);
	disasm_release(&d);
	arena_release(&arena);
}

struct text {
	uint16_t elf;
	uint8_t bits;
	bool big, llvm;
	const char *text;
	enum insn_kind kind;
	uint64_t target; /* 0: none */
	bool always;
};

/* All at 0x1000. */
static const struct text texts[] = {
	{EM_X86_64, 64, 0, 0, "jmp    1139 <main+0x20>", INSN_JUMP, 0x1139, true},
	{EM_X86_64, 64, 0, 0, "jne    1139 <main+0x20>", INSN_JUMP, 0x1139, false},
	{EM_X86_64, 64, 0, 0, "bnd jmp 1139 <f@plt>", INSN_JUMP, 0x1139, true},
	{EM_X86_64, 64, 0, 0, "jmp    *%rax", INSN_JUMP, 0, true},
	{EM_X86_64, 64, 0, 0, "notrack jmp *%rax", INSN_JUMP, 0, true},
	{EM_X86_64, 64, 0, 0, "jmp    *0x2f32(%rip)        # 4018 <write@GLIBC_2.2.5>", INSN_JUMP,
	 0x4018, true},
	{EM_X86_64, 64, 0, 0, "call   401000", INSN_CALL, 0x401000, false},
	{EM_X86_64, 64, 0, 0, "call   *0x8(%rax)", INSN_CALL, 0, false},
	{EM_X86_64, 64, 0, 0, "repz ret", INSN_RETURN, 0, false},
	{EM_X86_64, 64, 0, 0, "ret", INSN_RETURN, 0, false},
	{EM_X86_64, 64, 0, 0, "mov    %rdi,%rdx", INSN_OTHER, 0, false},
	{EM_X86_64, 64, 0, 0, "nopw   0x0(%rax,%rax,1)", INSN_NOP, 0, false},
	{EM_X86_64, 64, 0, 1, "callq  0x11c0", INSN_CALL, 0x11c0, false},
	{EM_X86_64, 64, 0, 1, "jmpq   *%rcx", INSN_JUMP, 0, true},
	{EM_AARCH64, 64, 0, 1, "b.lt    0x1084", INSN_JUMP, 0x1084, false},
	{EM_AARCH64, 64, 0, 1, "bl      0x7e0", INSN_CALL, 0x7e0, false},
	{EM_AARCH64, 64, 0, 1, "tbnz    w0, #3, 0x1020", INSN_JUMP, 0x1020, false},
	{EM_AARCH64, 64, 0, 0, "cbz     x1, 14bc <f+0xac>", INSN_JUMP, 0x14bc, false},
	{EM_AARCH64, 64, 0, 1, "br      x16", INSN_JUMP, 0, true},
	{EM_AARCH64, 64, 0, 1, "ret", INSN_RETURN, 0, false},
	{EM_AARCH64, 64, 0, 1, "bic     x0, x1, x2", INSN_OTHER, 0, false},
	{EM_ARM, 32, 0, 1, "blt     0x1074", INSN_JUMP, 0x1074, false},
	{EM_ARM, 32, 0, 1, "bl      0x1068", INSN_CALL, 0x1068, false},
	{EM_ARM, 32, 0, 1, "bx      lr", INSN_RETURN, 0, false},
	{EM_ARM, 32, 0, 1, "bic     r0, r1, #1", INSN_OTHER, 0, false},
	{EM_RISCV, 64, 0, 1, "blez    a0, 96", INSN_JUMP, 0x1060, false},
	{EM_RISCV, 64, 0, 1, "j       -0x20", INSN_JUMP, 0xfe0, true},
	{EM_RISCV, 64, 0, 1, "ret", INSN_RETURN, 0, false},
	{EM_PPC64, 64, 0, 1, "bt      0, .+124", INSN_JUMP, 0x107c, false},
	{EM_PPC64, 64, 0, 1, "b       .-16", INSN_JUMP, 0xff0, true},
	{EM_PPC64, 64, 0, 1, "bl      .+8", INSN_CALL, 0x1008, false},
	{EM_PPC64, 64, 0, 1, "blr", INSN_RETURN, 0, false},
	{EM_PPC64, 64, 0, 1, "bctrl", INSN_CALL, 0, false},
	{EM_S390, 64, 1, 1, "brasl  %r14,4212", INSN_CALL, 4212, false},
	{EM_S390, 64, 1, 1, "cgijle %r2,0,4226", INSN_JUMP, 4226, false},
	{EM_S390, 64, 1, 1, "br     %r14", INSN_RETURN, 0, false},
	{EM_S390, 64, 1, 1, "br     %r1", INSN_JUMP, 0, true},
	{EM_MIPS, 64, 0, 1, "blez    $4, 0x98", INSN_JUMP, 0x1098, false},
	{EM_MIPS, 64, 0, 1, "jr      $ra", INSN_RETURN, 0, false},
	{EM_LOONGARCH, 64, 0, 1, "beq     $a0, $a1, 16", INSN_JUMP, 0x1010, false},
	{EM_BPF, 64, 0, 1, "if r1 s< 0x1 goto +0x14", INSN_JUMP, 0x10a8, false},
	{EM_BPF, 64, 0, 1, "goto -3", INSN_JUMP, 0xff0, true},
	{EM_BPF, 64, 0, 1, "goto    +0x5", INSN_JUMP, 0x1030, true},
	{EM_BPF, 64, 0, 1, "exit", INSN_RETURN, 0, false},
	/* a branch's field, which is no address */
	{EM_SPARCV9, 64, 1, 1, "bl      15", INSN_JUMP, 0, false},
	{EM_SPARCV9, 64, 1, 0, "bl      15", INSN_JUMP, 0, false},
	{EM_SPARCV9, 64, 1, 0, "bl      1008 <f+0x8>", INSN_JUMP, 0x1008, false},
};

static void texts_say_what_instructions_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct text *t = &texts[i];
		struct insn insn;

		insn_read(&insn, machine(t->elf, t->bits, t->big), t->text, 0x1000, t->llvm);
		if (insn.kind != t->kind || insn.has_target != (t->target != 0) ||
		    (t->target && insn.target != t->target) || insn.always != t->always)
			fail_msg("'%s': kind %d, target %d 0x%llx, always %d", t->text, insn.kind,
				 insn.has_target, (unsigned long long)insn.target, insn.always);
	}
}

struct code {
	uint16_t elf;
	uint8_t bits;
	bool big, intel;
	const char *bytes;
	size_t n;
	const char *text;
};
#define BYTES(s) s, sizeof(s) - 1

/* All at 0x1000. */
static const struct code codes[] = {
	{EM_X86_64, 64, 0, 0, BYTES("\x48\x89\xfa"), "movq   %rdi,%rdx"},
	{EM_X86_64, 64, 0, 1, BYTES("\x48\x89\xfa"), "mov    rdx,rdi"},
	{EM_X86_64, 64, 0, 0, BYTES("\x75\x0e"), "jne    0x1010"},
	{EM_X86_64, 64, 0, 0, BYTES("\xe8\x00\x01\x00\x00"), "callq  0x1105"},
	{EM_X86_64, 64, 0, 0, BYTES("\xf0\x48\x0f\xb1\x0a"), "lock cmpxchgq %rcx,(%rdx)"},
	{EM_X86_64, 64, 0, 0, BYTES("\x4c\x8d\x15\x3b\x2e\x00\x00"), "leaq   0x2e3b(%rip),%r10"},
	{EM_AARCH64, 64, 0, 0, BYTES("\xc0\x03\x5f\xd6"), "ret"},
	{EM_AARCH64, 64, 0, 0, BYTES("\x41\x00\x00\x54"), "b.ne    0x1008"},
	{EM_AARCH64, 64, 0, 0, BYTES("\x20\x00\x20\xf8"), "ldadd   x0, x0, [x1]"},
	{EM_RISCV, 64, 0, 0, BYTES("\x82\x80"), "ret"},
	{EM_PPC64, 64, 0, 0, BYTES("\x20\x00\x80\x4e"), "blr"},
	{EM_S390, 64, 1, 0, BYTES("\x07\xfe"), "br     %r14"},
	{EM_ARM, 32, 0, 0, BYTES("\x1e\xff\x2f\xe1"), "bx      lr"},
	{EM_BPF, 64, 0, 0, BYTES("\x95\x00\x00\x00\x00\x00\x00\x00"), "exit"},
	{EM_XCORE, 32, 0, 0, BYTES("\xc0\x77"), "retsp   0"},
};

static void llvm_says_what_bytes_mean(void **state)
{
	(void)state;
	if (!library_possible())
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		const struct code *c = &codes[i];
		struct llvm *l = llvm_open(machine(c->elf, c->bits, c->big), c->intel, NULL);
		AUTO_BUF text = {0};
		size_t size;

		if (!l)
			skip();
		size = llvm_instruction(l, (const uint8_t *)c->bytes, c->n, 0x1000, &text);
		llvm_close(l);
		assert_int_equal(size, c->n);
		assert_string_equal(buf_text(&text), c->text);
	}
}

static void what_is_no_instruction_has_no_size(void **state)
{
	struct llvm *l = llvm_open(machine(EM_X86_64, 64, false), false, NULL);
	AUTO_BUF text = {0};

	(void)state;
	if (!l)
		skip();
	assert_int_equal(llvm_instruction(l, (const uint8_t *)"\x06", 1, 0, &text), 0);
	assert_int_equal(llvm_instruction(l, (const uint8_t *)"\x48", 1, 0, &text), 0);
	assert_int_equal(text.n, 0);
	llvm_close(l);
}

static void operands_become_names(void **state)
{
	static const struct {
		const char *text, *target, *simple;
	} rows[] = {
		{"mov    %rdi,%rdx", NULL, "mov     %rdi,%rdx"},
		{"jle    1068 <f+0x68>", "f", "jle     68"},
		{"jle    2000 <g>", "g", "jle     g"},
		{"call   2000 <g>", "g<int>", "call    g<int>"},
		{"call   *0x8(%rax)", NULL, "call    *0x8(%rax)"},
		{"lea    0x2e3b(%rip),%r10        # 4040 <std::map<int> x>", NULL,
		 "lea     std::map<int> x,%r10"},
		{"cmpl   $0x1,0x10(%rip)        # 4040 <y+0x4>", NULL, "cmpl    $0x1,y+0x4"},
		{"nopw   0x0(%rax,%rax,1)", NULL, "nop    "},
		{"lock cmpxchg %edx,0x0(%rbp)", NULL, "lock    cmpxchg %edx,0x0(%rbp)"},
		{"ret", NULL, "ret     "},
	};
	const struct disasm d = {.start = 0x1000, .end = 0x1100};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct disasm_line line = {.vaddr = 0x1000, .text = rows[i].text};
		AUTO_BUF out = {0};
		struct insn insn;

		insn_read(&insn, machine(EM_X86_64, 64, false), line.text, line.vaddr, false);
		disasm_simplify(&d, &line, &insn, rows[i].target, 7, &out);
		assert_string_equal(buf_text(&out), rows[i].simple);
	}
}

/* Stored under the folder of the cache, found again by the same code only. */
static void texts_are_kept_for_the_same_code(void **state)
{
	static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5};
	char folder[] = "/tmp/test-disasm-XXXXXX";
	struct kept_instructions k;
	AUTO_BUF text = {0};

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
	kept_instructions_open(&k, code, sizeof(code), 0x1000, "x86_64", "", 1 << 20);
	assert_false(k.found);
	kept_instructions_add(&k, 1, "push", 4);
	kept_instructions_add(&k, 3, "mov", 3);
	kept_instructions_close(&k, true);

	kept_instructions_open(&k, code, sizeof(code), 0x1000, "x86_64", "", 1 << 20);
	assert_true(k.found);
	assert_int_equal(kept_instructions_next(&k, &text), 1);
	assert_int_equal(kept_instructions_next(&k, &text), 3);
	assert_string_equal(buf_text(&text), "pushmov");
	kept_instructions_close(&k, true);

	kept_instructions_open(&k, code, sizeof(code), 0x2000, "x86_64", "", 1 << 20);
	assert_false(k.found);
	kept_instructions_close(&k, false);
	kept_instructions_open(&k, code, sizeof(code) - 1, 0x1000, "x86_64", "", 1 << 20);
	assert_false(k.found);
	kept_instructions_close(&k, false);
	kept_instructions_open(&k, code, sizeof(code), 0x1000, "x86_64", "intel", 1 << 20);
	assert_false(k.found);
	kept_instructions_close(&k, false);
	assert_int_equal(files_remove_tree(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_become_names),
		cmocka_unit_test(texts_are_kept_for_the_same_code),
		cmocka_unit_test(every_machine_is_found_by_what_its_files_say),
		cmocka_unit_test(the_instruction_before_is_told_where_it_is_the_only_one),
		cmocka_unit_test(texts_say_what_instructions_do),
		cmocka_unit_test(llvm_says_what_bytes_mean),
		cmocka_unit_test(what_is_no_instruction_has_no_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
