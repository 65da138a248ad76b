// SPDX-License-Identifier: MIT
#include "shadow.h"

#include "symbol/insn_x86.h"

/* Source: Intel SDM volume 2, appendix A. */
enum shadow_kind shadow_kind_of(const uint8_t *p, size_t n, unsigned int *length)
{
	const uint8_t *const end = p + n;
	uint8_t op;

	*length = insn_x86_length(p, n, true);
	if (!*length)
		return INSN_OTHER;
	while (p < end && (*p == 0xf2 || *p == 0xf3 || *p == 0x66 || *p == 0x2e || *p == 0x3e))
		p++;
	if (p < end && (*p & 0xf0) == 0x40)
		p++;
	op = p < end ? *p : 0;
	if (op == 0xe8)
		return INSN_CALL;
	if (op == 0xc3 || op == 0xc2)
		return INSN_RET;
	if (op == 0xff && p + 1 < end && (p[1] >> 3 & 7) == 2)
		return INSN_CALL;
	if (op == 0xff && p + 1 < end && (p[1] >> 3 & 7) == 4)
		return INSN_JUMP;
	if (op >= 0x58 && op <= 0x5f)
		return INSN_POP;
	if (op >= 0x50 && op <= 0x57)
		return INSN_PUSH;
	return op == 0x0f && p + 1 < end && p[1] == 0x05 ? INSN_SYSCALL : INSN_OTHER;
}

static bool is_in(const struct shadow_stack *k, uint64_t sp)
{
	return sp >= k->low && sp < k->high;
}

/* The stack that holds sp becomes the current one. *made: it was not known before. -1: there is
 * none. */
static int enter(struct shadow *s, uint64_t sp, bool *made, shadow_place place, void *ctx)
{
	struct shadow_stack fresh = {0};

	*made = false;
	for (size_t i = 0; i < s->stacks.n; i++)
		if (is_in(&s->stacks.at[i], sp)) {
			s->now = i;
			return 0;
		}
	if (!place(ctx, sp, &fresh.low, &fresh.high))
		return -1;
	for (size_t i = 0; i < s->stacks.n; i++)
		if (s->stacks.at[i].high == fresh.high) { /* it has grown */
			s->stacks.at[i].low = fresh.low;
			s->now = i;
			return 0;
		}
	vec_add(&s->stacks, fresh);
	s->now = s->stacks.n - 1;
	*made = true;
	return 0;
}

bool shadow_begin(struct shadow *s, uint64_t sp, shadow_place place, void *ctx)
{
	bool made;

	*s = (struct shadow){0};
	return !enter(s, sp, &made, place, ctx);
}

static struct shadow_stack *current(struct shadow *s)
{
	return &s->stacks.at[s->now];
}

static void drop(struct shadow *s, const struct shadow_step *step)
{
	struct shadow_stack *k = current(s);

	while (k->frames.n && vec_last(&k->frames)->slot < step->sp) {
		if (step->kind == INSN_POP && !s->floats) {
			s->floats = true;
			s->floating = *vec_last(&k->frames);
		}
		k->frames.n--;
	}
}

bool shadow_step(struct shadow *s, const struct shadow_step *step, shadow_place place, void *ctx)
{
	const bool goes = step->kind == INSN_RET || step->kind == INSN_JUMP;
	bool made = false;

	if (!is_in(current(s), step->sp)) {
		size_t before = s->now;
		bool near = step->sp < current(s)->low && current(s)->low - step->sp < 65536;

		if (enter(s, step->sp, &made, place, ctx))
			return false;
		if (s->now != before && !near && !goes && step->kind != INSN_SYSCALL)
			s->between = true;
		if (step->kind == INSN_SYSCALL)
			s->stacks.at[before].frames.n = 0; /* a handler returned */
	}
	if (goes || step->kind == INSN_CALL)
		s->floats = false;
	drop(s, step);
	if (step->kind == INSN_CALL && step->sp + 8 == step->sp_before)
		vec_add(&current(s)->frames, (struct shadow_frame){step->next, step->sp, false});
	if (step->kind == INSN_PUSH && s->floats && s->floating.slot == step->sp &&
	    s->floating.ip == step->top) {
		vec_add(&current(s)->frames, s->floating);
		s->floats = false;
	}
	if (goes && (s->between || made)) {
		s->between = false;
		/* a new coroutine: its function finds a return address that was put there */
		if (!current(s)->frames.n)
			vec_add(&current(s)->frames,
				(struct shadow_frame){step->top, step->sp, false});
	}
	return true;
}

bool shadow_signal(struct shadow *s, uint64_t restorer, uint64_t sp, uint64_t ip,
		   uint64_t sp_before, shadow_place place, void *ctx)
{
	const size_t left = s->now;
	bool made;

	if (!is_in(current(s), sp) && enter(s, sp, &made, place, ctx))
		return false;
	if (s->now != left) {
		current(s)->frames.n = 0;
		current(s)->under = left + 1;
	}
	vec_add(&current(s)->frames,
		(struct shadow_frame){ip, s->now == left ? sp_before - 1 : UINT64_MAX, true});
	vec_add(&current(s)->frames, (struct shadow_frame){restorer, sp, false});
	return true;
}

size_t shadow_chain(const struct shadow *s, struct shadow_frame *out, size_t max)
{
	size_t n = 0;

	if (s->floats && n < max)
		out[n++] = s->floating;
	for (size_t at = s->now + 1, left = s->stacks.n; at && left; left--) {
		const struct shadow_stack *k = &s->stacks.at[at - 1];

		for (size_t i = k->frames.n; i && n < max; i--)
			out[n++] = k->frames.at[i - 1];
		at = k->under;
	}
	return n;
}

void shadow_release(struct shadow *s)
{
	for (size_t i = 0; i < s->stacks.n; i++)
		vec_release(&s->stacks.at[i].frames);
	vec_release(&s->stacks);
}
