// SPDX-License-Identifier: MIT
/* Tables that lead to callers, of small files of several machines (tests/fuzz/unwind): Go's table
 * of functions of all versions, .debug_frame as it is and compressed, and a stack of aarch64
 * wherever this runs. */
#include "unit.h"

#include "symbol/dso_private.h"
#include "symbol/unwind/guess.h"

#include <stdio.h>
#include <string.h>

static struct mapped bytes_of(const char *name)
{
	struct mapped m = {0};
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", SMALL_FILES, name);
	assert_int_equal(mapped_open(&m, path, NULL), 0);
	return m;
}

static void go_names_and_frames_are_found(void **state)
{
	static const char *const versions[] = {"go1.2", "go1.16", "go1.18", "go1.20"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		struct mapped bytes = bytes_of(versions[i]);
		struct symbol_table symbols = {0};
		struct unwind_file file;
		struct go_function f;
		int32_t size = -1;

		assert_int_equal(unwind_file_init(&file, bytes.p, bytes.n), 0);
		assert_true(file.has_go);
		assert_false(file.has_cfi);
		assert_true(go_table_find(&file.go, 0x401010, &f));
		assert_string_equal(f.name, "main.main");
		assert_int_equal(f.start, 0x401000);
		assert_int_equal(f.end, 0x401020);
		assert_true(go_table_frame(&file.go, &f, 0x401003, &size));
		assert_int_equal(size, 0);
		assert_true(go_table_frame(&file.go, &f, 0x401004, &size));
		assert_int_equal(size, 24);
		assert_true(go_table_frame(&file.go, &f, 0x40101f, &size));
		assert_int_equal(size, 0);
		assert_false(go_table_find(&file.go, 0x400fff, &f));
		assert_false(go_table_find(&file.go, 0x401050, &f));
		assert_true(go_table_find(&file.go, 0x40104f, &f));
		assert_true(f.outermost);
		go_table_symbols(&file.go, &symbols);
		assert_int_equal(symbols.n, 4);
		assert_int_equal(symbols.at[1].start, 0x78 + 0x20);
		assert_int_equal(symbols.at[1].end, 0x78 + 0x30);
		assert_string_equal(symbols.at[1].name, "main.leaf");
		symbol_table_release(&symbols);
		unwind_file_release(&file);
		mapped_release(&bytes);
	}
}

static void go_frames_are_rules(void **state)
{
	const struct unwind_machine *x86 = unwind_machine_find(EM_X86_64),
				    *arm = unwind_machine_find(EM_AARCH64);
	struct mapped bytes = bytes_of("go1.20");
	struct unwind_file file;
	struct cfi_rule rule;

	(void)state;
	assert_int_equal(unwind_file_init(&file, bytes.p, bytes.n), 0);
	assert_true(go_rule(&file.go, x86, 0x401010, &rule));
	assert_int_equal(rule.frame_reg, 7);
	assert_int_equal(rule.frame, 32);
	assert_int_equal(rule.ra.how, CFI_AT);
	assert_int_equal(rule.ra.at, -8);
	assert_int_equal(rule.fp.at, -16);
	assert_true(go_rule(&file.go, arm, 0x401010, &rule));
	assert_int_equal(rule.frame_reg, 31);
	assert_int_equal(rule.frame, 24);
	assert_int_equal(rule.ra.at, -24);
	assert_int_equal(rule.fp.at, -32);
	assert_true(go_rule(&file.go, arm, 0x401001, &rule));
	assert_int_equal(rule.ra.how, CFI_SAME);
	assert_true(go_rule(&file.go, x86, 0x401030, &rule));
	assert_true(rule.flags & CFI_OUTER);
	assert_true(go_rule(&file.go, x86, 0x401040, &rule));
	assert_int_equal(rule.ra.how, CFI_UNDEFINED);
	unwind_file_release(&file);
	mapped_release(&bytes);
}

static void compressed_frames_are_the_same(void **state)
{
	static const char *const names[] = {"debug.x86-64", "zlib.x86-64", "zlibgnu.x86-64"};
	struct mapped bytes[3], expanded[3];
	struct unwind_file files[3];
	size_t rules = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		const uint8_t *p;
		size_t n;

		bytes[i] = bytes_of(names[i]);
		assert_int_equal(unwind_file_init(&files[i], bytes[i].p, bytes[i].n), 0);
		assert_false(files[i].has_cfi);
		assert_true(elf_section_whole(&files[i].elf, ".debug_frame", &expanded[i], &p, &n));
		assert_int_equal(expanded[i].heap, i > 0);
		unwind_file_release(&files[i]);
		assert_int_equal(unwind_file_init_debug(&files[i], bytes[i].p, bytes[i].n, p, n),
				 0);
		assert_true(files[i].has_cfi);
	}
	for (uint64_t v = 0x400000; v < 0x400400; v++) {
		struct cfi_rule a, b;
		uint64_t from, to;
		bool known = cfi_find(&files[0].cfi, v, &a, &from, &to);

		rules += known;
		for (int i = 1; i < 3; i++) {
			assert_int_equal(cfi_find(&files[i].cfi, v, &b, &from, &to), known);
			assert_true(!known || !memcmp(&a, &b, sizeof(a)));
		}
	}
	assert_in_range(rules, 100, 1023);
	for (int i = 0; i < 3; i++) {
		unwind_file_release(&files[i]);
		mapped_release(&expanded[i]);
		mapped_release(&bytes[i]);
	}
}

