// SPDX-License-Identifier: MIT
#include "cmd/options/opts_rows.h"

#include <string.h>

const char *rows_separator(const char *typed)
{
	return typed && !strcmp(typed, "\\t") ? "\t" : typed;
}

int rows_opts_check(const char *separator, const char *percentage, bool *relative, struct err *err)
{
	*relative = percentage && !strcmp(percentage, "relative");
	if (separator && !strcmp(separator, "."))
		return err_set(err, ERR_USAGE,
			       "'.' is the only non valid --field-separator argument");
	if (percentage && !*relative && strcmp(percentage, "absolute"))
		return err_set(err, ERR_USAGE, "--percentage is relative or absolute, not '%s'",
			       percentage);
	return 0;
}
