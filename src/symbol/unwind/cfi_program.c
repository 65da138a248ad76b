// SPDX-License-Identifier: MIT
/*
 * Runs an entry's program up to an address. Most of its operations are about registers that are not
 * tracked here.
 */
#include "symbol/unwind/cfi_entry.h"

#include "symbol/unwind/encoded.h"

#include <stdatomic.h>

#define MAX_REMEMBERED 16 /* compilers nest two or three */
/* of an entry; where each call pushes its arguments, an entry has thousands */
#define MAX_STEPS 32768
/* cost of an entry with more than MAX_STEPS: only few are affordable */
#define STEPS_OF_MORE	 (1u << 20)

enum {
	CFA_SET_LOC = 0x01, CFA_ADVANCE1, CFA_ADVANCE2, CFA_ADVANCE4, CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED, CFA_UNDEFINED, CFA_SAME_VALUE, CFA_REGISTER, CFA_REMEMBER,
	CFA_RESTORE_STATE, CFA_DEF_CFA, CFA_DEF_CFA_REGISTER, CFA_DEF_CFA_OFFSET,
	CFA_DEF_CFA_EXPRESSION, CFA_EXPRESSION, CFA_OFFSET_EXTENDED_SF, CFA_DEF_CFA_SF,
	CFA_DEF_CFA_OFFSET_SF, CFA_VAL_OFFSET, CFA_VAL_OFFSET_SF, CFA_VAL_EXPRESSION,
	CFA_MIPS_ADVANCE8 = 0x1d, CFA_WINDOW_SAVE = 0x2d, CFA_ARGS_SIZE = 0x2e,
	CFA_NEGATIVE_OFFSET_EXTENDED = 0x2f,
	/* in the upper two bits */
	CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0,
};

struct run {
	const struct cfi *c;
	const struct cfi_fde *fde;
	struct cursor in;
	uint64_t at;	      /* the address that .now is for */
	struct cfi_rule now, first; /* first: what the CIE's program left */
	struct cfi_rule remembered[MAX_REMEMBERED];
	unsigned int depth;
	bool wrong;
	unsigned int steps;
};

/* The place of this register's rule; NULL for registers that are not tracked. */
static struct cfi_value *cfi_program_value_of(struct run *r, struct cfi_rule *rule, uint64_t reg)
{
	if (reg == r->fde->cie.ra)
		return &rule->ra;
	if (reg == r->c->machine->fp)
		return &rule->fp;
	if (reg == r->c->machine->sp)
		return &rule->sp;
	return reg == r->c->machine->kept ? &rule->kept : NULL;
}

static void cfi_program_set(struct run *r, uint64_t reg, enum cfi_how how, int64_t at, size_t size)
{
	struct cfi_value *v = cfi_program_value_of(r, &r->now, reg);

	if (!v)
		return;
	if (at != (int32_t)at || size > UINT16_MAX)
		r->wrong = true;
	*v = (struct cfi_value){.how = (uint16_t)how, .size = (uint16_t)size, .at = (int32_t)at};
}

static void restore(struct run *r, uint64_t reg)
{
	struct cfi_value *v = cfi_program_value_of(r, &r->now, reg);

	if (v)
		*v = *cfi_program_value_of(r, &r->first, reg);
}

static void frame(struct run *r, uint64_t reg, int64_t offset)
{
	if (reg > UINT8_MAX || offset != (int32_t)offset)
		r->wrong = true;
	r->now.frame_reg = (uint8_t)reg;
	r->now.frame = (int32_t)offset;
	r->now.frame_size = 0;
}

static int64_t cfi_program_scaled(const struct run *r, int64_t factor)
{
	int64_t v;

	/* too large for any offset: cfi_program_set() and frame() refuse it */
	return __builtin_mul_overflow(factor, r->fde->cie.data_align, &v) ? INT64_MAX : v;
}

