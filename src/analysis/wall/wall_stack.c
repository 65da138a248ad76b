// SPDX-License-Identifier: MIT
#include "analysis/wall/wall_stack.h"

#include <string.h>

static size_t regs_bytes(const struct sample_regs *regs)
{
	return regs->regs ? (size_t)__builtin_popcountll(regs->mask) * sizeof(*regs->regs) : 0;
}

void wall_stack_keep(struct wall_stack *s, const struct record *sample)
{
	const struct sample *from = &sample->sample;
	const size_t chain = from->callchain_nr * sizeof(*from->callchain),
		     regs = regs_bytes(&from->user_regs),
		     stack = from->user_stack ? from->user_stack_size : 0;
	struct sample *to = &s->r.sample;

	s->r = *sample;
	s->r.bytes = NULL;
	buf_clear(&s->bytes);
	buf_add(&s->bytes, from->callchain, chain);
	buf_add(&s->bytes, from->user_regs.regs, regs);
	buf_add(&s->bytes, from->user_stack, stack);
	to->callchain = chain ? (const uint64_t *)s->bytes.at : NULL;
	to->user_regs.regs = regs ? (const uint64_t *)(s->bytes.at + chain) : NULL;
	to->user_stack = stack ? (const uint8_t *)s->bytes.at + chain + regs : NULL;
	to->intr_regs = (struct sample_regs){0};
	to->raw = to->aux = NULL;
	to->raw_size = 0;
	to->aux_size = to->branch_nr = 0;
	to->branches = NULL;
	to->branch_counters = NULL;
	to->read = (struct sample_read){0};
}

void wall_stack_drop_frames(struct wall_stack *s, size_t n)
{
	struct sample *sample = &s->r.sample;
	uint64_t *words = (uint64_t *)(void *)s->bytes.at;

	if (!n || n + 1 >= sample->callchain_nr)
		return;
	sample->callchain_nr -= n;
	memmove(words + 1, words + 1 + n, (size_t)(sample->callchain_nr - 1) * sizeof(*words));
	sample->ip = words[1];
}

void wall_stack_forget(struct wall_stack *s)
{
	s->r = (struct record){0};
}

void wall_stack_release(struct wall_stack *s)
{
	buf_release(&s->bytes);
}
