// SPDX-License-Identifier: MIT
#include "profile/table/calltree.h"
#include "profile/order/columns.h"

#include <string.h>

void calltree_params_default(struct calltree_params *p, bool children)
{
	*p = (struct calltree_params){
		.mode = CALLTREE_GRAPH,
		.order = children ? ORDER_CALLER : ORDER_CALLEE,
		.key = CALLTREE_BY_FUNCTION,
		.value = CALLTREE_PERCENT,
		.min_percent = 0.5,
	};
}

struct ranked {
	const struct dso *dso;
	uint64_t addr;	/* start of the function in memory, or the address itself */
	uint64_t start; /* of the function, in its dso; 0 for an address */
	const char *text; /* compared alone: a line, an inlined function */
	uint32_t id;
};

static int compare_ranked(const void *x, const void *y)
{
	const struct ranked *p = x, *q = y;

	if (p->text || q->text) {
		if (!p->text || !q->text)
			return p->text ? 1 : -1;
		return strcmp(q->text, p->text);
	}
	/* Siblings of one weight: the last dso and the highest address first. */
	if (p->dso != q->dso)
		return p->dso->index > q->dso->index ? -1 : 1;
	if (p->addr != q->addr)
		return p->addr > q->addr ? -1 : 1;
	return p->start > q->start ? -1 : p->start < q->start;
}

/* Functions are equal by their place in the dso, but sorted among addresses by their place in
 * memory: that in the first map met, when the dso is mapped several times. */
static uint64_t place_in_memory(struct idmap *firsts, const struct frames *frames, uint32_t id)
{
	const struct frame *f = frames_at(frames, id), *first;
	uint32_t *known = idmap_put(firsts, f->where->dso->index);

	if (*known == HASH_NONE)
		*known = id;
	first = frames_at(frames, *known);
	return first->ip - frame_addr(first) + f->where->sym->start;
}

static struct ranked ranked_of(const struct frames *frames, uint32_t id, enum calltree_key key,
			       struct idmap *firsts)
{
	const struct frame *f = frames_at(frames, id);
	struct ranked r = {.dso = f->where->dso, .addr = f->ip, .id = id};

	if (key == CALLTREE_BY_FUNCTION && f->inlined)
		r.text = f->where->name;
	else if (key == CALLTREE_BY_SRCLINE && f->where->srcline)
		r.text = f->where->srcline;
	else if (key == CALLTREE_BY_FUNCTION && f->where->sym) {
		r.addr = place_in_memory(firsts, frames, id);
		r.start = f->where->sym->start;
	}
	return r;
}

/* Ranks frames without a dso, which come after those with one, by address, the highest first.
 * Returns the next rank. */
static uint32_t rank_nowhere(const struct frames *frames, const uint32_t *ids, size_t n,
			     uint32_t rank, uint32_t *ranks)
{
	uint32_t *order = mem_alloc(n * sizeof(*order));
	struct order_columns c;
	uint64_t *addresses;

	order_columns_init(&c, NULL, n);
	addresses = order_columns_add(&c, ORDER_NUMBER);
	for (uint32_t i = 0; i < n; i++) {
		addresses[i] = ~frames_at(frames, ids[i])->ip;
		order[i] = i;
	}
	order_columns_sort(&c, 0, 1, order);
	for (size_t i = 0; i < n; i++) {
		rank += i && addresses[order[i - 1]] != addresses[order[i]];
		ranks[ids[order[i]]] = rank;
	}
	order_columns_release(&c);
	free(order);
	return rank + (n != 0);
}

uint32_t *calltree_ranks(const struct frames *frames, enum calltree_key key)
{
	uint32_t n = (uint32_t)frames->frames.n, rank = 0;
	uint32_t *ranks = mem_alloc(n * sizeof(*ranks));
	VEC(struct ranked) known = {0};
	VEC(uint32_t) nowhere = {0};
	struct idmap firsts = {0}; /* of each dso: its first frame */
	size_t i = 0;

	for (uint32_t id = 0; id < n; id++) {
		struct ranked r = ranked_of(frames, id, key, &firsts);

		if (r.dso || r.text)
			vec_add(&known, r);
		else
			vec_add(&nowhere, id);
	}
	if (known.n)
		qsort(known.at, known.n, sizeof(*known.at), compare_ranked);
	for (; i < known.n && !known.at[i].text; i++) {
		rank += i && compare_ranked(&known.at[i - 1], &known.at[i]);
		ranks[known.at[i].id] = rank;
	}
	rank = rank_nowhere(frames, nowhere.at, nowhere.n, rank + (i != 0), ranks);
	for (size_t k = i; k < known.n; k++) {
		rank += k > i && compare_ranked(&known.at[k - 1], &known.at[k]);
		ranks[known.at[k].id] = rank;
	}
	idmap_release(&firsts);
	vec_release(&known);
	vec_release(&nowhere);
	return ranks;
}

struct build {
	struct arena *arena;
	const struct chain_set *chains;
	const uint32_t *ranks;
	int step;
	uint64_t min_hit;
	uint64_t *keys, *spare;	/* room for one per hit */
	struct chain_hit *hits; /* room for one per hit */
};

