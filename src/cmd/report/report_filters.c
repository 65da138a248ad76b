// SPDX-License-Identifier: MIT
#include "cmd/report/report_opts.h"

#include <string.h>

int report_filters(struct filter *f, const struct report_opts *o, const struct recording *rec,
		   struct err *err)
{
	if (o->parallelism && number_list_parse(&f->parallelism, o->parallelism, "counts", err))
		return -1;
	f->symbol_part = o->symbol_filter;
	f->socket = o->socket;
	return filter_opts_apply(&o->filter, rec, f, err);
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
