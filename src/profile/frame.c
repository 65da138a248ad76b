// SPDX-License-Identifier: MIT
#include "profile/frame.h"

struct place_key {
	uint64_t ip;
	uint32_t epoch;
	uint8_t cpumode, any, zero[2];
};

void frames_init(struct frames *f, struct world *world, bool long_names)
{
	memset(f, 0, sizeof(*f));
	f->world = world;
	f->long_names = long_names;
}

void frames_release(struct frames *f)
{
	arena_release(&f->arena);
	intern_release(&f->dso_names);
	intern_release(&f->symbols);
	vec_release(&f->frame_of_symbol);
	intern_release(&f->places);
	intern_release(&f->distinct_chains);
	vec_release(&f->frames);
	vec_release(&f->chains);
}

/* frame is about to become the last of f->frames. */
static uint32_t symbol_id(struct frames *f, const struct frame *frame, uint64_t addr)
{
	struct frame_symbol s = {.start = addr, .dso_name = HASH_NONE};
	uint32_t id;

	if (frame->sym) {
		s.start = frame->sym->start;
		s.end = frame->sym->end;
		s.dso_name = frame->dso_name;
		s.resolved = 1;
	}
	id = intern_put(&f->symbols, &s, sizeof(s));
	if (id == f->frame_of_symbol.n)
		vec_add(&f->frame_of_symbol, (uint32_t)f->frames.n);
	return id;
}

static void resolve(struct frames *f, struct frame *frame, const struct place *place)
{
	frame->map = place->map;
	frame->dso = place->map ? place->dso : NULL;
	frame->addr = frame->ip;
	frame->level = place->level;
	frame->dso_name = HASH_NONE;
	if (frame->dso) {
		const struct dso *dso = frame->dso;

		frame->addr = place->offset;
		frame->dso_name = intern_str(&f->dso_names, f->long_names ? dso->long_name
									  : dso->short_name);
		frame->sym = place_symbol(place);
		if (frame->sym)
			frame->name = dso_symbol_name(frame->dso, frame->sym);
	}
	frame->symbol_id = symbol_id(f, frame, frame->addr);
	frame->chain_symbol_id = symbol_id(f, frame, frame->ip);
}

uint32_t frames_get(struct frames *f, uint32_t epoch, uint8_t cpumode, uint64_t ip, bool any)
{
	struct place_key key = {ip, epoch, cpumode, any, {0}};
	uint32_t id = intern_put(&f->places, &key, sizeof(key));
	struct frame frame = {.ip = ip, .epoch = epoch, .cpumode = cpumode};
	struct place place;

	if (id < f->frames.n)
		return id;
	place = any ? world_place_any(f->world, epoch, ip)
		    : world_place(f->world, epoch, cpumode, ip);
	resolve(f, &frame, &place);
	if (any && !place.map)
		frame.level = 'H'; /* that of the last space looked into */
	vec_add(&f->frames, frame);
	return id;
}

uint32_t frames_chain_of(struct frames *f, const uint32_t *ids, size_t n)
{
	uint32_t id;

	if (!n)
		return HASH_NONE;
	id = intern_put(&f->distinct_chains, ids, n * sizeof(*ids));
	if (id == f->chains.n)
		vec_add(&f->chains, (struct chain){f->distinct_chains.entries.at[id].p, (uint32_t)n});
	return id;
}

uint32_t frames_chain(struct frames *f, uint32_t epoch, const uint64_t *words, uint64_t n,
		      const struct chain_how *how)
{
	VEC(uint32_t) ids = {0};
	uint8_t mode = MISC_USER;
	uint64_t addresses = 0, skip = 0, taken = 0;
	uint32_t id = HASH_NONE;

	for (uint64_t i = 0; i < n; i++)
		addresses += words[i] < CONTEXT_MAX;
	if (how->keep_outer && addresses > how->max_stack)
		skip = addresses - how->max_stack;
	for (uint64_t i = 0; i < n && taken < skip + how->max_stack; i++) {
		uint32_t frame;

		if (words[i] >= CONTEXT_MAX) {
			mode = chain_context_mode(words[i]);
			if (!mode)
				goto out; /* a damaged chain says nothing at all */
			continue;
		}
		if (taken++ < skip)
			continue;
		frame = frames_get(f, epoch, mode, words[i], false);
		if (!how->resolved_only || f->frames.at[frame].sym)
			vec_add(&ids, frame);
	}
	id = frames_chain_of(f, ids.at, ids.n);
out:
	vec_release(&ids);
	return id;
}
