// SPDX-License-Identifier: MIT
#include "profile/samples/frame.h"

#include "symbol/lines/lines.h"

struct frame_key {
	uint64_t ip;
	uint32_t space;
	uint8_t cpumode, any, zero[2];
};

#define RECENT_FRAMES 4096
#define AHEAD	      8 /* words */

struct recent_frame {
	struct frame_key key;
	uint32_t id;
};

void frames_init(struct frames *f, struct world *world, bool long_names)
{
	memset(f, 0, sizeof(*f));
	f->world = world;
	f->space = (struct frame_space){HASH_NONE, HASH_NONE};
	f->long_names = long_names;
	f->recent = mem_alloc(RECENT_FRAMES * sizeof(*f->recent));
	memset(f->recent, 0xff, RECENT_FRAMES * sizeof(*f->recent));
}

void frames_settle(struct frames *f)
{
	id_slots_release(&f->symbol_slots);
	id_slots_release(&f->by_address);
	id_slots_release(&f->where_slots);
	chain_set_settle(&f->chains);
}

static void known_chain_release(struct known_chain *c)
{
	vec_release(&c->words);
	vec_release(&c->modes);
	vec_release(&c->ids);
}

void frames_release(struct frames *f)
{
	free(f->recent);
	arena_release(&f->arena);
	intern_release(&f->dso_names);
	vec_release(&f->symbols);
	id_slots_release(&f->symbol_slots);
	vec_release(&f->frame_of_symbol);
	id_slots_release(&f->by_address);
	id_slots_release(&f->where_slots);
	vec_release(&f->wheres);
	intern_release(&f->texts);
	idmap_release(&f->levels);
	vec_release(&f->stands_for);
	vec_release(&f->nameless);
	known_chain_release(&f->last);
	vec_release(&f->own_ids);
	vec_release(&f->own_modes);
	vec_release(&f->frames);
	chain_set_release(&f->chains);
}

/* The id of this symbol, added if new. The caller then appends a frame of it to f->frames. */
static uint32_t frames_put_symbol(struct frames *f, const struct frame_symbol *s)
{
	uint64_t hash = hash_bytes(s, sizeof(*s), 0);
	uint32_t i = id_slots_begin(&f->symbol_slots, hash), id;

	while ((id = id_slots_next(&f->symbol_slots, hash, &i)) != HASH_NONE)
		if (!memcmp(&f->symbols.at[id], s, sizeof(*s)))
			return id;
	id = (uint32_t)f->symbols.n;
	id_slots_add(&f->symbol_slots, id, hash);
	vec_add(&f->symbols, *s);
	vec_add(&f->frame_of_symbol, (uint32_t)f->frames.n);
	return id;
}

static uint32_t frame_symbol_id(struct frames *f, const struct frame *frame, uint64_t addr)
{
	const struct frame_where *where = frame->where;
	struct frame_symbol s = {.start = addr, .dso_name = HASH_NONE};

	if (where->sym) {
		s.start = where->sym->start;
		s.end = where->sym->end;
		s.dso_name = where->dso_name;
		s.resolved = 1;
	}
	return frames_put_symbol(f, &s);
}

static const struct frame_where nowhere = {.dso_name = HASH_NONE};

static const struct frame_where *where_new(struct frames *f, const struct map *map, struct dso *dso,
					   const struct symbol *sym, uint64_t shift)
{
	struct frame_where *where = arena_alloc(&f->arena, sizeof(*where));

	*where = (struct frame_where){.map = map, .dso = dso, .sym = sym, .shift = shift};
	where->dso_name =
		dso ? intern_str(&f->dso_names, f->long_names ? dso->long_name : dso->short_name)
		    : HASH_NONE;
	if (sym)
		where->name = dso_symbol_name(dso, sym);
	return where;
}

static const struct frame_where *frames_where(struct frames *f, uint64_t ip,
					      const struct place *place)
{
	const uint64_t shift = place->map && place->dso ? place->offset - ip : 0;
	const struct symbol *sym = place->map && place->dso ? place_symbol(place) : NULL;
	const uint64_t key[] = {(uintptr_t)place->map, (uintptr_t)sym, shift};
	const uint64_t hash = hash_bytes(key, sizeof(key), 0);
	uint32_t i = id_slots_begin(&f->where_slots, hash), id;

	if (!place->map)
		return &nowhere;
	while ((id = id_slots_next(&f->where_slots, hash, &i)) != HASH_NONE) {
		const struct frame_where *where = f->wheres.at[id];

		if (where->map == place->map && where->sym == sym && where->shift == shift)
			return where;
	}
	id_slots_add(&f->where_slots, (uint32_t)f->wheres.n, hash);
	vec_add(&f->wheres, where_new(f, place->map, place->dso, sym, shift));
	return *vec_last(&f->wheres);
}

