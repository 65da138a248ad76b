// SPDX-License-Identifier: MIT
#include "cmd/report_opts.h"

#include <errno.h>
#include <stdio.h>

static int bad_file(const char *path, struct err *err)
{
	return err_sys(err, errno, "cannot open '%s'", path);
}

/* A list of names: "a,b", or those that stand one a line in a file. */
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
		return bad_file(text + 7, err);
	l->given = true;
	while (fgets(line, sizeof(line), f))
		if (line[0] != '#')
			name_list_add(l, line, "\n");
	fclose(f);
	return 0;
}

int report_filters(struct filter *f, const struct report_opts *o, const struct recording *rec,
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
	if (o->parallelism && number_list_parse(&f->parallelism, o->parallelism, "counts", err))
		return -1;
	f->symbol_part = o->symbol_filter;
	f->socket = o->socket;
	return o->time ? filter_times_parse(f, o->time, rec->first_sample_time,
					    rec->last_sample_time, err) : 0;
}

int report_quantum(const char *s, uint64_t *ns, struct err *err)
{
	char *end;
	unsigned long long n = strtoull(s, &end, 0);
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (end != s && !strcmp(end, units[i].name)) {
			*ns = n * units[i].ns;
			return 0;
		}
	return err_set(err, ERR_USAGE, "--time-quantum: not a time with a unit: '%s'", s);
}
