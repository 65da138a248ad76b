// SPDX-License-Identifier: MIT
#include "analysis/stacks.h"

#include "base/buf.h"
#include "base/keyed.h"
#include "profile/table/key/wait_reason.h"

#include <string.h>

void stacks_ask(struct samples_options *wanted, const struct stacks_how *how)
{
	wanted->columns |= COL_BIT(COL_EVENT) | COL_BIT(COL_THREAD) | COL_BIT(COL_COMM) |
			   COL_BIT(COL_IP) | COL_BIT(COL_SPACE) | COL_BIT(COL_CHAIN);
	if (!how->no_cpus)
		wanted->columns |= COL_BIT(COL_CPU);
	if (wanted->mode == MODE_WALL)
		wanted->columns |= COL_BIT(COL_STATE) | COL_BIT(COL_REASON);
	if (how->times) {
		wanted->times = true;
		wanted->times_quantum = how->time_quantum;
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

/* True for the file of a library, by its name: "libc.so.6". */
static bool is_library(const struct dso *dso)
{
	const char *dot = strstr(dso->long_name, ".so");

	return dot && (!dot[3] || dot[3] == '.');
}

bool stack_dso_is_program(const struct stack_dso *d)
{
	return d->dso && d->dso->kind == DSO_FILE && !is_library(d->dso);
}

enum stack_kind stack_kind_of(const struct frame *f)
{
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
	return is_library(f->where->dso) ? STACK_LIBRARY : STACK_PROGRAM;
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
		address = f->where->map ? frame_rva(f) : f->ip;
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

	wait_text(frames, chain, state, (uint8_t)v[COL_SPACE], (uint32_t)v[COL_REASON], &name);
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

/* What all samples of a cell have in common. False: the samples are not wanted. */
static bool stacks_sample_of(struct adding *a, const struct filter *filter, uint8_t side,
			     uint32_t cell, struct stack_sample *out)
{
	const struct samples *samples = a->samples;
	const struct cell *c = cells_at(&samples->cells, cell);
	const struct stacks *s = a->s;
	uint64_t v[COLUMNS];
	uint32_t thread;

	cells_spread(&samples->cells, cell, v);
	if (a->events[v[COL_EVENT]] == HASH_NONE)
		return false;
	thread = stacks_thread_of(a, c->thread, (uint32_t)v[COL_COMM]);
	if (filter && !stacks_is_wanted(a, filter, c->thread, s->threads.at[thread].comm, cell))
		return false;
	*out = (struct stack_sample){
		.weight = c->period,
		.node = samples->opts.mode == MODE_WALL ? state_frame_of(a, cell, v)
							: leaf_of(a, cell),
		.thread = thread,
		.samples = (uint32_t)MIN(c->samples, UINT32_MAX),
		.cpu = samples_have(samples, COL_CPU) ? (int32_t)(uint32_t)v[COL_CPU] : -1,
		.event = a->events[v[COL_EVENT]],
		.side = side,
	};
	return true;
}

/* Adds a sample for each cell that is wanted. Writes the indices of these samples to of_cell,
 * HASH_NONE where there is none. */
static void stacks_add_cells(struct adding *a, const struct filter *filter, uint8_t side,
			     uint32_t *of_cell)
{
	struct stacks *s = a->s;

	for (uint32_t i = 0; i < a->samples->ids.n; i++) {
		const uint32_t cell = a->samples->ids.order[i];
		struct stack_sample sample;

		if (!stacks_sample_of(a, filter, side, cell, &sample))
			continue;
		of_cell[cell] = (uint32_t)s->samples.n;
		vec_add(&s->samples, sample);
	}
}

/* Puts the samples at their times in the place of the last samples, which stand for cells. */
static void stacks_add_times(struct adding *a, size_t cells_from, const uint32_t *of_cell)
{
	const struct cells *cells = &a->samples->cells;
	const size_t n = a->s->samples.n - cells_from;
	struct stack_sample *of = mem_alloc((n + 1) * sizeof(*of));

	if (n)
		memcpy(of, a->s->samples.at + cells_from, n * sizeof(*of));
	a->s->samples.n = cells_from;
	vec_reserve(&a->s->samples, cells->times.n);
	for (size_t i = 0; i < cells->times.n; i++) {
		const struct cell_time *at = &cells->times.at[i];
		struct stack_sample sample;

		if (of_cell[at->cell] == HASH_NONE)
			continue;
		sample = of[of_cell[at->cell] - cells_from];
		sample.time = at->time;
		sample.weight = at->period;
		sample.samples = 1;
		vec_add(&a->s->samples, sample);
	}
	free(of);
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
	const size_t before = s->samples.n;
	uint32_t *of_cell;

	of_cell = unmade(samples->ids.n);
	stacks_add_cells(&a, filter, side, of_cell);
	if (s->how.times && samples->cells.keeps_times)
		stacks_add_times(&a, before, of_cell);
	free(of_cell);
	free(a.frames);
	free(a.leaves);
	free(a.events);
}

static uint64_t cpu_of_sample(const struct stack_sample *s)
{
	return (uint32_t)s->cpu;
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

typedef uint64_t (*sample_key)(const struct stack_sample *s);

/* Sorts by several keys, the most important one last: equal ones keep their order. */
static void sort_by_keys(const struct stacks *s, struct keyed *order, size_t n,
			 const sample_key *keys, size_t n_keys)
{
	for (size_t k = 0; k < n_keys; k++) {
		for (size_t i = 0; i < n; i++)
			order[i].key = keys[k](&s->samples.at[order[i].id]);
		keyed_sort(order, n);
	}
}

/* Of two samples of the same event and time. */
static bool sample_is_before(const struct stack_sample *a, const struct stack_sample *b)
{
	if (a->thread != b->thread)
		return a->thread < b->thread;
	if (a->node != b->node)
		return a->node < b->node;
	return (uint32_t)a->cpu < (uint32_t)b->cpu;
}

#define TIES_FEW 32

/* Sorts samples of the same event and time by thread, node and CPU. */
static void sort_ties(const struct stacks *s, struct keyed *order, size_t n)
{
	static const sample_key keys[] = {cpu_of_sample, node_of_sample, thread_of_sample};

	if (n > TIES_FEW) {
		sort_by_keys(s, order, n, keys, ARRAY_SIZE(keys));
		return;
	}
	for (size_t i = 1; i < n; i++) {
		const struct keyed moved = order[i];
		const struct stack_sample *x = &s->samples.at[moved.id];
		size_t at = i;

		for (; at && sample_is_before(x, &s->samples.at[order[at - 1].id]); at--)
			order[at] = order[at - 1];
		order[at] = moved;
	}
}

/* Moves each sample to its place, along the cycles of the permutation: a second array of samples
 * would double the memory. */
static void move_samples(struct stacks *s, struct keyed *order)
{
	for (uint32_t i = 0; i < s->samples.n; i++) {
		const struct stack_sample first = s->samples.at[i];
		uint32_t at = i, from;

		for (; (from = order[at].id) != i; at = from) {
			s->samples.at[at] = s->samples.at[from];
			order[at].id = at;
		}
		if (at != i)
			s->samples.at[at] = first;
		order[at].id = at;
	}
}

/* By event, time, thread, node and CPU. */
static void sort_samples(struct stacks *s)
{
	static const sample_key keys[] = {time_of_sample, event_of_sample};
	const size_t n = s->samples.n;
	struct keyed *order = mem_alloc(n * sizeof(*order));

	for (size_t i = 0; i < n; i++)
		order[i].id = (uint32_t)i;
	sort_by_keys(s, order, n, keys, ARRAY_SIZE(keys));
	for (size_t i = 0, end; i < n; i = end) {
		const struct stack_sample *x = &s->samples.at[order[i].id];

		for (end = i + 1; end < n; end++) {
			const struct stack_sample *y = &s->samples.at[order[end].id];

			if (y->time != x->time || y->event != x->event)
				break;
		}
		if (end > i + 1)
			sort_ties(s, order + i, end - i);
	}
	move_samples(s, order);
	free(order);
}

static bool stacks_are_equal(const struct stack_sample *a, const struct stack_sample *b)
{
	return a->time == b->time && a->node == b->node && a->thread == b->thread &&
	       a->cpu == b->cpu && a->event == b->event && a->side == b->side;
}

/* Adds up neighbours that are equal in all but their weights. */
static void stacks_fold(struct stacks *s)
{
	struct stack_sample *to = s->samples.at;

	for (size_t i = 1; i < s->samples.n; i++) {
		const struct stack_sample *x = &s->samples.at[i];

		if (stacks_are_equal(to, x)) {
			to->weight += x->weight;
			to->samples += x->samples;
		} else {
			*++to = *x;
		}
	}
	s->samples.n = (size_t)(to - s->samples.at) + 1;
}

void stacks_sort(struct stacks *s)
{
	find_spans(s);
	for (size_t i = 0; i < s->samples.n; i++)
		s->samples.at[i].time -= s->first[s->samples.at[i].side];
	if (!s->samples.n)
		return;
	sort_samples(s);
	if (s->how.times)
		stacks_fold(s);
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
