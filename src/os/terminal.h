/* SPDX-License-Identifier: MIT */
/* What a file descriptor leads to when that is a terminal. */
#ifndef OS_TERMINAL_H
#define OS_TERMINAL_H

/* Its columns, or 0 when it isn't a terminal or doesn't say. */
int terminal_width(int fd);

#endif
