// SPDX-License-Identifier: MIT
/* Which options of perf calls exclude or need each other. */
#include "capture/open/option_values.h"
#include "cmd/calls/calls_opts.h"

#include <limits.h>
#include <string.h>

bool calls_are_sampled(const struct calls_opts *o)
{
	return o->source && !strcmp(o->source, "samples");
}

/* What pairs exclude, and what needs them. */
static int calls_check_pairs(const struct calls_opts *o, struct err *err)
{
	if (!o->pairs.n && o->by_value)
		return err_set(err, ERR_USAGE, "'--by-value' is about the field of '--pair'");
	if (o->pairs.n && (o->functions || o->budget || o->source))
		return err_set(err, ERR_USAGE,
			       "'--pair' times no functions: '-f', '--budget' and '--source' are "
			       "about these");
	return 0;
}

/* What samples do not know, and what they need. */
static int calls_check_samples(const struct calls_opts *o, struct err *err)
{
	const struct {
		bool given;
		const char *option;
	} table[] = {{o->exec, "-x"},
		     {o->budget, "--budget"},
		     {o->slowest != UINT_MAX, "-n"},
		     {o->max_stack != UINT_MAX, "--max-stack"}};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].given)
			return err_set(err, ERR_USAGE,
				       "'%s' and '--source samples' exclude each other",
				       table[i].option);
	if (o->common.form.json && o->common.form.separator)
		return err_set(err, ERR_USAGE, "-j and -t exclude each other");
	if (!o->functions)
		return err_set(err, ERR_USAGE, "which functions? '-f GLOB' names them");
	return 0;
}

int calls_check(const struct calls_opts *o, int argc, bool counted, struct err *err)
{
	const bool live = attend_records(&o->common, argc);
	double share;

	if (calls_check_pairs(o, err))
		return -1;
	if (calls_are_sampled(o))
		return calls_check_samples(o, err);
	if (!o->functions && !o->pairs.n && !counted && (live || o->exec))
		return err_set(err, ERR_USAGE, "which functions? '-f GLOB' names them");
	if (o->functions && !live)
		return err_set(err, ERR_USAGE, "'-f' records: it needs a command, '-p' or '-a'");
	if (o->budget && !live)
		return err_set(err, ERR_USAGE, "'--budget' is for recording: it needs '-f'");
	if (o->source && strcmp(o->source, "probes") != 0 && strcmp(o->source, "instrumented") != 0)
		return err_set(err, ERR_USAGE, "calls are not seen by '%s'", o->source);
	if (o->source && !live)
		return err_set(err, ERR_USAGE,
			       "'--source' is for recording: it needs a command, "
			       "'-p' or '-a'");
	if (o->budget && value_share(o->budget, &share, err))
		return -1;
	if (o->functions && o->common.input.path)
		return err_set(err, ERR_USAGE, "'-f' records, and '-i' reads: one of them");
	return 0;
}
