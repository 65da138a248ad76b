// SPDX-License-Identifier: MIT
#include "view/c2c/c2c.h"

#include <string.h>

struct columns {
	VEC(struct c2c_column);
};

static void show_above(const struct columns *columns, const struct c2c_row *row, struct buf *out)
{
	int below = 0;

	buf_str(out, "#");
	for (size_t i = 0; i < columns->n; i++) {
		const struct c2c_column *col = &columns->at[i];

		if (below) {
			below--;
			continue;
		}
		buf_printf(out, i ? "  %*s" : " %*s", (int)c2c_column_width(row, col),
			   col->above ? col->above : "");
		below = col->span;
	}
	buf_char(out, '\n');
}

static void c2c_show_header(const struct columns *columns, const struct c2c_row *row,
			    struct buf *out)
{
	show_above(columns, row, out);
	buf_str(out, "#");
	for (size_t i = 0; i < columns->n; i++)
		buf_printf(out, i ? "  %*s" : " %*s", (int)c2c_column_width(row, &columns->at[i]),
			   columns->at[i].name);
	buf_str(out, "\n#");
	for (size_t i = 0; i < columns->n; i++) {
		buf_str(out, i ? "  " : " ");
		for (unsigned int n = c2c_column_width(row, &columns->at[i]); n; n--)
			buf_char(out, '.');
	}
	buf_str(out, "\n#\n");
}

static bool show_row(const struct columns *columns, const struct c2c_row *row)
{
	struct buf *out = &row->v->out->buf;

	for (size_t i = 0; i < columns->n; i++) {
		buf_str(out, "  ");
		columns->at[i].cell(row, &columns->at[i], out);
	}
	buf_char(out, '\n');
	return out_ready(row->v->out);
}

static void add_all(struct columns *columns, const struct c2c_column *some, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vec_add(columns, some[i]);
}
#define ADD(columns, some) add_all(columns, some, ARRAY_SIZE(some))

#define STAT(above, span, name, width, which)                                                      \
	{                                                                                          \
		above, span, name, width, c2c_cell_stat, which, C2C_MEANS                          \
	}

static void add_line_columns(const struct c2c_view *v, struct columns *columns)
{
	static const struct c2c_column first[] = {
		{"", 0, "Index", 5, c2c_cell_index, 0, 0},
		{"----------- Cacheline ----------", 2, "Address", 18, c2c_cell_address, 0, 0},
		{NULL, 0, "Node", 4, c2c_cell_memory_nodes, 0, 0},
		{NULL, 0, "PA cnt", 6, c2c_cell_memory_count, 0, 0},
	};
	static const struct c2c_column hitm[] = {
		STAT("------- Load Hitm -------", 2, "Total", 7, C2C_TOT_HITM),
		STAT(NULL, 0, "LclHitm", 7, C2C_LCL_HITM),
		STAT(NULL, 0, "RmtHitm", 7, C2C_RMT_HITM),
	};
	static const struct c2c_column peer[] = {
		STAT("------- Load Peer -------", 2, "Total", 7, C2C_TOT_PEER),
		STAT(NULL, 0, "Local", 7, C2C_LCL_PEER),
		STAT(NULL, 0, "Remote", 7, C2C_RMT_PEER),
	};
	static const struct c2c_column rest[] = {
		STAT("Total", 0, "records", 7, C2C_RECORDS),
		STAT("Total", 0, "Loads", 7, C2C_LOADS),
		STAT("Total", 0, "Stores", 7, C2C_STORE),
		STAT("--------- Stores --------", 2, "L1Hit", 7, C2C_ST_L1_HIT),
		STAT(NULL, 0, "L1Miss", 7, C2C_ST_L1_MISS),
		STAT(NULL, 0, "N/A", 7, C2C_ST_NA),
		STAT("----- Core Load Hit -----", 2, "FB", 7, C2C_LD_FB_HIT),
		STAT(NULL, 0, "L1", 7, C2C_LD_L1_HIT),
		STAT(NULL, 0, "L2", 7, C2C_LD_L2_HIT),
		STAT("- LLC Load Hit --", 1, "LclHit", 8, C2C_LD_LLC_HIT),
		STAT(NULL, 0, "LclHitm", 7, C2C_LCL_HITM),
		STAT("- RMT Load Hit --", 1, "RmtHit", 8, C2C_RMT_HIT),
		STAT(NULL, 0, "RmtHitm", 7, C2C_RMT_HITM),
		STAT("--- Load Dram ----", 1, "Lcl", 8, C2C_LCL_DRAM),
		STAT(NULL, 0, "Rmt", 8, C2C_RMT_DRAM),
	};
	static const char *const shares[][2] = {[C2C_TOTAL] = {"Tot", "Hitm"},
						[C2C_LOCAL] = {"Lcl", "Hitm"},
						[C2C_REMOTE] = {"Rmt", "Hitm"},
						[C2C_PEERS] = {"Peer", "Snoop"}};
	const enum c2c_display display = v->c2c->opts.display;

	ADD(columns, first);
	vec_add(columns, (struct c2c_column){shares[display][0], 0, shares[display][1], 7,
					     c2c_cell_share, 0, 0});
	if (display == C2C_PEERS)
		ADD(columns, peer);
	else
		ADD(columns, hitm);
	ADD(columns, rest);
}

