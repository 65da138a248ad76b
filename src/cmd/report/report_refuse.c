// SPDX-License-Identifier: MIT
/* Options of perf's report that would be without effect here: said, not passed over. */
#include "cmd/report/report_opts.h"

/* --wall makes samples of its own. */
static int report_refuse_with_wall(const struct report_opts *o, struct err *err)
{
	const struct {
		bool given;
		const char *option;
	} table[] = {
		{o->branch && o->branch_given, "-b"},
		{o->memory, "--mem-mode"},
		{o->latency, "--latency"},
		{o->parallelism, "--parallelism"},
		{o->total_cycles, "--total-cycles"},
		{o->switch_on, "--switch-on"},
		{o->switch_off, "--switch-off"},
	};

	for (size_t i = 0; o->wall && i < ARRAY_SIZE(table); i++)
		if (table[i].given)
			return err_set(err, ERR_USAGE, "'%s' and '--wall' exclude each other",
				       table[i].option);
	return 0;
}

int report_refuse(const struct report_opts *o, struct err *err)
{
	static const char browser[] = "the browser shows no samples one by one";
	static const char code[] = "there is no annotated code, which it is about";
	const struct {
		bool given;
		const char *option, *why;
	} table[] = {
		{o->saved_samples, "--samples", browser},
		{o->branch_history, "--branch-history",
		 "branches don't become call chains; -b shows them"},
		{o->stitch_lbr, "--stitch-lbr",
		 "call chains of branch records stay as they were recorded"},
		{o->itrace, "--itrace", "traces of processors are not decoded"},
		{o->source, "--source", code},
		{o->asm_raw, "--asm-raw", code},
		{o->disassembler, "--disassembler-style", code},
		{o->objdump, "--objdump", code},
		{o->prefix, "--prefix", code},
		{o->prefix_strip, "--prefix-strip", code},
		{o->percent_type && strcmp(o->percent_type, "local-period"), "--percent-type",
		 code},
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].given) {
			err_set(err, ERR_UNSUPPORTED, "'%s' is not possible yet", table[i].option);
			return err_hint(err, "%s", table[i].why);
		}
	return report_refuse_with_wall(o, err);
}
