// SPDX-License-Identifier: MIT
/* How far a table can be trusted: frames without a name, chains without callers, chains that were
 * cut. */
#include "profile/table/make.h"

static bool is_user(const struct table *table, const struct chain *c, uint32_t i)
{
	return table_frame(table, c->at[i])->cpumode == MISC_USER;
}

/* Why frame i of a chain has no name. A sampled frame outside of code is not an error of the
 * chain. */
static enum nameless nameless_in_chain(const struct table *table, const struct chain *c, uint32_t i)
{
	const struct samples *s = table->samples;
	const enum nameless why = (enum nameless)s->frames.nameless.at[c->at[i]];

	if (why == NAMELESS_NO_CODE &&
	    !(s->follows_frame_pointers && i && is_user(table, c, i - 1)))
		return NAMELESS_NOWHERE;
	return why;
}

/* The C library's start of a program or thread saves no frame pointer: a word after it in a chain
 * is no frame, and no caller is missing. */
static bool is_start(const struct frame *frame)
{
	static const char *const starts[] = {
		"_start",  "__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl",
		"clone",   "__clone_internal",       "clone3",            "__clone3",
		"start_thread",
	};

	for (size_t k = 0; frame->where->sym && k < ARRAY_SIZE(starts); k++)
		if (!strcmp(frame->where->sym->name, starts[k]))
			return true;
	return false;
}

/* True for a chain by frame pointers that ends in its first frame of user space, or has a caller
 * where no code is, unless a program or thread starts there. */
static bool is_bare(const struct table *table, const struct chain *c)
{
	const struct frame *first = NULL, *last = NULL;

	for (uint32_t i = 0; i < c->n; i++) {
		const struct frame *frame = table_frame(table, c->at[i]);

		if (frame->cpumode != MISC_USER)
			continue;
		if (last && !frame->where->map)
			return !is_start(last);
		if (!first)
			first = frame;
		last = frame;
	}
	return first && last->ip == first->ip && !is_start(first);
}

static void count_bare(struct table *table, const struct taken *t, const struct chain *chain,
		       uint64_t samples)
{
	const uint64_t type = t->event->attr.sample_type;
	const struct samples *s = table->samples;

	if (!chain->n || !s->follows_frame_pointers || !(type & SAMPLE_CALLCHAIN) ||
	    type & SAMPLE_STACK_USER || t->event->attr.branch_sample_type || s->opts.max_stack < 2)
		return;
	table->losses.chains_seen += samples;
	table->losses.chains_bare += is_bare(table, chain) ? samples : 0;
}

/* Counts frames by whether and why they have no name: those of the chain, else the sampled one. */
static void count_frames(struct table *table, const struct taken *t, const struct chain *chain,
			 uint64_t samples)
{
	uint64_t *frames = table->losses.frames;
	enum nameless why;
	bool ended = false;

	if (!chain->n) {
		/* an interval of a wall-clock profile without a stack */
		if (t->frame == HASH_NONE ||
		    (table->samples->opts.mode == MODE_WALL && !table_frame(table, t->frame)->ip))
			return;
		why = (enum nameless)table_frame(table, t->frame)->nameless;
		frames[why == NAMELESS_NO_CODE ? NAMELESS_NOWHERE : why] += samples;
		return;
	}
	for (uint32_t i = 0; i < chain->n; i++) {
		why = nameless_in_chain(table, chain, i);
		ended = why == NAMELESS_NO_CODE &&
			(ended || is_start(table_frame(table, chain->at[i - 1])));
		if (!ended)
			frames[why] += samples;
	}
}

/* True for a chain whose outermost frame is no code. A walk by frame pointers that has left the
 * stack's frames follows other words, often one that points to itself, up to the greatest depth:
 * that says nothing of the depth of the stack. Its frames are counted as ones without code. */
static bool ends_in_data(const struct table *table, const struct chain *chain)
{
	return chain->n > 1 &&
	       nameless_in_chain(table, chain, chain->n - 1) == NAMELESS_NO_CODE;
}

void table_count_losses(struct table_maker *m, const struct taken *t, uint64_t samples)
{
	const struct cell_ids *ids = &m->samples->ids;

	count_frames(m->table, t, &m->chain, samples);
	count_bare(m->table, t, &m->chain, samples);
	if (ids->cut && ids->cut[t->cell_index] && !ends_in_data(m->table, &m->chain))
		m->table->losses.chains_cut += samples;
}
