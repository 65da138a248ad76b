/* SPDX-License-Identifier: MIT */
/*
 * Definitions of probes that the build-id store keeps for a file: the user's, and those of its
 * markers (SDT). In the entry's file "probes", as perf 6.1 writes it:
 *
 *   #SPEC           a probe as the user asked for it: "#max a", "#probe_prog:ev=inner argc"
 *   %GROUP:EVENT=NAME   a marker: "%sdt_toy:start=start"
 *   p:GROUP/EVENT ...   lines below them: what the kernel is told of each place
 */
#ifndef PROBE_KEPT_PROBES_H
#define PROBE_KEPT_PROBES_H

#include "os/files/text.h"
#include "probe/definition.h"
#include "probe/spec.h"

struct kept_probe {
	bool marker;
	const char *spec;
	struct names lines; /* definitions */
};

/* All zero is valid and empty. */
struct kept_probes {
	struct arena arena;
	VEC(struct kept_probe);
};
void kept_probes_release(struct kept_probes *k);
/* Adds those of a text; lines that are none are passed over. */
void kept_probes_parse(struct kept_probes *k, const char *text);
void kept_probes_text(const struct kept_probes *k, struct buf *out);
/* Adds a spec with its definitions, in place of one of the same spec. */
void kept_probes_add(struct kept_probes *k, const struct probe_spec *s,
		     const struct probe_def *defs, size_t n);
/* "GROUP:EVENT" of a spec that names its event, else the spec. In the arena. */
const char *kept_probe_name(const struct kept_probe *p, struct arena *arena);

/* Adds the file at path, which is not a link, to the store at dir, and to its entry the probes;
 * path NULL: the running kernel. 0, or -1 with *err. */
int kept_probes_store(const char *dir, const char *path, const struct probe_spec *s,
		      const struct probe_def *defs, size_t n, struct err *err);
/* Adds the markers of a file that is in the store to its entry. pid: as in store_add(). 0, or -1
 * with *err. */
int kept_probes_store_markers(const char *dir, const char *path, int32_t pid, struct err *err);
/* The files with markers of a spec that are in the store, and are still what they were then. dir
 * NULL: the user's store. cache_size: of sdt_read(). 0, or -1 with *err: there are none. */
int kept_marker_files(const char *dir, uint64_t cache_size, const struct probe_spec *s,
		      struct arena *arena, struct names *out, struct err *err);

#endif
