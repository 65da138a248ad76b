// SPDX-License-Identifier: MIT
#include "analysis/annotate/annotate_branches.h"

static int branch_pass_compare(const void *x, const void *y)
{
	const struct branch_pass *a = x, *b = y;

	if (a->sym != b->sym)
		return a->sym < b->sym ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static void branch_code_add(struct branch_code *b, const struct table *table,
			    const struct stretch *stretch)
{
	const struct frame *start, *end;
	const struct symbol *sym;

	if (stretch->start == HASH_NONE)
		return;
	start = table_frame(table, stretch->start);
	end = table_frame(table, stretch->end);
	sym = start->where->sym;
	/* code that runs from one function into another has lost a branch */
	if (!sym || start->where->dso != end->where->dso || frame_rva(start) < sym->start ||
	    frame_rva(start) > frame_rva(end) || frame_rva(end) >= sym->end)
		return;
	vec_add(&b->passes, ((struct branch_pass){.dso = start->where->dso,
						  .sym = sym,
						  .start = frame_rva(start) - sym->start,
						  .end = frame_rva(end) - sym->start,
						  .passes = stretch->passes,
						  .predicted = stretch->predicted}));
}

void branch_code_init(struct branch_code *b, const struct table *table)
{
	const struct stretches *stretches = &table->samples->cells.stretches;

	*b = (struct branch_code){.known = stretches->all.n != 0};
	if (!b->known)
		return;
	blocks_init(&b->blocks, table);
	for (size_t i = 0; i < stretches->all.n; i++)
		branch_code_add(b, table, &stretches->all.at[i]);
	if (b->passes.n)
		qsort(b->passes.at, b->passes.n, sizeof(*b->passes.at), branch_pass_compare);
}

void branch_code_release(struct branch_code *b)
{
	blocks_release(&b->blocks);
	vec_release(&b->passes);
	*b = (struct branch_code){0};
}

/* -- instructions per cycle -- */

static bool line_is_between(const struct disasm *d, size_t line, uint64_t start, uint64_t end)
{
	const uint64_t vaddr = d->lines.at[line].vaddr;

	return vaddr != DISASM_NO_ADDRESS && vaddr - d->start >= start && vaddr - d->start <= end;
}

static unsigned int count_instructions(const struct disasm *d, uint64_t start, uint64_t end)
{
	unsigned int n = 0;

	for (size_t i = 0; i < d->lines.n; i++)
		n += line_is_between(d, i, start, end);
	return n;
}

/* Sums over the blocks of a function. */
struct ipc_sums {
	uint64_t cycles, instructions, covered;
};

/* Gives the instructions of a block its IPC where no block with a later end gave them one. */
static void fill_ipc(struct line_branches *l, const struct disasm *d, const struct block *block,
		     struct ipc_sums *sums)
{
	const unsigned int n = count_instructions(d, block->start, block->end);
	unsigned int covered = 0;
	float ipc;

	if (!n || !block->longest_cycles)
		return;
	ipc = (float)(n / ((double)block->longest_cycles / (double)block->longest_count));
	for (size_t i = 0; i < d->lines.n; i++)
		if (line_is_between(d, i, block->start, block->end) && l->cycles[i].ipc == 0) {
			l->cycles[i].ipc = ipc;
			covered++;
		}
	if (!covered)
		return;
	sums->cycles += block->longest_cycles;
	sums->instructions += n * block->longest_count;
	sums->covered += covered;
}

static size_t line_at_offset(const struct disasm *d, uint64_t offset)
{
	for (size_t i = 0; i < d->lines.n; i++)
		if (line_is_between(d, i, offset, offset))
			return i;
	return SIZE_MAX;
}

static int block_end_compare(const void *x, const void *y)
{
	const struct block *a = *(const struct block *const *)x;
	const struct block *b = *(const struct block *const *)y;

	return (a->end < b->end) - (a->end > b->end);
}

static void line_cycles_init(struct line_branches *l, const struct branch_code *b,
			     const struct symbol *sym, const struct disasm *d, struct arena *arena)
{
	const unsigned int total = count_instructions(d, 0, d->end - d->start);
	const struct block **blocks;
	const size_t n = blocks_of_symbol(&b->blocks, sym, &blocks);
	struct ipc_sums sums = {0};

	l->has_cycles = n != 0;
	if (n)
		l->cycles = arena_alloc(arena, d->lines.n * sizeof(*l->cycles));
	/* the block with the last end comes first, as in perf: where blocks overlap it wins */
	qsort(blocks, n, sizeof(*blocks), block_end_compare);
	for (size_t i = 0; i < n; i++) {
		const struct block *block = blocks[i];
		const size_t line = line_at_offset(d, block->end);

		if (block->started)
			fill_ipc(l, d, block, &sums);
		if (line == SIZE_MAX)
			continue;
		l->cycles[line].cycles = block->cycles / block->count;
		l->cycles[line].least = block->least;
		l->cycles[line].most = block->most;
	}
	free(blocks);
	if (sums.cycles)
		l->ipc = (double)sums.instructions / (double)sums.cycles;
	if (total)
		l->ipc_coverage = (double)sums.covered * 100.0 / total;
}

/* -- coverage -- */

/* An address where code was entered or left. Between two of them all code ran equally often. */
struct branch_edge {
	uint64_t at;		 /* offset in the symbol */
	uint64_t entered, taken; /* passes that begin and that end here */
	uint64_t predicted;	 /* of those that end here */
	uint64_t here, after;	 /* passes through the code at and behind it */
};
struct branch_edges {
	VEC(struct branch_edge) all;
	uint64_t most; /* passes of the most often executed code */
};

static int branch_edge_compare(const void *x, const void *y)
{
	const struct branch_edge *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

static void branch_edges_merge(struct branch_edges *e)
{
	size_t n = 0;
	uint64_t passes = 0;

	if (!e->all.n)
		return;
	qsort(e->all.at, e->all.n, sizeof(*e->all.at), branch_edge_compare);
	for (size_t i = 0; i < e->all.n; i++) {
		if (n && e->all.at[n - 1].at == e->all.at[i].at) {
			e->all.at[n - 1].entered += e->all.at[i].entered;
			e->all.at[n - 1].taken += e->all.at[i].taken;
			e->all.at[n - 1].predicted += e->all.at[i].predicted;
		} else {
			e->all.at[n++] = e->all.at[i];
		}
	}
	e->all.n = n;
	for (size_t i = 0; i < n; i++) {
		struct branch_edge *edge = &e->all.at[i];

		edge->here = passes += edge->entered;
		edge->after = passes -= edge->taken;
		e->most = MAX(e->most, edge->here);
	}
}

static void branch_edges_init(struct branch_edges *e, const struct branch_code *b,
			      const struct dso *dso, const struct symbol *sym)
{
	size_t low = 0, high = b->passes.n;

	*e = (struct branch_edges){0};
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (b->passes.at[middle].sym < sym)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < b->passes.n && b->passes.at[low].sym == sym; low++) {
		const struct branch_pass *p = &b->passes.at[low];

		if (p->dso != dso)
			continue;
		vec_add(&e->all, ((struct branch_edge){.at = p->start, .entered = p->passes}));
		vec_add(&e->all,
			((struct branch_edge){
				.at = p->end, .taken = p->passes, .predicted = p->predicted}));
	}
	branch_edges_merge(e);
}

static double share_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The passes through the code of the next branch at or behind edge i. */
static uint64_t passes_at_next_branch(const struct branch_edges *e, size_t i)
{
	while (i + 1 < e->all.n && !e->all.at[i].taken)
		i++;
	return e->all.at[i].here;
}

static void line_coverage_init(struct line_branches *l, const struct branch_edges *e,
			       const struct disasm *d, struct arena *arena)
{
	size_t next = 0; /* the first edge behind the last instruction */

	l->coverage = arena_alloc(arena, d->lines.n * sizeof(*l->coverage));
	for (size_t i = 0; i < d->lines.n; i++) {
		struct line_coverage *c = &l->coverage[i];
		const uint64_t offset = d->lines.at[i].vaddr - d->start;
		const struct branch_edge *edge;
		uint64_t here;

		if (d->lines.at[i].vaddr == DISASM_NO_ADDRESS)
			continue;
		while (next < e->all.n && e->all.at[next].at <= offset)
			next++;
		edge = next ? &e->all.at[next - 1] : NULL;
		here = !edge ? 0 : edge->at == offset ? edge->here : edge->after;
		c->covered = e->most ? (double)here / (double)e->most : 0;
		if (!edge || edge->at != offset)
			continue;
		c->entered = share_of(edge->entered, passes_at_next_branch(e, next - 1));
		c->left = share_of(edge->taken, edge->here);
		c->predicted = share_of(edge->predicted, edge->taken);
	}
}

void line_branches_init(struct line_branches *l, const struct branch_code *b, const struct dso *dso,
			const struct symbol *sym, const struct disasm *d, struct arena *arena)
{
	struct branch_edges edges;

	*l = (struct line_branches){0};
	if (!b->known || !d->lines.n)
		return;
	line_cycles_init(l, b, sym, d, arena);
	branch_edges_init(&edges, b, dso, sym);
	line_coverage_init(l, &edges, d, arena);
	vec_release(&edges.all);
}
