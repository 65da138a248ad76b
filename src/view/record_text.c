// SPDX-License-Identifier: MIT
#include "view/record_text.h"

#include <sys/mman.h>

/* As %#llx: zero has no prefix. */
static void record_text_hex(struct buf *out, uint64_t v)
{
	if (v)
		buf_str(out, "0x");
	buf_hex(out, v);
}

static void pid_tid(struct buf *out, uint32_t pid, uint32_t tid)
{
	buf_sdec(out, (int32_t)pid);
	buf_char(out, '/');
	buf_sdec(out, (int32_t)tid);
}

static void comm_text(const struct record *r, struct buf *out)
{
	buf_str(out, r->header.misc & MISC_COMM_EXEC ? " exec: " : ": ");
	buf_safe(out, r->comm.comm);
	buf_char(out, ':');
	pid_tid(out, r->comm.pid, r->comm.tid);
}

static void task_text(const struct record *r, struct buf *out)
{
	buf_printf(out, "(%d:%d):(%d:%d)", (int32_t)r->task.pid, (int32_t)r->task.tid,
		   (int32_t)r->task.ppid, (int32_t)r->task.ptid);
}

static void mmap_range(const struct record *r, struct buf *out)
{
	buf_char(out, ' ');
	pid_tid(out, r->mmap.pid, r->mmap.tid);
	buf_str(out, ": [");
	record_text_hex(out, r->mmap.addr);
	buf_char(out, '(');
	record_text_hex(out, r->mmap.len);
	buf_str(out, ") @ ");
	record_text_hex(out, r->mmap.pgoff);
}

static void mmap_text(const struct record *r, struct buf *out)
{
	mmap_range(r, out);
	buf_str(out, r->header.misc & MISC_MMAP_DATA ? "]: r " : "]: x ");
	buf_safe(out, r->mmap.filename);
}

static void mmap2_text(const struct record *r, struct buf *out)
{
	const struct rec_mmap *m = &r->mmap;

	mmap_range(r, out);
	if (r->header.misc & MISC_MMAP_BUILD_ID) {
		buf_str(out, " <");
		for (unsigned int i = 0; i < m->build_id_size; i++)
			buf_hex_zero(out, m->build_id[i], 2);
		buf_char(out, '>');
	} else {
		buf_char(out, ' ');
		buf_hex_zero(out, m->maj, 2);
		buf_char(out, ':');
		buf_hex_zero(out, m->min, 2);
		buf_char(out, ' ');
		buf_dec(out, m->ino);
		buf_char(out, ' ');
		buf_dec(out, m->ino_generation);
	}
	buf_str(out, "]: ");
	buf_char(out, m->prot & PROT_READ ? 'r' : '-');
	buf_char(out, m->prot & PROT_WRITE ? 'w' : '-');
	buf_char(out, m->prot & PROT_EXEC ? 'x' : '-');
	buf_char(out, m->flags & MAP_SHARED ? 's' : 'p');
	buf_char(out, ' ');
	buf_safe(out, m->filename);
}

static void namespaces_text(const struct record *r, struct buf *out)
{
	static const char *const names[] = {"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"};
	const uint8_t *link = r->namespaces.links;

	buf_char(out, ' ');
	pid_tid(out, r->namespaces.pid, r->namespaces.tid);
	buf_printf(out, " - nr_namespaces: %u\n\t\t[", (unsigned int)r->namespaces.nr);
	for (uint64_t i = 0; i < r->namespaces.nr; i++, link += 16) {
		uint64_t dev, ino;

		memcpy(&dev, link, 8);
		memcpy(&ino, link + 8, 8);
		if (i && i % 4 == 0)
			buf_str(out, "\n\t\t ");
		buf_printf(out, "%u/%s: %llu/", (unsigned int)i,
			   i < ARRAY_SIZE(names) ? names[i] : "unknown", (unsigned long long)dev);
		record_text_hex(out, ino);
		buf_str(out, i + 1 != r->namespaces.nr ? ", " : "]");
	}
}

static void switch_text(const struct record *r, struct buf *out)
{
	bool leaves = r->header.misc & MISC_SWITCH_OUT;

	buf_str(out, !leaves ? " IN         " :
		r->header.misc & MISC_SWITCH_PREEMPT ? " OUT preempt" : " OUT        ");
	if (r->header.type == RECORD_SWITCH_CPU_WIDE)
		buf_printf(out, "  %s pid/tid: %5d/%-5d", leaves ? "next" : "prev",
			   (int32_t)r->context_switch.next_prev_pid,
			   (int32_t)r->context_switch.next_prev_tid);
}