/* Skips an expression; returns its offset in the section. */
static int64_t take_expression(struct run *r, uint64_t *size)
{
	const struct cfi_section *s = r->fde->debug ? &r->c->debug : &r->c->eh;
	const uint8_t *p;

	*size = read_uleb(&r->in);
	p = cursor_bytes(&r->in, *size);
	return p ? p - s->p : 0;
}

static void advance(struct run *r, uint64_t factor)
{
	r->at += factor * r->fde->cie.code_align;
}

static void frame_expression(struct run *r)
{
	uint64_t size;
	int64_t at = take_expression(r, &size);

	if (!size || size > UINT16_MAX)
		r->wrong = true;
	r->now.frame_reg = 0;
	r->now.frame = (int32_t)at;
	r->now.frame_size = (uint16_t)size;
}

static void state(struct run *r, bool remember)
{
	if (remember ? r->depth == MAX_REMEMBERED : !r->depth) {
		r->wrong = true;
		return;
	}
	if (remember)
		r->remembered[r->depth++] = r->now;
	else
		r->now = r->remembered[--r->depth];
}

static void move_on(struct run *r, uint8_t op)
{
	const struct cfi_cie *cie = &r->fde->cie;

	switch (op) {
	case CFA_SET_LOC: {
		const struct cfi_section *s = r->fde->debug ? &r->c->debug : &r->c->eh;
		uint64_t base = s->vaddr + (uint64_t)(r->in.p - s->p);

		r->at = read_pointer_format(&r->in, cie->pointers, cie->word);
		if ((cie->pointers & PTR_BASE) == PTR_PCREL)
			r->at += base;
		break;
	}
	case CFA_ADVANCE1:
		advance(r, cursor_u8(&r->in));
		break;
	case CFA_ADVANCE2:
		advance(r, cursor_u16(&r->in));
		break;
	case CFA_ADVANCE4:
		advance(r, cursor_u32(&r->in));
		break;
	default:
		advance(r, cursor_u64(&r->in));
	}
}

static void about_frame(struct run *r, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case CFA_DEF_CFA:
		reg = read_uleb(&r->in);
		frame(r, reg, (int64_t)read_uleb(&r->in));
		break;
	case CFA_DEF_CFA_SF:
		reg = read_uleb(&r->in);
		frame(r, reg, cfi_program_scaled(r, read_sleb(&r->in)));
		break;
	case CFA_DEF_CFA_REGISTER:
		frame(r, read_uleb(&r->in), r->now.frame);
		break;
	case CFA_DEF_CFA_OFFSET:
		frame(r, r->now.frame_reg, (int64_t)read_uleb(&r->in));
		break;
	case CFA_DEF_CFA_OFFSET_SF:
		frame(r, r->now.frame_reg, cfi_program_scaled(r, read_sleb(&r->in)));
		break;
	default:
		frame_expression(r);
	}
}

static void about_register(struct run *r, uint8_t op)
{
	uint64_t reg = read_uleb(&r->in), size;
	int64_t at;

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		cfi_program_set(r, reg, CFI_AT, cfi_program_scaled(r, (int64_t)read_uleb(&r->in)),
				0);
		break;
	case CFA_OFFSET_EXTENDED_SF:
		cfi_program_set(r, reg, CFI_AT, cfi_program_scaled(r, read_sleb(&r->in)), 0);
		break;
	case CFA_NEGATIVE_OFFSET_EXTENDED:
		cfi_program_set(r, reg, CFI_AT, -cfi_program_scaled(r, (int64_t)read_uleb(&r->in)),
				0);
		break;
	case CFA_VAL_OFFSET:
		cfi_program_set(r, reg, CFI_IS, cfi_program_scaled(r, (int64_t)read_uleb(&r->in)),
				0);
		break;
	case CFA_VAL_OFFSET_SF:
		cfi_program_set(r, reg, CFI_IS, cfi_program_scaled(r, read_sleb(&r->in)), 0);
		break;
	case CFA_EXPRESSION:
	case CFA_VAL_EXPRESSION:
		at = take_expression(r, &size);
		cfi_program_set(r, reg, op == CFA_EXPRESSION ? CFI_AT_EXPR : CFI_IS_EXPR, at, size);
		break;
	case CFA_RESTORE_EXTENDED:
		restore(r, reg);
		break;
	case CFA_UNDEFINED:
		cfi_program_set(r, reg, CFI_UNDEFINED, 0, 0);
		break;
	case CFA_SAME_VALUE:
		cfi_program_set(r, reg, CFI_SAME, 0, 0);
		break;
	default:
		cfi_program_set(r, reg, CFI_REGISTER, (int64_t)read_uleb(&r->in), 0);
	}
}

