// SPDX-License-Identifier: MIT
/* Refuses options of perf's report that would have no effect here. */
#include "cmd/report/report_opts.h"

/* Refuses options that do not apply to the samples that --wall makes. */
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

	if (o->pairs.n && !o->wall)
		return err_set(err, ERR_USAGE, "'--pair' needs '--wall'");
	for (size_t i = 0; o->wall && i < ARRAY_SIZE(table); i++)
		if (table[i].given)
			return err_set(err, ERR_USAGE, "'%s' and '--wall' exclude each other",
				       table[i].option);
	return 0;
}

/* --samples keeps times as they are. */
static int report_refuse_samples(const struct report_opts *o, struct err *err)
{
	if (o->saved_samples < 0)
		return err_set(err, ERR_USAGE, "--samples is a number of samples, not %d",
			       o->saved_samples);
	if (o->saved_samples && o->quantum)
		return err_set(err, ERR_USAGE,
			       "'--samples' and '--time-quantum' exclude each other");
	return 0;
}

int report_refuse(struct report_opts *o, struct err *err)
{
	if (report_refuse_samples(o, err))
		return -1;
	return code_opts_check(&o->code, err) || report_refuse_with_wall(o, err) ? -1 : 0;
}
