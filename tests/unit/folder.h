/* SPDX-License-Identifier: MIT */
/* Files in a folder that stands in for a part of the machine. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Writes text to root/name; the folders on the way are made. */
static inline void folder_put(const char *root, const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Removes the folder and all in it; 0, or what rm said. */
static inline int folder_remove(const char *root)
{
	char command[512];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

#endif
