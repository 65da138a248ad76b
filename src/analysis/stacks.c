// SPDX-License-Identifier: MIT
#include "analysis/stacks.h"

#include "base/buf.h"
#include "base/keyed.h"
#include "profile/table/wait_reason.h"

#include <string.h>

void stacks_ask(struct samples_options *wanted, const struct stacks_how *how)
{
	wanted->columns |= COL_BIT(COL_EVENT) | COL_BIT(COL_THREAD) | COL_BIT(COL_COMM) |
			   COL_BIT(COL_IP) | COL_BIT(COL_SPACE) | COL_BIT(COL_CHAIN) |
			   COL_BIT(COL_CPU);
	if (wanted->mode == MODE_WALL)
		wanted->columns |= COL_BIT(COL_STATE);
	if (how->times) {
		wanted->columns |= COL_BIT(COL_TIME);
		wanted->time_quantum = how->time_quantum;
	}
	if (how->lines)
		wanted->lines = wanted->chain_lines = true;
}

void stacks_init(struct stacks *s, const struct stacks_how *how)
{
	*s = (struct stacks){.how = *how};
	vec_add(&s->nodes, (struct stack_node){0, HASH_NONE});
}

void stacks_release(struct stacks *s)
{
	vec_release(&s->functions);
	vec_release(&s->dsos);
	vec_release(&s->frames);
	vec_release(&s->nodes);
	vec_release(&s->threads);
	vec_release(&s->samples);
	intern_release(&s->function_keys);
	intern_release(&s->dso_keys);
	intern_release(&s->frame_keys);
	intern_release(&s->thread_keys);
	idmap_release(&s->children);
	*s = (struct stacks){0};
}

/* -- what frames are -- */

enum stack_kind stack_kind_of(const struct frame *f)
{
	const char *dot;

	if (!f->where->name)
		return STACK_UNKNOWN;
	if (f->inlined)
		return STACK_INLINED;
	if (f->level != '.' && f->level != 'u')
		return STACK_KERNEL;
	if (!f->where->dso || f->where->dso->kind == DSO_ANON || f->where->dso->kind == DSO_JITDUMP)
		return STACK_JIT;
	if (f->where->dso->kind == DSO_VDSO || f->where->dso->kind == DSO_VSYSCALL)
		return STACK_LIBRARY;
	dot = strstr(f->where->dso->long_name, ".so");
	return dot && (!dot[3] || dot[3] == '.') ? STACK_LIBRARY : STACK_PROGRAM;
}

static uint32_t dso_of(struct stacks *s, const struct frames *frames, const struct frame *f)
{
	const char *name = frames_dso_name(frames, f->where->dso_name);
	uint32_t id = intern_str(&s->dso_keys, name);

	if (id == s->dsos.n)
		vec_add(&s->dsos, (struct stack_dso){intern_text(&s->dso_keys, id), f->where->dso});
	return id;
}

static uint32_t stacks_function_of(struct stacks *s, const struct frames *frames,
				   const struct frame *f)
{
	const char *name = f->where->name ? f->where->name : "[unknown]";
	enum stack_kind kind = stack_kind_of(f);
	uint32_t dso = dso_of(s, frames, f), id;
	AUTO_BUF key = {0};

	buf_add(&key, &dso, sizeof(dso));
	buf_char(&key, (char)kind);
	buf_str(&key, name);
	id = intern_put(&s->function_keys, key.at, key.n);
	if (id == s->functions.n) {
		const char *kept = intern_text(&s->function_keys, id);

		vec_add(&s->functions,
			(struct stack_function){kept + sizeof(dso) + 1, dso, kind, NULL});
	}
	if (!s->functions.at[id].file)
		s->functions.at[id].file = f->where->srcfile;
	return id;
}

static uint32_t intern_frame(struct stacks *s, uint32_t function, const struct frame *f,
			     uint64_t address)
{
	struct { uint32_t function, inlined; uint64_t address; } key = {0};
	uint32_t id;

	key.function = function;
	key.address = address;
	key.inlined = s->how.addresses && f->inlined;
	id = intern_put(&s->frame_keys, &key, sizeof(key));
	if (id == s->frames.n)
		vec_add(&s->frames,
			(struct stack_frame){function, address, f->where->srcline, f->inlined});
	return id;
}

static uint32_t stacks_frame_of(struct stacks *s, const struct frames *frames, uint32_t frame)
{
	const struct frame *f = frames_at(frames, frame);
	uint64_t address = 0;

	if (s->how.addresses)
		address = f->where->map && !f->where->map->absolute
				  ? dso_rva(f->where->dso, frame_addr(f))
				  : f->ip;
	return intern_frame(s, stacks_function_of(s, frames, f), f, address);
}

/* -- stacks -- */