static bool in_file(void *ctx, uint64_t ip, struct unwind_place *out)
{
	*out = (struct unwind_place){.file = ctx, .vaddr = ip};
	return true;
}

/* Functions of tests/fuzz/unwind/eh.aarch64, as its disassembly shows them: rec keeps x29 and x30
 * at its frame's end and signs the return address. */
static void a_stack_of_aarch64_is_unwound_anywhere(void **state)
{
	struct mapped bytes = bytes_of("eh.aarch64");
	struct unwind_file file;
	struct cfi_rule rule;
	uint64_t from, to;
	struct unwinder *u = unwinder_new(EM_AARCH64);
	uint64_t regs[33] = {0}, stack[64] = {0}, saved = 0, frame = 0;
	struct unwind_request q = {.regs = regs,
				   .mask = (1ull << 33) - 1,
				   .stack = (const uint8_t *)stack,
				   .stack_size = sizeof(stack),
				   .place = in_file,
				   .ctx = &file};
	struct unwind_frame frames[8];
	enum unwind_end end;
	size_t n;

	(void)state;
	assert_int_equal(unwind_file_init(&file, bytes.p, bytes.n), 0);
	assert_true(file.has_cfi);
	/* an address at which the return address lies on the stack, below a frame found by the
	 * stack pointer */
	for (uint64_t v = file.elf.entry - 0x400; v < file.elf.entry + 0x400 && !saved; v += 4)
		if (cfi_find(&file.cfi, v, &rule, &from, &to) && rule.ra.how == CFI_AT &&
		    rule.frame_reg == 31 && rule.fp.how == CFI_AT && rule.frame <= 256)
			saved = v;
	assert_int_not_equal(saved, 0);
	assert_true(cfi_find(&file.cfi, saved, &rule, &from, &to));
	frame = 0x7f0000000000 + (uint64_t)rule.frame;
	regs[32] = saved;
	regs[31] = 0x7f0000000000;
	regs[30] = 0xdead;
	/* signed: the upper bits are no address */
	stack[(rule.frame + rule.ra.at) / 8] = (saved + 4) | 0x2aull << 56;
	stack[(rule.frame + rule.fp.at) / 8] = frame + 64;
	n = unwind(u, &q, frames, 2, &end);
	assert_int_equal(n, 2);
	assert_int_equal(end, UNWIND_OUTERMOST); /* zeros above */
	assert_int_equal(frames[0].ip, saved);
	assert_int_equal(frames[1].ip, saved + 4);
	assert_false(frames[1].exact);
	unwinder_free(u);
	unwind_file_release(&file);
	mapped_release(&bytes);
}

static void slots_of_linkage_tables_have_frames(void **state)
{
	struct elf_file elf = {.machine = EM_X86_64};
	const struct unwind_machine *m = unwind_machine_find(EM_X86_64);
	struct cfi_rule rule;

	(void)state;
	vec_add(&elf.sections, (struct elf_section){.name = ".plt", .addr = 0x1000, .size = 0x40});
	vec_add(&elf.sections,
		(struct elf_section){.name = ".plt.sec", .addr = 0x2000, .size = 0x40});
	assert_true(plt_rule(&elf, m, 0x1010, &rule));
	assert_int_equal(rule.frame, 8);
	assert_int_equal(rule.ra.at, -8);
	assert_true(plt_rule(&elf, m, 0x101b, &rule)); /* after the push */
	assert_int_equal(rule.frame, 16);
	assert_true(plt_rule(&elf, m, 0x1006, &rule)); /* the first slot, after its own push */
	assert_int_equal(rule.frame, 24);
	assert_true(plt_rule(&elf, m, 0x201b, &rule));
	assert_int_equal(rule.frame, 8);
	assert_false(plt_rule(&elf, m, 0x3000, &rule));
	elf_file_release(&elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(go_names_and_frames_are_found),
		cmocka_unit_test(go_frames_are_rules),
		cmocka_unit_test(compressed_frames_are_the_same),
		cmocka_unit_test(a_stack_of_aarch64_is_unwound_anywhere),
		cmocka_unit_test(slots_of_linkage_tables_have_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
