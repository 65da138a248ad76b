// SPDX-License-Identifier: MIT
#include "view/c2c/c2c.h"

#include <stdio.h>
#include <string.h>

#define SYMBOL_MOST   30 /* width without --full-symbols; for source lines, too */
#define ADDRESS_WIDTH 22 /* of "[.] 0x0123456789abcdef" */

static const struct c2c_seen *seen_of(const struct c2c_row *row)
{
	return row->entry ? &row->entry->seen : &row->line->seen;
}

static void c2c_columns_put_number(struct buf *out, unsigned int width, uint64_t n)
{
	buf_printf(out, "%*llu", (int)width, (unsigned long long)n);
}

static void c2c_columns_put_hex(struct buf *out, unsigned int width, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)v);
	buf_printf(out, "%*s", (int)width, text);
}

static void c2c_columns_put_percent(struct buf *out, unsigned int width, uint64_t part,
				    uint64_t all)
{
	char text[16];

	snprintf(text, sizeof(text), "%.2f%%", all ? 100.0 * (double)part / (double)all : 0.0);
	buf_printf(out, "%*s", (int)width, text);
}

void c2c_cell_index(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	c2c_columns_put_number(out, col->width, row->index);
}

void c2c_cell_nothing(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	(void)row;
	buf_printf(out, "%*s", (int)col->width, "");
}

void c2c_cell_address(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	c2c_columns_put_hex(out, col->width, row->line->address);
}

/* "0-3,8" */
static void put_set(struct buf *out, const uint64_t *set, uint32_t n)
{
	bool first = true;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t begin = i;

		if (!bit_set_has(set, i))
			continue;
		while (i + 1 < n && bit_set_has(set, i + 1))
			i++;
		buf_printf(out, i > begin ? "%s%u-%u" : "%s%u", first ? "" : ",", begin, i);
		first = false;
	}
}

void c2c_cell_memory_nodes(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	AUTO_BUF text = {0};

	put_set(&text, seen_of(row)->nodes, row->v->c2c->nodes.n_nodes);
	buf_printf(out, "%*s", (int)col->width, text.n ? buf_text(&text) : "N/A");
}

void c2c_cell_memory_count(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	c2c_columns_put_number(out, col->width, seen_of(row)->physical_count);
}

void c2c_cell_stat(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	c2c_columns_put_number(out, col->width, c2c_stats_get(&seen_of(row)->stats, col->stat));
}

void c2c_cell_share(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	const enum c2c_stat by = c2c_display_stat(row->v->c2c->opts.display);

	c2c_columns_put_percent(out, col->width, row->line->seen.stats.n[by],
				row->v->c2c->all.n[by]);
}

void c2c_cell_share_of_line(const struct c2c_row *row, const struct c2c_column *col,
			    struct buf *out)
{
	c2c_columns_put_percent(out, col->width, row->entry->seen.stats.n[col->stat],
				row->line->seen.stats.n[col->stat]);
}

void c2c_cell_mean(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	buf_printf(out, "%*.0f", (int)col->width, row->entry->means[col->mean].mean);
}

void c2c_cell_offset(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	c2c_columns_put_hex(out, col->width, row->entry->offset);
}

void c2c_cell_pid(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	buf_printf(out, "%*d", (int)col->width, (int)row->entry->thread->pid);
}

static const char *comm_of(const struct c2c_row *row)
{
	return world_comm(row->v->world, row->entry->thread, WORLD_NOW);
}

void c2c_cell_task(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	int width = (int)c2c_column_width(row, col) - 8;
	AUTO_BUF name = {0};

	buf_safe(&name, comm_of(row));
	buf_printf(out, "%7d:%-*.*s", (int)row->entry->thread->tid, width, width, buf_text(&name));
}

void c2c_cell_code(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	c2c_columns_put_hex(out, col->width, row->entry->ip);
}

void c2c_cell_cpus(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	c2c_columns_put_number(out, col->width,
			       bit_set_count(seen_of(row)->cpus, row->v->c2c->nodes.n_cpus));
}

static const struct frame *c2c_columns_frame_of(const struct c2c_row *row)
{
	return frames_at(&row->v->c2c->frames, row->entry->frame);
}

/* Text as "%-*.*s" shows it. */
static void put_left(struct buf *out, const char *text, unsigned int width)
{
	AUTO_BUF safe = {0};

	buf_safe(&safe, text);
	buf_printf(out, "%-*.*s", (int)width, (int)width, buf_text(&safe));
}

void c2c_cell_symbol(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	const struct frame *f = c2c_columns_frame_of(row);
	unsigned int width = c2c_column_width(row, col);
	AUTO_BUF text = {0};

	buf_printf(&text, "[%c] ", f->level);
	if (f->where->sym)
		buf_safe(&text, f->where->name);
	else
		buf_printf(&text, "0x%016llx", (unsigned long long)frame_addr(f));
	put_left(out, buf_text(&text), width);
}

void c2c_cell_dso(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	put_left(out,
		 frames_dso_name(&row->v->c2c->frames, c2c_columns_frame_of(row)->where->dso_name),
		 c2c_column_width(row, col));
}

static void source_text(const struct frame *f, struct buf *out)
{
	if (f->where->srcline)
		buf_safe(out, f->where->srcline);
	else if (!f->where->map || (f->lines_asked && f->where->sym && !f->where->sym->plt))
		buf_str(out, "??:0");
	else if (f->where->sym)
		buf_printf(out, "%s+%llu", f->where->name,
			   (unsigned long long)(frame_rva(f) - f->where->sym->start));
	else
		buf_printf(out, "%s[%llx]", f->where->dso->short_name,
			   (unsigned long long)frame_addr(f));
}

