/* SPDX-License-Identifier: MIT */
/*
 * What is common to the loaders of BPF programs (bpf/NAME.bpf.c is loaded by os/bpf/NAME.c). They
 * are light skeletons: the kernel itself relocates a program when it is loaded (Linux 5.17), which
 * takes a tenth of the time that a library in user space needs, and no library.
 *
 * Functions return 0 (or a descriptor) or a negative errno, but for those with *err.
 */
#ifndef OS_BPF_BPF_H
#define OS_BPF_BPF_H

#include "base/err.h"

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May this process load programs that look at the kernel? */
bool bpf_allowed(void);
/* Fills *err: why a program for this purpose ("counting system calls") could not be loaded or
 * attached, and what would help. Returns -1. */
int bpf_explain(struct err *err, int sys, const char *what);

int bpf_map_read(int map, const void *key, void *value);
int bpf_map_write(int map, const void *key, const void *value);
int bpf_map_remove(int map, const void *key);
int bpf_map_next(int map, const void *key,
		 void *next); /* the first with key NULL; -ENOENT: no more */
int bpf_map_about(int map, struct bpf_map_info *out);
int bpf_map_by_id(uint32_t id); /* a descriptor */
int bpf_table_new(const char *name, uint32_t key_size, uint32_t value_size, uint32_t most);
/* An array of most entries, each with a value for each CPU. */
int bpf_cpu_table_new(const char *name, uint32_t value_size, uint32_t most);
/* Pins a map at a path of the BPF file system; opens the map that is pinned there. */
int bpf_pin(int map, const char *path);
int bpf_pinned(const char *path);
/* Maps n bytes of an array that allows it; NULL with errno. */
void *bpf_map_memory(int map, size_t n);

/* Makes a perf event array with one event for each CPU. The array keeps its events open. It lives
 * as long as a process has it open or a program uses it. A descriptor. */
#define BPF_EVENTS_NAME "perf_events"
int bpf_events_new(void);
int bpf_events_put(int events, int cpu, int event_fd);

/* Sets the value that a map of task storage has for a task, thread or process (of our pid
 * namespace). Threads beside a process's first need Linux 6.9: -EINVAL before. */
int bpf_task_write(int map, int tid, const void *value);
int bpf_program_by_id(uint32_t id);				/* a descriptor */
int bpf_program_about(int program, struct bpf_prog_info *info); /* in: what is asked for */
/* Loads a program, given as instructions, that traces a function of another program. A
 * descriptor. */
struct bpf_program_parts {
	uint32_t type, attach_type;
	const struct bpf_insn *insns;
	size_t n;
	const char *licence, *name;
	int attach_to;
	uint32_t attach_entry; /* the function's number in that program's type information */
};
int bpf_program_new(const struct bpf_program_parts *p);
int bpf_attach(int program); /* to its function; closing the descriptor detaches it */
int bpf_iterate(int link);   /* a descriptor: reading it runs the link's iterator to its end */
/* Runs a program (of type raw_tp) on a CPU now, in the context of the task that runs there. */
int bpf_run_on(int program, int cpu);
/* Likewise on each CPU of the list; CPUs that have gone offline are skipped. */
struct cpu_list;
int bpf_run_on_all(int program, const struct cpu_list *cpus);
/* The highest number of a possible CPU, plus 1: per-CPU maps have so many values. */
unsigned int bpf_cpus(void);

/* Sets wanted[cpu] to 1 for each of n CPUs; numbers from size on, and negative ones, are passed
 * over. */
void bpf_want_cpus(uint8_t *wanted, size_t size, const int *cpus, size_t n);

/* Walks the rows of a hash map: *begun is false before the first call. Sets key, which is that of
 * the row before, and value to the next row's. False: no more rows, or this one has gone. */
#define BPF_KEY_MOST 64 /* bytes of a key */
bool bpf_map_row_next(int map, bool *begun, void *key, size_t key_size, void *value);

#endif
