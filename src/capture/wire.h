/* SPDX-License-Identifier: MIT */
/*
 * Records made by the recorder itself: what already runs, and what the tools add. Each call appends
 * one; its id trailer is zero (time 0: valid before everything else).
 */
#ifndef CAPTURE_WIRE_H
#define CAPTURE_WIRE_H

#include "base/buf.h"
#include "data/record.h"
#include "os/process/proc.h"

struct wire {
	struct buf *b;
	uint64_t sample_type; /* of the event whose records they stand among: what the trailer has */
};

void wire_empty(struct buf *b, uint32_t type); /* a header alone: FINISHED_ROUND, ... */
void wire_comm(struct wire *w, uint32_t pid, uint32_t tid, const char *comm);
void wire_fork(struct wire *w, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid);
/* Of the kernel or a module. */
void wire_kernel_mmap(struct wire *w, uint64_t addr, uint64_t len, uint64_t pgoff,
		      const char *name);
/* With build_id_size it holds the build-id instead of the file's number. */
void wire_mmap2(struct wire *w, uint16_t misc, uint32_t pid, const struct proc_map *m);
void wire_namespaces(struct wire *w, uint32_t pid, uint32_t tid,
		     const struct proc_ns ns[PROC_NAMESPACES]);
void wire_ksymbol(struct wire *w, uint64_t address, uint32_t length, const char *name);
void wire_bpf_load(struct wire *w, uint32_t id, const uint8_t tag[8]);
void wire_cgroup(struct wire *w, uint64_t id, const char *path);
/* Of the event instance with this id, on this CPU (or -1). */
void wire_lost_samples(struct buf *b, uint64_t lost, uint64_t sample_type, uint64_t id, int cpu);

#endif
