// SPDX-License-Identifier: MIT
#include "profile/table/blocks.h"
#include "profile/order/tree_sort.h"
#include "symbol/lines/lines.h"

/* The start of the stretch in the symbol that it ends in; 0: not known. False: the stretch is in no
 * block. */
static bool find_start(const struct table *table, const struct stretch *stretch,
		       const struct frame *end, uint64_t *start)
{
	const struct symbol *sym = end->where->sym;
	const struct frame *from;

	*start = 0;
	if (stretch->start == HASH_NONE)
		return true;
	from = table_frame(table, stretch->start);
	if (from->where->sym != sym || !frame_addr(from))
		return true;
	if (frame_rva(from) < sym->start || frame_rva(from) >= sym->end)
		return false;
	*start = frame_rva(from) < frame_rva(end) ? frame_rva(from) : 0;
	return true;
}

/* Merges the first samples of another stretch. */
static void stretch_first_merge(struct stretch_first *to, const struct stretch_first *from)
{
	struct stretch_first merged = {0};

	for (uint32_t a = 0, b = 0; merged.n < STRETCH_FIRST && (a < to->n || b < from->n);)
		if (b == from->n || (a < to->n && to->at[a].seq < from->at[b].seq))
			merged.at[merged.n++] = to->at[a++];
		else
			merged.at[merged.n++] = from->at[b++];
	*to = merged;
}

/* Takes a stretch's start for the block when it is the longest so far. first: its first samples, or
 * NULL where samples do not keep them. */
static void block_take_start(struct block *block, bool known, uint64_t start,
			     const struct stretch *stretch, const struct stretch_first *first)
{
	const bool has = block->started;

	if (known < has || (known && has && start > block->start))
		return;
	if (known > has || start < block->start) {
		block->first.n = 0;
		block->longest_cycles = 0;
		block->longest_count = 0;
	}
	if (first)
		stretch_first_merge(&block->first, first);
	block->longest_cycles += stretch->cycles;
	block->longest_count += stretch->count;
	block->start = start;
	block->started = known;
}

static void add_stretch(struct blocks *b, struct intern *ends, const struct table *table,
			const struct stretch *stretch)
{
	const struct frame *end = table_frame(table, stretch->end);
	struct block *block;
	const struct stretches *stretches = &table->samples->cells.stretches;
	const size_t index = (size_t)(stretch - stretches->all.at);
	uint64_t start;
	uint32_t id;

	if (!stretch->count || !end->where->sym || frame_rva(end) < end->where->sym->start ||
	    frame_rva(end) >= end->where->sym->end || !find_start(table, stretch, end, &start))
		return;
	id = intern_put(ends, (uint64_t[]){(uintptr_t)end->where->sym, frame_rva(end)},
			2 * sizeof(uint64_t));
	if (id == b->all.n) {
		block = vec_extend(&b->all, 1);
		*block = (struct block){.sym = end->where->sym,
					.frame = stretch->end,
					.end = frame_rva(end) - end->where->sym->start};
	}
	block = &b->all.at[id];
	block->cycles += stretch->cycles;
	block->count += stretch->count;
	if (!block->least || stretch->least < block->least)
		block->least = stretch->least;
	block->most = MAX(block->most, stretch->most);
	block_take_start(block, start != 0, start ? start - end->where->sym->start : 0, stretch,
			 stretches->keeps_first ? &stretches->first.at[index] : NULL);
}

static int by_symbol(const void *a, const void *b)
{
	const struct block *l = a, *r = b;

	if (l->sym != r->sym)
		return l->sym < r->sym ? -1 : 1;
	return (l->end > r->end) - (l->end < r->end);
}

void blocks_init(struct blocks *b, const struct table *table)
{
	const struct stretches *stretches = &table->samples->cells.stretches;
	struct intern ends = {0};

	memset(b, 0, sizeof(*b));
	b->cycles = stretches->cycles;
	for (size_t i = 0; i < stretches->all.n; i++)
		add_stretch(b, &ends, table, &stretches->all.at[i]);
	if (b->all.n)
		qsort(b->all.at, b->all.n, sizeof(*b->all.at), by_symbol);
	intern_release(&ends);
}

void blocks_release(struct blocks *b)
{
	vec_release(&b->all);
}

static int by_range(const void *a, const void *b)
{
	const struct block *l = *(const struct block *const *)a;
	const struct block *r = *(const struct block *const *)b;

	if (l->start != r->start)
		return l->start < r->start ? -1 : 1;
	return (l->end > r->end) - (l->end < r->end);
}

static int blocks_by_name(const void *a, const void *b)
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

/* The index of a symbol's first block. */
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

size_t blocks_of_symbol(const struct blocks *b, const struct symbol *sym,
			const struct block ***found)
{
	const size_t first = sym ? first_of(b, sym) : b->all.n;
	size_t n = 0;

	while (first + n < b->all.n && b->all.at[first + n].sym == sym)
		n++;
	*found = mem_alloc((n + 1) * sizeof(**found));
	for (size_t i = 0; i < n; i++)
		(*found)[i] = &b->all.at[first + i];
	qsort(*found, n, sizeof(**found), by_range);
	return n;
}

/* The line of an offset in the block's symbol. False: it isn't known. */
static bool block_line(const struct block *block, const struct frame *end, uint64_t offset,
		       struct buf *out)
{
	const struct source_place place = frame_source(end, block->end - offset);

	return place.n && source_line_text(&place.at[0], false, out);
}

/* Without lines perf shows offsets for files, and the function with its offsets for other code. */
void block_range(const struct block *block, const struct table *table, struct buf *out)
{
	const struct frame *end = table_frame(table, block->frame);
	const unsigned long long from = block->start, to = block->end;
	const size_t n = out->n;

	buf_char(out, '[');
	if (block_line(block, end, block->start, out)) {
		buf_str(out, " -> ");
		if (block_line(block, end, block->end, out)) {
			buf_char(out, ']');
			return;
		}
	}
	out->n = n;
	if (end->where->dso->kind == DSO_FILE)
		buf_printf(out, "[%7llx -> %7llx]", from, to);
	else
		buf_printf(out, "[%s+%llu -> %s+%llu]", end->where->name, from, end->where->name,
			   to);
}

/* perf adds a symbol's averages once for each entry that leads to it. */
size_t blocks_of_event(const struct blocks *b, const struct table *table,
		       const struct event_entries *ev, const struct block ***shown,
		       uint64_t *average)
{
	const struct block **at = mem_alloc((b->all.n + 1) * sizeof(*at));
	bool *taken = mem_zero(b->all.n + 1);
	size_t n = 0, kept = 0;

	*average = 0;
	for (size_t i = 0; i < ev->entries.n; i++) {
		const struct symbol *sym = table_first_to(table, ev->entries.at[i])->where->sym;

		for (size_t k = sym ? first_of(b, sym) : b->all.n;
		     k < b->all.n && b->all.at[k].sym == sym; k++) {
			*average += b->all.at[k].cycles / b->all.at[k].count;
			if (!taken[k])
				at[n++] = &b->all.at[k];
			taken[k] = true;
		}
	}
	qsort(at, n, sizeof(*at), blocks_by_name);
	for (size_t i = 0; i < n; i++)
		if (!kept || blocks_by_name(&at[kept - 1], &at[i]))
			at[kept++] = at[i];
	tree_sort((void **)(uintptr_t)at, kept, by_cycles, NULL);
	free(taken);
	*shown = at;
	return kept;
}