static void step(struct run *r)
{
	uint8_t op = cursor_u8(&r->in);

	if (++r->steps > MAX_STEPS)
		r->wrong = true;
	switch (op & 0xc0) {
	case CFA_ADVANCE:
		advance(r, op & 0x3f);
		return;
	case CFA_OFFSET:
		cfi_program_set(r, op & 0x3f, CFI_AT,
				cfi_program_scaled(r, (int64_t)read_uleb(&r->in)), 0);
		return;
	case CFA_RESTORE:
		restore(r, op & 0x3f);
		return;
	}
	switch (op) {
	case 0:
	case CFA_WINDOW_SAVE: /* aarch64: toggles signing of the return address */
		return;
	case CFA_SET_LOC:
	case CFA_ADVANCE1:
	case CFA_ADVANCE2:
	case CFA_ADVANCE4:
	case CFA_MIPS_ADVANCE8:
		move_on(r, op);
		return;
	case CFA_DEF_CFA:
	case CFA_DEF_CFA_SF:
	case CFA_DEF_CFA_REGISTER:
	case CFA_DEF_CFA_OFFSET:
	case CFA_DEF_CFA_OFFSET_SF:
	case CFA_DEF_CFA_EXPRESSION:
		about_frame(r, op);
		return;
	case CFA_REMEMBER:
	case CFA_RESTORE_STATE:
		state(r, op == CFA_REMEMBER);
		return;
	case CFA_ARGS_SIZE:
		read_uleb(&r->in);
		return;
	default:
		if (op > CFA_VAL_EXPRESSION && op != CFA_NEGATIVE_OFFSET_EXTENDED)
			r->wrong = true;
		else
			about_register(r, op);
	}
}

static void cfi_program_count(struct cfi_effort *e, unsigned int steps)
{
	if (!e)
		return;
	atomic_fetch_add_explicit(&e->rules, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&e->steps, steps > MAX_STEPS ? STEPS_OF_MORE : steps,
				  memory_order_relaxed);
}

bool cfi_entry_rule(const struct cfi *c, const struct cfi_fde *fde, uint64_t vaddr,
		    struct cfi_rule *rule, uint64_t *from, uint64_t *to)
{
	struct run r = {.c = c, .fde = fde, .in = fde->cie.program, .at = fde->start};

	/* By default the caller's stack pointer is the frame's address. */
	r.now.sp.how = CFI_IS;
	if (!c->machine->ra_in_register)
		r.now.ra.how = CFI_UNDEFINED;
	while (cursor_left(&r.in) && !r.in.bad && !r.wrong)
		step(&r);
	if (r.in.bad || r.wrong) {
		cfi_program_count(c->effort, r.steps);
		return false;
	}
	r.first = r.now;
	r.in = fde->program;
	r.at = fde->start;
	*from = MAX(fde->start, fde->from);
	*to = MIN(fde->end, fde->to);
	while (cursor_left(&r.in) && !r.in.bad && !r.wrong) {
		struct cfi_rule before = r.now;

		step(&r);
		if (r.at > vaddr) {
			r.now = before;
			*to = MIN(*to, r.at);
			break;
		}
		*from = MAX(*from, r.at);
	}
	cfi_program_count(c->effort, r.steps);
	if (r.in.bad || r.wrong)
		return false;
	r.now.flags = (fde->cie.signal ? CFI_SIGNAL : 0) | (fde->debug ? CFI_DEBUG : 0);
	*rule = r.now;
	return true;
}
