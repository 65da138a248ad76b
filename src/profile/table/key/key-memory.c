// SPDX-License-Identifier: MIT
/*
 * The keys of memory accesses: the data address, and what the PMU says of the access in data_src.
 */
#include "data/record/data_src.h"
#include "profile/table/key/key.h"
#include "profile/table/table.h"

#include <sys/mman.h>

static uint64_t take_data_address(KEY_TAKE_ARGS)
{
	return t->v[COL_ADDR];
}

static const struct frame *data_of(const struct table *table, const struct entry *e)
{
	return table_first_data(table, e);
}

static unsigned int measure_address(const struct frame *frame)
{
	return frame->where->sym ? (unsigned int)strlen(frame->where->name) + 4 + 16 + 2 : 22;
}

static unsigned int measure_data_symbol(KEY_MEASURE_ARGS)
{
	return measure_address(data_of(table, e));
}

static void data_symbol(KEY_SYMBOL_ARGS)
{
	*out = (struct key_symbol){data_of(table, e), value, e->first.level, false};
}

static uint64_t take_code_address(KEY_TAKE_ARGS)
{
	return t->v[COL_IP];
}

static unsigned int measure_code_symbol(KEY_MEASURE_ARGS)
{
	return measure_address(table_frame(table, e->first.frame));
}

static void code_symbol(KEY_SYMBOL_ARGS)
{
	*out = (struct key_symbol){table_frame(table, e->first.frame), value, e->first.level,
				   false};
}

static uint64_t take_data_dso(KEY_TAKE_ARGS)
{
	return table_frame(table, t->data)->where->dso_name;
}

static int key_memory_compare_dsos(KEY_COMPARE_ARGS)
{
	return -key_compare_dsos(table, a, b);
}

static unsigned int measure_data_dso(KEY_MEASURE_ARGS)
{
	return key_dso_width(table, value, value != HASH_NONE);
}

static void key_memory_text_dso(KEY_TEXT_ARGS)
{
	buf_str(out, frames_dso_name(&table->samples->frames, (uint32_t)value));
}

/* -- data_src: a key compares one part of it; the text is that of the entry's first sample -- */

static uint64_t data_src_of(const struct table *table, const struct entry *e)
{
	uint64_t v[COLUMNS];

	cells_spread(&table->samples->cells, e->first.cell, v);
	return v[COL_DATA_SRC];
}

static uint64_t take_lock(KEY_TAKE_ARGS)
{
	return DATA_SRC_LOCK(t->v[COL_DATA_SRC]);
}

static void text_lock(KEY_TEXT_ARGS)
{
	data_src_lock(data_src_of(table, e), out);
}

static uint64_t take_tlb(KEY_TAKE_ARGS)
{
	return DATA_SRC_TLB(t->v[COL_DATA_SRC]);
}

static void text_tlb(KEY_TEXT_ARGS)
{
	data_src_tlb(data_src_of(table, e), out);
}

static uint64_t take_level(KEY_TAKE_ARGS)
{
	return DATA_SRC_LEVEL(t->v[COL_DATA_SRC]);
}

static void text_level(KEY_TEXT_ARGS)
{
	data_src_level(data_src_of(table, e), out);
}

static uint64_t take_snoop(KEY_TAKE_ARGS)
{
	return DATA_SRC_SNOOP(t->v[COL_DATA_SRC]);
}

static void text_snoop(KEY_TEXT_ARGS)
{
	data_src_snoop(data_src_of(table, e), out);
}

static uint64_t take_blocked(KEY_TAKE_ARGS)
{
	return DATA_SRC_BLOCKED(t->v[COL_DATA_SRC]);
}

static void text_blocked(KEY_TEXT_ARGS)
{
	data_src_blocked(data_src_of(table, e), out);
}

/* -- the cache line -- */

/* The identity of a cache line: cpumode, dso (private memory: also the process), and address in the
 * dso. */
struct line {
	uint64_t cpumode, dso, pid, address;
};

static bool is_anonymous(const struct map *map)
{
	return !(map->flags & MAP_SHARED) && !map->maj && !map->min && !map->ino &&
	       !map->ino_generation;
}

