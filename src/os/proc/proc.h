/* SPDX-License-Identifier: MIT */
/*
 * What runs, from /proc: processes, threads, names, maps, namespaces.
 *
 * root is the directory that stands for /proc ("/proc", or a folder of text files in tests).
 * A process may end at any moment: that is no error, its functions then return -1 (errno set).
 */
#ifndef OS_PROC_H
#define OS_PROC_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_ids {
	VEC(int);
};

/* False where nothing is mounted there: a chroot often has no /proc. */
bool proc_mounted(const char *root);
int proc_pids(const char *root, struct proc_ids *out);
int proc_tasks(const char *root, int pid, struct proc_ids *out);

struct proc_status {
	int pid, tgid, ppid;
	uid_t uid;	/* the real one */
	char comm[64];	/* as the kernel escapes it in status, undone */
	bool kernel_thread;
};
/* Of thread tid; pid 0: it is found by the tid alone. */
int proc_status(const char *root, int pid, int tid, struct proc_status *out);
/* The first line of ROOT/PID/FILE or ROOT/FILE (pid 0), without its newline; false
 * when unreadable. */
bool proc_line(const char *root, int pid, const char *file, char *out, size_t size);

/* CPU time used, with ended children that were waited for, in steps of a clock tick (some
 * 10 ms). */
struct proc_times {
	uint64_t user_ns, system_ns;
};
/* Of process (or thread) pid, or with pid 0 of the machine since boot. */
int proc_times(const char *root, int pid, struct proc_times *out);

struct proc_map {
	uint64_t start, end, offset;
	uint64_t ino;
	uint32_t maj, min;
	uint32_t prot, flags; /* PROT_*, MAP_SHARED or MAP_PRIVATE */
	uint8_t build_id[20], build_id_size;
	const char *name; /* "" when it has none; valid during the call */
};
struct proc_maps_options {
	bool data;	  /* also what is readable but not executable */
	bool build_ids;	  /* where the kernel can tell */
	bool text_only;	  /* never ask by ioctl (tests) */
	uint32_t timeout_ms; /* 0: none */
};
/*
 * Calls take for each executable mapping, lowest first; stops when it returns false.
 * 0; 1: it took too long and the rest is missing; -1: not readable.
 */
int proc_maps(const char *root, int pid, const struct proc_maps_options *opts,
	      bool (*take)(void *ctx, const struct proc_map *m), void *ctx);

#define PROC_NAMESPACES 7 /* net uts ipc pid user mnt cgroup: the order of PERF_RECORD_NAMESPACES */
struct proc_ns {
	uint64_t dev, ino;
};
/* How many could be read of PROC_NAMESPACES; the others are zero. */
int proc_namespaces(const char *root, int pid, struct proc_ns ns[PROC_NAMESPACES]);

/* The first size - 1 bytes of a file, terminated; false when unreadable. */
bool proc_head(const char *path, char *out, size_t size);
/* The whole of a small file; NULL when unreadable. Terminated; free() it. */
char *proc_file(const char *path, size_t *size);

#endif
