/* SPDX-License-Identifier: MIT */
/* Descriptors for talking to another program: opened by path, or given by number. */
#ifndef OS_CHANNEL_H
#define OS_CHANNEL_H

#include "base/buf.h"

#include <stdbool.h>

/* Opens a named pipe, to be read without waiting. It stays open when writers come and go. -1 with
 * errno. */
int channel_open(const char *path);
/* Makes reads and writes of a given descriptor nonblocking; -1 with errno when it is not open. */
int channel_adopt(int fd);
/* Appends what can be read without waiting. False at the end of input. */
bool channel_read(int fd, struct buf *out);
void channel_write(int fd, const char *text);

#endif
