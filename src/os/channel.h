/* SPDX-License-Identifier: MIT */
/* Descriptors for talking to another program: opened by path, or given by number. */
#ifndef OS_CHANNEL_H
#define OS_CHANNEL_H

#include "base/buf.h"

#include <stdbool.h>

/* A named pipe, to be read without waiting; stays open when writers come and go. -1 with errno. */
int channel_open(const char *path);
/* Makes a given descriptor not wait; -1 with errno when it isn't one. */
int channel_adopt(int fd);
/* Appends what is there. False at the end of input. */
bool channel_read(int fd, struct buf *out);
void channel_write(int fd, const char *text);

#endif
