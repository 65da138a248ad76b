/* SPDX-License-Identifier: MIT */
/*
 * The statically defined probes (SDT) of the files in the build-id store: what `perf list sdt`
 * shows and what can be probed as sdt_PROVIDER:NAME.
 *
 * A file has them as notes called "stapsdt" in .note.stapsdt (systemtap's sys/sdt.h, version 3):
 * three addresses, then provider, name and arguments as strings. perf keeps what it found beside
 * the file in a text "probes", whose lines "%sdt_PROVIDER:NAME=NAME" name them.
 */
#ifndef SYMBOL_SDT_H
#define SYMBOL_SDT_H

#include "base/mem.h"

struct sdt_probe {
	const char *event;    /* "sdt_libc:setjmp" */
	const char *path;     /* of the file, as it was when it was stored */
	const char *build_id; /* 40 hex digits, mostly */
};
struct sdt_probes {
	struct arena arena;
	VEC(struct sdt_probe); /* by event, then build-id; each pair once */
};

/* All in the store at dir; NULL: that of the user. Nothing when there is none. Which entries are worth a look is
 * kept (cache/markers.h) in a cache of at most cache_size bytes; 0: there is none. time: now, in seconds since 1970. */
void sdt_read(struct sdt_probes *out, const char *dir, uint64_t cache_size, int64_t time);
void sdt_release(struct sdt_probes *probes);

#endif
