// SPDX-License-Identifier: MIT
#include "cmd/annotate/annotate_opts.h"

#include "cmd/options/opts_debuginfod.h"

#define AT(member) offsetof(struct annotate_opts, member)

void annotate_defaults(void *v, const struct env *env)
{
	struct annotate_opts *o = v;

	o->verbose = env->verbose;
	o->group = true;
	o->source = !config_bool(env->config, "annotate.hide_src_code", false);
	o->disassemblers = config_find(env->config, "annotate.disassemblers");
	symbol_opts_defaults(&o->files, env);
}

static const struct opt opts[] = {
	{OPT_STRING, 's', "symbol", AT(symbol), "symbol", "symbol to annotate"},
	{OPT_STRING, 'd', "dsos", AT(filter.dsos), "dso[,dso...]",
	 "only consider symbols in these dsos"},
	{OPT_STRING, 'C', "cpu", AT(filter.cpus), "cpu", "list of cpus to profile"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL, "do now show any warnings or messages"},
	{OPT_BOOL, 'D', "dump-raw-trace", AT(dump), NULL, "dump raw trace in ASCII"},
	{OPT_BOOL, 0, "stdio", AT(stdio), NULL, "Use the stdio interface"},
	{OPT_BOOL, 0, "stdio2", AT(stdio2), NULL,
	 "Use the stdio2 interface: the browser's look, not interactive"},
	{OPT_BOOL, 0, "tui", AT(tui), NULL, "Use the TUI interface"},
	{OPT_STRING, 0, "stdio-color", AT(colour), "mode",
	 "'always' (default), 'never' or 'auto' only applicable to --stdio mode", OPT_OPTIONAL,
	 .missing = "always", .words = "always never auto"},
	{OPT_BOOL, 'l', "print-line", AT(print_lines), NULL,
	 "print matching source lines (may be slow)"},
	{OPT_BOOL, 'P', "full-paths", AT(full_paths), NULL,
	 "Don't shorten the displayed pathnames"},
	{OPT_BOOL, 'n', "show-nr-samples", AT(samples), NULL,
	 "Show a column with the number of samples"},
	{OPT_BOOL, 0, "show-total-period", AT(period), NULL,
	 "Show a column with the sum of periods"},
	{OPT_BOOL, 0, "source", AT(source), NULL,
	 "Interleave source code with assembly code (default)"},
	{OPT_BOOL, 0, "asm-raw", AT(asm_raw), NULL,
	 "Display raw encoding of assembly instructions"},
	{OPT_STRING, 'M', "disassembler-style", AT(style), "disassembler style",
	 "Specify disassembler style (e.g. -M intel for intel syntax)", .words = "intel att"},
	{OPT_STRING, 0, "objdump", AT(disasm.objdump), "path",
	 "objdump binary to use for disassembly and annotations"},
	{OPT_STRING, 0, "prefix", AT(disasm.prefix), "prefix",
	 "Add prefix to source file path names in programs (with --prefix-strip)"},
	{OPT_STRING, 0, "prefix-strip", AT(disasm.prefix_strip), "N",
	 "Strip first N entries of source file path name in programs (with --prefix)"},
	{OPT_BOOL, 0, "group", AT(group), NULL, "Show event group information together",
	 .given_offset = AT(group_given)},
	{OPT_BOOL, 0, "skip-missing", AT(skip_missing), NULL,
	 "Skip symbols that cannot be annotated"},
	{OPT_STRING, 0, "percent-type", AT(percent_type_word), "local-period",
	 "Set percent type:", .words = "local-period global-period local-hits global-hits"},
	{OPT_DOUBLE, 0, "percent-limit", AT(percent_limit), "percent",
	 "Don't show entries under that percent"},
	{OPT_STRING, 0, "itrace", AT(itrace), "opts",
	 "Instruction Tracing options: not possible yet", OPT_OPTIONAL, .missing = ""},
	{OPT_BOOL, 0, "skid", AT(skid), NULL,
	 "count samples that are not exact at the instruction before, where it is certain"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_END},
};

const struct cmd_variable annotate_variables[] = {
	{"annotate.objdump", "objdump"},
	{"annotate.disassembler_style", "disassembler-style"},
	{"annotate.show_nr_samples", "show-nr-samples"},
	{"annotate.show_total_period", "show-total-period"},
	{"annotate.demangle", "demangle"},
	DEBUGINFOD_VARIABLE,
	{NULL, NULL},
};

const struct opt_group annotate_opt_groups[] = {
	{input_opts, AT(input)}, {symbol_opts, AT(files)}, {opts, 0}, {0}};

static int parse_percent_type(struct annotate_opts *o, struct err *err)
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

/* annotate.disassemblers: "llvm,objdump", in the order in which they are tried. --objdump says
 * which one, too. */
static int parse_tools(struct annotate_opts *o, struct err *err)
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

int annotate_opts_check(struct annotate_opts *o, struct err *err)
{
	if (o->itrace) {
		err_set(err, ERR_UNSUPPORTED, "'--itrace' is not possible yet");
		return err_hint(err, "traces of processors are not decoded");
	}
	if (o->samples && o->period)
		return err_set(err, ERR_USAGE, "switch `n' cannot be used with show-total-period");
	if (o->disasm.prefix_strip && !o->disasm.prefix)
		return err_set(err, ERR_INPUT, "--prefix-strip requires --prefix");
	o->disasm.source = o->source;
	o->disasm.raw = o->asm_raw;
	o->disasm.style = o->style;
	if (parse_percent_type(o, err) || parse_tools(o, err))
		return -1;
	return symbol_opts_check(&o->files, err);
}
