// SPDX-License-Identifier: MIT
#include "profile/fold.h"

#include <regex.h>
#include <stdio.h>

#define PASSED_EVERY   256 /* cells: the words of their chains may stand in the file */
#define DEFAULT_PARENT "^sys_|^do_page_fault"

#define CONTEXTS_FIRST 16

/*
 * The entries of callers, plus one, by context and frame; 0: none yet. The contexts met first, which are all that most
 * reports have, have an array by frame.
 */
struct callers {
	uint32_t *first[CONTEXTS_FIRST];
	uint32_t room[CONTEXTS_FIRST];
	struct idmap others; /* context << 32 | frame */
};

/* What folding needs beside the profile itself. */
struct folder {
	struct profile *p;
	struct id_slots entries; /* index in p->all, by {event, values...} */
	struct id_slots groups; /* index in p->groups, by entry and chain */
	struct intern contexts; /* {event, values that no frame changes...} */
	struct callers callers;
	struct idmap chains;  /* epoch << 32 | raw chain -> chain */
	uint32_t *chain_of_cell, *frame_of_cell; /* HASH_NONE: none; of the second, not known */
	VEC(uint32_t) seen_by; /* per entry: the last group that reached it, plus one */
	uint64_t *tuple;
	struct first_sample first; /* of the cell that was taken last */
	regex_t parent, ignore;
	bool has_parent, has_ignore;
	bool by_frame_pointers; /* chains are, in user space */
};

/* -- entries -- */

static uint32_t thread_filter(const struct profile *p, const struct taken *t)
{
	const struct filter *f = &p->opts.filter;
	const struct thread *thread = t->first->at->thread;

	if (f->comms.given &&
	    !name_list_has(&f->comms, world_comm_text(p->world, (uint32_t)t->v[COL_COMM])))
		return FILTERED_THREAD;
	if (f->pids.given && !number_list_has(&f->pids, thread->pid))
		return FILTERED_THREAD;
	if (f->tids.given && !number_list_has(&f->tids, thread->tid))
		return FILTERED_THREAD;
	return 0;
}

static bool symbol_listed(const struct filter *f, const struct frame *frame)
{
	char address[32];

	if (!frame->sym)
		return false;
	if (name_list_has(&f->symbols, frame->name))
		return true;
	snprintf(address, sizeof(address), "0x%llx",
		 (unsigned long long)(frame->ip - (frame->addr - frame->sym->start)));
	return name_list_has(&f->symbols, address);
}

static bool dso_listed(const struct profile *p, uint32_t frame)
{
	const struct name_list *dsos = &p->opts.filter.dsos;
	const struct dso *dso = frame == HASH_NONE ? NULL : frames_at(&p->frames, frame)->dso;

	return dso && (name_list_has(dsos, dso->short_name) || name_list_has(dsos, dso->long_name));
}

static uint32_t filtered(const struct profile *p, const struct taken *t)
{
	const struct filter *f = &p->opts.filter;
	uint32_t why = thread_filter(p, t);
	const struct frame *frame = NULL;

	if (t->frame != HASH_NONE)
		frame = frames_at(&p->frames, t->frame);
	if (f->dsos.given && !(t->from == HASH_NONE ? dso_listed(p, t->frame)
						     : dso_listed(p, t->from) || dso_listed(p, t->to)))
		why |= FILTERED_DSO;
	if (f->symbols.given && !(frame && symbol_listed(f, frame)))
		why |= FILTERED_SYMBOL;
	if (p->opts.exclude_other && t->parent == HASH_NONE)
		why |= FILTERED_PARENT;
	if ((uint8_t)t->v[COL_SPACE] == MISC_GUEST_KERNEL ||
	    (uint8_t)t->v[COL_SPACE] == MISC_GUEST_USER)
		why |= FILTERED_GUEST;
	return why;
}

/* Adds an entry of the values in f->tuple. */
static void add_entry(struct folder *f, const struct taken *t, uint32_t why)
{
	struct profile *p = f->p;
	struct entry *e = entry_new(&p->entries);
	const size_t size = (p->layout.keys.n + 1) * sizeof(*f->tuple);
	const uint64_t *values = memcpy(arena_alloc_large(&p->values, size), f->tuple, size);

	e->values = values + 1;
	e->first = *t->first;
	e->first.frame = t->frame;
	e->first.parent = t->parent;
	e->first.from = t->from;
	e->first.to = t->to;
	e->first.data = t->data;
	e->first.level = t->level;
	e->first.in_chain = t->in_chain;
	e->event = (uint32_t)t->v[COL_EVENT];
	e->filtered = why;
	vec_add(&p->all, e);
	vec_add(&f->seen_by, 0);
}

