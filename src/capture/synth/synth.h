/* SPDX-License-Identifier: MIT */
/*
 * Records of the state before a recording begins: the kernel and its modules, the processes that
 * run, their names and maps. All of it has time 0, so it may be written while the recording already
 * runs, as long as it stands before the first FINISHED_ROUND.
 */
#ifndef CAPTURE_SYNTH_H
#define CAPTURE_SYNTH_H

#include "capture/open/target.h"
#include "capture/synth/record_writer.h"
#include "os/machine/host.h"
#include "symbol/dso.h"

struct synth_options {
	bool tasks, maps;  /* --synth */
	bool data_maps;	   /* -d */
	bool namespaces;
	bool cgroup_paths;
	bool build_ids;
	uint32_t map_timeout_ms;
	struct guest_options guests;
	const char *proc_root, *sys_root;
};

/* A walk over processes, in steps. */
struct synth {
	const struct synth_options *opts;
	struct record_writer writer;
	struct proc_ids todo;
	size_t next;
	uint64_t late; /* processes whose maps took too long */
	struct build_ids *seen; /* may be NULL */
	struct bpf_seen *programs; /* collects the BPF programs that synth_bpf() meets; or NULL */
};

/* The kernel's text and modules. False when its addresses are hidden from this user. */
bool synth_kernel(struct synth *s);
/* The kernels of guests and their modules, from the files that .guests names. */
void synth_guests(struct synth *s);
/* Appends ID_INDEX, THREAD_MAP and CPU_MAP: the ids of events, the processes, the CPUs. */
struct capture;
void synth_index(struct record_writer *w, const struct capture *c, const struct target *t);
/* One process: FORK and COMM of each thread, then its maps. */
void synth_process(struct synth *s, int pid);
/* As synth_process(); with family also for all descendants. */
void synth_family(struct synth *s, int pid, bool family);
/* The names of all processes, by their first threads; those of the kernel, too. */
void synth_wakers(struct synth *s);
/* The BPF programs that are loaded. */
void synth_bpf(struct synth *s);
/* The cgroups there are: their ids and paths. */
void synth_cgroups(struct synth *s);
/* Only the name and maps of a process, as it stands before its exec. */
void synth_command(struct synth *s, int pid);
/* A record that names pid 0, which stands for all tasks outside of this pid namespace. */
void synth_outside(struct synth *s);
/* synth_all() lists all processes. synth_step() then handles some of them: false when all are
 * done. */
int synth_all(struct synth *s);
bool synth_step(struct synth *s, unsigned int processes);
void synth_release(struct synth *s);

#endif
