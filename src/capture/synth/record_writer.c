// SPDX-License-Identifier: MIT
#include "capture/synth/record_writer.h"

/* Names of files and cgroups are shorter than a page, which a record can hold: nothing
 * is refused. */
static void record_writer_put(struct record_writer *w, const struct record *r)
{
	record_encode(r, w->sample_type, true, w->b);
}

void record_write_empty(struct buf *b, uint32_t type)
{
	struct record_header h = {.type = type, .size = sizeof(h)};

	buf_add(b, &h, sizeof(h));
}

void record_write_comm(struct record_writer *w, uint32_t pid, uint32_t tid, const char *comm)
{
	record_writer_put(w,
			  &(struct record){.header.type = RECORD_COMM, .comm = {pid, tid, comm}});
}

void record_write_fork(struct record_writer *w, uint32_t pid, uint32_t tid, uint32_t ppid,
		       uint32_t ptid)
{
	record_writer_put(
		w, &(struct record){.header = {.type = RECORD_FORK, .misc = MISC_FORK_EXEC},
				    .task = {.pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid}});
}

void record_write_kernel_mmap(struct record_writer *w, uint64_t addr, uint64_t len, uint64_t pgoff,
			      const char *name)
{
	record_writer_put(w, &(struct record){.header = {.type = RECORD_MMAP, .misc = MISC_KERNEL},
					      .mmap = {.pid = UINT32_MAX,
						       .addr = addr,
						       .len = len,
						       .pgoff = pgoff,
						       .filename = name}});
}

void record_write_guest_mmap(struct record_writer *w, uint32_t pid, uint64_t addr, uint64_t len,
			     uint64_t pgoff, const char *name)
{
	record_writer_put(
		w, &(struct record){.header = {.type = RECORD_MMAP, .misc = MISC_GUEST_KERNEL},
				    .mmap = {.pid = pid,
					     .addr = addr,
					     .len = len,
					     .pgoff = pgoff,
					     .filename = name}});
}

void record_write_mmap2(struct record_writer *w, uint16_t misc, uint32_t pid,
			const struct proc_map *m)
{
	struct record r = {
		.header = {.type = RECORD_MMAP2,
			   .misc = misc | (m->build_id_size ? MISC_MMAP_BUILD_ID : 0)},
		.mmap = {.pid = pid,
			 .tid = pid,
			 .addr = m->start,
			 .len = m->end - m->start,
			 .pgoff = m->offset,
			 .maj = m->maj,
			 .min = m->min,
			 .ino = m->ino,
			 .build_id_size = m->build_id_size,
			 .prot = m->prot,
			 .flags = m->flags,
			 .filename = *m->name ? m->name : "//anon"}};

	memcpy(r.mmap.build_id, m->build_id, m->build_id_size);
	record_writer_put(w, &r);
}

void record_write_namespaces(struct record_writer *w, uint32_t pid, uint32_t tid,
		     const struct proc_ns ns[PROC_NAMESPACES])
{
	_Static_assert(sizeof(*ns) == 16, "two words each, as in the record");
	record_writer_put(w, &(struct record){.header.type = RECORD_NAMESPACES,
					      .namespaces = {pid, tid, PROC_NAMESPACES, ns}});
}

void record_write_ksymbol(struct record_writer *w, uint64_t address, uint32_t length,
			  const char *name)
{
	/* Type 1 is BPF. */
	record_writer_put(
		w,
		&(struct record){
			.header.type = RECORD_KSYMBOL,
			.ksymbol = {.addr = address, .len = length, .ksym_type = 1, .name = name}});
}

void record_write_bpf_load(struct record_writer *w, uint32_t id, const uint8_t tag[8])
{
	/* Type 1 is the loading of a program. */
	struct record r = {.header.type = RECORD_BPF_EVENT, .bpf_event = {.type = 1, .id = id}};

	memcpy(r.bpf_event.tag, tag, sizeof(r.bpf_event.tag));
	record_writer_put(w, &r);
}

void record_write_cgroup(struct record_writer *w, uint64_t id, const char *path)
{
	record_writer_put(w, &(struct record){.header.type = RECORD_CGROUP, .cgroup = {id, path}});
}

void record_write_lost_samples(struct buf *b, uint64_t lost, uint64_t sample_type, uint64_t id,
			       int cpu)
{
	struct record_writer w = {b, sample_type};

	record_writer_put(
		&w, &(struct record){
			    .header.type = RECORD_LOST_SAMPLES,
			    .lost_samples.lost = lost,
			    .id = {.id = id, .stream_id = id, .cpu = cpu < 0 ? 0 : (uint32_t)cpu}});
}

void record_write_throttle(struct buf *b, uint64_t time, uint64_t sample_type, uint64_t id)
{
	struct record_writer w = {b, sample_type};

	record_writer_put(&w, &(struct record){.header.type = RECORD_THROTTLE,
					       .throttle = {time, id, id},
					       .id = {.id = id, .stream_id = id, .time = time}});
}
