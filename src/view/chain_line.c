// SPDX-License-Identifier: MIT
#include "view/chain_line.h"

#include "view/script/script_fields.h"

struct chain_walk {
	uint32_t epoch;
	const uint64_t *at;
	uint64_t n, i;
	uint8_t cpumode;
	unsigned int left; /* frames, hidden ones too */
};

/* True when a word of the part that is shown is neither an address nor a known context. perf shows
 * nothing of such a chain. */
static bool chain_is_damaged(const struct chain_walk *w)
{
	unsigned int left = w->left;

	for (uint64_t i = 0; i < w->n && left; i++) {
		if (w->at[i] == CONTEXT_USER_DEFERRED)
			i++; /* a cookie follows */
		else if (w->at[i] >= CONTEXT_MAX && !chain_context_mode(w->at[i]))
			return true;
		left -= w->at[i] < CONTEXT_MAX;
	}
	return false;
}

static struct chain_walk chain_begin(const struct chain_line *line, const struct record *r)
{
	const struct sample *s = &r->sample;
	/* the process's first thread has the maps */
	const struct thread *t = world_thread(line->world, s->pid, s->pid, WORLD_NOW);
	struct chain_walk w = {.epoch = world_epoch(line->world, t, WORLD_NOW),
			       .at = s->callchain,
			       .n = s->callchain_nr,
			       .cpumode = r->header.misc & MISC_CPUMODE_MASK,
			       .left = line->max_stack + 2};

	unwound_chain(&line->frames->unwound, w.epoch, s, &w.at, &w.n);
	script_frames_bound(line->frames);
	if (chain_is_damaged(&w))
		w.n = 0;
	return w;
}

/* Returns the name of the next function to show; NULL at the end of the chain. */
static const char *chain_next(const struct chain_line *line, struct chain_walk *w)
{
	for (; w->i < w->n && w->left; w->i++) {
		const uint64_t ip = w->at[w->i];
		const struct script_frame *frame;

		if (ip == CONTEXT_USER_DEFERRED) {
			w->i++; /* a cookie follows */
			continue;
		}
		if (ip >= CONTEXT_MAX) {
			w->cpumode = chain_context_mode(ip);
			continue;
		}
		w->left--;
		frame = script_frame(line->frames, w->epoch, w->cpumode, ip,
				     FIELD_SYM | SCRIPT_FRAME_SYMBOL);
		if (frame->sym && line->is_hidden(frame->name))
			continue;
		w->i++;
		return frame->sym ? frame->name : "[unknown]";
	}
	return NULL;
}

void chain_line_text(const struct chain_line *line, const struct record *r, struct buf *out)
{
	struct chain_walk w = chain_begin(line, r);
	const char *name;

	for (bool first = true; (name = chain_next(line, &w)); first = false) {
		buf_str(out, first ? "" : " <- ");
		buf_safe(out, name);
	}
}
