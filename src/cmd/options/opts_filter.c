// SPDX-License-Identifier: MIT
#include "cmd/options/opts_filter.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(struct filter_opts, member)

const struct opt filter_opts[] = {
	{OPT_STRING, 'c', "comms", AT(comms), "comm[,comm...]", "only these comms"},
	{OPT_STRING, 0, "pid", AT(pids), "pid[,pid...]", "only these processes"},
	{OPT_STRING, 0, "tid", AT(tids), "tid[,tid...]", "only these threads"},
	{OPT_STRING, 'S', "symbols", AT(symbols), "symbol[,symbol...]", "only these symbols"},
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "only these CPUs: 0-3,8"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span of interest (start,stop)"},
	{OPT_END},
};

/* Adds a list of names: "a,b", or a file with one name a line. */
static int add_names(struct name_list *l, const char *text, struct err *err)
{
	char line[4096];
	FILE *f;

	if (!text)
		return 0;
	if (strncmp(text, "file://", 7)) {
		name_list_add(l, text, ",");
		return 0;
	}
	f = fopen(text + 7, "r");
	if (!f)
		return err_sys(err, errno, "cannot open '%s'", text + 7);
	l->given = true;
	while (fgets(line, sizeof(line), f))
		if (line[0] != '#')
			name_list_add(l, line, "\n");
	fclose(f);
	return 0;
}

int filter_opts_apply(const struct filter_opts *o, const struct recording *rec, struct filter *f,
		      struct err *err)
{
	if (add_names(&f->comms, o->comms, err) || add_names(&f->dsos, o->dsos, err) ||
	    add_names(&f->symbols, o->symbols, err))
		return -1;
	if (o->pids && number_list_parse(&f->pids, o->pids, "pids", err))
		return -1;
	if (o->tids && number_list_parse(&f->tids, o->tids, "tids", err))
		return -1;
	if (o->cpus && number_list_parse(&f->cpus, o->cpus, "cpus", err))
		return -1;
	return o->time ? filter_times_parse(f, o->time, rec->first_sample_time,
					    rec->last_sample_time, err)
		       : 0;
}

int filter_opts_part(const char *time, const struct recording *rec, struct time_range *part,
		     struct err *err)
{
	struct filter f = {0};
	int failed =
		filter_times_parse(&f, time, rec->first_sample_time, rec->last_sample_time, err);

	if (!failed && f.times.n != 1)
		failed = err_set(err, ERR_USAGE, "one time span, not several: '%s'", time);
	if (!failed)
		*part = f.times.at[0];
	filter_release(&f);
	return failed;
}
