// SPDX-License-Identifier: MIT
#include "view/dump/dump.h"

#include "base/mem.h"
#include "event/registers.h"
#include "view/dump/dump_tool.h"
#include "view/record_text.h"

#include <stdio.h>


static void dump_bytes(const uint8_t *p, size_t n, struct buf *b)
{
	buf_printf(b, ".\n. ... raw event: size %zu bytes\n", n);
	for (size_t at = 0; at < n; at += 16) {
		size_t here = MIN(n - at, 16);

		buf_str(b, ".  ");
		buf_hex_zero(b, at, 4);
		buf_str(b, ": ");
		for (size_t i = 0; i < 16; i++) {
			buf_char(b, ' ');
			if (i < here)
				buf_hex_zero(b, p[at + i], 2);
			else
				buf_str(b, "  ");
		}
		buf_str(b, "  ");
		for (size_t i = 0; i < 16; i++) {
			uint8_t c = i < here ? p[at + i] : ' ';

			buf_char(b, c >= 0x20 && c < 0x7f ? (char)c : '.');
		}
		buf_char(b, '\n');
	}
	buf_char(b, '\n');
}

static void dump_hex(struct buf *b, uint64_t v)
{
	if (v)
		buf_str(b, "0x");
	buf_hex(b, v);
}

/* Shows CPU and time, when any event of the recording has them. */
static void dump_stamp(const struct recording *rec, const struct record *r, struct buf *b)
{
	const struct event *ev = r->event;
	uint64_t type;

	/* a record without an id is decoded with the first event's attribute */
	if (!ev && r->header.type < RECORD_HEADER_ATTR && r->header.type != RECORD_SAMPLE &&
	    rec->m.events.events.n)
		ev = rec->m.events.events.at[0];
	type = ev && r->header.type < RECORD_HEADER_ATTR ? ev->attr.sample_type : 0;
	/* the first attribute of a pipe is shown before it is known */
	size_t known = rec->m.events.events.n - (r->header.type == RECORD_HEADER_ATTR);

	if (r->header.type != RECORD_SAMPLE && (!rec->m.sample_id_all || !known)) {
		buf_str(b, "-1 -1 ");
		return;
	}
	if (measurement_samples_any(&rec->m, SAMPLE_CPU)) {
		/* a record without a CPU is on CPU -1 */
		buf_dec(b, type && !(type & SAMPLE_CPU) ? UINT32_MAX : r->id.cpu);
		buf_char(b, ' ');
	}
	if (measurement_samples_any(&rec->m, SAMPLE_TIME)) {
		buf_dec(b, type && !(type & SAMPLE_TIME) ? UINT64_MAX : r->id.time);
		buf_char(b, ' ');
	}
}

static void dump_frame(uint64_t at, uint64_t ip, struct buf *b)
{
	buf_str(b, "..... ");
	buf_dec_right(b, at, 2);
	buf_str(b, ": ");
	buf_hex_zero(b, ip, 16);
	buf_char(b, '\n');
}

/* Shows a call stack from branches: the kernel part of the chain, then the branches. */
static void dump_lbr_callchain(const struct sample *s, struct buf *b)
{
	struct branch_entry e;
	uint64_t user = 0;

	while (user < s->callchain_nr && s->callchain[user] != CONTEXT_USER)
		user++;
	if (user++ == s->callchain_nr || !s->branch_nr)
		return;
	buf_printf(b, "... LBR call chain: nr:%llu\n",
		   (unsigned long long)(user + s->branch_nr + 1));
	for (uint64_t i = 0; i < user; i++)
		dump_frame(i, s->callchain[i], b);
	memcpy(&e, s->branches, sizeof(e));
	dump_frame(user, e.to, b);
	for (uint64_t i = 0; i < s->branch_nr; i++) {
		memcpy(&e, &s->branches[i], sizeof(e));
		dump_frame(user + 1 + i, e.from, b);
	}
}

