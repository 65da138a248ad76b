/* SPDX-License-Identifier: MIT */
/*
 * The lines of source between instructions, as objdump -l -S shows them: the function's name where
 * it changes, then the lines since the last that was shown, at most as many as stand before a
 * function.
 */
#ifndef SYMBOL_SOURCE_TEXT_H
#define SYMBOL_SOURCE_TEXT_H

#include "symbol/disasm/builder.h"
#include "symbol/lines/lines.h"

/* All zero is valid and empty. */
struct source_text {
	struct arena arena;
	const struct disasm_options *options;
	const char
		*symbol; /* what the function is called where there are no lines; NULL: not shown */
	VEC(struct source_file *) files;
	struct source_file *file; /* of the last instruction */
	const char *function;
	uint32_t line;
};

/* Adds to b what stands before an instruction of that place. */
void source_text_add(struct source_text *s, struct disasm_builder *b,
		     const struct source_place *place);
void source_text_release(struct source_text *s);

#endif
