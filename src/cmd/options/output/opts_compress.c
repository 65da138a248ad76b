// SPDX-License-Identifier: MIT
#include "cmd/options/output/opts_compress.h"

#include "base/options/options.h"

int compress_call(void *place, const struct opt *opt, const char *value, bool unset,
		  struct err *err)
{
	uint64_t v = 1;

	(void)opt;
	value += value && *value == '='; /* -z=9 */
	if (!unset && value && (parse_u64(value, &v) || !v || v > 22))
		return err_set(err, ERR_USAGE, "'%s' is not a compression level: 1 to 22", value);
	*(int *)place = unset ? 0 : (int)v;
	return 0;
}
