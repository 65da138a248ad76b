/* SPDX-License-Identifier: MIT */
/*
 * Caches which entries of a build-id store may have markers (sdt.h). Hardly one in a thousand has,
 * and a look at an entry costs the kernel 2 to 6 us. So for each folder .build-id/XX, the entries
 * that are worth a look are listed. The list holds as long as the folder is unchanged: device,
 * inode, and ctime (ns), which changes whenever an entry is added or removed, and which no program
 * can set.
 *
 * A folder may change again in the clock tick in which it was read, and a program that adds an
 * entry writes its "probes" file a moment later. So a folder is cached only if it was unchanged for
 * MARKERS_SETTLED seconds when it was read.
 *
 * The file is "markers-DEVICE-INODE" (of .build-id, hexadecimal) in the folder of the cache
 * (entry.h), which is the user's own: nothing is written to the store, and no list in the store is
 * trusted. Its content:
 *
 *   folders u32, then for each, in the order of its names:
 *     name string, device u64, inode u64, seconds s64, nanoseconds u32, entries u32,
 *     and the name of each entry: string
 *
 * A string is its length (u8, not 0) and its bytes.
 */
#ifndef SYMBOL_CACHE_MARKERS_H
#define SYMBOL_CACHE_MARKERS_H

#include "os/files/text.h"

#include <sys/stat.h>

#define MARKERS_SETTLED 60 /* seconds */

struct marker_folder {
	const char *name; /* "9c" */
	uint64_t dev, ino;
	int64_t s; /* ctime */
	uint32_t ns;
	struct names look; /* entries that are worth a look */
};
struct marker_folders {
	VEC(struct marker_folder);
};

struct marker_folder marker_folder_of(const char *name, const struct stat *st);
/* The cached folder that equals `now`, or NULL. *from: 0 at first; folders must be asked for in the
 * order of names. */
const struct marker_folder *marker_folders_find(const struct marker_folders *all,
						const struct marker_folder *now, size_t *from);
/* True when the folder has been unchanged for long enough at that time (seconds since 1970). */
bool marker_folder_settled(const struct marker_folder *folder, int64_t time);
/* Loads the folders of a store. Names are copied into the arena. *out is empty when nothing is
 * cached, or the file is damaged. */
void marker_folders_load(struct marker_folders *out, struct arena *arena, const char *dir,
			 const struct stat *store);
/* The cache is kept below max bytes. */
void marker_folders_store(const struct marker_folders *all, const char *dir,
			  const struct stat *store, uint64_t max);
void marker_folders_release(struct marker_folders *all);

#endif
