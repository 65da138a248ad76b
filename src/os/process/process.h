/* SPDX-License-Identifier: MIT */
/* Facts about one process. */
#ifndef OS_PROCESS_H
#define OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The pid that a process has in its own pid namespace (the last of NSpid in ROOT/proc/PID/status);
 * pid itself when that cannot be known. */
int32_t process_inner_pid(const char *root, int32_t pid);
/* False in a container's or another pid namespace, whose tasks do not see those outside of it. */
bool process_sees_all(const char *proc_root);
/* A path that opens the file that a process has mapped at [start, end), when that file has this
 * name ("/tmp/x (deleted)"). False: no such file is mapped there, or this process may not see
 * it. */
bool process_maps_file(const char *root, int32_t pid, uint64_t start, uint64_t end,
		       const char *name, char *path, size_t n);
/* "ROOT/proc/PID/root" when that process lives in another mount namespace than this one, or in a
 * root of its own (chroot): its /x is then a file below that path. False when it doesn't, or is
 * gone. */
bool process_root(const char *root, int32_t pid, char *path, size_t n);
/* Opens the file that the path names in that process's mount namespace and root; the path is
 * absolute or relative to that root. real gets the file's name there with all links followed. A
 * descriptor, or negative errno: -ESRCH when there is no such process. */
int process_open_file(int32_t pid, const char *path, char *real, size_t n);
/* The path by which an open file can be opened again. */
void process_open_path(int fd, char *path, size_t n);
/* A descriptor that becomes readable when the process (or where the kernel can tell, the thread)
 * ends; negative errno: -ESRCH when it has. */
int process_watch(int32_t tid);
bool process_exists(int32_t tid);
/* Start time of the process, in ns of CLOCK_BOOTTIME, with a resolution of 10 ms; -1: there is no
 * such process. */
int64_t process_start_ns(const char *root, int32_t pid);
/* The bytes of this process's own vdso; NULL when there is none. */
const void *own_vdso(size_t *n);

#endif
