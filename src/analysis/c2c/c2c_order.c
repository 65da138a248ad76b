// SPDX-License-Identifier: MIT
/* Selects and sorts the lines and places that are shown. */
#include "analysis/c2c/c2c_fold.h"

#include <stdlib.h>
#include <string.h>

/* Lines with a smaller share of the sort count are left out. */
#define LEAST_SHARE 0.001

enum c2c_stat c2c_display_stat(enum c2c_display display)
{
	switch (display) {
	case C2C_LOCAL:
		return C2C_LCL_HITM;
	case C2C_REMOTE:
		return C2C_RMT_HITM;
	case C2C_PEERS:
		return C2C_TOT_PEER;
	case C2C_TOTAL:
		break;
	}
	return C2C_TOT_HITM;
}

static int c2c_order_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_lines(const void *x, const void *y, void *ctx)
{
	const struct c2c_line *a = *(struct c2c_line *const *)x, *b = *(struct c2c_line *const *)y;
	const struct c2c *c = ctx;
	const enum c2c_stat by = c2c_display_stat(c->opts.display);
	const uint64_t *p = (const uint64_t *)&a->key, *q = (const uint64_t *)&b->key;
	int order = c2c_order_compare(b->seen.stats.n[by], a->seen.stats.n[by]);

	for (size_t i = 0; !order && i < sizeof(a->key) / sizeof(*p); i++)
		order = c2c_order_compare(p[i], q[i]);
	return order;
}

static int compare_by_key(const struct c2c *c, enum c2c_key key, const struct c2c_entry *a,
			  const struct c2c_entry *b)
{
	switch (key) {
	case C2C_PID:
		return c2c_order_compare(b->thread->pid, a->thread->pid); /* as in perf */
	case C2C_TID:
		return c2c_order_compare(a->thread->tid, b->thread->tid);
	case C2C_IADDR:
		return c2c_order_compare(a->ip, b->ip);
	default:
		return strcmp(frames_dso_name(&c->frames,
					      frames_at(&c->frames, a->frame)->where->dso_name),
			      frames_dso_name(&c->frames,
					      frames_at(&c->frames, b->frame)->where->dso_name));
	}
}

static int compare_entries(const void *x, const void *y, void *ctx)
{
	const struct c2c_entry *a = *(struct c2c_entry *const *)x,
			       *b = *(struct c2c_entry *const *)y;
	const struct c2c *c = ctx;
	const enum c2c_stat by = c2c_display_stat(c->opts.display);
	int order = c2c_order_compare(a->offset, b->offset);

	if (!order)
		order = c2c_order_compare(b->seen.stats.n[by], a->seen.stats.n[by]);
	if (!order && by == C2C_LCL_HITM)
		order = c2c_order_compare(b->seen.stats.n[C2C_RMT_HITM],
					  a->seen.stats.n[C2C_RMT_HITM]);
	if (!order && by == C2C_RMT_HITM)
		order = c2c_order_compare(b->seen.stats.n[C2C_LCL_HITM],
					  a->seen.stats.n[C2C_LCL_HITM]);
	for (size_t i = 0; !order && i < c->opts.n_keys; i++)
		order = compare_by_key(c, c->opts.keys[i], a, b);
	return order;
}

/* True for a line that one CPU had to get from the cache of another. */
static bool line_is_shared(const struct c2c_stats *stats)
{
	return stats->n[C2C_TOT_HITM] || stats->n[C2C_TOT_PEER];
}

/* True for a place to be shown. Places with stores are: stores may slow other CPUs even where no
 * sample shows it. */
static bool entry_is_shown(const struct c2c *c, const struct c2c_seen *seen)
{
	return seen->stats.n[C2C_STORE] || seen->stats.n[c2c_display_stat(c->opts.display)];
}

static bool line_is_shown(const struct c2c *c, const struct c2c_stats *stats)
{
	const enum c2c_stat by = c2c_display_stat(c->opts.display);

	if (c->opts.show_all)
		return true;
	return c->shared.n[by] && (double)stats->n[by] / (double)c->shared.n[by] >= LEAST_SHARE;
}

/* Finds what an entry's instruction accesses, else what lies at the address of its data. */
static void entry_find_type(struct c2c *c, struct c2c_entry *e)
{
	const struct frame *data = e->data == HASH_NONE ? NULL : frames_at(&c->frames, e->data);

	if (!c->types)
		c->types = data_types_new();
	e->access =
		data_access_of(c->types, c->frames.world, frames_at(&c->frames, e->frame), data);
}

static void line_order(struct c2c *c, struct c2c_line *line)
{
	size_t n = 0;

	qsort_r(line->entries.at, line->entries.n, sizeof(*line->entries.at), compare_entries, c);
	for (size_t i = 0; i < line->entries.n; i++) {
		struct c2c_entry *e = line->entries.at[i];

		if (!c->opts.no_lines)
			frames_lines(&c->frames, e->frame);
		vec_add(&line->measured, e);
		line->period += e->period;
		if (!entry_is_shown(c, &e->seen))
			continue;
		if (c->opts.types)
			entry_find_type(c, e);
		line->entries.at[n++] = e;
	}
	line->entries.n = n;
}

void c2c_order(struct c2c *c)
{
	const uint32_t n = (uint32_t)c->fold.lines.n;
	struct c2c_stats stats;

	for (uint32_t i = 0; i < n; i++) {
		c2c_fold_stats(c, i, &stats);
		if (!line_is_shared(&stats))
			continue;
		c->shared_lines++;
		c2c_stats_add(&c->shared, &stats);
	}
	for (uint32_t i = 0; i < n; i++) {
		c2c_fold_stats(c, i, &stats);
		if (line_is_shown(c, &stats))
			vec_add(&c->shown, c2c_fold_line(c, i));
	}
	qsort_r(c->shown.at, c->shown.n, sizeof(*c->shown.at), compare_lines, c);
	for (size_t i = 0; i < c->shown.n; i++)
		line_order(c, c->shown.at[i]);
}
