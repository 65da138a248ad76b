// SPDX-License-Identifier: MIT
/*
 * brstackinsn: the instructions between the branches of a branch stack, oldest first, each with its
 * bytes; then the instructions from the last branch to the sample's address.
 */
#include "symbol/insn_x86.h"
#include "view/script/script.h"

#define BLOCK_MAX     16384 /* bytes */
#define KERNEL_HALF   (1ull << 63)
#define MISSING_RANGE 128 /* bytes to examine when the sample lies before the last target */

/* Bits of branch_entry.flags. */
#define MISPREDICTED  (1ull << 0)
#define PREDICTED     (1ull << 1)
#define IN_TX	      (1ull << 2)
#define ABORTED	      (1ull << 3)
#define CYCLES(flags) ((flags) >> 4 & 0xffff)

struct code_blocks {
	struct script *s;
	uint32_t epoch;
	bool lengths; /* brstackinsnlen */
	const struct symbol *last; /* the symbol whose name was shown last */
	uint64_t cycles;
	struct buf *out;
	/* the current block */
	uint8_t code[BLOCK_MAX + INSN_X86_MAX];
	size_t n;
	uint8_t cpumode;
	bool is_64_bit;
};

static bool in_kernel(uint64_t ip)
{
	return ip >= KERNEL_HALF;
}

/* Reads the code from start to end. Sets *mixed when only one of the two lies in the kernel. */
static bool block_read(struct code_blocks *b, uint64_t start, uint64_t end, bool *mixed)
{
	struct place p;

	b->n = 0;
	*mixed = false;
	if (!start || !end)
		return false;
	b->cpumode = in_kernel(start) ? MISC_KERNEL : MISC_USER;
	*mixed = in_kernel(start) != in_kernel(end);
	if (*mixed || end - start > BLOCK_MAX - INSN_X86_MAX)
		return false;
	p = world_place(b->s->world, b->epoch, b->cpumode, start);
	if (!p.map || p.map->absolute || p.dso->in_kernel || !script_is_x86(b->s->rec))
		return false;
	dso_load(p.dso);
	b->is_64_bit = p.dso->is_64_bit;
	b->n = code_read(&b->s->code, p.dso, p.offset, b->code, end - start + INSN_X86_MAX);
	return b->n > 0;
}

static void show_symbol(struct code_blocks *b, uint64_t ip)
{
	const struct script_frame *frame =
		script_frame(&b->s->frames, b->epoch, b->cpumode, ip, SCRIPT_FRAME_SYMBOL);

	if (!frame->place.map || frame->sym == b->last)
		return;
	b->last = frame->sym;
	if (!frame->sym)
		return;
	buf_char(b->out, '\t');
	buf_str(b->out, frame->name);
	if (frame->offset) {
		buf_char(b->out, '+');
		buf_dec(b->out, frame->offset);
	}
	buf_str(b->out, ":\n");
}

static unsigned int length_at(const struct code_blocks *b, size_t at)
{
	return at < b->n ? insn_x86_length(b->code + at, b->n - at, b->is_64_bit) : 0;
}

/* Shows an instruction's address and bytes. Returns its length; 0: not an instruction. */
static unsigned int show_insn(struct code_blocks *b, uint64_t ip, size_t at, size_t width)
{
	unsigned int length = length_at(b, at);
	size_t before;

	buf_char(b->out, '\t');
	buf_hex_zero(b->out, ip, 16);
	buf_char(b->out, '\t');
	before = b->out->n;
	buf_str(b->out, length ? "insn: " : "<bad>");
	for (unsigned int i = 0; i < length; i++) {
		buf_hex_zero(b->out, b->code[at + i], 2);
		buf_char(b->out, ' ');
	}
	if (b->out->n - before < width)
		buf_fill(b->out, ' ', width - (b->out->n - before));
	return length;
}

static void show_line(struct code_blocks *b, uint64_t ip, size_t at, unsigned int *length)
{
	*length = show_insn(b, ip, at, 0);
	if (b->lengths)
		buf_printf(b->out, "\tilen: %u", *length);
	buf_char(b->out, '\n');
}