static void dump_callchain(const struct event *ev, const struct sample *s, struct buf *b)
{
	if (s->type & SAMPLE_BRANCH_STACK && ev->attr.branch_sample_type & BRANCH_CALL_STACK)
		dump_lbr_callchain(s, b);
	buf_printf(b, "... FP chain: nr:%llu\n", (unsigned long long)s->callchain_nr);
	for (uint64_t i = 0; i < s->callchain_nr; i++)
		dump_frame(i, s->callchain[i], b);
}

static const char *branch_type(uint64_t flags)
{
	static const char *const types[] = {
		"",	  "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",	"SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX", ""};
	static const char *const more[] = {"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
					   "ARCH_2",	 "ARCH_3",     "ARCH_4",     "ARCH_5"};
	unsigned int type = flags >> 20 & 0xf, extended = flags >> 26 & 0xf;

	if (type == 15)
		return extended < ARRAY_SIZE(more) ? more[extended] : "";
	return types[type];
}

static void dump_branches(const struct event *ev, const struct sample *s, struct buf *b)
{
	bool stack = ev->attr.branch_sample_type & BRANCH_CALL_STACK;

	buf_printf(b, "... branch %s: nr:%llu\n", stack ? "callstack" : "stack",
		   (unsigned long long)(s->branch_nr + stack));
	for (uint64_t i = 0; i < s->branch_nr; i++) {
		struct branch_entry e;
		unsigned long long at = i;

		memcpy(&e, &s->branches[i], sizeof(e));
		if (stack) {
			if (!i)
				buf_printf(b, "..... %2llu: %016llx\n", at,
					   (unsigned long long)e.to);
			buf_printf(b, "..... %2llu: %016llx\n", at + 1, (unsigned long long)e.from);
			continue;
		}
		buf_printf(b, "..... %2llu: %016llx -> %016llx %hu cycles %s%s%s%s %x %s\n", at,
			   (unsigned long long)e.from, (unsigned long long)e.to,
			   branch_cycles(e.flags), e.flags & 1 ? "M" : " ", e.flags & 2 ? "P" : " ",
			   e.flags & 8 ? "A" : " ", e.flags & 4 ? "T" : " ",
			   (unsigned int)(e.flags >> 33), branch_type(e.flags));
	}
}

static void dump_regs(const struct recording *rec, const char *whose,
		      const struct sample_regs *regs, struct buf *b)
{
	static const char *const abis[] = {"none", "32-bit", "64-bit"};
	unsigned int at = 0;

	if (!regs->regs)
		return;
	buf_printf(b, "... %s regs: mask 0x%llx ABI %s\n", whose, (unsigned long long)regs->mask,
		   regs->abi < ARRAY_SIZE(abis) ? abis[regs->abi] : "unknown");
	for (unsigned int i = 0; i < 64; i++) {
		const char *name;

		if (!(regs->mask >> i & 1))
			continue;
		name = register_name(rec->m.arch, i);
		buf_printf(b, ".... %-5s 0x%016llx\n", name ? name : "unknown",
			   (unsigned long long)regs->regs[at++]);
	}
}

static void dump_read(const struct sample_read *read, struct buf *b)
{
	buf_str(b, "... sample_read:\n");
	if (read->format & READ_TOTAL_TIME_ENABLED)
		buf_printf(b, "...... time enabled %016llx\n",
			   (unsigned long long)read->time_enabled);
	if (read->format & READ_TOTAL_TIME_RUNNING)
		buf_printf(b, "...... time running %016llx\n",
			   (unsigned long long)read->time_running);
	if (read->format & READ_GROUP)
		buf_printf(b, ".... group nr %llu\n", (unsigned long long)read->nr);
	for (uint64_t i = 0; i < read->nr; i++) {
		const uint64_t *v = read->values + i * read->stride;
		uint64_t id = read->format & READ_ID ? v[1] : 0;

		buf_printf(b, "..... id %016llx, value %016llx", (unsigned long long)id,
			   (unsigned long long)v[0]);
		if (read->format & READ_LOST)
			buf_printf(b, ", lost %llu", (unsigned long long)v[read->stride - 1]);
		buf_char(b, '\n');
	}
}