static uint32_t node_below(struct stacks *s, uint32_t parent, uint32_t frame)
{
	uint64_t key = (uint64_t)parent << 32 | frame;
	uint32_t id = idmap_find(&s->children, key);

	if (id != HASH_NONE)
		return id;
	id = (uint32_t)s->nodes.n;
	vec_add(&s->nodes, (struct stack_node){parent, frame});
	*idmap_put(&s->children, key) = id;
	return id;
}

/* The ids of one set of samples that were converted so far. */
struct adding {
	struct stacks *s;
	const struct samples *samples;
	uint32_t *frames, *leaves; /* frame, chain -> frame, node; HASH_NONE: not made yet */
	uint32_t *events; /* event -> that of the stacks, or HASH_NONE */
	/* the thread of the cell before, which most have too */
	const struct thread *thread;
	uint32_t comm, thread_id;
};

static uint32_t added_frame(struct adding *a, uint32_t frame)
{
	if (a->frames[frame] == HASH_NONE)
		a->frames[frame] = stacks_frame_of(a->s, &a->samples->frames, frame);
	return a->frames[frame];
}

static uint32_t leaf_of(struct adding *a, uint32_t cell)
{
	uint32_t chain = a->samples->ids.chains ? a->samples->ids.chains[cell] : HASH_NONE;
	uint32_t node = 0;

	if (chain == HASH_NONE)
		return node_below(a->s, 0, added_frame(a, a->samples->ids.frames[cell]));
	if (a->leaves[chain] == HASH_NONE) {
		const struct chain_set *chains = &a->samples->frames.chains;

		for (uint32_t i = chain_set_length(chains, chain); i--;)
			node = node_below(a->s, node,
					  added_frame(a, chain_set_frame(chains, chain, i)));
		a->leaves[chain] = node;
	}
	return a->leaves[chain];
}

/* What a thread did is the innermost frame of its stack in a wall-clock profile:
 * "[blocked: futex]". */
static uint32_t state_frame_of(struct adding *a, uint32_t cell, const uint64_t *v)
{
	const struct frames *frames = &a->samples->frames;
	const uint32_t chain = a->samples->ids.chains ? a->samples->ids.chains[cell] : HASH_NONE;
	const enum wall_state state = (enum wall_state)v[COL_STATE];
	AUTO_BUF name = {0};
	struct frame_where where = {.dso_name = HASH_NONE};
	const struct frame f = {.where = &where, .level = 'k'};

	wait_text(frames, chain, state, (uint8_t)v[COL_SPACE], &name);
	where.name = buf_text(&name);
	return node_below(a->s, leaf_of(a, cell),
			  intern_frame(a->s, stacks_function_of(a->s, frames, &f), &f, 0));
}

/* -- samples -- */

static uint32_t intern_thread(struct stacks *s, const struct samples *samples,
			      const struct thread *thread, uint32_t comm)
{
	struct { uint32_t pid, tid, comm; } key = {thread->pid, thread->tid, 0};
	const char *name = world_comm_text(samples->world, world_comm_learnt(thread, comm));
	AUTO_BUF bytes = {0};
	uint32_t id;

	buf_add(&bytes, &key, sizeof(key));
	buf_str(&bytes, name);
	id = intern_put(&s->thread_keys, bytes.at, bytes.n);
	if (id == s->threads.n) {
		const char *kept = intern_text(&s->thread_keys, id);

		vec_add(&s->threads,
			(struct stack_thread){thread->pid, thread->tid, kept + sizeof(key)});
	}
	return id;
}

static uint32_t stacks_thread_of(struct adding *a, const struct thread *thread, uint32_t comm)
{
	if (a->thread != thread || a->comm != comm) {
		a->thread_id = intern_thread(a->s, a->samples, thread, comm);
		a->thread = thread;
		a->comm = comm;
	}
	return a->thread_id;
}

static bool stacks_is_wanted(const struct adding *a, const struct filter *f,
			     const struct thread *thread, const char *comm, uint32_t cell)
{
	const struct frame *frame = frames_at(&a->samples->frames, a->samples->ids.frames[cell]);
	const char *dso = frames_dso_name(&a->samples->frames, frame->where->dso_name);

	if ((f->comms.given && !name_list_has(&f->comms, comm)) ||
	    (f->pids.given && !number_list_has(&f->pids, thread->pid)) ||
	    (f->tids.given && !number_list_has(&f->tids, thread->tid)) ||
	    (f->dsos.given && !name_list_has(&f->dsos, dso)))
		return false;
	if (f->symbols.given &&
	    (!frame->where->name || !name_list_has(&f->symbols, frame->where->name)))
		return false;
	return !f->symbol_part ||
	       (frame->where->name && strstr(frame->where->name, f->symbol_part));
}

