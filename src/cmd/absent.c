// SPDX-License-Identifier: MIT
#include "cmd/absent.h"

#include <string.h>

static const struct {
	const char *name, *instead;
} absent[] = {
	{"iostat", "'perf stat -a -e \"block:*\" -I 1000' counts requests to disks each second"},
};

int absent_explain(const char *name, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++) {
		if (strcmp(absent[i].name, name))
			continue;
		err_set(err, ERR_UNSUPPORTED, "perf: '%s' is not there yet", name);
		err_hint(err, "the nearest today: %s", absent[i].instead);
		return 1;
	}
	return 0;
}

void absent_names(struct names *names)
{
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		vec_add(names, absent[i].name);
}
