// SPDX-License-Identifier: MIT
#include "cmd/options/output/opts_form.h"

#include "cmd/options/opts_rows.h"

#define AT(field) offsetof(struct form_opts, field)

const struct opt form_opts[] = {
	{OPT_BOOL, 'j', "json", AT(json), NULL, "show JSON, all times in ns"},
	{OPT_STRING, 'x', "field-separator", AT(separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_END},
};

int form_opts_check(struct form_opts *o, struct err *err)
{
	if (o->json && o->separator)
		return err_set(err, ERR_USAGE, "-j and -x exclude each other");
	if (o->separator && !*o->separator)
		return err_set(err, ERR_USAGE, "-x needs a separator");
	o->separator = rows_separator(o->separator);
	return 0;
}

bool form_is_rows(const struct form_opts *o)
{
	return o->json || o->separator;
}