static void ksymbol_text(const struct record *r, struct buf *out)
{
	buf_str(out, " addr ");
	buf_hex(out, r->ksymbol.addr);
	buf_printf(out, " len %u type %u flags 0x%x name ", r->ksymbol.len, r->ksymbol.ksym_type,
		   r->ksymbol.flags);
	buf_safe(out, r->ksymbol.name);
}

static void code_bytes(const char *title, const uint8_t *bytes, uint16_t n, struct buf *out)
{
	enum { PER_LINE = 16 };

	for (unsigned int at = 0; at < n; at += PER_LINE) {
		buf_str(out, title);
		for (unsigned int i = at; i < at + PER_LINE && i < n; i++) {
			buf_char(out, ' ');
			buf_hex_zero(out, bytes[i], 2);
		}
		buf_char(out, '\n');
	}
}

/* Appends the kernel function that the text poke at addr overwrites. */
static void poked_symbol(const struct world *w, uint64_t addr, struct buf *out)
{
	struct place p = world_place(w, 0, MISC_KERNEL, addr);
	const struct symbol *sym = place_symbol(&p);

	if (!sym)
		return;
	buf_str(out, dso_symbol_name(p.dso, sym));
	buf_str(out, "+0x");
	buf_hex(out, place_rva(&p) - sym->start);
}

static void text_poke_text(const struct record *r, const struct world *w, struct buf *out)
{
	const struct rec_text_poke *p = &r->text_poke;

	buf_char(out, ' ');
	buf_hex(out, p->addr);
	buf_char(out, ' ');
	if (w)
		poked_symbol(w, p->addr, out);
	buf_printf(out, " old len %u new len %u\n", p->old_len, p->new_len);
	code_bytes("            Old bytes:", p->bytes, p->old_len, out);
	code_bytes("            New bytes:", p->bytes + p->old_len, p->new_len, out);
	out->n--; /* the last newline is the record's */
}

static void aux_text(const struct record *r, struct buf *out)
{
	enum { TRUNCATED = 1, OVERWRITE = 2, PARTIAL = 4 };

	buf_str(out, " offset: ");
	record_text_hex(out, r->aux.offset);
	buf_str(out, " size: ");
	record_text_hex(out, r->aux.size);
	buf_str(out, " flags: ");
	record_text_hex(out, r->aux.flags);
	buf_printf(out, " [%s%s%s]", r->aux.flags & TRUNCATED ? "T" : "",
		   r->aux.flags & OVERWRITE ? "O" : "", r->aux.flags & PARTIAL ? "P" : "");
}

static void fields_text(const struct record *r, const struct world *w, struct buf *out)
{
	switch (r->header.type) {
	case RECORD_COMM:
		comm_text(r, out);
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		task_text(r, out);
		break;
	case RECORD_MMAP:
		mmap_text(r, out);
		break;
	case RECORD_MMAP2:
		mmap2_text(r, out);
		break;
	case RECORD_NAMESPACES:
		namespaces_text(r, out);
		break;
	case RECORD_CGROUP:
		buf_printf(out, " cgroup: %llu ", (unsigned long long)r->cgroup.id);
		buf_safe(out, r->cgroup.path);
		break;
	case RECORD_AUX:
		aux_text(r, out);
		break;
	case RECORD_ITRACE_START:
		buf_printf(out, " pid: %u tid: %u", r->itrace_start.pid, r->itrace_start.tid);
		break;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		switch_text(r, out);
		break;
	case RECORD_LOST:
		buf_str(out, " lost ");
		buf_dec(out, r->lost.lost);
		break;
	case RECORD_KSYMBOL:
		ksymbol_text(r, out);
		break;
	case RECORD_BPF_EVENT:
		buf_printf(out, " type %u, flags %u, id %u", r->bpf_event.type, r->bpf_event.flags,
			   r->bpf_event.id);
		break;
	case RECORD_TEXT_POKE:
		text_poke_text(r, w, out);
		break;
	case RECORD_AUX_OUTPUT_HW_ID:
		buf_str(out, " hw_id: ");
		record_text_hex(out, r->aux_output_hw_id.hw_id);
		break;
	default:
		break;
	}
}

void record_text(const struct record *r, const struct world *w, struct buf *out)
{
	const char *name = record_type_name(r->header.type);

	buf_str(out, "PERF_RECORD_");
	buf_str(out, name ? name : "UNKNOWN");
	fields_text(r, w, out);
	buf_char(out, '\n');
}