static void show_jump(struct code_blocks *b, const struct branch_entry *e, size_t at,
		      unsigned int insns)
{
	unsigned int length = show_insn(b, e->from, at, 30);

	buf_char(b->out, '\t');
	if (b->lengths)
		buf_printf(b->out, "ilen: %u\t", length);
	buf_char(b->out, '#');
	buf_str(b->out, e->flags & PREDICTED ? " PRED" : "");
	buf_str(b->out, e->flags & MISPREDICTED ? " MISPRED" : "");
	buf_str(b->out, e->flags & IN_TX ? " INTX" : "");
	buf_str(b->out, e->flags & ABORTED ? " ABORT" : "");
	if (CYCLES(e->flags)) {
		b->cycles += CYCLES(e->flags);
		buf_printf(b->out, " %u cycles [%llu]", (unsigned int)CYCLES(e->flags),
			   (unsigned long long)b->cycles);
		if (insns)
			buf_printf(b->out, " %.2f IPC",
				   (double)((float)insns / (float)CYCLES(e->flags)));
	}
	buf_char(b->out, '\n');
}

/* Shows a block: from the target of one branch to the next branch, e. */
static void show_block(struct code_blocks *b, uint64_t start, const struct branch_entry *e)
{
	unsigned int insns = 0, length;
	uint64_t at = 0;

	for (; at < b->n; at += length) {
		show_symbol(b, start + at);
		if (start + at == e->from) {
			show_jump(b, e, at, ++insns);
			break;
		}
		show_line(b, start + at, at, &length);
		if (!length)
			break;
		insns++;
	}
	if (at != e->from - start)
		buf_str(b->out, "\tmismatch of LBR data and executable\n");
}

/* Shows the code from the last target to the sample. It stops at a branch, which the branch stack
 * has missed. */
static void show_last(struct code_blocks *b, const struct branch_entry *e, uint64_t sample_ip)
{
	uint64_t start = e->to, end = sample_ip;
	unsigned int length;
	bool mixed;

	if (e->from == sample_ip || (e->flags & ABORTED))
		return;
	if (end < start)
		end = start + MISSING_RANGE;
	block_read(b, start, end, &mixed);
	show_symbol(b, start);
	if (!b->n) {
		if (!block_read(b, sample_ip, sample_ip, &mixed))
			return;
		show_line(b, sample_ip, 0, &length);
		return;
	}
	for (uint64_t at = 0; at <= end - start; at += length) {
		show_line(b, start + at, at, &length);
		if (!length)
			return;
		if (start + at != sample_ip &&
		    insn_x86_is_branch(b->code + at, b->n - at, b->is_64_bit)) {
			buf_str(b->out, "\t... not reaching sample ...\n");
			return;
		}
	}
}

static struct branch_entry entry(const struct sample *s, uint64_t i)
{
	struct branch_entry e;

	memcpy(&e, &s->branches[i], sizeof(e));
	return e;
}

void script_blocks(struct script *s, const struct record *r, uint32_t epoch, bool lengths,
		   struct buf *out)
{
	const struct sample *sample = &r->sample;
	struct code_blocks b = {.s = s, .epoch = epoch, .lengths = lengths, .out = out};
	uint64_t nr = sample->branch_nr;
	struct branch_entry e;
	bool mixed;

	if (!nr)
		return;
	if (s->max_blocks && nr > s->max_blocks + 1)
		nr = s->max_blocks + 1;
	buf_char(out, '\n');
	/* the code before the oldest branch is not known: show its jump only */
	e = entry(sample, nr - 1);
	if (block_read(&b, e.from, e.from, &mixed)) {
		show_symbol(&b, e.from);
		show_jump(&b, &e, 0, 0);
	}
	for (uint64_t i = nr - 1; i-- > 0;) {
		uint64_t start = entry(sample, i + 1).to;

		e = entry(sample, i);
		/* the branch filter hid an entry into the kernel, or an exit */
		if (!block_read(&b, start, e.from, &mixed) && mixed && i > 0) {
			e = entry(sample, --i);
			block_read(&b, start, e.from, &mixed);
		}
		if (b.n)
			show_block(&b, start, &e);
	}
	e = entry(sample, 0);
	show_last(&b, &e, sample->ip);
}
