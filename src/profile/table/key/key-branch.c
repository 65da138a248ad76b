// SPDX-License-Identifier: MIT
/*
 * The keys of branch stacks. As in the reference, they are sorted by the values themselves: names
 * of dsos in descending order, symbols by address.
 */
#include "profile/table/key/key.h"
#include "profile/table/table.h"

#include <elf.h>

/* Bits of branch_entry.flags. */
#define MISPREDICTED (1u << 0)
#define PREDICTED    (1u << 1)
#define IN_TX	     (1u << 2)
#define ABORT	     (1u << 3)

static const struct frame *from_of(const struct table *table, const struct entry *e)
{
	return table_first_from(table, e);
}

static const struct frame *to_of(const struct table *table, const struct entry *e)
{
	return table_first_to(table, e);
}

static uint64_t take_dso_from(KEY_TAKE_ARGS)
{
	return table_frame(table, t->from)->where->dso_name;
}

static uint64_t take_dso_to(KEY_TAKE_ARGS)
{
	return table_frame(table, t->to)->where->dso_name;
}

static int key_branch_compare_dsos(KEY_COMPARE_ARGS)
{
	return -key_compare_dsos(table, a, b);
}

/* Only the dsos of resolved branches count for the width. */
static unsigned int measure_dso_from(KEY_MEASURE_ARGS)
{
	return key_dso_width(table, from_of(table, e)->where->sym ? value : HASH_NONE,
			     from_of(table, e)->where->sym);
}

static unsigned int measure_dso_to(KEY_MEASURE_ARGS)
{
	return key_dso_width(table, to_of(table, e)->where->sym ? value : HASH_NONE,
			     to_of(table, e)->where->sym);
}

static void key_branch_text_dso(KEY_TEXT_ARGS)
{
	buf_str(out, frames_dso_name(&table->samples->frames, (uint32_t)value));
}

static uint64_t take_symbol_from(KEY_TAKE_ARGS)
{
	return table_frame(table, t->from)->chain_symbol_id;
}

static uint64_t take_symbol_to(KEY_TAKE_ARGS)
{
	return table_frame(table, t->to)->chain_symbol_id;
}

static int compare_symbols(KEY_COMPARE_ARGS)
{
	return key_compare_symbols(table, a, b);
}

static unsigned int measure_symbol(KEY_MEASURE_ARGS)
{
	return key_symbol_width(table, value);
}

static void symbol_from(KEY_SYMBOL_ARGS)
{
	const struct frame *frame = from_of(table, e);

	*out = (struct key_symbol){frame, frame_addr(frame), frame->level, false};
}

static void symbol_to(KEY_SYMBOL_ARGS)
{
	const struct frame *frame = to_of(table, e);

	*out = (struct key_symbol){frame, frame_addr(frame), frame->level, false};
}

/* An end of a branch, compared by its dso, then by its address. */
struct branch_end {
	uint64_t address;
	uint32_t dso_name, unused;
};

static uint64_t end_of(struct table *table, uint32_t frame, uint64_t address)
{
	const struct branch_end end = {address, table_frame(table, frame)->where->dso_name, 0};

	return intern_put(&table->texts, &end, sizeof(end));
}

static struct branch_end end_at(const struct table *table, uint64_t value)
{
	struct branch_end end;

	memcpy(&end, intern_text(&table->texts, (uint32_t)value), sizeof(end));
	return end;
}

static uint64_t take_addr_from(KEY_TAKE_ARGS)
{
	return end_of(table, t->from, t->v[COL_FROM]);
}

static uint64_t take_addr_to(KEY_TAKE_ARGS)
{
	return end_of(table, t->to, t->v[COL_TO]);
}

static int compare_ends(KEY_COMPARE_ARGS)
{
	const struct branch_end x = end_at(table, a), y = end_at(table, b);
	const int by_dso = key_branch_compare_dsos(table, use, x.dso_name, y.dso_name);

	return by_dso ? by_dso : (x.address > y.address) - (x.address < y.address);
}

static unsigned int measure_addr(const struct frame *frame)
{
	return frame->where->sym ? 0 : 22;
}

static unsigned int measure_addr_from(KEY_MEASURE_ARGS)
{
	return measure_addr(from_of(table, e));
}

static unsigned int measure_addr_to(KEY_MEASURE_ARGS)
{
	return measure_addr(to_of(table, e));
}

static void address_from(KEY_SYMBOL_ARGS)
{
	const struct frame *frame = from_of(table, e);

	*out = (struct key_symbol){frame, frame_addr(frame), e->first.level, true};
}

static void address_to(KEY_SYMBOL_ARGS)
{
	const struct frame *frame = to_of(table, e);

	*out = (struct key_symbol){frame, frame_addr(frame), e->first.level, true};
}

static uint64_t line_of(struct table *table, uint32_t id)
{
	AUTO_BUF line = {0};

	frame_line_text(table_frame(table, id), &line);
	return intern_str(&table->texts, buf_text(&line));
}

static uint64_t take_line_from(KEY_TAKE_ARGS)
{
	return line_of(table, t->from);
}