static const char *page_size(uint64_t bytes, char *text, size_t size)
{
	unsigned int unit = 0;

	while (bytes / 1024 > 1 - (bytes % 1024 == 0) && unit < 4 && bytes >= 1024) {
		bytes /= 1024;
		unit++;
	}
	if (!bytes)
		return "N/A";
	snprintf(text, size, "%llu%c", (unsigned long long)bytes, "BKMGT"[unit]);
	return text;
}

static void dump_sample(const struct recording *rec, const struct record *r, struct buf *b)
{
	const struct sample *s = &r->sample;
	char text[32];

	buf_printf(b, "(IP, 0x%x): %d/%d: ", r->header.misc, (int32_t)s->pid, (int32_t)s->tid);
	dump_hex(b, s->ip);
	buf_printf(b, " period: %llu addr: ", (unsigned long long)s->period);
	dump_hex(b, s->addr);
	buf_char(b, '\n');
	if (s->type & SAMPLE_CALLCHAIN)
		dump_callchain(r->event, s, b);
	if (s->type & SAMPLE_BRANCH_STACK)
		dump_branches(r->event, s, b);
	if (s->type & SAMPLE_REGS_USER)
		dump_regs(rec, "user", &s->user_regs, b);
	if (s->type & SAMPLE_REGS_INTR)
		dump_regs(rec, "intr", &s->intr_regs, b);
	if (s->type & SAMPLE_STACK_USER)
		buf_printf(b, "... ustack: size %llu, offset 0x%x\n",
			   (unsigned long long)s->user_stack_dyn,
			   s->user_stack ? (unsigned int)(s->user_stack - r->bytes - 8) : 0);
	if (s->type & SAMPLE_WEIGHT_STRUCT)
		buf_printf(b, "... weight: %u,0x%x,0x%x\n", s->weight1, s->weight2, s->weight3);
	else if (s->type & SAMPLE_WEIGHT)
		buf_printf(b, "... weight: %llu\n", (unsigned long long)s->weight);
	if (s->type & SAMPLE_DATA_SRC)
		buf_printf(b, " . data_src: 0x%llx\n", (unsigned long long)s->data_src);
	if (s->type & SAMPLE_PHYS_ADDR)
		buf_printf(b, " .. phys_addr: 0x%llx\n", (unsigned long long)s->phys_addr);
	if (s->type & SAMPLE_DATA_PAGE_SIZE)
		buf_printf(b, " .. data page size: %s\n",
			   page_size(s->data_page_size, text, sizeof(text)));
	if (s->type & SAMPLE_CODE_PAGE_SIZE)
		buf_printf(b, " .. code page size: %s\n",
			   page_size(s->code_page_size, text, sizeof(text)));
	if (s->type & SAMPLE_TRANSACTION)
		buf_printf(b, "... transaction: %llx\n", (unsigned long long)s->transaction);
	if (s->type & SAMPLE_READ)
		dump_read(&s->read, b);
}

static void dump_deferred(const struct record *r, struct buf *b)
{
	const struct rec_callchain_deferred *c = &r->callchain_deferred;

	buf_printf(b, "(IP, 0x%x): %d/%d: ", r->header.misc, (int32_t)r->id.pid,
		   (int32_t)r->id.tid);
	dump_hex(b, c->cookie);
	buf_printf(b, "\n... FP chain: nr:%llu\n", (unsigned long long)c->nr);
	for (uint64_t i = 0; i < c->nr; i++)
		dump_frame(i, c->ips[i], b);
}

