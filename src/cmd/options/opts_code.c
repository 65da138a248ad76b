// SPDX-License-Identifier: MIT
#include "cmd/options/opts_code.h"

#include "base/config/config.h"

#include <string.h>

#define AT(member) offsetof(struct code_opts, member)

const struct opt code_opts[] = {
	{OPT_BOOL, 0, "source", AT(disasm.source), NULL,
	 "Interleave source code with assembly code (default)"},
	{OPT_BOOL, 0, "asm-raw", AT(disasm.raw), NULL,
	 "Display raw encoding of assembly instructions"},
	{OPT_STRING, 'M', "disassembler-style", AT(disasm.style), "disassembler style",
	 "Specify disassembler style (e.g. -M intel for intel syntax)", .words = "intel att"},
	{OPT_STRING, 0, "objdump", AT(disasm.objdump), "path",
	 "objdump binary to use for disassembly and annotations"},
	{OPT_STRING, 0, "prefix", AT(disasm.prefix), "prefix",
	 "Add prefix to source file path names in programs (with --prefix-strip)"},
	{OPT_STRING, 0, "prefix-strip", AT(disasm.prefix_strip), "N",
	 "Strip first N entries of source file path name in programs (with --prefix)"},
	{OPT_STRING, 0, "percent-type", AT(percent_type_word), "local-period",
	 "Set percent type:", .words = "local-period global-period local-hits global-hits"},
	{OPT_END},
};

/* Levels of offset_level are 1 to 3, and others stand for the nearest. */
static struct annotate_look look_configured(const struct config *c)
{
	const long level = config_int(c, "annotate.offset_level", 1) - 1;

	return (struct annotate_look){
		.disassembler = !config_bool(c, "annotate.use_offset", true),
		.line_numbers = config_bool(c, "annotate.show_linenr", false),
		.jump_counts = config_bool(c, "annotate.show_nr_jumps", false),
		.no_arrows = !config_bool(c, "annotate.jump_arrows", true),
		.offsets = (enum annotate_offsets)MAX(0, MIN(level, OFFSETS_LEVELS - 1)),
	};
}

void code_opts_defaults(struct code_opts *o, const struct env *env)
{
	o->look = look_configured(env->config);
	o->disasm.source = !config_bool(env->config, "annotate.hide_src_code", false);
	o->disassemblers = config_find(env->config, "annotate.disassemblers");
}

static int parse_percent_type(struct code_opts *o, struct err *err)
{
	static const char *const words[] = {
		[PERCENT_LOCAL_PERIOD] = "local-period",
		[PERCENT_GLOBAL_PERIOD] = "global-period",
		[PERCENT_LOCAL_HITS] = "local-hits",
		[PERCENT_GLOBAL_HITS] = "global-hits",
	};

	for (size_t i = 0; o->percent_type_word && i < ARRAY_SIZE(words); i++)
		if (!strcmp(o->percent_type_word, words[i])) {
			o->percent_type = (enum percent_type)i;
			return 0;
		}
	if (!o->percent_type_word)
		return 0;
	return err_set(
		err, ERR_USAGE,
		"'%s' is no percent type: local-period, global-period, local-hits, global-hits",
		o->percent_type_word);
}

/* Parses the disassemblers in the order in which they are tried: "llvm,objdump" of
 * annotate.disassemblers. --objdump means objdump alone. */
static int parse_tools(struct code_opts *o, struct err *err)
{
	const char *at = o->disasm.objdump ? "objdump" : o->disassemblers;
	size_t n = 0;

	while (at && *at) {
		const size_t length = strcspn(at, ",");

		if (length == 4 && !memcmp(at, "llvm", 4) && n < ARRAY_SIZE(o->disasm.tools))
			o->disasm.tools[n++] = DISASM_LLVM;
		else if (length == 7 && !memcmp(at, "objdump", 7) &&
			 n < ARRAY_SIZE(o->disasm.tools))
			o->disasm.tools[n++] = DISASM_OBJDUMP;
		else if (length != 8 || memcmp(at, "capstone", 8))
			return err_set(err, ERR_INPUT,
				       "annotate.disassemblers: '%s': there are llvm and objdump, "
				       "once each",
				       at);
		at += length;
		at += *at == ',';
	}
	return 0;
}

int code_opts_check(struct code_opts *o, struct err *err)
{
	if (o->disasm.prefix_strip && !o->disasm.prefix)
		return err_set(err, ERR_INPUT, "--prefix-strip requires --prefix");
	return parse_percent_type(o, err) || parse_tools(o, err) ? -1 : 0;
}
