// SPDX-License-Identifier: MIT
#include "cmd/diff/diff_opts.h"
#include "cmd/options/opts_rows.h"

#include <stddef.h>

#define AT(member) offsetof(struct diff_opts, member)

void diff_defaults(void *v, const struct env *env)
{
	struct diff_opts *o = v;

	o->how.method = DIFF_DELTA_ABS;
	o->order = 1;
	o->verbose = env->verbose;
	symbol_opts_defaults(&o->symbols, env);
}

static int set_weights(struct diff_options *how, const char *text, struct err *err)
{
	char *end;

	if (*text == ':') {
		how->weight_old = strtoll(text + 1, &end, 10);
		if (end != text + 1 && *end == ',') {
			text = end + 1;
			how->weight_new = strtoll(text, &end, 10);
			if (end != text && !*end)
				return 0;
		}
	}
	return err_set(err, ERR_USAGE, "wdiff takes two weights, wdiff:OLD,NEW");
}

static int set_method(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	static const struct {
		const char *name;
		enum diff_method method;
	} methods[] = {{"delta", DIFF_DELTA},
		       {"delta-abs", DIFF_DELTA_ABS},
		       {"ratio", DIFF_RATIO},
		       {"cycles", DIFF_CYCLES}};
	struct diff_options *how = place;

	(void)opt;
	if (unset || !value) {
		how->method = DIFF_DELTA_ABS;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		if (!strcmp(methods[i].name, value)) {
			how->method = methods[i].method;
			return 0;
		}
	if (!strncmp(value, "wdiff", 5)) {
		how->method = DIFF_WEIGHTED;
		return set_weights(how, value + 5, err);
	}
	return err_set(err, ERR_USAGE,
		       "'%s' is no method to compare by: delta, delta-abs, ratio, cycles or "
		       "wdiff:OLD,NEW",
		       value);
}

static void offer_keys(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	layout_words(out);
}

static const struct opt options[] = {
	{OPT_BOOL, 'b', "baseline-only", AT(how.baseline_only), NULL,
	 "Show only items with match in baseline"},
	{OPT_STRING, 'C', "comms", AT(filter.comms), "comm[,comm...]",
	 "only consider symbols in these comms"},
	{OPT_CALL, 'c', "compute", AT(how), "method",
	 "How periods are compared, wdiff:OLD,NEW with weights (default delta-abs):",
	 .call = set_method, .words = "delta delta-abs ratio cycles wdiff:"},
	{OPT_BOOL, 0, "confidence", AT(how.confidence), NULL,
	 "Show an interval for each delta, and which deltas may be noise"},
	{OPT_BOOL, 0, "cycles-hist", AT(cycles_hist), NULL,
	 "With -c cycles, show how much the cycles of blocks vary"},
	{OPT_BOOL, 'D', "dump-raw-trace", AT(dump), NULL, "dump raw trace in ASCII"},
	{OPT_STRING, 'd', "dsos", AT(filter.dsos), "dso[,dso...]",
	 "only consider symbols in these dsos"},
	{OPT_BOOL, 'f', "force", AT(force), NULL, "don't complain, do it"},
	{OPT_BOOL, 'F', "formula", AT(formulas), NULL, "Show formula."},
	{OPT_UINT, 'o', "order", AT(order), "n", "Specify compute sorting.",
	 .given_offset = AT(order_given)},
	{OPT_BOOL, 'p', "period", AT(periods), NULL, "Show period values."},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL, "Do not show any warnings or messages"},
	{OPT_STRING, 's', "sort", AT(sort), "key[,key2...]", "sort by key(s), see perf-report(1)",
	 .offer = offer_keys, .joined = ","},
	{OPT_BOOL, 0, "stdio", AT(stdio), NULL, "Print text, also on a terminal"},
	{OPT_BOOL, 0, "stream", AT(stream), NULL, "Enable hot streams comparison."},
	{OPT_STRING, 'S', "symbols", AT(filter.symbols), "symbol[,symbol...]",
	 "only consider these symbols"},
	{OPT_STRING, 't', "field-separator", AT(separator), "separator",
	 "separator for columns, no spaces will be added between columns '.' is reserved."},
	{OPT_BOOL, 0, "tui", AT(tui), NULL, "Use the browser"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show symbol address, etc)"},
	{OPT_STRING, 0, "cpu", AT(filter.cpus), "cpu", "list of cpus to profile"},
	{OPT_STRING, 0, "percentage", AT(percentage), "relative|absolute",
	 "How to display percentage of filtered entries", .words = "relative absolute"},
	{OPT_STRING, 0, "pid", AT(filter.pids), "pid[,pid...]",
	 "only consider symbols in these pids"},
	{OPT_STRING, 0, "tid", AT(filter.tids), "tid[,tid...]",
	 "only consider symbols in these tids"},
	{OPT_STRING, 0, "time", AT(filter.time), "str",
	 "Time span (time percent or absolute timestamp), of each file behind a ':'"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_END},
};

