/* SPDX-License-Identifier: MIT */
/*
 * Adds source lines between instructions, as objdump -l -S does: the function's name when it
 * changes, then the source lines since the last one shown, at most 5 before the current line.
 */
#ifndef SYMBOL_SOURCE_TEXT_H
#define SYMBOL_SOURCE_TEXT_H

#include "symbol/disasm/builder.h"
#include "symbol/lines/lines.h"

/* All zero is valid and empty. */
struct source_text {
	struct arena arena;
	const struct disasm_options *options;
	struct dso_set *set;
	const char
		*symbol; /* the function's name where there are no lines; NULL: not shown */
	VEC(struct source_file *) files;
	struct source_file *file; /* of the last instruction */
	const char *function;
	uint32_t line;
};

/* Adds to b the source lines to show before an instruction of that place. text: its line when the
 * recording has it (dso_line_text); else NULL. */
void source_text_add(struct source_text *s, struct disasm_builder *b,
		     const struct source_place *place, const char *text);
void source_text_release(struct source_text *s);

#endif
