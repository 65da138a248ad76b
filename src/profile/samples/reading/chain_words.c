// SPDX-License-Identifier: MIT
#include "profile/samples/reading/chain_words.h"

#include <string.h>

#define BRANCH_CALL_STACK (1ull << 11)

void chain_words_init(struct chain_words *w, struct world *world, const struct measurement *m,
		      uint32_t max_stack, bool keep_outer)
{
	*w = (struct chain_words){0};
	unwound_init(&w->unwound, world, m);
	w->unwound.max_stack = max_stack;
	w->unwound.keep_outer = keep_outer;
}

void chain_words_release(struct chain_words *w)
{
	unwound_release(&w->unwound);
	vec_release(&w->made);
}

static void use_made(struct chain_words *w)
{
	w->at = w->made.at;
	w->n = w->made.n;
}

/* Makes the words of the kernel's part of the chain, then the target of the newest branch, then the
 * source of each branch. */
static void from_branches(struct chain_words *w, const struct sample *s)
{
	uint64_t user = 0;
	struct branch_entry b;

	while (user < s->callchain_nr && s->callchain[user] != CONTEXT_USER)
		user++;
	if (user == s->callchain_nr)
		return;
	vec_clear(&w->made);
	for (uint64_t i = 0; i <= user; i++)
		vec_add(&w->made, s->callchain[i]);
	for (uint64_t i = 0; i < s->branch_nr; i++) {
		memcpy(&b, &s->branches[i], sizeof(b));
		if (!i)
			vec_add(&w->made, b.to);
		vec_add(&w->made, b.from);
	}
	use_made(w);
}

void chain_words_of(struct chain_words *w, uint32_t epoch, const struct event *ev,
		    const struct sample *s)
{
	if (unwound_needed(s) && unwound_chain(&w->unwound, epoch, s, &w->at, &w->n))
		return;
	w->at = s->callchain;
	w->n = s->callchain_nr;
	if (!(s->type & SAMPLE_CALLCHAIN))
		w->n = 0;
	else if (ev->attr.branch_sample_type & BRANCH_CALL_STACK)
		from_branches(w, s);
	/* also without a stack dump, which kernel threads do not have */
	if (ev->attr.sample_type & SAMPLE_STACK_USER)
		unwound_cut(&w->unwound, &w->at, &w->n);
}