static void add_cell(struct adding *a, const struct filter *filter, uint8_t side, uint32_t cell)
{
	const struct samples *samples = a->samples;
	const struct cell *c = cells_at(&samples->cells, cell);
	struct stacks *s = a->s;
	uint64_t v[COLUMNS];
	uint32_t thread;

	cells_spread(&samples->cells, cell, v);
	if (a->events[v[COL_EVENT]] == HASH_NONE)
		return;
	thread = stacks_thread_of(a, c->thread, (uint32_t)v[COL_COMM]);
	if (filter && !stacks_is_wanted(a, filter, c->thread, s->threads.at[thread].comm, cell))
		return;
	vec_add(&s->samples, (struct stack_sample){
				     .time = s->how.times ? v[COL_TIME] : 0,
				     .weight = c->period,
				     .node = samples->opts.mode == MODE_WALL
						     ? state_frame_of(a, cell, v)
						     : leaf_of(a, cell),
				     .thread = thread,
				     .samples = (uint32_t)MIN(c->samples, UINT32_MAX),
				     .cpu = (int32_t)(uint32_t)v[COL_CPU],
				     .event = a->events[v[COL_EVENT]],
				     .side = side,
			     });
}

static uint32_t *unmade(size_t n)
{
	uint32_t *ids = mem_alloc((n + 1) * sizeof(*ids));

	memset(ids, 0xff, (n + 1) * sizeof(*ids));
	return ids;
}

/* The place in wanted of each of own that has the same name. Two recordings of one event each are
 * compared whatever it is called. */
static uint32_t *match_events(const struct event_set *own, const struct event_set *wanted)
{
	uint32_t *of = unmade(own->events.n);

	if (own->events.n == 1 && wanted->events.n == 1)
		of[0] = 0;
	for (size_t i = 0; i < own->events.n; i++)
		for (size_t k = 0; k < wanted->events.n && of[i] == HASH_NONE; k++)
			if (own == wanted
				    ? i == k
				    : !strcmp(own->events.at[i]->name, wanted->events.at[k]->name))
				of[i] = (uint32_t)k;
	return of;
}

void stacks_add(struct stacks *s, const struct samples *samples, const struct filter *filter,
		const struct event_set *events, uint8_t side)
{
	struct adding a = {.s = s,
			   .samples = samples,
			   .frames = unmade(samples->frames.frames.n),
			   .leaves = unmade(samples->frames.chains.all.n),
			   .events = match_events(&samples->m->events, events)};

	for (uint32_t i = 0; i < samples->ids.n; i++)
		add_cell(&a, filter, side, samples->ids.order[i]);
	free(a.frames);
	free(a.leaves);
	free(a.events);
}

static uint64_t node_of_sample(const struct stack_sample *s)
{
	return s->node;
}

static uint64_t thread_of_sample(const struct stack_sample *s)
{
	return s->thread;
}

static uint64_t time_of_sample(const struct stack_sample *s)
{
	return s->time;
}

static uint64_t event_of_sample(const struct stack_sample *s)
{
	return s->event;
}

/* Of each side the times of its first and last sample. */
static void find_spans(struct stacks *s)
{
	uint64_t last[STACK_SIDES] = {0};

	for (size_t side = 0; side < STACK_SIDES; side++)
		s->first[side] = UINT64_MAX;
	for (size_t i = 0; i < s->samples.n; i++) {
		const struct stack_sample *x = &s->samples.at[i];

		s->first[x->side] = MIN(s->first[x->side], x->time);
		last[x->side] = MAX(last[x->side], x->time);
	}
	for (size_t side = 0; side < STACK_SIDES; side++) {
		s->first[side] = MIN(s->first[side], last[side]);
		s->duration[side] = last[side] - s->first[side];
	}
}

/* By event, time, thread and node: the last of these first, as equal ones keep their order. */
static void sort_samples(struct stacks *s)
{
	uint64_t (*const keys[])(const struct stack_sample *) = {
		node_of_sample, thread_of_sample, time_of_sample, event_of_sample};
	const size_t n = s->samples.n;
	struct stack_sample *sorted = mem_alloc(n * sizeof(*sorted));
	struct keyed *order = mem_alloc(n * sizeof(*order));

	for (size_t i = 0; i < n; i++)
		order[i].id = (uint32_t)i;
	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		for (size_t i = 0; i < n; i++)
			order[i].key = keys[k](&s->samples.at[order[i].id]);
		keyed_sort(order, n);
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = s->samples.at[order[i].id];
	free(order);
	free(s->samples.at);
	s->samples.at = sorted;
	s->samples.cap = n;
}

void stacks_sort(struct stacks *s)
{
	find_spans(s);
	for (size_t i = 0; i < s->samples.n; i++)
		s->samples.at[i].time -= s->first[s->samples.at[i].side];
	if (s->samples.n)
		sort_samples(s);
}

void stacks_unit(const struct event *ev, struct buf *out)
{
	const struct attr *a = &ev->attr;

	if (a->type == TYPE_SOFTWARE && a->config <= 1) /* cpu-clock, task-clock */
		buf_str(out, "ns");
	else if (a->type == TYPE_TRACEPOINT)
		buf_str(out, "events");
	else
		buf_add(out, ev->name, strcspn(ev->name, ":"));
}