void c2c_cell_source(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	AUTO_BUF text = {0};

	source_text(c2c_columns_frame_of(row), &text);
	put_left(out, buf_text(&text), c2c_column_width(row, col));
}

void c2c_cell_type(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	AUTO_BUF text = {0};

	data_access_text(row->v->c2c->types, &row->entry->access, &text);
	put_left(out, buf_text(&text), c2c_column_width(row, col));
}

static uint64_t node_stat(const struct c2c_row *row, const struct c2c_at_node *at)
{
	switch (row->v->c2c->opts.display) {
	case C2C_LOCAL:
		return at->lcl;
	case C2C_REMOTE:
		return at->rmt;
	case C2C_PEERS:
		return at->peer;
	case C2C_TOTAL:
		break;
	}
	return at->tot;
}

static void put_node_share(struct buf *out, uint64_t part, uint64_t all)
{
	if (all)
		buf_printf(out, "%5.1f%%", 100.0 * (double)part / (double)all);
	else
		buf_printf(out, "%6s", "n/a");
}

/* "{ 2 100.0% n/a}": CPUs, the node's share of the sort count, and its share of stores. */
static void put_node_shares(const struct c2c_row *row, uint32_t node, uint32_t cpus,
			    struct buf *out)
{
	const struct c2c_entry *e = row->entry;
	const struct c2c_at_node none = {0}, *at = &none;

	for (size_t i = 0; i < e->at_nodes.n; i++)
		if (e->at_nodes.at[i].node == node)
			at = &e->at_nodes.at[i];
	buf_printf(out, "{%2u ", cpus);
	put_node_share(out, node_stat(row, at),
		       e->seen.stats.n[c2c_display_stat(row->v->c2c->opts.display)]);
	buf_char(out, ' ');
	put_node_share(out, at->store, e->seen.stats.n[C2C_STORE]);
	buf_char(out, '}');
}

/* The CPUs of a set that belong to a node. */
static void set_of_node(const struct c2c_nodes *nodes, uint32_t node, const uint64_t *set,
			uint64_t *out)
{
	memset(out, 0, bit_set_words(nodes->n_cpus) * 8);
	for (uint32_t i = 0; i < nodes->n_cpus; i++)
		if (bit_set_has(set, i) && nodes->node_of_cpu[i] == node)
			bit_set_add(out, i);
}

void c2c_cell_nodes(const struct c2c_row *row, const struct c2c_column *col, struct buf *out)
{
	const struct c2c_nodes *nodes = &row->v->c2c->nodes;
	uint64_t *set = mem_zero(MAX(bit_set_words(nodes->n_cpus), (size_t)1) * 8);
	bool first = true;

	(void)col;
	for (uint32_t node = 0; node < nodes->n_nodes; node++) {
		uint32_t cpus;

		set_of_node(nodes, node, row->entry->seen.cpus, set);
		cpus = bit_set_count(set, nodes->n_cpus);
		if (!cpus) {
			if (row->v->node_info == 1)
				buf_printf(out, "%21s", " ");
			continue;
		}
		buf_printf(out, first ? "%2u" : " %2u", node);
		first = false;
		if (row->v->node_info == 1) {
			put_node_shares(row, node, cpus, out);
		} else if (row->v->node_info) {
			buf_char(out, '{');
			put_set(out, set, nodes->n_cpus);
			buf_char(out, '}');
		}
	}
	free(set);
}

static void widen(unsigned int *width, size_t n)
{
	*width = MAX(*width, (unsigned int)n);
}

/* Only the entries that are shown have types. */
static void c2c_row_measure_types(struct c2c_row *row)
{
	row->type = (unsigned int)strlen("Type");
	for (size_t i = 0; row->v->c2c->opts.types && i < row->line->entries.n; i++) {
		AUTO_BUF text = {0};

		data_access_text(row->v->c2c->types, &row->line->entries.at[i]->access, &text);
		widen(&row->type, text.n);
	}
}

void c2c_row_measure(struct c2c_row *row)
{
	const struct frames *frames = &row->v->c2c->frames;

	row->symbol = row->dso = row->source = row->task = 0;
	for (size_t i = 0; i < row->line->measured.n; i++) {
		const struct frame *f;
		AUTO_BUF text = {0};

		row->entry = row->line->measured.at[i];
		f = c2c_columns_frame_of(row);
		widen(&row->symbol, f->where->sym ? strlen(f->where->name) + 4 : ADDRESS_WIDTH);
		widen(&row->dso,
		      f->where->map ? strlen(frames_dso_name(frames, f->where->dso_name)) : 0);
		if (!f->where->sym)
			widen(&row->dso, 16);
		source_text(f, &text);
		widen(&row->source, MAX(text.n, strlen("Source:Line")));
		widen(&row->task, strlen(comm_of(row)) + 8);
	}
	row->entry = NULL;
	c2c_row_measure_types(row);
	if (!row->v->full_symbols) {
		row->symbol = MIN(row->symbol, (unsigned int)SYMBOL_MOST);
		row->source = MIN(row->source, (unsigned int)SYMBOL_MOST);
	}
}

unsigned int c2c_column_width(const struct c2c_row *row, const struct c2c_column *col)
{
	if (col->width)
		return col->width;
	return col->cell == c2c_cell_symbol   ? row->symbol
	       : col->cell == c2c_cell_dso    ? row->dso
	       : col->cell == c2c_cell_source ? row->source
	       : col->cell == c2c_cell_type   ? row->type
					      : row->task;
}
