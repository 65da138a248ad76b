/* SPDX-License-Identifier: MIT */
/* The inside of struct world, for the files of world/ only. */
#ifndef WORLD_STATE_H
#define WORLD_STATE_H

#include "world/maps.h"

#define NO_EPOCH    UINT32_MAX
#define KERNEL_HALF (1ull << 63) /* 64-bit kernels lie above it */

struct map_version {
	uint64_t time;
	struct map_node *root;
	struct map_node *code; /* JIT code in anonymous memory (jit.c) */
	uint32_t epoch;	       /* of a version that is no longer the last; 0: none yet */
	uint32_t text;	       /* id of the executable maps: other changes keep it */
};

/* The owner of maps: one for all threads of a thread group. */
struct process {
	uint32_t pid, index;
	uint32_t gen;
	VEC(struct map_version) versions; /* oldest first; only the last one in present_only */
	uint32_t first_version;		  /* its index in world.sealed_versions */
	uint32_t epoch;			  /* of the last version, or NO_EPOCH; before sealing */
	uint32_t epoch_kernel;		  /* world.kernel_changes when .epoch was made */
	struct jit *jit;		  /* the code of its jitdump file, or NULL */
};

struct kernel_version {
	uint64_t time;
	struct map_node *root; /* modules, BPF programs, trampolines */
	struct map *text;      /* the kernel itself, where no map of .root lies */
};

/* Epochs before sealing. */
struct live_epoch {
	uint32_t pid;		 /* whose guest holds; present_only: that of .process */
	struct process *process; /* present_only: its last version; else NULL, and: */
	struct map_node *root, *code;
	uint32_t kernel; /* version */
	uint32_t text;
};

/* Epochs after sealing: a state of a process's maps and, in order of time, each state of the
 * kernel's that it met: base, base + 1, ... */
struct sealed_version {
	struct map_node *root, *code;
	uint32_t text;
	uint32_t pid; /* whose guest holds */
	uint32_t base;
	uint32_t kernel; /* the kernel's version at base */
};

struct world {
	const struct measurement *m;
	const struct recording *rec; /* NULL: of a live session */
	struct dso_set dsos;
	struct arena arena;
	struct map_heap heap;
	bool present_only, sealed;
	bool without_maps; /* of processes */
	bool outside; /* the recorder ran in a pid namespace: pid 0 is all outside of it */
	bool one_kernel; /* the last kernel version stands for all: epochs would be too many */
	uint64_t now;
	uint32_t gen, texts;

	struct idmap by_tid; /* the latest thread with that tid */
	/* Some of them, by the low bits of the tid: where it is known, no hash lookup is needed. */
	struct thread *recent[WORLD_RECENT];
	VEC(struct thread *) threads;
	VEC(struct process *) processes;
	struct intern comms;
	struct idmap cgroups; /* id -> index in cgroup_paths */
	struct intern cgroup_paths;

	VEC(struct kernel_version) kernel;
	uint32_t kernel_gen, kernel_changes;
	bool kernel_shown; /* an epoch refers to the last version, which must not change */
	struct map_node *bpf; /* see world_learn_bpf */
	struct dso *kernel_dso;
	const char *kernel_name; /* the kernel's short name; NULL: [kernel.kallsyms] */
	struct intern module_names; /* "[kvm]" -> module_dsos */
	VEC(struct dso *) module_dsos;
	struct idmap header_named;  /* dso index -> its name was given by the build-id table */
	struct intern header_names; /* user files of the build-id table -> header_ids */
	VEC(struct build_id) header_ids;

	VEC(struct guest *) guests; /* guests.h */
	struct idmap guest_pids;    /* pid of the process that runs it, or 0 -> guests */
	struct idmap guest_threads; /* index of the host's thread -> the guest's thread */

	VEC(struct live_epoch) live_epochs;
	VEC(struct sealed_version) sealed_versions;
};

/* threads.c */
/* The latest thread with that tid; NULL: none is known. */
struct thread *thread_latest(const struct world *w, uint32_t tid);
struct thread *thread_get(struct world *w, uint32_t pid, uint32_t tid);
/* A thread that no tid finds yet; the caller sets its process. */
struct thread *thread_make(struct world *w, uint32_t pid, uint32_t tid, uint64_t born);
void world_add_comm(struct world *w, const struct record *r, uint64_t time);
void world_add_fork(struct world *w, const struct record *r, uint64_t time);
void world_add_exit(struct world *w, const struct record *r, uint64_t time);
void world_add_namespaces(struct world *w, const struct record *r, uint64_t time);
/* The parts of world_thread_state: each narrows s->from..s->to to the times in which its part
 * holds. */
void thread_state_who(const struct world *w, uint32_t tid, uint64_t time, struct thread_state *s);
void thread_state_comm(const struct world *w, uint64_t time, struct thread_state *s);
void thread_name(struct world *w, struct thread *t, const char *comm, uint64_t time, bool exec);
/* The version of the maps that a change at that time goes into; its .text is new. */
struct map_version *process_change(struct world *w, struct process *p, uint64_t time);

/* outside.c */
/* True when the record is about a task outside of the recorder's pid namespace, and is done
 * with. */
bool world_take_outside(struct world *w, const struct record *r, uint64_t time);

/* mmap.c */
void world_add_mmap(struct world *w, const struct record *r, uint64_t time);

/* jit.c */
/* Reads the file, which the process mapped as executable, if its name is that of a JIT's dump. */
void world_add_jitdump(struct world *w, struct process *p, const char *path, uint64_t time);
/* Applies the JIT code that the process loaded up to that time. */
void jit_advance(struct world *w, struct process *p, uint64_t time);
void jit_release(struct jit *jit); /* may be NULL */

/* kernel.c */
void world_add_kernel_mmap(struct world *w, const struct record *r, const struct build_id *id,
			   uint64_t time);
void world_add_ksymbol(struct world *w, const struct record *r, uint64_t time);
void world_add_build_id(struct world *w, int32_t pid, uint16_t misc, const struct build_id *id,
			const char *name);
/* Adds the BPF programs of the header. They have no times, so they only stand where no record has a
 * nearer map. */
void world_learn_bpf(struct world *w);
struct map *kernel_map_new(struct world *w, struct dso *dso, uint64_t start, uint64_t end);
struct map *kernel_find(const struct world *w, const struct kernel_version *k, uint64_t ip);
uint32_t kernel_version_at(const struct world *w, uint64_t time); /* index */

#endif