/* The entry of these values; its index in p->all. */
static uint32_t entry_get(struct folder *f, const struct taken *t, uint32_t why)
{
	struct profile *p = f->p;
	const size_t n = p->layout.keys.n, size = (n + 1) * sizeof(*f->tuple);
	uint64_t hash;
	uint32_t i, id;

	f->tuple[0] = t->v[COL_EVENT];
	for (size_t k = 0; k < n; k++)
		f->tuple[1 + k] = p->layout.keys.at[k].key->take(p, &p->layout.keys.at[k], t);
	hash = hash_bytes(f->tuple, size, 0);
	i = id_slots_begin(&f->entries, hash);
	while ((id = id_slots_next(&f->entries, hash, &i)) != HASH_NONE)
		if (!memcmp(p->all.at[id]->values - 1, f->tuple, size))
			return id;
	id = (uint32_t)p->all.n;
	id_slots_add(&f->entries, id, hash);
	add_entry(f, t, why);
	return id;
}

static void add_hit(struct folder *f, uint32_t entry, uint32_t group, uint32_t from)
{
	struct entry *e = f->p->all.at[entry];
	uint32_t chain = f->p->groups.at[group].chain;
	uint32_t depth = f->p->opts.caller_order ? from + 1
						 : frames_chain_at(&f->p->frames, chain)->n - from;

	hits_add(&e->hits, group, from);
	f->seen_by.at[entry] = group + 1;
	e->max_depth = MAX(e->max_depth, depth);
}

/* -- chains -- */

static bool matches(const regex_t *re, const struct frame *frame)
{
	return frame->sym && !regexec(re, frame->name, 0, NULL, 0);
}

/* With --ignore-callees the chain begins at the function that is named, and so does the sample: of
 * several the last one in the order in which chains are walked. */
static uint32_t without_callees(struct folder *f, struct taken *t, uint32_t chain)
{
	const struct chain *c = frames_chain_at(&f->p->frames, chain);
	bool caller_order = f->p->opts.caller_order;

	for (uint32_t k = 0; k < c->n; k++) {
		uint32_t i = caller_order ? k : c->n - 1 - k;

		if (!matches(&f->ignore, frames_at(&f->p->frames, c->at[i])))
			continue;
		t->frame = c->at[i];
		t->level = frames_at(&f->p->frames, t->frame)->level;
		t->in_chain = true;
		return caller_order ? frames_chain_of(&f->p->frames, c->at, i + 1)
				    : frames_chain_of(&f->p->frames, c->at + i, c->n - i);
	}
	return chain;
}

static uint32_t parent_of(struct folder *f, uint32_t chain)
{
	const struct chain *c = frames_chain_at(&f->p->frames, chain);

	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t frame = c->at[f->p->opts.caller_order ? c->n - 1 - i : i];

		if (matches(&f->parent, frames_at(&f->p->frames, frame)))
			return frame;
	}
	return HASH_NONE;
}

static uint32_t resolve_chain(struct folder *f, const struct taken *t, uint32_t epoch)
{
	struct profile *p = f->p;
	/* of events that copy stacks they were cut when they were gathered */
	bool cut = t->event->attr.sample_type & SAMPLE_STACK_USER;
	struct chain_how how = {cut ? UINT32_MAX : p->opts.max_stack, p->opts.caller_order, p->opts.hide_unresolved};
	const struct intern_entry *raw = &p->cells.chains.entries.at[t->v[COL_CHAIN]];

	return frames_chain(&p->frames, epoch, raw->p, raw->n / sizeof(uint64_t), &how);
}

static uint32_t chain_of(struct folder *f, const struct taken *t)
{
	const struct cells *c = &f->p->cells;
	uint32_t epoch = (uint32_t)(t->v[COL_SPACE] >> 8);
	uint32_t *known;

	if (!(c->columns & COL_BIT(COL_CHAIN)) || t->v[COL_CHAIN] == HASH_NONE)
		return HASH_NONE;
	if (c->own_chains)
		return resolve_chain(f, t, epoch);
	known = idmap_put(&f->chains, (uint64_t)epoch << 32 | t->v[COL_CHAIN]);
	if (*known == HASH_NONE)
		*known = resolve_chain(f, t, epoch);
	return *known;
}

