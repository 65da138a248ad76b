/* SPDX-License-Identifier: MIT */
/*
 * The world: every process, thread, comm and map, with the time span in which it held; the kernel
 * and its modules. Built from side-band records, asked about any (pid, tid, time, address).
 *
 * Records are added in the order in which they took effect (time order; records without a time at
 * once, in file order). All ways of reading use it:
 *  - all side-band is added first, the world is sealed, and then asked from any number of threads;
 *  - records are added as they come, and each sample asks about the present (WORLD_NOW) for an
 *    epoch, in which addresses are placed then or later;
 *  - the same after world_present_only(): epochs are good until the next record, and nothing of
 *    the past is kept.
 *
 * Who is what follows perf: threads are known by tid; a fork replaces whoever had the tid; an exec
 * changes the comm but no map (the maps that follow overlap the old ones and trim them); an exit
 * changes nothing.
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
	uint64_t begun; /* when its fork, or its last exec, was recorded to be; 0: not known */
	uint64_t born, died; /* effective times; 0 and UINT64_MAX when not seen */
	struct process *process; /* the maps' owner: all threads of a pid share one */
	struct thread *older;	 /* who had this tid before, or NULL */
	uint32_t unnamed;	 /* comm id of ":TID" */
	bool forked;		 /* a FORK was its birth, or its comm would be that of before */
	VEC(struct comm_span { uint64_t time; uint32_t comm; bool exec; }) comms; /* oldest first */
	VEC(struct namespaces { uint64_t time; uint64_t dev[8], ino[8]; uint32_t n; }) namespaces;
};

struct map {
	uint64_t start, end; /* [start, end) */
	uint64_t pgoff;	     /* file offset of start */
	struct dso *dso;
	uint32_t prot, flags;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	bool in_kernel;
	bool absolute; /* offsets in it are the addresses themselves: the kernel, anonymous memory
			*/
};

/* Where an address lies. */
struct place {
	const struct map *map; /* NULL: nowhere known */
	struct dso *dso;       /* NULL with map */
	uint64_t offset;       /* in the file; the address where the map is absolute or NULL */
	uint64_t ip;
	char level;	       /* 'k' '.' 'H', as report shows it: from the cpumode */
	uint8_t cpumode;       /* MISC_KERNEL, ... */
};

/* The comm of pid 0 in a recording of a pid namespace: of all processes outside of it, and of idle
 * CPUs. */
#define WORLD_OUTSIDE "[outside]"

struct world *world_new(const struct measurement *m, const struct symbol_options *symbols);
/* A world that also knows what the recording's header says: build-ids, BPF programs, the host, the
 * kernel's symbols of a directory. The measurement or recording must outlive the world. */
struct world *world_of_recording(const struct recording *rec, const struct symbol_options *symbols);
void world_free(struct world *w);
DEFINE_AUTO(world, world_free)
struct dso_set *world_dsos(struct world *w);
/* Memory that grows with what is told, about. */
size_t world_bytes(const struct world *w);
/* What script calls a dso: as it was first named (a module of the build-id table by its path,
 * others
 * "[kvm]"). */
const char *world_dso_name(const struct world *w, const struct dso *dso);
void world_present_only(struct world *w);
/* The kernel's short name, which must outlive the world. To be called before records come. */
void world_name_kernel(struct world *w, const char *name);

/* Takes a side-band record (MMAP*, COMM, FORK, EXIT, NAMESPACES, KSYMBOL, CGROUP, HEADER_BUILD_ID
 * and HEADER_FEATURE of a pipe; all others are ignored) or a sample (only to know that its thread
 * exists). */
void world_add(struct world *w, const struct record *r, uint64_t time);
/* The effective time of a record: its time, 0 when it has none; or its place in the file where
 * side- band has no times (no sample_id_all). */
uint64_t record_time(const struct measurement *m, const struct record *r);
/* After all side-band: a sample of that time speaks of this thread. Where a fork gave its tid to
 * another one later, who had it before is a thread that side-band never spoke of. */
