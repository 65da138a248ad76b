// SPDX-License-Identifier: MIT
/* Selects and sorts the lines and places that are shown. */
#include "analysis/c2c/c2c.h"

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
static bool line_is_shared(const struct c2c_line *line)
{
	return line->seen.stats.n[C2C_TOT_HITM] || line->seen.stats.n[C2C_TOT_PEER];
}

/* True for a place to be shown. Places with stores are: stores may slow other CPUs even where no
 * sample shows it. */
static bool entry_is_shown(const struct c2c *c, const struct c2c_seen *seen)
{
	return seen->stats.n[C2C_STORE] || seen->stats.n[c2c_display_stat(c->opts.display)];
}

static bool line_is_shown(const struct c2c *c, const struct c2c_line *line)
{
	const enum c2c_stat by = c2c_display_stat(c->opts.display);

	if (c->opts.show_all)
		return true;
	return c->shared.n[by] &&
	       (double)line->seen.stats.n[by] / (double)c->shared.n[by] >= LEAST_SHARE;
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
		if (entry_is_shown(c, &e->seen))
			line->entries.at[n++] = e;
	}
	line->entries.n = n;
}

void c2c_order(struct c2c *c)
{
	for (size_t i = 0; i < c->lines.n; i++) {
		const struct c2c_line *line = c->lines.at[i];

		if (!line_is_shared(line))
			continue;
		c->shared_lines++;
		c2c_stats_add(&c->shared, &line->seen.stats);
	}
	for (size_t i = 0; i < c->lines.n; i++)
		if (line_is_shown(c, c->lines.at[i]))
			vec_add(&c->shown, c->lines.at[i]);
	qsort_r(c->shown.at, c->shown.n, sizeof(*c->shown.at), compare_lines, c);
	for (size_t i = 0; i < c->shown.n; i++)
		line_order(c, c->shown.at[i]);
}