/* -- cells -- */

/* What the entries of a sample's callers have from the sample itself: all but the frames' own values. */
static uint32_t context_of(struct folder *f)
{
	const struct layout *l = &f->p->layout;

	for (size_t i = 0; i < l->keys.n; i++)
		if (l->keys.at[i].key->flags & KEY_FRAME)
			f->tuple[1 + i] = 0;
	return intern_put(&f->contexts, f->tuple, (l->keys.n + 1) * sizeof(*f->tuple));
}

/* An entry that is there already keeps what its first sample said. */
static uint32_t caller_new(struct folder *f, struct taken *t, const struct chain *c, uint32_t from, uint32_t why)
{
	struct taken caller = *t;
	bool inwards = f->p->opts.caller_order;

	caller.in_chain = true;
	caller.frame = c->at[from];
	/* of a frame that is nowhere: that of the one walked before it */
	for (uint32_t i = from; i < c->n; i += inwards ? 1 : -1u) {
		const struct map *map = frames_at(&f->p->frames, c->at[i])->map;

		if (!map)
			continue;
		caller.level = map->in_kernel ? 'k' : '.';
		break;
	}
	return entry_get(f, &caller, why);
}

static uint32_t *caller_of(struct folder *f, uint32_t context, uint32_t frame)
{
	struct callers *c = &f->callers;
	uint32_t *place;

	if (context < CONTEXTS_FIRST) {
		const uint32_t room = c->room[context], n = (uint32_t)f->p->frames.frames.n;

		if (frame >= room) {
			uint32_t *more = mem_zero(n * sizeof(*more));

			if (room)
				memcpy(more, c->first[context], room * sizeof(*more));
			free(c->first[context]);
			c->first[context] = more;
			c->room[context] = n;
		}
		return &c->first[context][frame];
	}
	place = idmap_put(&c->others, (uint64_t)context << 32 | frame);
	if (*place == HASH_NONE)
		*place = 0;
	return place;
}

/* With --children: an entry for every frame of the chain, once each however often it recurs. */
static void add_callers(struct folder *f, struct taken *t, uint32_t group, uint32_t why)
{
	struct profile *p = f->p;
	struct chain c = *frames_chain_at(&p->frames, p->groups.at[group].chain);
	const uint32_t context = context_of(f);

	for (uint32_t i = 0; i < c.n; i++) {
		uint32_t from = p->opts.caller_order ? c.n - 1 - i : i;
		uint32_t *known = caller_of(f, context, c.at[from]);

		if (!*known)
			*known = caller_new(f, t, &c, from, why) + 1;
		if (f->seen_by.at[*known - 1] != group + 1)
			add_hit(f, *known - 1, group, from);
	}
}

static uint64_t hash_of_pair(uint32_t entry, uint32_t chain)
{
	uint64_t x = ((uint64_t)entry << 32 | chain) * 0x9e3779b97f4a7c15u;

	return x ^ x >> 29;
}

static uint32_t find_group(const struct folder *f, uint32_t entry, uint32_t chain)
{
	const uint64_t hash = hash_of_pair(entry, chain);
	uint32_t i = id_slots_begin(&f->groups, hash), id;

	while ((id = id_slots_next(&f->groups, hash, &i)) != HASH_NONE)
		if (f->p->groups.at[id].entry == entry && f->p->groups.at[id].chain == chain)
			break;
	return id;
}

/* Samples of one entry that came by one chain: what they reach is found once. */
static void add_chain(struct folder *f, struct taken *t, uint32_t entry, uint32_t chain,
		      const struct weights *w, uint32_t why)
{
	struct profile *p = f->p;
	uint32_t group = find_group(f, entry, chain);

	if (group != HASH_NONE) {
		p->groups.at[group].period += w->period;
		p->groups.at[group].samples += w->samples;
		return;
	}
	group = (uint32_t)p->groups.n;
	id_slots_add(&f->groups, group, hash_of_pair(entry, chain));
	vec_add(&p->groups, (struct chain_group){entry, chain, w->period, w->samples});
	add_hit(f, entry, group, p->opts.caller_order ? frames_chain_at(&p->frames, chain)->n - 1 : 0);
	if (p->opts.children)
		add_callers(f, t, group, why);
}

/* What callers got of the samples that they were reached by. */
static void total_up(struct profile *p)
{
	for (size_t id = 0; id < p->all.n && p->opts.children; id++) {
		struct entry *e = p->all.at[id];
		struct hits_walk w = hits_begin(&e->hits);

		while (hits_next(&e->hits, &w))
			if (p->groups.at[w.group].entry != id)
				e->total += p->groups.at[w.group].period;
	}
}