void world_add_seen(struct world *w, uint32_t pid, uint32_t tid, uint64_t time);
/* No more records: prepares for const calls from many threads. */
void world_seal(struct world *w);

/* The thread that had this pid and tid at that time; made (with an unknown past) when there was
 * none. With a sealed world the tid must have been seen: else NULL. */
struct thread *world_thread(struct world *w, uint32_t pid, uint32_t tid, uint64_t time);
/* Its comm at that time; ":TID" when none is known. */
const char *world_comm(const struct world *w, const struct thread *t, uint64_t time);
uint32_t world_comm_id(const struct world *w, const struct thread *t, uint64_t time);
bool world_comm_holds(const struct thread *t, uint64_t from,
		      uint64_t to); /* the same at all times from..to */
/* The same of a comm id that was asked for while the world still grew: a ":TID" becomes the first
 * name that the thread got later. */
uint32_t world_comm_learnt(const struct thread *t, uint32_t comm_id);
const char *world_comm_text(const struct world *w, uint32_t comm_id);
const char *world_cgroup(const struct world *w, uint64_t id); /* path, or NULL */
const struct namespaces *world_namespaces(const struct thread *t, uint64_t time); /* or NULL */

/* All three of a thread's answers, and the times from..to (both included), about that one, at which
 * they are the same. Of a sealed world; false: the tid was never seen. */
struct thread_state {
	struct thread *thread;
	uint32_t comm, epoch;
	uint64_t from, to;
};
bool world_thread_state(const struct world *w, uint32_t tid, uint64_t time, struct thread_state *s);

/*
 * Places. An epoch names one state of a process's maps and of the kernel's: equal epochs place
 * equal addresses equally, so (epoch, cpumode, address) is what a profile resolves once. Ids are
 * small and nearly dense. world_epoch hands out ids: in stream mode only from one thread. A place
 * in the kernel beyond its recorded range loads the kernel's symbols, which know better where it
 * ends. Of a JIT's dump, an unsealed world counts what had been loaded by that time: WORLD_NOW is
 * the last record's.
 */
uint32_t world_epoch(struct world *w, const struct thread *t, uint64_t time);
/* Before sealing: of the maps that held at that time, also when others took their place since. The
 * first ones that are known stand for the time before them. */
uint32_t world_epoch_then(struct world *w, const struct thread *t, uint64_t time);
struct place world_place(const struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip);
/* Names the executable maps of the epoch: epochs with equal names have the same ones. Data may be
 * mapped elsewhere. */
uint32_t world_epoch_text(const struct world *w, uint32_t epoch);
/* When the cpumode is not known: tries user, then kernel. */
struct place world_place_any(const struct world *w, uint32_t epoch, uint64_t ip);
/* Addresses of data and branches: the kernel's or the user's half, as the address says. Other
 * cpumodes than those two stay as they are. */
struct place world_place_data(const struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip);

/* In the dso's symbol address space. Loads the dso, so: not from two threads for one dso. */
static inline uint64_t place_rva(const struct place *p)
{
	if (!p->map)
		return p->ip;
	dso_load(p->dso);
	return p->dso->mem_mapped_by_ip || p->map->absolute ? p->ip : dso_rva(p->dso, p->offset);
}
static inline const struct symbol *place_symbol(const struct place *p) /* or NULL; loads */
{
	return p->map ? dso_find(p->dso, place_rva(p)) : NULL;
}

/* Why the address of a place has no name. NAMELESS_NO_CODE is for callers only: where something ran
 * there is code, of which the recording does not know. */
enum nameless world_nameless(const struct world *w, uint32_t epoch, const struct place *p);

/* For listings (--tasks, --mmaps): every thread and map, in order of first sight. The maps of the
 * kernel for t == NULL. *maps is the caller's to free. */
size_t world_threads(const struct world *w, struct thread *const **threads);
size_t world_maps(const struct world *w, const struct thread *t, uint64_t time,
		  const struct map ***maps);
size_t world_epoch_maps(const struct world *w, uint32_t epoch,
			const struct map ***maps); /* a process's */

#endif
