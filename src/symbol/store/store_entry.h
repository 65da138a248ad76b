/* SPDX-License-Identifier: MIT */
/*
 * Maps a build-id to the path of its link, and a link to its entry, in the build-id store. No other
 * code does that. A store may hold files from an archive of somebody else: names that are no
 * build-ids, and links that don't lead to an entry of this store, are refused, both for reading and
 * for removing.
 */
#ifndef SYMBOL_STORE_ENTRY_H
#define SYMBOL_STORE_ENTRY_H

#include <limits.h>
#include <stdbool.h>

/* bytes of ".build-id/xx/yyy" */
#define STORE_LINK_MAX 64

enum store_link {
	STORE_NOTHING, /* no such link, or the entry is not there */
	STORE_ENTRY,   /* leads to an entry of the store */
	STORE_ITSELF,  /* is no link, but the file or folder itself, as in old stores */
	STORE_REFUSED, /* does not lead to a place of entries */
};

/* Makes a build-id of the names of a folder and of a link in it. False: they are none. */
bool store_id_of_names(const char *first, const char *rest, char id[41]);
/* Makes the path of a build-id's link, relative to the store. id: as text. */
void store_link_name(const char *id, char name[STORE_LINK_MAX]);
/* Opens the folder of a store (O_PATH). The path to it may contain links: the user chose it. -1
 * with errno. */
int store_open(const char *dir);
/* Reads the link of a build-id in the opened store; path gets the "/usr/bin/ls" or "[vdso]" of an
 * entry. */
enum store_link store_link_read(int store, const char *id, char path[PATH_MAX]);
/* True when DIR/.build-id/xx/yyy followed by suffix ("/elf") may be read: no link leads out of the
 * store. Also true for a file that does not exist. */
bool store_may_read(const char *dir, const char *id, const char *suffix);
/* As store_may_read(), for another path below DIR. */
bool store_may_read_path(const char *dir, const char *path);

#endif
