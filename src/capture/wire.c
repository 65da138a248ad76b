// SPDX-License-Identifier: MIT
#include "capture/wire.h"

#include "capture/sampling.h"

size_t wire_id_size(uint64_t sample_type)
{
	return 8 * (size_t)__builtin_popcountll(sample_type & SAMPLE_ID_FIELDS);
}

static void u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}

static void u64(struct buf *b, uint64_t v)
{
	buf_add(b, &v, sizeof(v));
}

static size_t begin(struct buf *b, uint32_t type, uint16_t misc)
{
	struct record_header h = {.type = type, .misc = misc};
	size_t at = b->n;

	buf_add(b, &h, sizeof(h));
	return at;
}

static void end(struct wire *w, size_t at)
{
	uint16_t size;

	buf_fill(w->b, 0, w->id_size);
	size = (uint16_t)(w->b->n - at);
	memcpy(w->b->at + at + offsetof(struct record_header, size), &size, sizeof(size));
}

static void text(struct buf *b, const char *s)
{
	size_t n = strnlen(s, 4096);

	buf_add(b, s, n);
	buf_fill(b, 0, 8 - n % 8);
}

void wire_empty(struct buf *b, uint32_t type)
{
	struct record_header h = {.type = type, .size = sizeof(h)};

	buf_add(b, &h, sizeof(h));
}

void wire_comm(struct wire *w, uint32_t pid, uint32_t tid, const char *comm)
{
	size_t at = begin(w->b, RECORD_COMM, 0);

	u32(w->b, pid);
	u32(w->b, tid);
	text(w->b, comm);
	end(w, at);
}

void wire_fork(struct wire *w, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid)
{
	size_t at = begin(w->b, RECORD_FORK, MISC_FORK_EXEC);

	u32(w->b, pid);
	u32(w->b, ppid);
	u32(w->b, tid);
	u32(w->b, ptid);
	u64(w->b, 0);
	end(w, at);
}

void wire_mmap(struct wire *w, uint16_t misc, uint32_t pid, uint32_t tid, uint64_t addr,
	       uint64_t len, uint64_t pgoff, const char *name)
{
	size_t at = begin(w->b, RECORD_MMAP, misc);

	u32(w->b, pid);
	u32(w->b, tid);
	u64(w->b, addr);
	u64(w->b, len);
	u64(w->b, pgoff);
	text(w->b, name);
	end(w, at);
}

void wire_mmap2(struct wire *w, uint16_t misc, uint32_t pid, const struct proc_map *m)
{
	size_t at = begin(w->b, RECORD_MMAP2, misc | (m->build_id_size ? MISC_MMAP_BUILD_ID : 0));
	struct buf *b = w->b;

	u32(b, pid);
	u32(b, pid);
	u64(b, m->start);
	u64(b, m->end - m->start);
	u64(b, m->offset);
	if (m->build_id_size) {
		uint8_t id[24] = {m->build_id_size};

		memcpy(id + 4, m->build_id, m->build_id_size);
		buf_add(b, id, sizeof(id));
	} else {
		u32(b, m->maj);
		u32(b, m->min);
		u64(b, m->ino);
		u64(b, 0);
	}
	u32(b, m->prot);
	u32(b, m->flags);
	text(b, *m->name ? m->name : "//anon");
	end(w, at);
}

void wire_namespaces(struct wire *w, uint32_t pid, uint32_t tid,
		     const struct proc_ns ns[PROC_NAMESPACES])
{
	size_t at = begin(w->b, RECORD_NAMESPACES, 0);

	u32(w->b, pid);
	u32(w->b, tid);
	u64(w->b, PROC_NAMESPACES);
	for (int i = 0; i < PROC_NAMESPACES; i++) {
		u64(w->b, ns[i].dev);
		u64(w->b, ns[i].ino);
	}
	end(w, at);
}

void wire_ksymbol(struct wire *w, uint64_t address, uint32_t length, const char *name)
{
	size_t at = begin(w->b, RECORD_KSYMBOL, 0);

	u64(w->b, address);
	u32(w->b, length);
	u32(w->b, 1); /* u16 type: BPF; u16 flags: none */
	text(w->b, name);
	end(w, at);
}

void wire_bpf_load(struct wire *w, uint32_t id, const uint8_t tag[8])
{
	size_t at = begin(w->b, RECORD_BPF_EVENT, 0);

	u32(w->b, 1); /* u16 type: loaded; u16 flags: none */
	u32(w->b, id);
	buf_add(w->b, tag, 8);
	end(w, at);
}

void wire_cgroup(struct wire *w, uint64_t id, const char *path)
{
	size_t at = begin(w->b, RECORD_CGROUP, 0);

	u64(w->b, id);
	text(w->b, path);
	end(w, at);
}

void wire_lost_samples(struct buf *b, uint64_t lost, uint64_t type, uint64_t id, int cpu)
{
	struct wire w = {.b = b};
	size_t at = begin(b, RECORD_LOST_SAMPLES, 0);

	u64(b, lost);
	if (type & SAMPLE_TID)
		u64(b, 0);
	if (type & SAMPLE_TIME)
		u64(b, 0);
	if (type & SAMPLE_ID)
		u64(b, id);
	if (type & SAMPLE_STREAM_ID)
		u64(b, id);
	if (type & SAMPLE_CPU)
		u64(b, cpu < 0 ? 0 : (uint64_t)cpu);
	if (type & SAMPLE_IDENTIFIER)
		u64(b, id);
	end(&w, at);
}
