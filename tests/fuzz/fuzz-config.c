// SPDX-License-Identifier: MIT
/* A perfconfig, as text. */
#include "base/config/config.h"
#include "driver.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config c = {0};
	struct err err = {0};
	size_t n = 0;

	config_parse(&c, (const char *)data, size, "fuzz", &err);
	for (size_t i = 0; i < c.vars.n; i++) {
		n += strlen(c.vars.at[i].key) +
		     (c.vars.at[i].value ? strlen(c.vars.at[i].value) : 0);
		config_bool(&c, c.vars.at[i].key, false);
		config_int(&c, c.vars.at[i].key, 0);
	}
	config_find(&c, n ? "report.children" : "");
	config_release(&c);
	return 0;
}
