/* SPDX-License-Identifier: MIT */
/*
 * The world: every process, thread, comm and map, with the time span in which it held; the kernel
 * and its modules. Built from side-band records, asked about any (pid, tid, time, address).
 *
 * Records are added in the order in which they took effect (time order; records without a time at
 * once, in file order). Both ways of reading use it:
 *  - profile mode adds all side-band first and then asks from any number of threads (const calls);
 *  - stream mode adds each record as it comes and asks about the present (WORLD_NOW).
 *
 * The world owns threads, maps and (through its dso_set) dsos; nothing moves or is freed before it.
 */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "data/recording.h"
#include "symbol/dso.h"

#define WORLD_NOW UINT64_MAX

struct thread {
	uint32_t pid, tid; /* pid is (uint32_t)-1 while it isn't known */
	uint32_t ppid;
	uint32_t index;
	uint64_t born, died; /* effective times; 0 and UINT64_MAX when not seen */
	struct process *process; /* the maps' owner: all threads of a pid share one */
	VEC(struct { uint64_t time; uint32_t comm; bool exec; }) comms; /* oldest first */
	VEC(struct { uint64_t time; const char *path; uint64_t id; }) cgroups;
	VEC(struct { uint64_t time; uint64_t dev[8], ino[8]; }) namespaces;
};

struct map {
	uint64_t start, end; /* [start, end) */
	uint64_t pgoff;	     /* file offset of start */
	struct dso *dso;
	uint32_t prot, flags;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	bool in_kernel;
};

/* Where an address lies. */
struct place {
	const struct map *map; /* NULL: nowhere known */
	struct dso *dso;       /* NULL with map */
	uint64_t rva;	       /* in the dso's symbol address space */
	char level;	       /* 'k' '.' 'g' 'u' 'H', as report shows it: from the cpumode */
	uint8_t cpumode;       /* MISC_KERNEL, ... */
};

struct world *world_new(const struct recording *rec, const struct symbol_options *symbols);
void world_free(struct world *w);
struct dso_set *world_dsos(struct world *w);

/* Takes a side-band record (MMAP*, COMM, FORK, EXIT, NAMESPACES, KSYMBOL, CGROUP, TEXT_POKE, BPF,
 * SWITCH is ignored) or a sample (only to know that its thread exists). */
void world_add(struct world *w, const struct record *r, uint64_t time);
/* The effective time of a record: its time, or its place in the file where times don't exist. */
uint64_t record_time(const struct record *r);
/* No more records: prepares for const calls from many threads. */
void world_seal(struct world *w);

/* The thread that had this pid and tid at that time; made (with an unknown past) when there was
 * none. With a sealed world the tid must have been seen: else NULL. */
struct thread *world_thread(struct world *w, uint32_t pid, uint32_t tid, uint64_t time);
/* Its comm at that time; ":TID" when none is known. */
const char *world_comm(const struct world *w, const struct thread *t, uint64_t time);
uint32_t world_comm_id(const struct world *w, const struct thread *t, uint64_t time);
const char *world_comm_text(const struct world *w, uint32_t comm_id);
const char *world_cgroup(const struct world *w, uint64_t id); /* path, or NULL */

/*
 * Places. An epoch names one state of a process's maps: equal epochs place equal addresses equally,
 * so (epoch, cpumode, address) is what a profile resolves once. The kernel's maps are part of every
 * epoch.
 */
uint32_t world_epoch(const struct world *w, const struct thread *t, uint64_t time);
struct place world_place(struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip);
/* When the cpumode is not known (addresses of data, branches): tries kernel, then user. */
struct place world_place_any(struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip);

/* For listings (--tasks, --mmaps): every thread and map, in order of first sight. */
size_t world_threads(const struct world *w, struct thread *const **threads);
size_t world_maps(const struct world *w, const struct thread *t, uint64_t time,
		  const struct map *const **maps);

#endif
