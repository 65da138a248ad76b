// SPDX-License-Identifier: MIT
#include "profile/samples/stretches.h"
#include "data/record/record.h"
#include "profile/samples/frame.h"

enum { KEY_END, KEY_START, KEY_SPACE, KEY_STARTED, KEY_WORDS };

static struct stretch *stretch_of(struct stretches *s, const void *key)
{
	const uint32_t id = intern_put(&s->keys, key, KEY_WORDS * sizeof(uint64_t));

	if (id == s->all.n) {
		vec_add(&s->all, (struct stretch){.end = HASH_NONE, .start = HASH_NONE});
		if (s->keeps_first)
			vec_add(&s->first, (struct stretch_first){0});
	}
	return &s->all.at[id];
}

static void stretches_keep_first(struct stretches *s, const struct stretch *stretch,
				 uint64_t cycles)
{
	struct stretch_first *first = &s->first.at[stretch - s->all.at];

	if (first->n == STRETCH_FIRST)
		return;
	first->at[first->n].seq = s->seq++;
	first->at[first->n++].cycles = cycles;
}

static void stretch_add_cycles(struct stretch *stretch, uint16_t cycles)
{
	if (!stretch->least || cycles < stretch->least)
		stretch->least = cycles;
	stretch->most = MAX(stretch->most, cycles);
	stretch->cycles += cycles;
	stretch->count++;
}

/* The newest branch stands first. If it has no cycles, the hardware does not count them. */
void stretches_add(struct stretches *s, const struct sample *sample, uint64_t space)
{
	uint64_t key[KEY_WORDS] = {[KEY_SPACE] = space};
	struct branch_entry b;
	bool counts_cycles;

	if (!s->wanted || !sample->branch_nr)
		return;
	memcpy(&b, &sample->branches[0], sizeof(b));
	counts_cycles = branch_cycles(b.flags) != 0;
	if (!counts_cycles && !s->passes)
		return;
	for (uint64_t i = sample->branch_nr; i-- > 0;) {
		memcpy(&b, &sample->branches[i], sizeof(b));
		key[KEY_END] = b.from;
		if (s->passes || branch_cycles(b.flags)) {
			struct stretch *stretch = stretch_of(s, key);

			stretch->passes++;
			stretch->predicted += (b.flags & BRANCH_PREDICTED) != 0;
			if (counts_cycles && branch_cycles(b.flags))
				stretch_add_cycles(stretch, branch_cycles(b.flags));
			if (s->keeps_first)
				stretches_keep_first(s, stretch, branch_cycles(b.flags));
		}
		if (counts_cycles)
			s->cycles += branch_cycles(b.flags);
		key[KEY_START] = b.to;
		key[KEY_STARTED] = true;
	}
}

static void stretch_merge(struct stretch *to, const struct stretch *from)
{
	if (from->least && (!to->least || from->least < to->least))
		to->least = from->least;
	to->most = MAX(to->most, from->most);
	to->cycles += from->cycles;
	to->count += from->count;
	to->passes += from->passes;
	to->predicted += from->predicted;
}

void stretches_merge(struct stretches *s, const struct stretches *other)
{
	for (uint32_t i = 0; i < other->all.n; i++) {
		struct stretch *stretch = stretch_of(s, other->keys.entries.at[i].p);

		stretch_merge(stretch, &other->all.at[i]);
	}
	s->cycles += other->cycles;
}

void stretches_resolve(struct stretches *s, struct frames *frames)
{
	for (; s->n_resolved < s->all.n; s->n_resolved++) {
		struct stretch *stretch = &s->all.at[s->n_resolved];
		uint64_t key[KEY_WORDS];
		uint32_t epoch;

		memcpy(key, s->keys.entries.at[s->n_resolved].p, sizeof(key));
		epoch = (uint32_t)(key[KEY_SPACE] >> 8);
		stretch->end =
			frames_get(frames, epoch, (uint8_t)key[KEY_SPACE], key[KEY_END], true);
		if (key[KEY_STARTED])
			stretch->start = frames_get(frames, epoch, (uint8_t)key[KEY_SPACE],
						    key[KEY_START], true);
	}
}

void stretches_release(struct stretches *s)
{
	intern_release(&s->keys);
	vec_release(&s->all);
	vec_release(&s->first);
}
