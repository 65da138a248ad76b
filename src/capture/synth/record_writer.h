/* SPDX-License-Identifier: MIT */
/*
 * Records made by the recorder itself: about what already runs, and those of user space. Each call
 * appends one record. Its id trailer is zero (time 0: valid before everything else).
 */
#ifndef CAPTURE_RECORD_WRITER_H
#define CAPTURE_RECORD_WRITER_H

#include "base/buf.h"
#include "data/record/record.h"
#include "os/proc/proc.h"

struct record_writer {
	struct buf *b;
	uint64_t
		sample_type; /* of the event that carries side-band records: the trailer's fields */
};

void record_write_empty(struct buf *b, uint32_t type); /* a header alone: FINISHED_ROUND, ... */
void record_write_comm(struct record_writer *w, uint32_t pid, uint32_t tid, const char *comm);
void record_write_fork(struct record_writer *w, uint32_t pid, uint32_t tid, uint32_t ppid,
		       uint32_t ptid);
/* Of the kernel or a module. */
void record_write_kernel_mmap(struct record_writer *w, uint64_t addr, uint64_t len, uint64_t pgoff,
		      const char *name);
/* Of the kernel of the guest that process pid runs, or a module of it; pid 0: of any guest. */
void record_write_guest_mmap(struct record_writer *w, uint32_t pid, uint64_t addr, uint64_t len,
			     uint64_t pgoff, const char *name);
/* With build_id_size the record holds the build-id instead of device and inode. */
void record_write_mmap2(struct record_writer *w, uint16_t misc, uint32_t pid,
			const struct proc_map *m);
void record_write_namespaces(struct record_writer *w, uint32_t pid, uint32_t tid,
		     const struct proc_ns ns[PROC_NAMESPACES]);
void record_write_ksymbol(struct record_writer *w, uint64_t address, uint32_t length,
			  const char *name);
void record_write_bpf_load(struct record_writer *w, uint32_t id, const uint8_t tag[8]);
void record_write_cgroup(struct record_writer *w, uint64_t id, const char *path);
/* LOST_SAMPLES of the event instance with this id, on this CPU (or -1). */
void record_write_lost_samples(struct buf *b, uint64_t lost, uint64_t sample_type, uint64_t id,
			       int cpu);
/* THROTTLE of the event instance with this id: it took no samples from this time on. */
void record_write_throttle(struct buf *b, uint64_t time, uint64_t sample_type, uint64_t id);

#endif
