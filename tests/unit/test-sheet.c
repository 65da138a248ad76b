// SPDX-License-Identifier: MIT
/* Lines of annotated code, as the keys of their browser let them look. */
#include "unit.h"

#include "symbol/disasm/insn.h"
#include "view/annotate/stdio2.h"

#define NONE DISASM_NO_ADDRESS

static const struct disasm_line code[] = {
	{.vaddr = NONE, .text = "for (;;)", .file = "/src/hot.c", .line = 7},
	{.vaddr = 0x1000, .text = "nop", .file = "/src/hot.c", .line = 7},
	{.vaddr = NONE, .text = "label:"},
	{.vaddr = 0x1001, .text = "callq  2000 <other>"},
	{.vaddr = 0x1006, .text = "jmp    1001 <hot+0x1>"},
	{.vaddr = 0x1008, .text = "jmp    1001 <hot+0x1>"},
};

static void lines_look_as_asked(void **state)
{
	static const struct {
		struct annotate_look look;
		size_t line;
		const char *text;
	} rows[] = {
		{{0}, 0, "           for (;;)"},
		{{.line_numbers = true}, 0, "        7  for (;;)"},
		{{.places = true}, 0, "        /src/hot.c:7  for (;;)"},
		{{.line_numbers = true, .places = true}, 0, "        /src/hot.c:7  for (;;)"},
		{{.line_numbers = true, .jump_counts = true}, 0, "        7    for (;;)"},
		{{.line_numbers = true, .places = true}, 2, "           label:"},
		{{0}, 1, " 75.00       nop"},
		{{.offsets = OFFSETS_ALL}, 1, " 75.00  0:   nop"},
		{{.addresses = true}, 1, " 75.00  1000:   nop"},
		{{.jump_counts = true}, 1, " 75.00         nop"},
		{{.jump_counts = true}, 3, "        2 1: \xe2\x86\x92 callq 2000 <other>"},
		{{.disassembler = true}, 4, "        1006: \xe2\x86\x91 jmp    1001 <hot+0x1>"},
		{{.offsets = OFFSETS_CALLS}, 4, "           \xe2\x86\x91 jmp   1"},
		{{.offsets = OFFSETS_ALL}, 4, "        6: \xe2\x86\x91 jmp   1"},
	};
	struct annotate_weight total = {4, 4}, some = {3, 3};
	struct annotate_weight *of[] = {NULL, &some, NULL, NULL, NULL, NULL};
	struct dso dso = {.kind = DSO_VDSO};
	struct annotate a = {.n_events = 1, .totals = &total};
	struct annotate_symbol s = {.dso = &dso, .sums = &total};
	struct disasm d = {
		.machine = insn_machine_find(62, 64, false), .start = 0x1000, .end = 0x100a};
	struct annotate_lines l = {.disasm = &d, .of = of};
	struct annotate_view v = {0};
	struct annotate_sheet sheet;
	AUTO_BUF text = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(code); i++)
		vec_add(&d.lines, code[i]);
	annotate_sheet_init(&sheet, &v, &a, &s, &l);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		sheet.look = rows[i].look;
		annotate_sheet_measure(&sheet);
		buf_clear(&text);
		annotate_sheet_line(&sheet, rows[i].line, false, &text);
		while (text.n && text.at[text.n - 1] == ' ')
			text.n--;
		assert_string_equal(buf_text(&text), rows[i].text);
	}
	annotate_sheet_release(&sheet);
	vec_release(&d.lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_look_as_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
