/* SPDX-License-Identifier: MIT */
/*
 * The one place that makes a path of a build-id and an entry of a link in the build-id store. What
 * lies in a store may have come with somebody's archive: names that are no build-ids, and links
 * that lead elsewhere than to an entry of this store, are refused, for reading as for removing.
 */
#ifndef SYMBOL_STORE_ENTRY_H
#define SYMBOL_STORE_ENTRY_H

#include <limits.h>
#include <stdbool.h>

/* ".build-id/xx/yyy" */
#define STORE_LINK_MAX 64

enum store_link {
	STORE_NOTHING, /* no such link, or the entry is not there */
	STORE_ENTRY,   /* leads to an entry of the store */
	STORE_ITSELF,  /* is no link, but the file or folder itself, as in stores of old */
	STORE_REFUSED, /* does not lead to where an entry is */
};

/* The build-id that the names of a folder and of a link in it make. False: they are none. */
bool store_id_of_names(const char *first, const char *rest, char id[41]);
/* Below the store; id is a build-id as text. */
void store_link_name(const char *id, char name[STORE_LINK_MAX]);
/* Opens the folder of a store (O_PATH), which may itself be behind links: the user says where it
 * is. */
int store_open(const char *dir);
/* What the link of a build-id in the opened store is; path gets the "/usr/bin/ls" or "[vdso]" of an
 * entry. */
enum store_link store_link_read(int store, const char *id, char path[PATH_MAX]);
/* True when DIR/.build-id/xx/yyy and suffix ("/elf") may be read: no link leads out of the store. A
 * file that is not there may be. */
bool store_may_read(const char *dir, const char *id, const char *suffix);
/* The same of another path below DIR. */
bool store_may_read_path(const char *dir, const char *path);

#endif