/* Fills in frames; false when the sample isn't to be shown at all. */
static bool resolve(struct folder *f, struct taken *t)
{
	struct profile *p = f->p;
	uint32_t epoch = (uint32_t)(t->v[COL_SPACE] >> 8);
	uint8_t cpumode = (uint8_t)t->v[COL_SPACE];

	t->from = t->to = t->data = t->parent = HASH_NONE;
	t->level = '.';
	if (!(p->cells.columns & COL_BIT(COL_IP)))
		return true;
	if (t->frame == HASH_NONE)
		t->frame = frames_get(&p->frames, epoch, cpumode, t->v[COL_IP], false);
	t->level = frames_at(&p->frames, t->frame)->level;
	if (p->opts.hide_unresolved && !frames_at(&p->frames, t->frame)->sym)
		return false;
	if (p->cells.columns & COL_BIT(COL_FROM)) {
		t->from = frames_get(&p->frames, epoch, cpumode, t->v[COL_FROM], true);
		t->to = frames_get(&p->frames, epoch, cpumode, t->v[COL_TO], true);
		t->frame = t->to;
		t->in_chain = true; /* known by its address, as what a chain meets */
		if (p->opts.hide_unresolved && (!frames_at(&p->frames, t->from)->sym ||
						!frames_at(&p->frames, t->to)->sym))
			return false;
	}
	if (p->cells.columns & COL_BIT(COL_ADDR))
		t->data = frames_get(&p->frames, epoch, cpumode, t->v[COL_ADDR], false);
	return true;
}

static bool is_user(const struct folder *f, const struct chain *c, uint32_t i)
{
	return frames_at(&f->p->frames, c->at[i])->cpumode == MISC_USER;
}

/* Why frame i of a chain has no name. One that ran, not called another, is no chain's mistake. */
static enum nameless nameless_in_chain(const struct folder *f, const struct chain *c, uint32_t i)
{
	const enum nameless why = (enum nameless)f->p->frames.nameless.at[c->at[i]];

	if (why == NAMELESS_NO_CODE && !(f->by_frame_pointers && i && is_user(f, c, i - 1)))
		return NAMELESS_NOWHERE;
	return why;
}

/* The C library's start of a program or thread saves no frame pointer: what follows it is no frame,
 * and none is missing. */
static bool is_start(const struct frame *frame)
{
	static const char *const starts[] = {
		"_start",  "__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl",
		"clone",   "__clone_internal",       "clone3",            "__clone3",
		"start_thread",
	};

	for (size_t k = 0; frame->sym && k < ARRAY_SIZE(starts); k++)
		if (!strcmp(frame->sym->name, starts[k]))
			return true;
	return false;
}

/* True for a chain by frame pointers that ends in its first frame of user space, or has a caller where no code is,
 * unless a program or thread starts there. */
static bool is_bare(const struct frames *f, const struct chain *c)
{
	const struct frame *first = NULL, *last = NULL;

	for (uint32_t i = 0; i < c->n; i++) {
		const struct frame *frame = frames_at(f, c->at[i]);

		if (frame->cpumode != MISC_USER)
			continue;
		if (last && !frame->map)
			return !is_start(last);
		if (!first)
			first = frame;
		last = frame;
	}
	return first && last->ip == first->ip && !is_start(first);
}

static void count_bare(struct folder *f, const struct taken *t, uint32_t chain, uint64_t samples)
{
	const uint64_t type = t->event->attr.sample_type;
	struct profile *p = f->p;

	if (chain == HASH_NONE || !f->by_frame_pointers || !(type & SAMPLE_CALLCHAIN) || type & SAMPLE_STACK_USER ||
	    t->event->attr.branch_sample_type || p->opts.max_stack < 2)
		return;
	p->chains_seen += samples;
	p->chains_bare += is_bare(&p->frames, frames_chain_at(&p->frames, chain)) ? samples : 0;
}