const struct cmd_variable diff_variables[] = {
	{"diff.order", "order"},
	{"diff.compute", "compute"},
	{NULL, NULL},
};

const struct opt_group diff_opt_groups[] = {
	{symbol_opts, AT(symbols)}, {export_compare_opts, AT(exports)}, {options, 0}, {0}};

/* The option given beside --stream that has no effect on streams; NULL: none. */
static const char *diff_opts_beside_stream(const struct diff_opts *o)
{
	const struct {
		bool given;
		const char *name;
	} options_beside[] = {
		{o->how.baseline_only, "--baseline-only"},
		{o->how.confidence, "--confidence"},
		{o->cycles_hist, "--cycles-hist"},
		{o->filter.comms, "--comms"},
		{o->filter.dsos, "--dsos"},
		{o->filter.symbols, "--symbols"},
		{o->filter.pids, "--pid"},
		{o->filter.tids, "--tid"},
		{o->formulas, "--formula"},
		{o->order_given, "--order"},
		{o->periods, "--period"},
		{o->percentage, "--percentage"},
		{o->separator, "--field-separator"},
		{o->sort, "--sort"},
		{o->tui, "--tui"},
		{export_wanted(&o->exports), "--html"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(options_beside); i++)
		if (options_beside[i].given)
			return options_beside[i].name;
	return NULL;
}

static int diff_opts_refuse(const struct diff_opts *o, size_t n_paths, struct err *err)
{
	const bool blocks = o->how.method == DIFF_CYCLES;

	if (o->stream && diff_opts_beside_stream(o))
		return err_set(err, ERR_USAGE, "'--stream' and '%s' exclude each other",
			       diff_opts_beside_stream(o));
	if (o->stream && n_paths > 2)
		return err_set(err, ERR_USAGE, "'--stream' compares two recordings, not %zu",
			       n_paths);
	if (o->cycles_hist && !blocks)
		return err_set(err, ERR_USAGE, "'--cycles-hist' goes with '-c cycles'");
	if (o->tui && blocks)
		return err_set(err, ERR_USAGE, "'-c cycles' and '--tui' exclude each other");
	return 0;
}

int diff_opts_check(struct diff_opts *o, size_t n_paths, struct err *err)
{
	if (rows_opts_check(o->separator, o->percentage, &o->relative, err))
		return -1;
	o->separator = rows_separator(o->separator);
	if (o->order >= n_paths)
		return err_set(err, ERR_INPUT,
			       "--order %u: there are only %zu recordings, 0 to %zu", o->order,
			       n_paths, n_paths - 1);
	if (o->how.confidence && o->how.method != DIFF_DELTA && o->how.method != DIFF_DELTA_ABS)
		return err_set(err, ERR_USAGE,
			       "--confidence is of deltas: it goes with -c delta and -c delta-abs");
	if (export_wanted(&o->exports) && n_paths > STACK_SIDES)
		return err_set(err, ERR_USAGE, "--html compares two recordings, not %zu", n_paths);
	if (export_wanted(&o->exports) && o->how.confidence)
		return err_set(err, ERR_USAGE,
			       "--confidence is for the text: --html always says how sure it is");
	if (diff_opts_refuse(o, n_paths, err))
		return -1;
	o->how.order = o->order;
	return symbol_opts_check(&o->symbols, err);
}

const char *diff_opts_time(const struct diff_opts *o, size_t recording, struct buf *text)
{
	const char *at = o->filter.time;

	buf_clear(text);
	if (!at || !strchr(at, ':'))
		return at;
	for (size_t i = 0; i < recording && at; i++) {
		at = strchr(at, ':');
		at += at ? 1 : 0;
	}
	if (!at)
		return NULL;
	buf_add(text, at, strcspn(at, ":"));
	return buf_text(text);
}
