// SPDX-License-Identifier: MIT
#include "capture/wire.h"

/* Names of files and cgroups are shorter than a page, which a record can hold: nothing is refused. */
static void put(struct wire *w, const struct record *r)
{
	record_encode(r, w->sample_type, true, w->b);
}

void wire_empty(struct buf *b, uint32_t type)
{
	struct record_header h = {.type = type, .size = sizeof(h)};

	buf_add(b, &h, sizeof(h));
}

void wire_comm(struct wire *w, uint32_t pid, uint32_t tid, const char *comm)
{
	put(w, &(struct record){.header.type = RECORD_COMM, .comm = {pid, tid, comm}});
}

void wire_fork(struct wire *w, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid)
{
	put(w, &(struct record){
		       .header = {.type = RECORD_FORK, .misc = MISC_FORK_EXEC},
		       .task = {.pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid}});
}

void wire_kernel_mmap(struct wire *w, uint64_t addr, uint64_t len, uint64_t pgoff, const char *name)
{
	put(w, &(struct record){.header = {.type = RECORD_MMAP, .misc = MISC_KERNEL},
				.mmap = {.pid = UINT32_MAX,
					 .addr = addr,
					 .len = len,
					 .pgoff = pgoff,
					 .filename = name}});
}

void wire_mmap2(struct wire *w, uint16_t misc, uint32_t pid, const struct proc_map *m)
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
	put(w, &r);
}

void wire_namespaces(struct wire *w, uint32_t pid, uint32_t tid,
		     const struct proc_ns ns[PROC_NAMESPACES])
{
	_Static_assert(sizeof(*ns) == 16, "two words each, as in the record");
	put(w, &(struct record){.header.type = RECORD_NAMESPACES,
				.namespaces = {pid, tid, PROC_NAMESPACES, ns}});
}

void wire_ksymbol(struct wire *w, uint64_t address, uint32_t length, const char *name)
{
	/* Type 1 is BPF. */
	put(w, &(struct record){
		       .header.type = RECORD_KSYMBOL,
		       .ksymbol = {.addr = address, .len = length, .ksym_type = 1, .name = name}});
}

void wire_bpf_load(struct wire *w, uint32_t id, const uint8_t tag[8])
{
	/* Type 1 is the loading of a program. */
	struct record r = {.header.type = RECORD_BPF_EVENT, .bpf_event = {.type = 1, .id = id}};

	memcpy(r.bpf_event.tag, tag, sizeof(r.bpf_event.tag));
	put(w, &r);
}

void wire_cgroup(struct wire *w, uint64_t id, const char *path)
{
	put(w, &(struct record){.header.type = RECORD_CGROUP, .cgroup = {id, path}});
}

void wire_lost_samples(struct buf *b, uint64_t lost, uint64_t sample_type, uint64_t id, int cpu)
{
	struct wire w = {b, sample_type};

	put(&w, &(struct record){.header.type = RECORD_LOST_SAMPLES,
				 .lost_samples.lost = lost,
				 .id = {.id = id, .stream_id = id, .cpu = cpu < 0 ? 0 : (uint32_t)cpu}});
}
