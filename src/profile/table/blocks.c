// SPDX-License-Identifier: MIT
#include "profile/table/blocks.h"
#include "profile/profile.h"
#include "profile/order/tree_sort.h"


enum { PLACE_FROM, PLACE_START, PLACE_SPACE, PLACE_STARTED, PLACE_WORDS };

static struct stretch_sum *sum_of(struct stretches *s, const void *place)
{
	uint32_t id = intern_put(&s->places, place, PLACE_WORDS * sizeof(uint64_t));

	if (id == s->sums.n)
		memset(vec_extend(&s->sums, 1), 0, sizeof(struct stretch_sum));
	return &s->sums.at[id];
}

/* The newest branch stands first; where it has no cycles, the hardware counts none. */
void stretches_add(struct stretches *s, const struct sample *sample, uint64_t space)
{
	uint64_t place[PLACE_WORDS] = {[PLACE_SPACE] = space};
	struct branch_entry b;

	if (!s->wanted || !sample->branch_nr)
		return;
	memcpy(&b, &sample->branches[0], sizeof(b));
	if (!branch_cycles(b.flags))
		return;
	for (uint64_t i = sample->branch_nr; i-- > 0;) {
		memcpy(&b, &sample->branches[i], sizeof(b));
		place[PLACE_FROM] = b.from;
		if (branch_cycles(b.flags)) {
			struct stretch_sum *sum = sum_of(s, place);

			sum->cycles += branch_cycles(b.flags);
			sum->count++;
		}
		s->cycles += branch_cycles(b.flags);
		place[PLACE_START] = b.to;
		place[PLACE_STARTED] = true;
	}
}

void stretches_merge(struct stretches *s, const struct stretches *other)
{
	for (uint32_t i = 0; i < other->sums.n; i++) {
		struct stretch_sum *sum = sum_of(s, other->places.entries.at[i].p);

		sum->cycles += other->sums.at[i].cycles;
		sum->count += other->sums.at[i].count;
	}
	s->cycles += other->cycles;
}

void stretches_release(struct stretches *s)
{
	intern_release(&s->places);
	vec_release(&s->sums);
}

/* -- blocks -- */

/* Where the stretch starts in the symbol it ends in; 0 when it isn't known. False: it counts
 * nowhere. */
static bool find_start(struct profile *p, const uint64_t *place, const struct frame *from,
		       uint64_t *start)
{
	const struct symbol *sym = from->sym;
	struct frame to;

	*start = 0;
	if (!place[PLACE_STARTED])
		return true;
	to = *frames_at(&p->frames, frames_get(&p->frames, (uint32_t)(place[PLACE_SPACE] >> 8),
					       (uint8_t)place[PLACE_SPACE], place[PLACE_START], true));
	if (to.sym != sym || !to.addr)
		return true;
	if (to.addr < sym->start || to.addr >= sym->end)
		return false;
	*start = to.addr < from->addr ? to.addr : 0;
	return true;
}

static void add_stretch(struct blocks *b, struct intern *ends, struct idmap *started,
			struct profile *p, uint32_t i)
{
	const struct stretches *s = &p->cells.stretches;
	uint64_t place[PLACE_WORDS], start;
	struct block *block;
	struct frame from;
	uint32_t frame, id, *has;

	memcpy(place, s->places.entries.at[i].p, sizeof(place));
	frame = frames_get(&p->frames, (uint32_t)(place[PLACE_SPACE] >> 8),
			   (uint8_t)place[PLACE_SPACE], place[PLACE_FROM], true);
	from = *frames_at(&p->frames, frame);
	if (!from.sym || from.addr < from.sym->start || from.addr >= from.sym->end ||
	    !find_start(p, place, &from, &start))
		return;
	id = intern_put(ends, (uint64_t[]){(uintptr_t)from.sym, from.addr}, 2 * sizeof(uint64_t));
	if (id == b->all.n) {
		block = vec_extend(&b->all, 1);
		*block = (struct block){from.sym, frame, 0, from.addr - from.sym->start, 0, 0};
	}
	block = &b->all.at[id];
	block->cycles += s->sums.at[i].cycles;
	block->count += s->sums.at[i].count;
	if (!start)
		return;
	has = idmap_put(started, id);
	if (*has == HASH_NONE || start - from.sym->start < block->start)
		block->start = start - from.sym->start;
	*has = 1;
}

static int by_symbol(const void *a, const void *b)
{
	const struct block *l = a, *r = b;

	if (l->sym != r->sym)
		return l->sym < r->sym ? -1 : 1;
	return (l->end > r->end) - (l->end < r->end);
}

void blocks_init(struct blocks *b, struct profile *p)
{
	struct intern ends = {0};
	struct idmap started = {0};

	memset(b, 0, sizeof(*b));
	b->cycles = p->cells.stretches.cycles;
	for (uint32_t i = 0; i < p->cells.stretches.sums.n; i++)
		add_stretch(b, &ends, &started, p, i);
	if (b->all.n)
		qsort(b->all.at, b->all.n, sizeof(*b->all.at), by_symbol);
	intern_release(&ends);
	idmap_release(&started);
}

void blocks_release(struct blocks *b)
{
	vec_release(&b->all);
}

static int by_name(const void *a, const void *b)
{
	const struct block *l = *(const struct block *const *)a;
	const struct block *r = *(const struct block *const *)b;
	int order = strcmp(l->sym->name, r->sym->name);

	if (order)
		return -order;
	if (l->start != r->start)
		return l->start > r->start ? -1 : 1;
	return (l->end < r->end) - (l->end > r->end);
}

static int by_cycles(void *ctx, const void *a, const void *b)
{
	const struct block *l = a, *r = b;

	(void)ctx;
	return (l->cycles < r->cycles) - (l->cycles > r->cycles);
}

/* Where the blocks of a symbol begin. */
static size_t first_of(const struct blocks *b, const struct symbol *sym)
{
	size_t low = 0, high = b->all.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (b->all.at[middle].sym < sym)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* perf adds a symbol's averages once for each entry that leads to it. */
size_t blocks_of_event(const struct blocks *b, const struct profile *p,
		       const struct event_entries *ev, const struct block ***shown,
		       uint64_t *average)
{
	const struct block **at = mem_alloc((b->all.n + 1) * sizeof(*at));
	bool *taken = mem_zero(b->all.n + 1);
	size_t n = 0, kept = 0;

	*average = 0;
	for (size_t i = 0; i < ev->entries.n; i++) {
		const struct symbol *sym = frames_at(&p->frames, ev->entries.at[i]->first.to)->sym;

		for (size_t k = sym ? first_of(b, sym) : b->all.n;
		     k < b->all.n && b->all.at[k].sym == sym; k++) {
			*average += b->all.at[k].cycles / b->all.at[k].count;
			if (!taken[k])
				at[n++] = &b->all.at[k];
			taken[k] = true;
		}
	}
	qsort(at, n, sizeof(*at), by_name);
	for (size_t i = 0; i < n; i++)
		if (!kept || by_name(&at[kept - 1], &at[i]))
			at[kept++] = at[i];
	tree_sort((void **)(uintptr_t)at, kept, by_cycles, NULL);
	free(taken);
	*shown = at;
	return kept;
}
