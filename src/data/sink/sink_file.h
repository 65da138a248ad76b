/* SPDX-License-Identifier: MIT */
/* Where a recording goes in the file system. Private to sink*.c. */
#ifndef DATA_SINK_FILE_H
#define DATA_SINK_FILE_H

#include "base/err.h"

#include <stdbool.h>

/*
 * Opens the file to write at path; as_directory: path becomes a directory, and the file is "data"
 * in it. A descriptor, or -1 with *err.
 *
 * It is a new one: nothing that was planted there is followed or written to. What is there is moved
 * to PATH.old, as every perf does. Only an empty file of the user's own that nobody else can write
 * to, devices, named pipes (of the user's or root's) and descriptors by their names in /dev are
 * taken as they are.
 */
int sink_file_open(const char *path, bool as_directory, struct err *err);

#endif
