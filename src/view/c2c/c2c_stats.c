// SPDX-License-Identifier: MIT
#include "view/c2c/c2c.h"

#define LINE "=================================================\n"

void c2c_show_title(const struct c2c_view *v, const char *title)
{
	buf_printf(&v->out->buf, LINE "%s\n" LINE, title);
}

struct stat_row {
	const char *name;
	enum c2c_stat stat;
};

static void c2c_stats_show_rows(const struct c2c_view *v, const struct stat_row *rows, size_t n,
				const struct c2c_stats *s)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(&v->out->buf, "  %-34s: %10llu\n", rows[i].name,
			   (unsigned long long)c2c_stats_get(s, rows[i].stat));
}

static void c2c_stats_show_all(const struct c2c_view *v)
{
	static const struct stat_row first[] = {
		{"Total records", C2C_ENTRIES},
		{"Locked Load/Store Operations", C2C_LOCKS},
		{"Load Operations", C2C_LOAD},
		{"Loads - uncacheable", C2C_LD_UNCACHE},
		{"Loads - IO", C2C_LD_IO},
		{"Loads - Miss", C2C_LD_MISS},
		{"Loads - no mapping", C2C_LD_NO_ADDRESS},
		{"Load Fill Buffer Hit", C2C_LD_FB_HIT},
		{"Load L1D hit", C2C_LD_L1_HIT},
		{"Load L2D hit", C2C_LD_L2_HIT},
		{"Load LLC hit", C2C_LLC_HITS},
		{"Load Local HITM", C2C_LCL_HITM},
		{"Load Remote HITM", C2C_RMT_HITM},
		{"Load Remote HIT", C2C_RMT_HIT},
		{"Load Local DRAM", C2C_LCL_DRAM},
		{"Load Remote DRAM", C2C_RMT_DRAM},
		{"Load MESI State Exclusive", C2C_LD_EXCLUSIVE},
		{"Load MESI State Shared", C2C_LD_SHARED},
		{"Load LLC Misses", C2C_LLC_MISSES},
		{"Load access blocked by data", C2C_BLOCKED_DATA},
		{"Load access blocked by address", C2C_BLOCKED_ADDRESS},
		{"Load HIT Local Peer", C2C_LCL_PEER},
		{"Load HIT Remote Peer", C2C_RMT_PEER},
	};
	static const struct stat_row misses[] = {
		{"LLC Misses to Local DRAM", C2C_LCL_DRAM},
		{"LLC Misses to Remote DRAM", C2C_RMT_DRAM},
		{"LLC Misses to Remote cache (HIT)", C2C_RMT_HIT},
		{"LLC Misses to Remote cache (HITM)", C2C_RMT_HITM},
	};
	static const struct stat_row second[] = {
		{"Store Operations", C2C_STORE},
		{"Store - uncacheable", C2C_ST_UNCACHE},
		{"Store - no mapping", C2C_ST_NO_ADDRESS},
		{"Store L1D Hit", C2C_ST_L1_HIT},
		{"Store L1D Miss", C2C_ST_L1_MISS},
		{"Store No available memory level", C2C_ST_NA},
		{"No Page Map Rejects", C2C_NO_MAP},
		{"Unable to parse data source", C2C_NO_PARSE},
	};
	const struct c2c_stats *s = &v->c2c->all;
	uint64_t all = c2c_stats_get(s, C2C_LLC_MISSES);

	c2c_show_title(v, "            Trace Event Information              ");
	c2c_stats_show_rows(v, first, ARRAY_SIZE(first), s);
	for (size_t i = 0; i < ARRAY_SIZE(misses); i++)
		buf_printf(&v->out->buf, "  %-34s: %10.1f%%\n", misses[i].name,
			   all ? 100.0 * (double)s->n[misses[i].stat] / (double)all : 0.0);
	c2c_stats_show_rows(v, second, ARRAY_SIZE(second), s);
}

static void show_shared(const struct c2c_view *v)
{
	static const struct stat_row rows[] = {
		{"Load HITs on shared lines", C2C_LOAD},
		{"Fill Buffer Hits on shared lines", C2C_LD_FB_HIT},
		{"L1D hits on shared lines", C2C_LD_L1_HIT},
		{"L2D hits on shared lines", C2C_LD_L2_HIT},
	};
	const struct c2c_stats *s = &v->c2c->shared;
	const struct {
		const char *name;
		uint64_t n;
	} sums[] = {
		{"LLC hits on shared lines", s->n[C2C_LD_LLC_HIT] + s->n[C2C_LCL_HITM]},
		{"Load hits on peer cache or nodes", s->n[C2C_LCL_PEER] + s->n[C2C_RMT_PEER]},
		{"Locked Access on shared lines", s->n[C2C_LOCKS]},
		{"Blocked Access on shared lines",
		 s->n[C2C_BLOCKED_DATA] + s->n[C2C_BLOCKED_ADDRESS]},
		{"Store HITs on shared lines", s->n[C2C_STORE]},
		{"Store L1D hits on shared lines", s->n[C2C_ST_L1_HIT]},
		{"Store No available memory level", s->n[C2C_ST_NA]},
		{"Total Merged records", s->n[C2C_TOT_HITM] + s->n[C2C_STORE]},
	};
	struct buf *out = &v->out->buf;

	buf_char(out, '\n');
	c2c_show_title(v, "    Global Shared Cache Line Event Information   ");
	buf_printf(out, "  %-34s: %10llu\n", "Total Shared Cache Lines",
		   (unsigned long long)v->c2c->shared_lines);
	c2c_stats_show_rows(v, rows, ARRAY_SIZE(rows), s);
	for (size_t i = 0; i < ARRAY_SIZE(sums); i++)
		buf_printf(out, "  %-34s: %10llu\n", sums[i].name, (unsigned long long)sums[i].n);
}

static void show_details(const struct c2c_view *v)
{
	struct buf *out = &v->out->buf;

	buf_char(out, '\n');
	c2c_show_title(v, "                 c2c details                     ");
	for (size_t i = 0; i < v->events->events.n; i++)
		buf_printf(out, "  %-34s: %s\n", i ? "" : "Events", v->events->events.at[i]->name);
	buf_printf(out, "  %-34s: %s\n", "Cachelines sort on", v->display);
	buf_printf(out, "  %-34s: offset,%s\n", "Cacheline data grouping", v->keys);
}

void c2c_show_stats(const struct c2c_view *v)
{
	c2c_stats_show_all(v);
	show_shared(v);
	show_details(v);
}
