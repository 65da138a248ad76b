// SPDX-License-Identifier: MIT
/* Streams made of raw ones: frames resolved, trees of steps, the hottest of these, and pairs. */
#include "analysis/streams/streams_private.h"

#include "base/buf.h"
#include "base/keyed.h"

/* Of an event's period, in percent. */
#define STREAM_LEAST 0.5

struct stream_node {
	struct stream_step *steps;
	size_t n;
	uint64_t period;
	VEC(struct stream_node *) below; /* by their first step: descending */
};

/* The samples of one source line, symbol and dso of an event. */
struct stream_entry {
	uint32_t event;
	uint32_t line; /* in streams_making.lines */
	uint32_t frame;
	uint64_t period;
	const struct thread *thread; /* of the first sample */
	size_t depth;		     /* steps of the sample with the most */
	struct stream_node root;     /* no steps */
};

struct streams_making {
	struct streams *s;
	const struct raw_streams *raw;
	struct intern lines;
	struct intern keys; /* of entries: {event, line, symbol, dso}; the id is the index */
	VEC(struct stream_entry) entries;
	VEC(struct stream_step) steps;	/* of the raw stream at hand */
	VEC(struct stream_node *) ends; /* of the entry at hand: the nodes that count */
};

/* -- steps -- */

const char *streams_line(const struct streams *s, uint32_t id)
{
	const struct frame *frame = frames_at(&s->frames, id);
	const struct frame_where *where = frame->where;

	if (where->srcline)
		return where->srcline;
	return frame->lines_asked && where->sym && !where->sym->plt ? "??:0" : NULL;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Ascending; NULL comes first. */
static int compare_names(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

/* The order of steps without lines: by dso, then by function; without functions by address. */
static int frame_compare(const struct frame *a, const struct frame *b)
{
	const struct frame_where *left = a->where, *right = b->where;
	const bool functions = left->sym && right->sym;

	if (left->dso != right->dso)
		return compare_names(left->dso ? left->dso->long_name : NULL,
				     right->dso ? right->dso->long_name : NULL);
	return functions ? compare_numbers(left->sym->start, right->sym->start)
			 : compare_numbers(a->ip, b->ip);
}

/* perf's order of steps: by source line; those without one are greater than all others. */
static int step_compare(const struct streams *s, const struct stream_step *a,
			const struct stream_step *b)
{
	const char *left = streams_line(s, a->frame), *right = streams_line(s, b->frame);

	if (a->frame == b->frame)
		return 0;
	if (left && right)
		return strcmp(left, right);
	if (left || right)
		return left ? -1 : 1;
	return frame_compare(frames_at(&s->frames, a->frame), frames_at(&s->frames, b->frame));
}

/* Appends the steps of the raw call chain words[0..n), which begins in user space. */
static void steps_add_chain(struct streams_making *m, uint32_t epoch, const uint64_t *words,
			    size_t n)
{
	struct raw_chain walk = {.words = words, .n = n, .mode = MISC_USER};
	uint64_t ip;

	while (raw_chain_next(&walk, &ip) && walk.mode)
		vec_add(&m->steps,
			(struct stream_step){frames_get(&m->s->frames, epoch, walk.mode, ip, false),
					     0, 0});
}

static const struct raw_stream *raw_stream_at(const struct raw_streams *raw, uint32_t id, size_t *n)
{
	const struct intern_entry *content = &raw->contents.entries.at[id];

	*n = (content->n - sizeof(struct raw_stream)) / sizeof(uint64_t);
	return content->p;
}

/* Sets m->steps to those of a raw stream. */
static void steps_make(struct streams_making *m, uint32_t id)
{
	const struct raw_sum *sum = &m->raw->sums.at[id];
	const uint64_t *cycles = m->raw->cycles.at + sum->cycles;
	size_t n;
	const struct raw_stream *raw = raw_stream_at(m->raw, id, &n);
	const uint32_t epoch = (uint32_t)(raw->space >> 8);
	const size_t ends = 2 * (size_t)raw->n_branches;

	vec_clear(&m->steps);
	for (size_t i = 0; i < ends; i++) {
		const uint32_t frame =
			frames_get(&m->s->frames, epoch, (uint8_t)raw->space, raw->words[i], true);

		vec_add(&m->steps,
			(struct stream_step){frame, sum->samples, i % 2 ? cycles[i / 2] : 0});
	}
	steps_add_chain(m, epoch, raw->words + ends, n - ends);
}

/* -- trees -- */

static struct stream_node *node_new(struct streams *s, struct stream_step *steps, size_t n,
				    uint64_t period)
{
	struct stream_node *node = arena_alloc(&s->arena, sizeof(*node));

	*node = (struct stream_node){.steps = steps, .n = n, .period = period};
	return node;
}

/* The index of the node whose first step is this one, or where such a node belongs. */
static size_t node_find_below(const struct streams *s, const struct stream_node *node,
			      const struct stream_step *step, bool *found)
{
	size_t low = 0, high = node->below.n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = step_compare(s, step, node->below.at[middle]->steps);

		if (!order) {
			*found = true;
			return middle;
		}
		if (order > 0)
			high = middle;
		else
			low = middle + 1;
	}
	*found = false;
	return low;
}

static void node_insert_below(struct stream_node *node, size_t at, struct stream_node *new)
{
	vec_add(&node->below, new);
	memmove(node->below.at + at + 1, node->below.at + at,
		(node->below.n - 1 - at) * sizeof(*node->below.at));
	node->below.at[at] = new;
}

/* Cuts the node after so many of its steps: a new node below it takes the rest. */
static void node_split(struct streams *s, struct stream_node *node, size_t n)
{
	struct stream_node *rest = node_new(s, node->steps + n, node->n - n, node->period);

	rest->below.at = node->below.at;
	rest->below.n = node->below.n;
	rest->below.cap = node->below.cap;
	node->below.at = NULL;
	node->below.n = node->below.cap = 0;
	vec_add(&node->below, rest);
	node->n = n;
	node->period = 0;
}

/* Adds the counts of equal steps to the node's; returns how many are equal. */
static size_t node_add_steps(const struct streams *s, struct stream_node *node,
			     const struct stream_step *steps, size_t n)
{
	size_t same = 0;

	while (same < n && same < node->n && !step_compare(s, &node->steps[same], &steps[same])) {
		node->steps[same].branches += steps[same].branches;
		node->steps[same].cycles += steps[same].cycles;
		same++;
	}
	return same;
}

static void tree_add(struct streams *s, struct stream_node *node, const struct stream_step *steps,
		     size_t n, uint64_t period)
{
	while (n) {
		bool found;
		const size_t at = node_find_below(s, node, steps, &found);
		size_t same;

		if (!found) {
			struct stream_step *own = arena_copy(&s->arena, steps, n * sizeof(*own));

			node_insert_below(node, at, node_new(s, own, n, period));
			return;
		}
		node = node->below.at[at];
		same = node_add_steps(s, node, steps, n);
		if (same < node->n)
			node_split(s, node, same);
		if (same == n)
			node->period += period;
		steps += same;
		n -= same;
	}
}

/* Notes the nodes where samples of at least that period end, those below first, and frees what the
 * nodes own. A tree is no deeper than the words of one sample. */
static void node_note_ends(struct streams_making *m, struct stream_node *node, uint64_t least)
{
	for (size_t i = 0; i < node->below.n; i++)
		node_note_ends(m, node->below.at[i], least);
	vec_release(&node->below);
	if (node->period && node->period >= least)
		vec_add(&m->ends, node);
}

/* -- entries -- */

static struct stream_entry *stream_entry_get(struct streams_making *m, const struct raw_stream *raw,
					     const struct thread *thread)
{
	struct frames *f = &m->s->frames;
	const uint32_t id =
		frames_get(f, (uint32_t)(raw->space >> 8), (uint8_t)raw->space, raw->ip, false);
	const struct frame *frame = frames_at(f, id);
	AUTO_BUF line = {0};
	uint32_t key[4];
	uint32_t entry;

	frame_line_text(frame, &line);
	key[0] = raw->event;
	key[1] = intern_str(&m->lines, buf_text(&line));
	key[2] = frame->symbol_id;
	key[3] = frame->where->dso_name;
	entry = intern_put(&m->keys, key, sizeof(key));
	if (entry == m->entries.n)
		vec_add(&m->entries, (struct stream_entry){.event = raw->event,
							   .line = key[1],
							   .frame = id,
							   .thread = thread});
	return &m->entries.at[entry];
}

/* The order of perf's report with --children, by source line, symbol and dso: of two entries of one
 * thread with equal periods, the one with shorter chains comes first. */
static int entry_order(const void *a, const void *b, void *ctx)
{
	const struct streams_making *m = ctx;
	const struct stream_entry *l = a, *r = b;
	const struct frame_where *left = frames_at(&m->s->frames, l->frame)->where;
	const struct frame_where *right = frames_at(&m->s->frames, r->frame)->where;
	int order;

	if (l->period != r->period)
		return l->period < r->period ? 1 : -1;
	if (l->thread == r->thread && l->depth != r->depth)
		return l->depth < r->depth ? -1 : 1;
	order = strcmp(intern_text(&m->lines, l->line), intern_text(&m->lines, r->line));
	if (!order)
		order = compare_names(left->name, right->name);
	if (!order)
		order = compare_names(left->dso ? left->dso->short_name : NULL,
				      right->dso ? right->dso->short_name : NULL);
	return order;
}

/* -- the hottest -- */

static uint64_t steps_cycles(const struct streams *s, const struct stream_node *node)
{
	uint64_t cycles = 0;

	for (size_t i = 0; i < node->n; i++)
		if (node->steps[i].branches && streams_line(s, node->steps[i].frame))
			cycles += node->steps[i].cycles / node->steps[i].branches;
	return cycles;
}

/* A node that is hotter than the least hot stream takes its place. */
static void streams_keep(struct streams *s, struct event_streams *of,
			 const struct stream_node *node)
{
	size_t at = 0;

	of->period += node->period;
	if (of->n < STREAMS_MOST) {
		at = of->n++;
	} else {
		for (size_t i = 1; i < of->n; i++)
			if (of->at[i].period < of->at[at].period)
				at = i;
		if (node->period <= of->at[at].period)
			return;
	}
	of->at[at] =
		(struct stream){node->steps, node->n, node->period, steps_cycles(s, node), NULL};
}

/* Descending by period; equal ones stay as they are. */
static void nodes_sort(struct stream_node **at, size_t n)
{
	struct keyed *order = mem_alloc(n * sizeof(*order));
	struct stream_node **sorted = mem_alloc(n * sizeof(struct stream_node *));

	for (size_t i = 0; i < n; i++)
		order[i] = (struct keyed){~at[i]->period, (uint32_t)i};
	keyed_sort(order, n);
	for (size_t i = 0; i < n; i++)
		sorted[i] = at[order[i].id];
	memcpy(at, sorted, n * sizeof(struct stream_node *));
	free(order);
	free(sorted);
}

static void streams_rank(struct streams_making *m)
{
	qsort_r(m->entries.at, m->entries.n, sizeof(*m->entries.at), entry_order, m);
	for (size_t i = 0; i < m->entries.n; i++) {
		struct stream_entry *e = &m->entries.at[i];
		const double total = (double)m->raw->periods.at[e->event];

		vec_clear(&m->ends);
		node_note_ends(m, &e->root, (uint64_t)(total * (STREAM_LEAST / 100)));
		nodes_sort(m->ends.at, m->ends.n);
		for (size_t k = 0; k < m->ends.n; k++)
			streams_keep(m->s, &m->s->of.at[e->event], m->ends.at[k]);
	}
}

void streams_make(struct streams *s, const struct raw_streams *raw)
{
	struct streams_making m = {.s = s, .raw = raw};
	size_t n;

	for (size_t i = 0; i < MAX(s->events->events.n, raw->periods.n); i++)
		vec_add(&s->of, (struct event_streams){0});
	/* all frames first: their lines are then looked up at once */
	for (uint32_t i = 0; i < raw->sums.n; i++) {
		const struct raw_stream *content = raw_stream_at(raw, i, &n);

		frames_get(&s->frames, (uint32_t)(content->space >> 8), (uint8_t)content->space,
			   content->ip, false);
		steps_make(&m, i);
	}
	frames_find_lines(&s->frames);
	for (uint32_t i = 0; i < raw->sums.n; i++) {
		struct stream_entry *e =
			stream_entry_get(&m, raw_stream_at(raw, i, &n), raw->sums.at[i].thread);

		steps_make(&m, i);
		e->depth = MAX(e->depth, m.steps.n);
		e->period += raw->sums.at[i].period;
		tree_add(s, &e->root, m.steps.at, m.steps.n, raw->sums.at[i].period);
	}
	streams_rank(&m);
	intern_release(&m.lines);
	intern_release(&m.keys);
	vec_release(&m.entries);
	vec_release(&m.steps);
	vec_release(&m.ends);
}

/* -- pairs -- */

/* True when all lines are equal that both streams have, and there is one. */
static bool streams_equal(const struct streams *a, const struct stream *x, const struct streams *b,
			  const struct stream *y)
{
	bool some = false;

	if (x->n != y->n)
		return false;
	for (size_t i = 0; i < x->n; i++) {
		const char *left = streams_line(a, x->steps[i].frame);
		const char *right = streams_line(b, y->steps[i].frame);

		if (!left || !right)
			continue;
		if (strcmp(left, right))
			return false;
		some = true;
	}
	return some;
}

void streams_match(struct streams *old, size_t old_event, struct streams *new, size_t new_event)
{
	struct event_streams *from = &old->of.at[old_event], *to = &new->of.at[new_event];

	for (size_t i = 0; i < from->n; i++)
		for (size_t k = 0; k < to->n; k++)
			if (streams_equal(old, &from->at[i], new, &to->at[k])) {
				from->at[i].pair = &to->at[k];
				to->at[k].pair = &from->at[i];
				break;
			}
}