static uint32_t hit_length(const struct build *b, const struct chain_hit *h)
{
	return b->step > 0 ? chain_set_length(b->chains, h->chain) - h->from : h->from + 1;
}

static uint32_t hit_frame(const struct build *b, const struct chain_hit *h, uint32_t i)
{
	return chain_set_frame(b->chains, h->chain, b->step > 0 ? h->from + i : h->from - i);
}

static uint32_t hit_rank(const struct build *b, const struct chain_hit *h, uint32_t i)
{
	return b->ranks[hit_frame(b, h, i)];
}

static int compare_hits(const void *x, const void *y, void *ctx)
{
	const struct build *b = ctx;
	const struct chain_hit *p = x, *q = y;
	uint32_t np = hit_length(b, p), nq = hit_length(b, q);

	for (uint32_t i = 0; i < np && i < nq; i++) {
		uint32_t rp = hit_rank(b, p, i), rq = hit_rank(b, q, i);

		if (rp != rq)
			return rp < rq ? -1 : 1;
	}
	return np < nq ? -1 : np > nq;
}

/* The number of first frames that all these hits share; at least depth. */
static uint32_t shared_frames(const struct build *b, const struct chain_hit *at,
			      const struct chain_hit *end, uint32_t depth)
{
	if (at + 1 == end)
		return hit_length(b, at);
	for (;; depth++) {
		uint32_t rank;

		if (hit_length(b, at) == depth)
			return depth;
		rank = hit_rank(b, at, depth);
		for (const struct chain_hit *h = at + 1; h < end; h++)
			if (hit_length(b, h) == depth || hit_rank(b, h, depth) != rank)
				return depth;
	}
}

/* A node whose hits [at, end) still have to be split. */
struct pending {
	struct calltree_node *node;
	struct chain_hit *at, *end;
	uint32_t depth;
};

#define DIGIT 8 /* bits */
#define FEW   32

/* Sorts keys by their upper halves; their lower halves are in order already. */
static void sort_keys(uint64_t *keys, uint64_t *spare, size_t n, uint64_t differ)
{
	uint64_t *from = keys, *to = spare;

	for (size_t i = 1; i < n && n <= FEW; i++) {
		uint64_t key = keys[i];
		size_t k = i;

		for (; k && keys[k - 1] > key; k--)
			keys[k] = keys[k - 1];
		keys[k] = key;
	}
	for (unsigned int shift = 32; shift < 64 && n > FEW; shift += DIGIT) {
		size_t starts[1 << DIGIT] = {0}, next = 0;
		uint64_t *done = from;

		if (!(uint8_t)(differ >> shift))
			continue;
		for (size_t i = 0; i < n; i++)
			starts[(uint8_t)(from[i] >> shift)]++;
		for (size_t d = 0; d < ARRAY_SIZE(starts); d++) {
			size_t count = starts[d];

			starts[d] = next;
			next += count;
		}
		for (size_t i = 0; i < n; i++)
			to[starts[(uint8_t)(from[i] >> shift)]++] = from[i];
		from = to;
		to = done;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof(*keys));
}

/* Puts hits in order of their next frames: first those that end here; equals as they stand. The
 * upper halves of b->keys are then 0, or one more than the ranks of these frames. Returns the
 * number of different keys. */
static size_t arrange(const struct build *b, const struct pending *job)
{
	size_t n = (size_t)(job->end - job->at), different = n > 0;
	uint64_t differ = 0;
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		const struct chain_hit *h = &job->at[i];
		uint64_t rank =
			hit_length(b, h) == job->depth ? 0 : hit_rank(b, h, job->depth) + 1ull;

		b->keys[i] = rank << 32 | i;
		sorted &= !i || b->keys[i - 1] < b->keys[i];
		differ |= b->keys[i] ^ b->keys[0];
	}
	if (!sorted) {
		sort_keys(b->keys, b->spare, n, differ);
		memcpy(b->hits, job->at, n * sizeof(*job->at));
		for (size_t i = 0; i < n; i++)
			job->at[i] = b->hits[(uint32_t)b->keys[i]];
	}
	for (size_t i = 1; i < n; i++)
		different += b->keys[i - 1] >> 32 != b->keys[i] >> 32;
	return different;
}

static const uint32_t *hit_copy_frames(const struct build *b, const struct chain_hit *h,
				       uint32_t from, uint32_t n)
{
	uint32_t *frames = arena_alloc(b->arena, n * sizeof(*frames));

	for (uint32_t i = 0; i < n; i++)
		frames[i] = hit_frame(b, h, from + i);
	return frames;
}

/* Splits the hits of a node, which were arranged last, by their next frame into children, which
 * become pending in turn. */