static uint64_t take_line_to(KEY_TAKE_ARGS)
{
	return line_of(table, t->to);
}

static int compare_texts(KEY_COMPARE_ARGS)
{
	return strcmp(intern_text(&table->texts, (uint32_t)a),
		      intern_text(&table->texts, (uint32_t)b));
}

static unsigned int measure_text(KEY_MEASURE_ARGS)
{
	return (unsigned int)strlen(intern_text(&table->texts, (uint32_t)value));
}

static void text_text(KEY_TEXT_ARGS)
{
	buf_str(out, intern_text(&table->texts, (uint32_t)value));
}

static uint64_t take_prediction(KEY_TAKE_ARGS)
{
	return t->v[COL_BRANCH] & (MISPREDICTED | PREDICTED);
}

static void text_prediction(KEY_TEXT_ARGS)
{
	buf_str(out, value & PREDICTED ? "N" : value & MISPREDICTED ? "Y" : "N/A");
}

static uint64_t take_abort(KEY_TAKE_ARGS)
{
	return t->v[COL_BRANCH] & ABORT;
}

static void text_abort(KEY_TEXT_ARGS)
{
	buf_str(out, value ? "A" : ".");
}

static uint64_t take_in_tx(KEY_TAKE_ARGS)
{
	return t->v[COL_BRANCH] & IN_TX;
}

static void text_in_tx(KEY_TEXT_ARGS)
{
	buf_str(out, value ? "T" : ".");
}

static uint64_t take_cycles(KEY_TAKE_ARGS)
{
	return branch_cycles(t->v[COL_BRANCH]);
}

static void text_cycles(KEY_TEXT_ARGS)
{
	if (value)
		buf_sdec(out, (int16_t)value);
	else
		buf_char(out, '-');
}

static uint64_t take_symbol(KEY_TAKE_ARGS)
{
	return table_frame(table, t->frame)->chain_symbol_id;
}

/* Instructions per cycle, and the share of the function that was covered. Both are 0 without counts
 * of instructions. */
static void text_ipc(KEY_TEXT_ARGS)
{
	bool known = table_frame(table, e->first.frame)->where->sym;

	buf_str(out, known ? "0.00  [  0.0%]" : "-");
}

#define C(name) COL_BIT(COL_##name)

const struct key keys_branch[] = {
	{"dso_from", "Source Shared Object", KEY_BRANCH | KEY_DSO, .take = take_dso_from,
	 .cmp = key_branch_compare_dsos, .measure = measure_dso_from, .text = key_branch_text_dso,
	 .fit = KEY_CUT},
	{"dso_to", "Target Shared Object", KEY_BRANCH | KEY_DSO, .take = take_dso_to,
	 .cmp = key_branch_compare_dsos, .measure = measure_dso_to, .text = key_branch_text_dso,
	 .fit = KEY_CUT},
	{"symbol_from", "Source Symbol", KEY_BRANCH | KEY_SYMBOL, .take = take_symbol_from,
	 .cmp = compare_symbols, .measure = measure_symbol, .symbol = symbol_from},
	{"symbol_to", "Target Symbol", KEY_BRANCH | KEY_SYMBOL, .take = take_symbol_to,
	 .cmp = compare_symbols, .measure = measure_symbol, .symbol = symbol_to},
	{"mispredict", "Branch Mispredicted", .columns = C(BRANCH), .take = take_prediction,
	 .text = text_prediction, .fit = KEY_CUT},
	{"abort", "Transaction abort", .columns = C(BRANCH), .take = take_abort, .text = text_abort,
	 .fit = KEY_CUT},
	{"in_tx", "Branch in transaction", .columns = C(BRANCH), .take = take_in_tx,
	 .text = text_in_tx, .fit = KEY_CUT},
	{"cycles", "Basic Block Cycles", KEY_DESCENDING, C(BRANCH), .take = take_cycles,
	 .text = text_cycles, .fit = KEY_LEFT},
	{"srcline_from", "From Source:Line", KEY_BRANCH | KEY_COLLAPSES | KEY_LINES,
	 .take = take_line_from, .cmp = compare_texts, .measure = measure_text, .text = text_text,
	 .fit = KEY_CUT},
	{"srcline_to", "To Source:Line", KEY_BRANCH | KEY_COLLAPSES | KEY_LINES,
	 .take = take_line_to, .cmp = compare_texts, .measure = measure_text, .text = text_text,
	 .fit = KEY_CUT},
	{"ipc_lbr", "IPC   [IPC Coverage]", KEY_FRAME, .take = take_symbol, .cmp = compare_symbols,
	 .text = text_ipc, .fit = KEY_CUT},
	{"addr_from", "Source Address", KEY_BRANCH, .take = take_addr_from, .cmp = compare_ends,
	 .measure = measure_addr_from, .symbol = address_from},
	{"addr_to", "Target Address", KEY_BRANCH, .take = take_addr_to, .cmp = compare_ends,
	 .measure = measure_addr_to, .symbol = address_to},
	{NULL},
};
