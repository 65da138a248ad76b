/* SPDX-License-Identifier: MIT */
/*
 * Which entries of a build-id store may have markers (sdt.h). Hardly one in a thousand has, and to
 * look at each entry costs the kernel 2 to 6 us; so it is kept, for each folder .build-id/XX, which
 * of its entries are worth a look. That holds as long as the folder is the one it was: device,
 * inode, and the time (ns) of its last change, which is later whenever an entry came or went (no
 * program can set that time).
 *
 * A file may be changed again in the tick of the clock in which it was read, and who adds an entry
 * writes its list of markers a moment later: so only folders are kept that had been as they were
 * for MARKERS_SETTLED seconds when they were read.
 *
 * The file is "markers-DEVICE-INODE" (of .build-id, hexadecimal) in the folder of the cache
 * (entry.h), which is the user's own: nothing is written to the store, and nothing is believed that
 * lies there. Its content:
 *
 *   folders u32, then for each, in the order of its names:
 *     name string, device u64, inode u64, seconds s64, nanoseconds u32, entries u32, name string
 * ...
 *
 * where a string is its length (u8, not 0) and its bytes.
 */
#ifndef SYMBOL_CACHE_MARKERS_H
#define SYMBOL_CACHE_MARKERS_H

#include "os/text.h"

#include <sys/stat.h>

#define MARKERS_SETTLED 60 /* seconds */

struct marker_folder {
	const char *name; /* "9c" */
	uint64_t dev, ino;
	int64_t s; /* when it was changed last */
	uint32_t ns;
	struct names look; /* entries that are worth a look */
};
struct marker_folders {
	VEC(struct marker_folder);
};

struct marker_folder marker_folder_of(const char *name, const struct stat *st);
/* What is kept of it as it is now, or NULL. from: 0 at first; names must come in their order. */
const struct marker_folder *marker_folders_find(const struct marker_folders *all,
						const struct marker_folder *now, size_t *from);
/* Has it been as it is for long enough, at that time (seconds since 1970)? */
bool marker_folder_settled(const struct marker_folder *folder, int64_t time);
/* Names are copied into the arena. Nothing where nothing is kept, or what is kept is not sound. */
void marker_folders_load(struct marker_folders *out, struct arena *arena, const char *dir,
			 const struct stat *store);
/* The cache is kept below max bytes. */
void marker_folders_store(const struct marker_folders *all, const char *dir,
			  const struct stat *store, uint64_t max);
void marker_folders_release(struct marker_folders *all);

#endif