/* Which share of the frames has no name, and why: those of the chains, else those sampled. */
static void count_frames(struct folder *f, const struct taken *t, uint32_t chain, uint64_t samples)
{
	struct profile *p = f->p;
	const struct chain *c;
	enum nameless why;
	bool ended = false;

	if (chain == HASH_NONE) {
		if (t->frame == HASH_NONE)
			return;
		why = (enum nameless)frames_at(&p->frames, t->frame)->nameless;
		p->frames_seen[why == NAMELESS_NO_CODE ? NAMELESS_NOWHERE : why] += samples;
		return;
	}
	c = frames_chain_at(&p->frames, chain);
	for (uint32_t i = 0; i < c->n; i++) {
		why = nameless_in_chain(f, c, i);
		ended = why == NAMELESS_NO_CODE &&
			(ended || is_start(frames_at(&p->frames, c->at[i - 1])));
		if (!ended)
			p->frames_seen[why] += samples;
	}
}

/* False when the cell isn't to be shown at all. */
static bool take_cell(struct folder *f, uint32_t cell, struct taken *t)
{
	struct profile *p = f->p;
	const struct cell *c = cells_at(&p->cells, cell);

	f->first = (struct first_sample){.at = c, .cell = cell};
	*t = (struct taken){.first = &f->first, .frame = f->frame_of_cell[cell]};
	cells_spread(&p->cells, cell, t->v);
	if (p->cells.columns & COL_BIT(COL_COMM))
		t->v[COL_COMM] = world_comm_learnt(c->thread, (uint32_t)t->v[COL_COMM]);
	t->event = p->m->events.events.at[t->v[COL_EVENT]];
	return resolve(f, t);
}

/* Chains that the default of max_stack cuts, or the kernel did; those of copied stacks were cut, and counted, when they
 * were gathered. */
static void count_cut(struct folder *f, const struct taken *t, uint32_t cell)
{
	struct profile *p = f->p;
	const struct intern_entry *raw;
	const uint64_t kernels = t->event->attr.sample_max_stack ? t->event->attr.sample_max_stack : MAX_STACK_DEFAULT;
	struct weights w;
	uint64_t addresses = 0;

	if (!(p->cells.columns & COL_BIT(COL_CHAIN)) || t->v[COL_CHAIN] == HASH_NONE ||
	    t->event->attr.sample_type & SAMPLE_STACK_USER || p->opts.max_stack != MAX_STACK_DEFAULT)
		return;
	raw = &p->cells.chains.entries.at[t->v[COL_CHAIN]];
	if (raw->n / sizeof(uint64_t) < MIN(kernels, MAX_STACK_DEFAULT))
		return;
	for (size_t i = 0; i < raw->n / sizeof(uint64_t); i++)
		addresses += ((const uint64_t *)raw->p)[i] < CONTEXT_MAX;
	cells_weights(&p->cells, cell, &w);
	if (addresses > MAX_STACK_DEFAULT || (f->by_frame_pointers && addresses == kernels))
		p->chains_cut += w.samples;
}

/* Resolves all chains, whose raw words need no room any more when entries are made. */
static void resolve_chains(struct folder *f, const uint32_t *order, size_t n)
{
	struct profile *p = f->p;

	f->chain_of_cell = mem_alloc(n * sizeof(*f->chain_of_cell));
	f->frame_of_cell = mem_alloc(n * sizeof(*f->frame_of_cell));
	memset(f->frame_of_cell, 0xff, n * sizeof(*f->frame_of_cell));
	for (size_t i = 0; i < n; i++) {
		struct taken t;

		if (!take_cell(f, order[i], &t))
			continue;
		f->chain_of_cell[order[i]] = chain_of(f, &t);
		count_cut(f, &t, order[i]);
		if (!(p->cells.columns & COL_BIT(COL_TO))) /* else the target stands for it */
			f->frame_of_cell[order[i]] = t.frame;
		if (p->rec && p->cells.own_chains && i % PASSED_EVERY == PASSED_EVERY - 1)
			recording_passed_all(p->rec);
	}
	if (p->rec && p->cells.own_chains)
		recording_passed_all(p->rec);
	intern_release(&p->cells.chains);
	idmap_release(&f->chains);
}

static void fold_cell(struct folder *f, uint32_t cell)
{
	struct profile *p = f->p;
	uint32_t chain, id, why;
	struct weights w;
	struct entry *e;
	struct taken t;

	if (!take_cell(f, cell, &t))
		return;
	chain = f->chain_of_cell[cell];
	if (p->opts.own_chains && !(t.event->attr.sample_type & SAMPLE_CALLCHAIN))
		chain = frames_chain_of(&p->frames, &t.frame, 1);
	if (chain != HASH_NONE && f->has_ignore)
		chain = without_callees(f, &t, chain);
	if (chain != HASH_NONE && f->has_parent)
		t.parent = parent_of(f, chain);
	cells_weights(&p->cells, cell, &w);
	count_frames(f, &t, chain, w.samples);
	count_bare(f, &t, chain, w.samples);
	why = filtered(p, &t);
	id = entry_get(f, &t, why);
	e = p->all.at[id];
	entry_add_self(&p->arena, e, &w);
	e->total += w.period;
	if (chain != HASH_NONE && (p->opts.chains || p->opts.children))
		add_chain(f, &t, id, chain, &w, why);
}