void c2c_show_lines(const struct c2c_view *v)
{
	struct columns columns = {0};
	struct c2c_row row = {.v = v};
	struct buf *out = &v->out->buf;

	add_line_columns(v, &columns);
	buf_char(out, '\n');
	c2c_show_title(v, "           Shared Data Cache Line Table          ");
	buf_str(out, "#\n");
	c2c_show_header(&columns, &row, out);
	for (row.index = 0; row.index < v->c2c->shown.n; row.index++) {
		row.line = v->c2c->shown.at[row.index];
		if (!show_row(&columns, &row))
			break;
	}
	vec_release(&columns);
}

/* The columns of a line's sums, shown above its rows and aligned with them. */
static void add_sum_columns(const struct c2c_view *v, struct columns *columns)
{
	static const struct c2c_column hitm[] = {STAT(NULL, 0, "", 7, C2C_RMT_HITM),
						 STAT(NULL, 0, "", 7, C2C_LCL_HITM)};
	static const struct c2c_column peer[] = {STAT(NULL, 0, "", 7, C2C_RMT_PEER),
						 STAT(NULL, 0, "", 7, C2C_LCL_PEER)};
	static const struct c2c_column rest[] = {STAT(NULL, 0, "", 7, C2C_ST_L1_HIT),
						 STAT(NULL, 0, "", 7, C2C_ST_L1_MISS),
						 STAT(NULL, 0, "", 7, C2C_ST_NA),
						 {NULL, 0, "", 18, c2c_cell_address, 0, 0}};

	vec_add(columns, (struct c2c_column){NULL, 0, "", 5, c2c_cell_index, 0, 0});
	if (v->c2c->opts.display == C2C_PEERS)
		ADD(columns, peer);
	else
		ADD(columns, hitm);
	ADD(columns, rest);
}

#define SHARE(above, span, name, which)                                                            \
	{                                                                                          \
		above, span, name, 7, c2c_cell_share_of_line, which, C2C_MEANS                     \
	}
#define MEAN(above, span, name, which)                                                             \
	{                                                                                          \
		above, span, name, 8, c2c_cell_mean, 0, which                                      \
	}

static void add_shares(bool peers, struct columns *columns)
{
	static const struct c2c_column hitm[] = {
		SHARE("----- HITM -----", 1, "RmtHitm", C2C_RMT_HITM),
		SHARE(NULL, 0, "LclHitm", C2C_LCL_HITM)};
	static const struct c2c_column peer[] = {SHARE("-- Peer Snoop --", 1, "Rmt", C2C_RMT_PEER),
						 SHARE(NULL, 0, "Lcl", C2C_LCL_PEER)};
	static const struct c2c_column rest[] = {
		SHARE("------- Store Refs ------", 2, "L1 Hit", C2C_ST_L1_HIT),
		SHARE(NULL, 0, "L1 Miss", C2C_ST_L1_MISS),
		SHARE(NULL, 0, "N/A", C2C_ST_NA),
		{"--------- Data address ---------", 2, "Offset", 18, c2c_cell_offset, 0, 0},
		{NULL, 0, "Node", 4, c2c_cell_memory_nodes, 0, 0},
		{NULL, 0, "PA cnt", 6, c2c_cell_memory_count, 0, 0},
	};

	vec_add(columns, (struct c2c_column){"", 0, "Num", 5, c2c_cell_nothing, 0, 0});
	if (peers)
		ADD(columns, peer);
	else
		ADD(columns, hitm);
	ADD(columns, rest);
}

static void c2c_add_keys(const struct c2c_options *o, struct columns *columns)
{
	if (c2c_has_key(o, C2C_PID))
		vec_add(columns, (struct c2c_column){"", 0, "Pid", 7, c2c_cell_pid, 0, 0});
	if (c2c_has_key(o, C2C_TID))
		vec_add(columns, (struct c2c_column){"", 0, "Tid", 0, c2c_cell_task, 0, 0});
	if (c2c_has_key(o, C2C_IADDR))
		vec_add(columns,
			(struct c2c_column){"", 0, "Code address", 18, c2c_cell_code, 0, 0});
}

