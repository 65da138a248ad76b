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
 * The file is a new one: a link that was planted there is not followed, a file not written to. An
 * existing recording is moved to PATH.old, as perf does. Taken as they are: an empty file of the
 * user's own that nobody else can write to, devices, named pipes (the user's or root's), and
 * descriptors by their names in /dev.
 */
int sink_file_open(const char *path, bool as_directory, struct err *err);

#endif
