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
 *  - records are added after world_present_only(): nothing of the past is kept, and an epoch is
 *    valid until the next record.
 *
 * Identity follows perf: threads are known by tid; a fork replaces the thread that had the tid; an
 * exec changes the comm but no map (the maps that follow overlap the old ones and trim them); an
 * exit changes nothing.
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
	uint64_t begun; /* recorded time of its fork or last exec, ns; 0: not known */
	uint64_t born, died; /* effective times; 0 and UINT64_MAX when not seen */
	struct process *process; /* the maps' owner: all threads of a pid share one */
	struct thread *older;	 /* the thread that had this tid before, or NULL */
	uint32_t unnamed;	 /* comm id of ":TID" */
	bool forked;		 /* made by a FORK: its comms do not hold for times before .born */
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

/* True for the cpumodes of samples that a guest was interrupted by. */
static inline bool cpumode_is_guest(uint8_t cpumode)
{
	return cpumode == MISC_GUEST_KERNEL || cpumode == MISC_GUEST_USER;
}

/* Where an address lies. */
struct place {
	const struct map *map; /* NULL: nowhere known */
	struct dso *dso;       /* NULL with map */
	uint64_t offset;       /* in the file; the address where the map is absolute or NULL */
	uint64_t ip;
	char level;	       /* 'k' '.' 'g' 'u' 'H', as report shows it: from the cpumode */
	uint8_t cpumode;       /* MISC_KERNEL, ... */
};

/* The comm of pid 0 in a recording of a pid namespace: of all processes outside of it, and of idle
 * CPUs. */
#define WORLD_OUTSIDE "[outside]"

struct world *world_new(const struct measurement *m, const struct symbol_options *symbols);
/* A world that also has the contents of the recording's header: build-ids, BPF programs, the host,
 * and a directory's kallsyms. The measurement or recording must outlive the world. */
struct world *world_of_recording(const struct recording *rec, const struct symbol_options *symbols);
void world_free(struct world *w);
DEFINE_AUTO(world, world_free)
struct dso_set *world_dsos(struct world *w);
/* Bytes of the memory that grows with the records added, about. */
size_t world_bytes(const struct world *w);
/* The name by which script shows a dso: the one it first had (a module of the build-id table its
 * path, other modules "[kvm]"). */
const char *world_dso_name(const struct world *w, const struct dso *dso);
void world_present_only(struct world *w);
/* No address of user space will be asked for: maps are not kept. To be called before records
 * come. */
void world_without_maps(struct world *w);
/* The kernel's short name, which must outlive the world. To be called before records come. */
void world_name_kernel(struct world *w, const char *name);

/* Takes a side-band record (MMAP*, COMM, FORK, EXIT, NAMESPACES, KSYMBOL, CGROUP, HEADER_BUILD_ID
 * and HEADER_FEATURE of a pipe; all others are ignored) or a sample (only to know that its thread
 * exists). */
void world_add(struct world *w, const struct record *r, uint64_t time);
/* The effective time of a record: its time, 0 when it has none; or its place in the file where
 * side-band has no times (no sample_id_all). */
uint64_t record_time(const struct measurement *m, const struct record *r);
/* To be called after all side-band, for a sample of that time and thread. Where the tid's first
 * fork comes later, this adds the thread that had the tid before it, which side-band never
 * names. */
void world_add_seen(struct world *w, uint32_t pid, uint32_t tid, uint64_t time);
/* No more records: prepares for const calls from many threads. */
void world_seal(struct world *w);

/* The thread that had this pid and tid at that time; made (with an unknown past) when there was
 * none. With a sealed world the tid must have been seen: else NULL. */
struct thread *world_thread(struct world *w, uint32_t pid, uint32_t tid, uint64_t time);
/* Some of the latest threads of their tids, by the low bits of the tid; NULL: none. The array stays
 * where it is; its threads change with records and calls of world_thread. */
#define WORLD_RECENT 512
struct thread *const *world_recent(const struct world *w);
/* The thread that stands for t in samples of its guest, of which the world knows no names:
 * ":TID", or "[guest/PID]" with --guest-code. Made at the first call: not for a sealed world. */
struct thread *world_guest_thread(struct world *w, const struct thread *t);
const struct guest_options *world_guests(const struct world *w);
/* True when samples of that cpumode count: of guests, or of the host, as the options want it. */
bool world_wants_mode(const struct world *w, uint8_t cpumode);
/* Its comm at that time; ":TID" when none is known. */
const char *world_comm(const struct world *w, const struct thread *t, uint64_t time);
uint32_t world_comm_id(const struct world *w, const struct thread *t, uint64_t time);
bool world_comm_holds(const struct thread *t, uint64_t from,
		      uint64_t to); /* True when the comm is one at all times from..to */
/* Updates a comm id that was asked for while the world still grew: a ":TID" becomes the first name
 * that the thread got later. */
uint32_t world_comm_learnt(const struct thread *t, uint32_t comm_id);
const char *world_comm_text(const struct world *w, uint32_t comm_id);
const char *world_cgroup(const struct world *w, uint64_t id); /* path, or NULL */
const struct namespaces *world_namespaces(const struct thread *t, uint64_t time); /* or NULL */

/* The thread, comm and epoch of a tid at a time, with the times from..to (both included) around it
 * in which all three hold. For a sealed world. False: the tid was never seen. */
struct thread_state {
	struct thread *thread;
	uint32_t comm, epoch;
	uint64_t from, to;
};
bool world_thread_state(const struct world *w, uint32_t tid, uint64_t time, struct thread_state *s);

/*
 * Places. An epoch names one state of a process's maps and of the kernel's: equal epochs place
 * equal addresses equally, so (epoch, cpumode, address) is what a profile resolves once. Ids are
 * small and nearly dense. In an unsealed world, world_epoch makes ids, so only one thread may call
 * it. For an address of the kernel beyond its recorded range, world_place loads the kernel's
 * symbols, which tell where it ends. An unsealed world applies the code of a jitdump that was
 * loaded up to the time; WORLD_NOW is the time of the last record.
 */
uint32_t world_epoch(struct world *w, const struct thread *t, uint64_t time);
/* For an unsealed world: the epoch of the maps that held at that time, even where others replaced
 * them since. The first known maps also hold for the time before them. */
uint32_t world_epoch_then(struct world *w, const struct thread *t, uint64_t time);
struct place world_place(const struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip);
/* The id of the epoch's executable maps: epochs with equal ids have equal executable maps. Maps of
 * data may differ. */
uint32_t world_epoch_text(const struct world *w, uint32_t epoch);
/* The id of the epoch's kernel: epochs with equal ids place addresses of MISC_KERNEL equally. The
 * processes of a recording mostly share one. */
uint32_t world_epoch_kernel(const struct world *w, uint32_t epoch);
/* When the cpumode is not known: tries user, then kernel. */
struct place world_place_any(const struct world *w, uint32_t epoch, uint64_t ip);
/* The place of a data or branch address. For cpumodes kernel and user, the address decides which of
 * the two it is; other cpumodes stay as they are. */
struct place world_place_data(const struct world *w, uint32_t epoch, uint8_t cpumode, uint64_t ip);

/* The dso of a variable at an address of data in a map of the epoch, and the address in it.
 * Anonymous memory right behind the data of a file holds what is left of its .bss. NULL: the
 * address lies in no file. Loads the dso. */
struct dso *world_dso_of_data(const struct world *w, uint32_t epoch, const struct map *map,
			      uint64_t ip, uint64_t *rva);

/* The place's address in the dso's symbol address space. Loads the dso: two threads must not call
 * this for one dso. */
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
