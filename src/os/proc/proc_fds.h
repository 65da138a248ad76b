/* SPDX-License-Identifier: MIT */
/* What the descriptors of a process are open on. root as in os/proc/proc.h. */
#ifndef OS_PROC_FDS_H
#define OS_PROC_FDS_H

#include "os/proc/proc.h"

/* What ROOT/PID/fd/FD leads to ("/etc/passwd", "pipe:[123]"); false: it is not open, or may not be
 * known. */
bool proc_fd_path(const char *root, uint32_t pid, int fd, char *path, size_t n);
/* True when the kernel closes it on exec. */
bool proc_fd_closes_on_exec(const char *root, uint32_t pid, int fd);
/* What its current directory is, likewise. */
bool proc_current_dir(const char *root, uint32_t pid, char *path, size_t n);
/* The numbers of the open descriptors. 0, or -1 with errno set. */
int proc_fds(const char *root, uint32_t pid, struct proc_ids *out);

#endif
