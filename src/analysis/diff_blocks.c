// SPDX-License-Identifier: MIT
#include "analysis/diff_blocks.h"
#include "analysis/diff.h"

#include <math.h>

/* The function of the entry's first sample. */
static const struct symbol *diff_entry_symbol(const struct table *table, const struct entry *e)
{
	return table_frame(table, table->samples->ids.frames[e->first.cell])->where->sym;
}

static void diff_cell_add_blocks(struct diff_cell *c, const struct blocks *blocks,
				 const struct table *table, const struct entry *e)
{
	const struct block **found;
	const size_t n = blocks_of_symbol(blocks, diff_entry_symbol(table, e), &found);

	for (size_t i = 0; i < n; i++)
		vec_add(&c->blocks, (struct diff_block){.block = found[i]});
	free(found);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

static void diff_block_compare(struct diff_block *b, const struct block *old)
{
	const struct block *new = b->block;

	b->cycles = (int64_t)(new->cycles / new->count) - (int64_t)(old->cycles / old->count);
	b->n_differences = MIN(new->first.n, old->first.n);
	for (uint32_t i = 0; i < b->n_differences; i++)
		b->differences[i] = distance(new->first.at[i].cycles, old->first.at[i].cycles);
}

static bool is_same_block(const struct block *a, const struct block *b)
{
	return a->start == b->start && a->end == b->end && !strcmp(a->sym->name, b->sym->name);
}

/* Orders blocks by the size of their change, descending, then by offset. */
static int by_change(const void *a, const void *b)
{
	const struct diff_block *l = a, *r = b;
	const int64_t x = l->cycles < 0 ? -l->cycles : l->cycles;
	const int64_t y = r->cycles < 0 ? -r->cycles : r->cycles;

	if (x != y)
		return x < y ? 1 : -1;
	if (l->block->start != r->block->start)
		return l->block->start < r->block->start ? -1 : 1;
	return (l->block->end > r->block->end) - (l->block->end < r->block->end);
}

/* Compares a cell's blocks with the baseline's; both are in the order of offsets. */
static void diff_cell_compare_blocks(struct diff_cell *c, const struct diff_cell *old)
{
	for (size_t i = 0; i < c->blocks.n; i++)
		for (size_t k = 0; k < old->blocks.n; k++)
			if (is_same_block(c->blocks.at[i].block, old->blocks.at[k].block)) {
				diff_block_compare(&c->blocks.at[i], old->blocks.at[k].block);
				break;
			}
	if (c->blocks.n)
		qsort(c->blocks.at, c->blocks.n, sizeof(*c->blocks.at), by_change);
}

static size_t diff_table_index(const struct diff *d, const struct table *table)
{
	size_t i = 0;

	while (d->tables[i] != table)
		i++;
	return i;
}

void diff_blocks_compare(struct diff *d)
{
	d->blocks = mem_zero(d->n_tables * sizeof(*d->blocks));
	for (size_t i = 0; i < d->n_tables; i++)
		blocks_init(&d->blocks[i], d->tables[i]);
	for (size_t i = 0; i < d->rows.n; i++) {
		struct diff_row *row = &d->rows.at[i];

		diff_cell_add_blocks(&row->cells[0], &d->blocks[diff_table_index(d, row->table)],
				     row->table, row->entry);
		for (size_t k = 1; k < d->n_tables; k++) {
			struct diff_cell *c = &row->cells[k];

			if (!c->present)
				continue;
			diff_cell_add_blocks(c, &d->blocks[k], d->tables[k], c->entry);
			diff_cell_compare_blocks(c, &row->cells[0]);
		}
	}
}

void diff_blocks_release(struct diff *d)
{
	for (size_t i = 0; d->blocks && i < d->n_tables; i++)
		blocks_release(&d->blocks[i]);
	free(d->blocks);
}

double diff_block_spread(const struct diff_block *b)
{
	const double n = b->n_differences;
	double mean = 0, squares = 0;

	for (uint32_t i = 0; i < b->n_differences; i++)
		mean += (double)b->differences[i] / n;
	for (uint32_t i = 0; i < b->n_differences; i++)
		squares += pow((double)b->differences[i] - mean, 2);
	return n > 1 && mean > 0 ? 100 * sqrt(squares / (n - 1) / n) / mean : 0;
}
