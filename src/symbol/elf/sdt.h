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

/* All in the store at dir; NULL: that of the user. Nothing when there is none. Which entries are
 * worth a look is kept (cache/markers.h) in a cache of at most cache_size bytes; 0: there is none.
 * time: now, in seconds since 1970. */
void sdt_read(struct sdt_probes *out, const char *dir, uint64_t cache_size, int64_t time);
void sdt_release(struct sdt_probes *probes);

/* One of a file's own notes, with all that it says. */
struct sdt_marker {
	const char *provider, *name;
	const char *args;   /* in the assembler's words: "-4@%edi 8@-24(%rbp)" */
	uint64_t vaddr;	    /* where it lies */
	uint64_t offset;    /* the same as an offset in the file */
	uint64_t semaphore; /* offset in the file of the counter of those who watch; 0: there is
			       none */
};
struct sdt_markers {
	struct arena arena;
	VEC(struct sdt_marker);
	uint16_t machine; /* EM_* */
};
/* In the order of the file. 0, or -1: it is no ELF file. */
int sdt_markers_read(struct sdt_markers *out, const char *path);
void sdt_markers_release(struct sdt_markers *m);

#endif