/* -- all of them -- */

static int by_first(const void *x, const void *y, void *ctx)
{
	const struct cell *a = cells_at(ctx, *(const uint32_t *)x), *b = cells_at(ctx, *(const uint32_t *)y);

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static void folder_init(struct folder *f, struct profile *p)
{
	const char *parent = p->opts.parent ? p->opts.parent : DEFAULT_PARENT;

	memset(f, 0, sizeof(*f));
	f->p = p;
	f->by_frame_pointers = measurement_follows_frame_pointers(p->m);
	f->tuple = mem_zero((p->layout.keys.n + 1) * sizeof(*f->tuple));
	if (p->layout.flags & KEY_PARENT || p->opts.exclude_other)
		f->has_parent = !regcomp(&f->parent, parent, REG_EXTENDED);
	if (p->opts.ignore_callees)
		f->has_ignore = !regcomp(&f->ignore, p->opts.ignore_callees, REG_EXTENDED);
}

static void folder_release(struct folder *f)
{
	id_slots_release(&f->entries);
	id_slots_release(&f->groups);
	intern_release(&f->contexts);
	for (size_t i = 0; i < CONTEXTS_FIRST; i++)
		free(f->callers.first[i]);
	idmap_release(&f->callers.others);
	vec_release(&f->seen_by);
	free(f->chain_of_cell);
	free(f->frame_of_cell);
	free(f->tuple);
	if (f->has_parent)
		regfree(&f->parent);
	if (f->has_ignore)
		regfree(&f->ignore);
}

static int socket_of(const struct profile *p, const struct entry *e)
{
	uint64_t v[COLUMNS];

	cells_spread(&p->cells, e->first.cell, v);
	return v[COL_CPU] < p->m->n_sockets ? p->m->socket_of_cpu[v[COL_CPU]] : -1;
}

/* The filters that the reference applies to finished entries, and only where it has collapsed
 * them. */
static void filter_entries(struct profile *p)
{
	const struct filter *f = &p->opts.filter;

	if (!(p->layout.flags & KEY_COLLAPSES))
		return;
	for (size_t i = 0; i < p->all.n; i++) {
		struct entry *e = p->all.at[i];
		const struct frame *frame = NULL;

		if (e->first.frame != HASH_NONE)
			frame = frames_at(&p->frames, e->first.frame);
		if (f->symbol_part && !e->event && !(frame && frame->name && strstr(frame->name, f->symbol_part)))
			e->filtered |= FILTERED_SYMBOL;
		if (f->socket >= 0 && socket_of(p, e) != f->socket)
			e->filtered |= FILTERED_SOCKET;
	}
}

static void sum_up(struct profile *p)
{
	for (size_t i = 0; i < p->m->events.events.n; i++)
		vec_add(&p->events, (struct event_entries){.event = p->m->events.events.at[i]});
	for (size_t i = 0; i < p->all.n; i++) {
		struct entry *e = p->all.at[i];
		struct event_entries *ev = &p->events.at[e->event];

		vec_add(&ev->entries, e);
		ev->period += e->self->period;
		ev->samples += e->self->samples;
		ev->latency += e->self->latency;
		if (!e->filtered) {
			ev->shown_period += e->self->period;
			ev->shown_samples += e->self->samples;
			ev->shown_latency += e->self->latency;
		}
	}
}

void profile_make_entries(struct profile *p)
{
	size_t n = p->cells.n;
	uint32_t *order = mem_alloc(n * sizeof(*order));
	struct folder f;

	folder_init(&f, p);
	profile_trace_begin(p);
	profile_find_lines(p);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_first, &p->cells);
	resolve_chains(&f, order, n);
	for (size_t i = 0; i < n; i++)
		fold_cell(&f, order[i]);
	free(order);
	folder_release(&f);
	if (!p->opts.blocks) /* which look for frames of their own */
		frames_settle(&p->frames);
	total_up(p);
	filter_entries(p);
	sum_up(p);
}
