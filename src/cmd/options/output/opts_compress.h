/* SPDX-License-Identifier: MIT */
/* -z, --compression-level of the commands that write recordings. */
#ifndef CMD_OPTS_COMPRESS_H
#define CMD_OPTS_COMPRESS_H

#include "base/options/options.h"

/* An opt_call. place: an int, the zstd level for sink_options.compress: 1 to 22, 1 without a value;
 * 0 for --no-compression-level. */
int compress_call(void *place, const struct opt *opt, const char *value, bool unset,
		  struct err *err);

#define COMPRESS_OPTION(offset)                                                                    \
	{                                                                                          \
		OPT_CALL, 'z', "compression-level", offset, "n",                                   \
			"compress, 1 (fast) to 22 (small)", OPT_OPTIONAL, .call = compress_call    \
	}

#endif
