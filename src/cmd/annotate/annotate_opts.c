// SPDX-License-Identifier: MIT
#include "cmd/annotate/annotate_opts.h"

#include "cmd/options/opts_absent.h"
#include "cmd/options/opts_debuginfod.h"

#define AT(member) offsetof(struct annotate_opts, member)

void annotate_defaults(void *v, const struct env *env)
{
	struct annotate_opts *o = v;

	o->verbose = env->verbose;
	o->group = true;
	code_opts_defaults(&o->code, env);
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
	{OPT_BOOL, 0, "group", AT(group), NULL, "Show event group information together",
	 .given_offset = AT(group_given)},
	{OPT_BOOL, 0, "skip-missing", AT(skip_missing), NULL,
	 "Skip symbols that cannot be annotated"},
	{OPT_DOUBLE, 0, "percent-limit", AT(percent_limit), "percent",
	 "Don't show entries under that percent"},
	ITRACE_OPTION,
	{OPT_BOOL, 0, "skid", AT(skid), NULL,
	 "count samples that are not exact at the instruction before, where it is certain"},
	{OPT_STRING, 0, "data-type", AT(data_type), "name",
	 "Show data type annotate for the memory accesses", OPT_OPTIONAL, .missing = ""},
	{OPT_BOOL, 0, "type-stat", AT(type_stat), NULL, "Show stats for the data type annotation"},
	{OPT_BOOL, 0, "insn-stat", AT(insn_stat), NULL,
	 "Show instruction stats for the data type annotation"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_END},
};

const struct cmd_variable annotate_variables[] = {
	OBJDUMP_VARIABLE,
	DISASSEMBLER_STYLE_VARIABLE,
	{"annotate.show_nr_samples", "show-nr-samples"},
	{"annotate.show_total_period", "show-total-period"},
	DEMANGLE_VARIABLES,
	DEBUGINFOD_VARIABLE,
	{NULL, NULL},
};

const struct opt_group annotate_opt_groups[] = {
	{input_opts, AT(input)}, {symbol_opts, AT(files)}, {code_opts, AT(code)}, {opts, 0}, {0}};

int annotate_opts_check(struct annotate_opts *o, struct err *err)
{
	if (o->samples && o->period)
		return err_set(err, ERR_USAGE, "switch `n' cannot be used with show-total-period");
	if (o->data_type && o->stdio2)
		return err_set(err, ERR_USAGE, "--stdio2 shows code, and --data-type data");
	if ((o->type_stat || o->insn_stat) && !o->data_type)
		return err_set(err, ERR_USAGE, "--type-stat and --insn-stat need --data-type");
	return code_opts_check(&o->code, err) || symbol_opts_check(&o->files, err) ? -1 : 0;
}