static size_t split(const struct build *b, const struct pending *job, struct pending *out)
{
	struct calltree_node *node = job->node;
	struct chain_hit *h = job->at;
	const uint64_t *key = b->keys;
	size_t n = 0;

	for (; h < job->end && !(*key >> 32); h++, key++) {
		node->hit += h->period;
		node->count += h->samples;
	}
	while (h < job->end) {
		const uint64_t rank = *key >> 32;
		uint64_t period = 0, samples = 0;
		struct calltree_node *child;
		struct chain_hit *end = h;
		uint32_t depth;

		for (; end < job->end && *key >> 32 == rank; end++, key++) {
			period += end->period;
			samples += end->samples;
		}
		node->children_hit += period;
		node->children_count += samples;
		if (period >= b->min_hit) {
			depth = shared_frames(b, h, end, job->depth + 1);
			child = arena_alloc(b->arena, sizeof(*child));
			child->parent = node;
			child->n_frames = depth - job->depth;
			child->frames = hit_copy_frames(b, h, job->depth, child->n_frames);
			out[n++] = (struct pending){child, h, end, depth};
		}
		h = end;
	}
	node->n_children = (uint32_t)n;
	node->children = arena_alloc(b->arena, n * sizeof(struct calltree_node *));
	for (size_t i = 0; i < n; i++)
		node->children[i] = out[i].node;
	return n;
}

struct calltree_node *calltree_build(struct arena *arena, const struct chain_set *chains,
				     const uint32_t *ranks, enum calltree_order order,
				     uint64_t min_hit, struct chain_hit *hits, size_t n_hits)
{
	struct build b = {arena, chains, ranks, order == ORDER_CALLER ? -1 : 1, min_hit,
			  mem_alloc(n_hits * sizeof(*b.keys)), mem_alloc(n_hits * sizeof(*b.spare)),
			  mem_alloc(n_hits * sizeof(*b.hits))};
	struct calltree_node *root = arena_alloc(arena, sizeof(*root));
	VEC(struct pending) todo = {0};
	size_t kept = 0;

	/* a node shows the frames of its first hit: this order decides which of several frames of
	 * one rank that is */
	if (!min_hit)
		qsort_r(hits, n_hits, sizeof(*hits), compare_hits, &b);
	for (size_t i = 0; i < n_hits; i++)
		if (hit_length(&b, &hits[i]))
			hits[kept++] = hits[i];
	vec_add(&todo, (struct pending){root, hits, hits + kept, 0});
	while (todo.n) {
		struct pending job = todo.at[--todo.n];
		size_t most = arrange(&b, &job), made;
		struct pending *room = vec_extend(&todo, most);

		made = split(&b, &job, room);
		todo.n -= most - made;
	}
	vec_release(&todo);
	free(b.keys);
	free(b.spare);
	free(b.hits);
	return root;
}

/* Heaviest first; a stable merge sort, since equal weights keep their order. */
static void sort_by(const struct calltree_node **nodes, const struct calltree_node **spare,
		    size_t n, uint64_t (*weight)(const struct calltree_node *))
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort_by(nodes, spare, half, weight);
	sort_by(nodes + half, spare, n - half, weight);
	while (i < half && j < n)
		spare[k++] = weight(nodes[j]) > weight(nodes[i]) ? nodes[j++] : nodes[i++];
	while (i < half)
		spare[k++] = nodes[i++];
	while (j < n)
		spare[k++] = nodes[j++];
	memcpy(nodes, spare, n * sizeof(*nodes));
}

static uint64_t own_hit(const struct calltree_node *n)
{
	return n->hit;
}

size_t calltree_children(struct arena *arena, const struct calltree_node *node, uint64_t min_hit,
			 const struct calltree_node ***shown)
{
	const struct calltree_node **nodes =
		arena_alloc(arena, 2 * node->n_children * sizeof(*nodes));
	size_t n = 0;

	for (uint32_t i = 0; i < node->n_children; i++)
		if (calltree_period(node->children[i]) >= min_hit)
			nodes[n++] = node->children[i];
	sort_by(nodes, nodes + node->n_children, n, calltree_period);
	*shown = nodes;
	return n;
}

size_t calltree_leaves(struct arena *arena, const struct calltree_node *root, uint64_t min_hit,
		       const struct calltree_node ***shown)
{
	struct { const struct calltree_node *node; uint32_t next; } *top;
	VEC(__typeof__(*top)) stack = {0};
	VEC(const struct calltree_node *) found = {0};
	const struct calltree_node **nodes;
	size_t n;

	/* Children before their parent: the order in which equal weights are shown. */
	vec_add(&stack, (__typeof__(*top)){root, 0});
	while (stack.n) {
		top = (void *)vec_last(&stack);
		if (top->next < top->node->n_children) {
			const struct calltree_node *child = top->node->children[top->next++];

			vec_add(&stack, (__typeof__(*top)){child, 0});
			continue;
		}
		if (top->node->hit && top->node->hit >= min_hit)
			vec_add(&found, top->node);
		stack.n--;
	}
	n = found.n;
	nodes = arena_alloc(arena, 2 * n * sizeof(*nodes));
	if (n)
		memcpy(nodes, found.at, n * sizeof(*nodes));
	sort_by(nodes, nodes + n, n, own_hit);
	vec_release(&stack);
	vec_release(&found);
	*shown = nodes;
	return n;
}