static void dump_read_record(const struct record *r, struct buf *b)
{
	const struct sample_read *read = &r->read.read;

	buf_printf(b, ": %d %d %s %llu\n", (int32_t)r->read.pid, (int32_t)r->read.tid,
		   r->event ? r->event->name : "FAIL", (unsigned long long)read->values[0]);
	if (read->format & READ_TOTAL_TIME_ENABLED)
		buf_printf(b, "... time enabled : %llu\n", (unsigned long long)read->time_enabled);
	if (read->format & READ_TOTAL_TIME_RUNNING)
		buf_printf(b, "... time running : %llu\n", (unsigned long long)read->time_running);
	if (read->format & READ_ID)
		buf_printf(b, "... id           : %llu\n", (unsigned long long)read->values[1]);
	if (read->format & READ_LOST)
		buf_printf(b, "... lost         : %llu\n",
			   (unsigned long long)read->values[read->stride - 1]);
}

void dump_begin(const struct recording *rec, struct out *out)
{
	if (!rec->is_pipe && !rec->m.sample_id_all)
		buf_str(&out->buf, "WARNING: No sample_id_all support, falling back to unordered "
				   "processing\n");
}

void dump_record(const struct recording *rec, const struct record *r, enum dump_for who,
		 struct out *out)
{
	struct buf *b = &out->buf;
	/* perf's offsets in a pipe begin behind its header */
	uint64_t offset = r->offset - (rec->is_pipe ? rec->data_offset : 0);
	const char *name = record_type_name(r->header.type);

	if (r->header.type == RECORD_COMPRESSED || r->header.type == RECORD_COMPRESSED2)
		return;
	buf_char(b, '\n');
	dump_hex(b, offset);
	buf_printf(b, "@%s", rec->is_pipe ? "pipe" : rec->path);
	if (rec->is_directory)
		buf_str(b, "/data");
	if (r->part)
		buf_printf(b, ".%u", r->part - 1);
	buf_printf(b, " [%#x]: event: %u\n", r->header.size, r->header.type);
	dump_bytes(r->bytes, r->header.size, b);
	dump_stamp(rec, r, b);
	dump_hex(b, offset);
	buf_printf(b, " [%#x]: ", r->header.size);
	switch (r->header.type) {
	case RECORD_SAMPLE:
		buf_str(b, "PERF_RECORD_SAMPLE");
		dump_sample(rec, r, b);
		break;
	case RECORD_CALLCHAIN_DEFERRED:
		buf_str(b, "PERF_RECORD_CALLCHAIN_DEFERRED");
		dump_deferred(r, b);
		break;
	case RECORD_LOST:
		buf_printf(b, "PERF_RECORD_LOST: id:%llu: lost:%llu\n",
			   (unsigned long long)r->lost.id, (unsigned long long)r->lost.lost);
		break;
	case RECORD_LOST_SAMPLES:
		buf_printf(b, "PERF_RECORD_LOST_SAMPLES: id:%llu: lost samples :%llu\n",
			   (unsigned long long)r->id.id, (unsigned long long)r->lost_samples.lost);
		break;
	case RECORD_READ:
		buf_str(b, "PERF_RECORD_READ");
		dump_read_record(r, b);
		break;
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		buf_printf(b, "PERF_RECORD_%s%s", name,
			   dump_is_for_report(who) ? ": unhandled!\n" : "");
		break;
	default:
		if (r->header.type < RECORD_HEADER_ATTR) {
			record_text(r, NULL, b);
		} else {
			buf_printf(b, "PERF_RECORD_%s", name ? name : "UNKNOWN");
			dump_tool_record(rec, r, who, b);
		}
		break;
	}
	out_ready(out);
}

void dump_sample_place(const char *comm, uint32_t tid, const char *dso, struct out *out)
{
	struct buf *b = &out->buf;

	if (comm) {
		buf_str(b, " ... thread: ");
		buf_safe(b, comm);
		buf_printf(b, ":%d\n", (int32_t)tid);
	}
	if (dso) {
		buf_str(b, " ...... dso: ");
		buf_safe(b, dso);
		buf_char(b, '\n');
	}
}
