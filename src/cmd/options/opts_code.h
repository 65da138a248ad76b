/* SPDX-License-Identifier: MIT */
/* How annotated code is made and shown: annotate, and the browsers and pages of others. */
#ifndef CMD_OPTS_CODE_H
#define CMD_OPTS_CODE_H

#include "analysis/annotate/annotate.h"
#include "cmd/cmd.h"
#include "symbol/disasm/disasm.h"

struct code_opts {
	struct disasm_options disasm;
	const char *disassemblers; /* annotate.disassemblers; NULL: the usual ones */
	const char *percent_type_word;
	enum percent_type percent_type; /* after code_opts_check() */
};

extern const struct opt code_opts[]; /* in a struct code_opts */

/* The variables that stand for options. */
#define OBJDUMP_VARIABLE	    {"annotate.objdump", "objdump"}
#define DISASSEMBLER_STYLE_VARIABLE {"annotate.disassembler_style", "disassembler-style"}

void code_opts_defaults(struct code_opts *o, const struct env *env);
/* After parsing. 0, or -1 with *err: a word that is none, a prefix that is missing. */
int code_opts_check(struct code_opts *o, struct err *err);

#endif