static void add_means(bool peers, struct columns *columns)
{
	static const struct c2c_column hitm[] = {
		MEAN("---------- cycles ----------", 2, "rmt hitm", C2C_MEAN_RMT_HITM),
		MEAN(NULL, 0, "lcl hitm", C2C_MEAN_LCL_HITM)};
	static const struct c2c_column peer[] = {
		MEAN("---------- cycles ----------", 2, "rmt peer", C2C_MEAN_RMT_PEER),
		MEAN(NULL, 0, "lcl peer", C2C_MEAN_LCL_PEER)};
	static const struct c2c_column rest[] = {
		MEAN(NULL, 0, "load", C2C_MEAN_LOAD),
		STAT("Total", 0, "records", 7, C2C_RECORDS),
		{"cpu", 0, "cnt", 8, c2c_cell_cpus, 0, 0},
	};

	if (peers)
		ADD(columns, peer);
	else
		ADD(columns, hitm);
	ADD(columns, rest);
}

static void add_place_columns(const struct c2c_view *v, struct columns *columns)
{
	static const char *const titles[] = {"Node", "Node{cpus %hitms %stores}", "Node{cpu list}"};
	const struct c2c_options *o = &v->c2c->opts;
	const bool peers = o->display == C2C_PEERS, code = c2c_has_key(o, C2C_IADDR);

	add_shares(peers, columns);
	c2c_add_keys(o, columns);
	add_means(peers, columns);
	if (code)
		vec_add(columns, (struct c2c_column){"", 0, "Symbol", 0, c2c_cell_symbol, 0, 0});
	if (code || c2c_has_key(o, C2C_DSO))
		vec_add(columns, (struct c2c_column){"Shared", 0, "Object", 0, c2c_cell_dso, 0, 0});
	if (code && !v->no_source)
		vec_add(columns,
			(struct c2c_column){"", 0, "Source:Line", 0, c2c_cell_source, 0, 0});
	if (o->types)
		vec_add(columns, (struct c2c_column){"Data", 0, "Type", 0, c2c_cell_type, 0, 0});
	vec_add(columns,
		(struct c2c_column){"", 0,
				    peers && v->node_info == 1 ? "Node{cpus %peers %stores}"
							       : titles[v->node_info],
				    4, c2c_cell_nodes, 0, 0});
}

struct c2c_chains {
	const struct c2c_view *v;
	uint32_t *ranks; /* of frames; NULL: no chains */
};

static void c2c_frame_name(void *ctx, uint32_t id, struct buf *out)
{
	const struct c2c_chains *chains = ctx;

	callgraph_frame_name(frames_at(&chains->v->c2c->frames, id), chains->v->tree->key, out);
}

/* Shows the call chains of the row's entry, of any weight, as perf does. */
static void c2c_show_chains(struct c2c_chains *chains, const struct c2c_row *row)
{
	const struct c2c_view *v = chains->v;
	const struct c2c_entry *e = row->entry;
	const struct callgraph_view view = {.params = v->tree,
					    .total = row->line->period,
					    .row_period = e->period,
					    .separator = ";",
					    .frame_name = c2c_frame_name,
					    .ctx = chains};
	struct arena arena = {0};
	const struct calltree_node *root =
		calltree_build(&arena, &v->c2c->frames.chains, chains->ranks, v->tree->order, 0,
			       e->hits.at, e->hits.n);

	callgraph_show(&view, root, v->out);
	arena_release(&arena);
}

static bool show_places_of_line(const struct columns *sums, const struct columns *columns,
				struct c2c_chains *chains, struct c2c_row *row)
{
	static const char line[] =
		"  ----------------------------------------------------------------------\n";
	struct buf *out = &row->v->out->buf;

	c2c_row_measure(row);
	if (row->index)
		buf_char(out, '\n');
	else
		c2c_show_header(columns, row, out);
	buf_str(out, line);
	show_row(sums, row);
	buf_str(out, line);
	for (size_t i = 0; i < row->line->entries.n; i++) {
		row->entry = row->line->entries.at[i];
		if (!show_row(columns, row))
			return false;
		if (chains->ranks)
			c2c_show_chains(chains, row);
	}
	return true;
}

void c2c_show_places(const struct c2c_view *v)
{
	struct columns columns = {0}, sums = {0};
	struct c2c_row row = {.v = v};
	struct c2c_chains chains = {.v = v};

	if (v->tree)
		chains.ranks = calltree_ranks(&v->c2c->frames, v->tree->key);
	add_sum_columns(v, &sums);
	add_place_columns(v, &columns);
	buf_char(&v->out->buf, '\n');
	c2c_show_title(v, "      Shared Cache Line Distribution Pareto      ");
	buf_str(&v->out->buf, "#\n");
	for (row.index = 0; row.index < v->c2c->shown.n; row.index++) {
		row.line = v->c2c->shown.at[row.index];
		row.entry = NULL;
		if (!show_places_of_line(&sums, &columns, &chains, &row))
			break;
	}
	vec_release(&columns);
	vec_release(&sums);
	free(chains.ranks);
}
