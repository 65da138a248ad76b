/* SPDX-License-Identifier: MIT */
/* How annotated code is made and shown, for annotate and for the browsers and pages of other
 * commands. */
#ifndef CMD_OPTS_CODE_H
#define CMD_OPTS_CODE_H

#include "analysis/annotate/annotate.h"
#include "cmd/cmd.h"
#include "symbol/disasm/disasm.h"
#include "view/annotate/annotate.h"

struct code_opts {
	struct disasm_options disasm;
	const char *disassemblers; /* annotate.disassemblers; NULL: the default ones */
	const char *percent_type_word;
	enum percent_type percent_type; /* set by code_opts_check() */
	struct annotate_look look; /* by the configuration */
};

extern const struct opt code_opts[]; /* offsets are in struct code_opts */

/* Configuration variables that set these options. */
#define OBJDUMP_VARIABLE	    {"annotate.objdump", "objdump"}
#define DISASSEMBLER_STYLE_VARIABLE {"annotate.disassembler_style", "disassembler-style"}

void code_opts_defaults(struct code_opts *o, const struct env *env);
/* Call it after parsing. 0, or -1 with *err: an unknown word, or a missing prefix. */
int code_opts_check(struct code_opts *o, struct err *err);

#endif
