/* SPDX-License-Identifier: MIT */
/*
 * The statically defined tracepoints (SDT) of the files in the build-id store: `perf list sdt`
 * shows them, and they can be probed as sdt_PROVIDER:NAME.
 *
 * A file has them as notes named "stapsdt" in .note.stapsdt (systemtap's sys/sdt.h, version 3):
 * three addresses, then provider, name and arguments as strings. perf stores those that it found in
 * a text file "probes" in the file's store entry, in lines "%sdt_PROVIDER:NAME=NAME".
 */
#ifndef SYMBOL_SDT_H
#define SYMBOL_SDT_H

#include "base/mem.h"

struct sdt_probe {
	const char *event;    /* "sdt_libc:setjmp" */
	const char *path;     /* of the file when it was stored */
	const char *build_id; /* 40 hex digits, mostly */
};
struct sdt_probes {
	struct arena arena;
	VEC(struct sdt_probe); /* by event, then build-id; each pair once */
};

/* Reads all tracepoints of the store at dir; NULL: the user's store. A missing store has none. The
 * entries that may have markers are cached (cache/markers.h), in a cache of at most cache_size
 * bytes; 0: there is no cache. time: now, in seconds since 1970. */
void sdt_read(struct sdt_probes *out, const char *dir, uint64_t cache_size, int64_t time);
void sdt_release(struct sdt_probes *probes);

/* A marker: one SDT note of a file. */
struct sdt_marker {
	const char *provider, *name;
	const char *args;   /* in assembler syntax: "-4@%edi 8@-24(%rbp)" */
	uint64_t vaddr;	    /* virtual address of the probe */
	uint64_t offset;    /* file offset of the probe */
	uint64_t semaphore; /* file offset of the counter of attached tracers; 0: there is none */
};
struct sdt_markers {
	struct arena arena;
	VEC(struct sdt_marker);
	uint16_t machine; /* EM_* */
};
/* Reads a file's markers, in the order of the file. 0, or -1: it is no ELF file. */
int sdt_markers_read(struct sdt_markers *out, const char *path);
void sdt_markers_release(struct sdt_markers *m);

#endif