static void frame_resolve(struct frames *f, struct frame *frame, uint32_t epoch,
			  const struct place *place)
{
	const uint64_t ip = frame->ip;
	uint64_t addr;

	frame->where = frames_where(f, ip, place);
	frame->level = place->level;
	frame->nameless =
		(uint8_t)(frame->where->sym ? NAMELESS_NOT
					    : world_nameless(f->world, epoch, place));
	addr = frame_addr(frame);
	frame->symbol_id = frame_symbol_id(f, frame, addr);
	/* the ids differ only for an unresolved frame with two addresses */
	frame->chain_symbol_id =
		frame->where->sym || addr == ip ? frame->symbol_id : frame_symbol_id(f, frame, ip);
}

/* The number of the address space in which addresses of that mode are resolved. */
static uint32_t frame_space_of(struct frames *f, uint32_t epoch, uint8_t cpumode, bool any)
{
	if (cpumode != MISC_KERNEL || any)
		return epoch;
	if (epoch != f->space.epoch)
		f->space = (struct frame_space){epoch, world_epoch_kernel(f->world, epoch)};
	return f->space.kernel;
}

static uint64_t frame_key_hash(uint64_t ip, uint32_t space, uint8_t cpumode, bool any)
{
	uint64_t x = (ip ^ (uint64_t)space << 32 ^ (uint64_t)cpumode << 57 ^ (uint64_t)any << 60) *
		     0x9e3779b97f4a7c15u;

	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

static uint32_t frames_find(const struct frames *f, const struct frame_key *key, uint64_t hash)
{
	uint32_t i = id_slots_begin(&f->by_address, hash), id;

	while ((id = id_slots_next(&f->by_address, hash, &i)) != HASH_NONE) {
		const struct frame *frame = frames_at(f, id);

		if (frame->ip == key->ip && frame->space == key->space &&
		    frame->cpumode == key->cpumode && frame->any == key->any)
			break;
	}
	return id;
}

uint32_t frames_get(struct frames *f, uint32_t epoch, uint8_t cpumode, uint64_t ip, bool any)
{
	const uint32_t space = frame_space_of(f, epoch, cpumode, any);
	struct frame_key key = {ip, space, cpumode, any, {0}};
	struct recent_frame *recent = &f->recent[(ip ^ ip >> 12) % RECENT_FRAMES];
	struct frame frame = {.ip = ip, .space = space, .cpumode = cpumode, .any = any};
	uint64_t hash;
	struct place place;
	uint32_t id;

	if (!memcmp(&recent->key, &key, sizeof(key)))
		return recent->id;
	hash = frame_key_hash(ip, space, cpumode, any);
	id = frames_find(f, &key, hash);
	*recent = (struct recent_frame){key, id == HASH_NONE ? (uint32_t)f->frames.n : id};
	if (id != HASH_NONE)
		return id;
	place = any ? world_place_any(f->world, epoch, ip)
		    : world_place(f->world, epoch, cpumode, ip);
	frame_resolve(f, &frame, epoch, &place);
	if (any && !place.map)
		frame.level = 'H'; /* the level of the last address space searched */
	id = (uint32_t)f->frames.n;
	id_slots_add(&f->by_address, id, hash);
	vec_add(&f->frames, frame);
	vec_add(&f->nameless, (uint8_t)frame.nameless);
	return id;
}

static const char *frames_intern_text(struct frames *f, struct buf *b)
{
	return intern_text(&f->texts, intern_put(&f->texts, b->at, b->n));
}

uint64_t frame_rva(const struct frame *frame)
{
	return frame->where->dso->mem_mapped_by_ip || frame->where->map->absolute
		       ? frame->ip
		       : dso_rva(frame->where->dso, frame_addr(frame));
}

struct source_place frame_source(const struct frame *frame, uint64_t before)
{
	if (!frame->where->dso)
		return (struct source_place){0};
	return dso_source(frame->where->dso, frame_rva(frame) - before);
}

/* Gives the frame a frame_where of its own, which may be changed. */
static struct frame_where *frame_own_where(struct frames *f, struct frame *frame)
{
	struct frame_where *own = arena_copy(&f->arena, frame->where, sizeof(*own));

	frame->where = own;
	return own;
}

static void frame_set_line(struct frames *f, struct frame *frame, const struct line_level *level)
{
	struct frame_where *where;
	struct buf b = {0};

	frame->lines_known = true;
	if (!source_line_text(level, f->full_paths, &b))
		return;
	where = frame_own_where(f, frame);
	where->srcline = frames_intern_text(f, &b);
	b.n = (size_t)((char *)memrchr(b.at, ':', b.n) - (char *)b.at);
	where->srcfile = frames_intern_text(f, &b);
	buf_release(&b);
}

void frames_lines(struct frames *f, uint32_t id)
{
	struct frame *frame = &f->frames.at[id];
	struct source_place place;

	if (frame->lines_known || !frame->where->dso)
		return;
	frame->lines_known = true;
	place = dso_source(frame->where->dso, frame_rva(frame));
	frame->lines_asked = place.asked;
	if (place.n)
		frame_set_line(f, frame, &place.at[0]);
}

void frames_find_lines(struct frames *f)
{
	VEC(struct line_question) asked = {0};

	for (size_t i = 0; i < f->frames.n; i++) {
		const struct frame *frame = &f->frames.at[i];
		struct dso *dso = frame->where->dso;

		if (!frame->lines_known && dso && dso_has_lines(dso))
			vec_add(&asked, (struct line_question){dso, frame_rva(frame)});
	}
	if (asked.n) {
		AUTO(pool) *pool = pool_new(0);

		dso_sources(pool, asked.at, asked.n);
	}
	vec_release(&asked);
	for (size_t i = 0; i < f->frames.n; i++)
		frames_lines(f, (uint32_t)i);
}

void frame_line_text(const struct frame *frame, struct buf *out)
{
	const struct frame_where *where = frame->where;

	if (where->srcline)
		buf_str(out, where->srcline);
	else if (!where->map || (frame->lines_asked && where->sym && !where->sym->plt))
		buf_str(out, "??:0");
	else if (where->sym)
		buf_printf(out, "%s+%llu", where->name,
			   (unsigned long long)(frame_rva(frame) - where->sym->start));
	else
		buf_printf(out, "%s[%llx]", where->dso->short_name,
			   (unsigned long long)frame_addr(frame));
}

/* Adds a copy of a frame for one level of its address: an inlined function, or the outermost
 * one. */
static uint32_t frame_add_level(struct frames *f, uint32_t id, const struct line_level *level,
				bool outermost)
{
	struct frame frame = f->frames.at[id];
	struct frame_symbol s = {.dso_name = frame.where->dso_name, .resolved = 2};

	frame_set_line(f, &frame, level);
	/* The outermost level is the symbol, unless debug information gives it another name. */
	frame.inlined = level->function && !(outermost && frame.where->sym &&
					     !strcmp(level->function, frame.where->name));
	if (frame.inlined) {
		s.start = intern_str(&f->texts, level->function);
		/* an inlined function is one in each symbol, as in perf */
		s.end = frame.where->sym ? frame.where->sym->start + 1 : 0;
		frame_own_where(f, &frame)->name = intern_text(&f->texts, (uint32_t)s.start);
		frame.symbol_id = frame.chain_symbol_id = frames_put_symbol(f, &s);
	}
	vec_add(&f->frames, frame);
	vec_add(&f->nameless, (uint8_t)frame.nameless);
	return (uint32_t)f->frames.n - 1;
}

/* The frames that stand for a frame in a chain: itself, or its levels. */
static struct frame_levels frames_levels_of(struct frames *f, uint32_t id)
{
	const struct frame *frame = &f->frames.at[id];
	struct source_place place = {0};
	uint32_t *known = idmap_put(&f->levels, id), *ids;
	struct frame_levels c = {.n = 1};

	if (*known != HASH_NONE)
		return f->stands_for.at[*known];
	*known = (uint32_t)f->stands_for.n;
	if (frame->where->dso && frame->where->sym && f->inlines)
		place = dso_source(frame->where->dso, frame_rva(frame));
	if (place.n > 1)
		c.n = place.n;
	ids = arena_alloc(&f->arena, c.n * sizeof(*ids));
	ids[0] = id;
	for (uint32_t i = 0; i < place.n && place.n > 1; i++)
		ids[i] = frame_add_level(f, id, &place.at[i], i + 1 == place.n);
	if (place.n == 1 && place.at[0].function &&
	    strcmp(place.at[0].function, frame->where->name))
		ids[0] = frame_add_level(f, id, &place.at[0], true);
	if (f->lines)
		frames_lines(f, ids[0]);
	c.at = ids;
	vec_add(&f->stands_for, c);
	return c;
}

/* -- chains of raw words -- */

/* The number of words at the end of this chain that also end the chain before it, in the same epoch
 * and mode: most chains share their outer callers. *ids: the number of their frames. */
static uint64_t chain_shared_end(const struct known_chain *l, uint32_t epoch, const uint64_t *words,
				 uint64_t n, uint64_t *ids)
{
	uint64_t most = MIN(n, (uint64_t)l->words.n), same = 0;
	uint8_t mode = MISC_USER;

	*ids = 0;
	if (epoch != l->epoch)
		return 0;
	while (same < most && words[n - 1 - same] == l->words.at[same])
		same++;
	for (uint64_t i = 0; i < n - same; i++)
		if (words[i] >= CONTEXT_MAX)
			mode = chain_context_mode(words[i]);
	if (!same || mode != l->modes.at[same - 1])
		return 0;
	for (uint64_t i = 0; i < same; i++)
		*ids += l->words.at[i] < CONTEXT_MAX;
	return same;
}

/* The id of the chain of all these words, with one frame for each address. */
static uint32_t frames_whole_chain(struct frames *f, uint32_t epoch, const uint64_t *words,
				   uint64_t n)
{
	struct known_chain *last = &f->last;
	uint64_t ids, shared = chain_shared_end(last, epoch, words, n, &ids), own = n - shared;
	/* a chain that was cut may have been put since */
	const bool follows = last->path.n && f->chains.last.from == last->path.from;
	uint8_t mode = MISC_USER;
	uint32_t id;

	vec_clear(&f->own_ids);
	vec_clear(&f->own_modes);
	for (uint64_t i = 0; i < own; i++) {
		if (i + AHEAD < own)
			id_slots_ask(&f->by_address,
				     frame_key_hash(words[i + AHEAD],
						    frame_space_of(f, epoch, mode, false), mode,
						    false));
		vec_add(&f->own_modes, mode);
		if (words[i] < CONTEXT_MAX)
			vec_add(&f->own_ids, frames_get(f, epoch, mode, words[i], false));
		else
			mode = chain_context_mode(words[i]);
		if (!mode)
			return HASH_NONE; /* a damaged chain says nothing at all */
	}
	last->epoch = epoch;
	last->words.n = last->modes.n = shared;
	last->ids.n = ids;
	for (uint64_t i = own; i; i--) {
		vec_add(&last->words, words[i - 1]);
		vec_add(&last->modes, f->own_modes.at[i - 1]);
	}
	for (uint64_t i = f->own_ids.n; i; i--)
		vec_add(&last->ids, f->own_ids.at[i - 1]);
	id = chain_set_put_outer(&f->chains, last->ids.at, last->ids.n, follows ? ids : 0);
	last->path = f->chains.last;
	return id;
}

uint32_t frames_chain(struct frames *f, uint32_t epoch, const uint64_t *words, uint64_t n,
		      uint32_t max_stack, bool keep_outer)
{
	VEC(uint32_t) ids = {0};
	uint8_t mode = MISC_USER;
	uint64_t addresses = 0, skip = 0, taken = 0;
	uint32_t id = HASH_NONE;

	for (uint64_t i = 0; i < n; i++)
		addresses += words[i] < CONTEXT_MAX;
	if (n && addresses <= max_stack && !f->inlines && !f->lines)
		return frames_whole_chain(f, epoch, words, n);
	if (keep_outer && addresses > max_stack)
		skip = addresses - max_stack;
	for (uint64_t i = 0; i < n && taken < skip + max_stack; i++) {
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
		if (f->inlines || f->lines) {
			struct frame_levels levels = frames_levels_of(f, frame);

			for (uint32_t k = 0; k < levels.n; k++)
				vec_add(&ids, levels.at[k]);
		} else {
			vec_add(&ids, frame);
		}
	}
	id = chain_set_put(&f->chains, ids.at, ids.n);
out:
	vec_release(&ids);
	return id;
}