static uint64_t take_line(KEY_TAKE_ARGS)
{
	const struct frame *frame = table_frame(table, t->data);
	struct line line = {.cpumode = frame->cpumode,
			    .dso = frame->where->dso_name,
			    .address = frame_addr(frame) & ~63ull};

	if (frame->where->map && frame->cpumode != MISC_KERNEL && is_anonymous(frame->where->map))
		line.pid = t->cell->thread->pid;
	return intern_put(&table->texts, &line, sizeof(line));
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a == b ? 0 : a < b ? -1 : 1;
}

static int compare_lines(KEY_COMPARE_ARGS)
{
	const struct line *x = table->texts.entries.at[a].p, *y = table->texts.entries.at[b].p;
	int order = compare_numbers(x->cpumode, y->cpumode);

	if (!order)
		order = key_compare_dsos(table, x->dso, y->dso);
	if (!order)
		order = compare_numbers(x->pid, y->pid);
	return order ? order : compare_numbers(x->address, y->address);
}

static unsigned int measure_line(KEY_MEASURE_ARGS)
{
	const struct frame *frame = data_of(table, e);

	return measure_address(frame) + (frame->where->sym != NULL);
}

static void line_symbol(KEY_SYMBOL_ARGS)
{
	const struct frame *frame = data_of(table, e);
	const struct map *map = frame->where->map;
	const struct line *line = table->texts.entries.at[value].p;
	char level = e->first.level;

	if (!map)
		level = 'X';
	else if (frame->cpumode != MISC_KERNEL && !(map->prot & PROT_EXEC) &&
		 map->flags & MAP_SHARED && (map->maj || map->min || map->ino))
		level = 's';
	*out = (struct key_symbol){frame, line->address, level, false};
}

static uint64_t take_physical(KEY_TAKE_ARGS)
{
	return t->v[COL_PHYS_ADDR];
}

static void text_physical(KEY_TEXT_ARGS)
{
	buf_str(out, "[");
	buf_char(out, e->first.level);
	buf_str(out, value ? "] 0x" : "] ");
	buf_hex_zero(out, value, 16);
}

static uint64_t take_page_size(KEY_TAKE_ARGS)
{
	return t->v[COL_DATA_PAGE];
}

#define C(name) COL_BIT(COL_##name)

const struct key keys_memory[] = {
	{"symbol_daddr", "Data Symbol", KEY_DATA | KEY_FRAME, C(ADDR), .take = take_data_address,
	 .measure = measure_data_symbol, .symbol = data_symbol},
	{"symbol_iaddr", "Code Symbol", KEY_FRAME, C(IP), .take = take_code_address,
	 .measure = measure_code_symbol, .symbol = code_symbol},
	{"dso_daddr", "Data Object", KEY_DATA, C(ADDR), .take = take_data_dso,
	 .cmp = key_memory_compare_dsos, .measure = measure_data_dso, .text = key_memory_text_dso,
	 .fit = KEY_CUT},
	{"locked", "Locked", 0, C(DATA_SRC), 6, take_lock, .text = text_lock},
	{"tlb", "TLB access", 0, C(DATA_SRC), 22, take_tlb, .text = text_tlb, .fit = KEY_LEFT},
	{"mem", "Memory access", 0, C(DATA_SRC), 24, take_level, .text = text_level,
	 .fit = KEY_LEFT},
	{"snoop", "Snoop", 0, C(DATA_SRC), 12, take_snoop, .text = text_snoop, .fit = KEY_LEFT},
	{"dcacheline", "Data Cacheline", KEY_DATA | KEY_FRAME, C(ADDR) | C(THREAD),
	 .take = take_line, .cmp = compare_lines, .measure = measure_line, .symbol = line_symbol},
	{"phys_daddr", "Data Physical Address", KEY_FRAME, C(PHYS_ADDR), 22, take_physical,
	 .text = text_physical, .fit = KEY_LEFT},
	{"data_page_size", "Data Page Size", 0, C(DATA_PAGE), 22, take_page_size,
	 .text = key_text_page_size, .fit = KEY_LEFT},
	{"blocked", "Blocked", 0, C(DATA_SRC), 10, take_blocked, .text = text_blocked},
	{NULL},
};
