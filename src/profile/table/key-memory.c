// SPDX-License-Identifier: MIT
/*
 * The keys of memory accesses: the data address, and what the PMU says of the access in data_src.
 */
#include "data/data_src.h"
#include "profile/table/key.h"
#include "profile/table/table.h"

#include <sys/mman.h>

static uint64_t take_data_address(KEY_TAKE_ARGS)
{
	return t->v[COL_ADDR];
}

static const struct frame *data_of(const struct table *table, const struct entry *e)
{
	return table_frame(table, e->first.data);
}

static unsigned int measure_address(const struct frame *frame)
{
	return frame->sym ? (unsigned int)strlen(frame->name) + 4 + 16 + 2 : 22;
}

static unsigned int measure_data_symbol(KEY_MEASURE_ARGS)
{
	return measure_address(data_of(table, e));
}

static void show_data_symbol(KEY_SHOW_ARGS)
{
	key_show_symbol(table, data_of(table, e), value, e->first.level, width, out);
}

static uint64_t take_code_address(KEY_TAKE_ARGS)
{
	return t->v[COL_IP];
}

static unsigned int measure_code_symbol(KEY_MEASURE_ARGS)
{
	return measure_address(table_frame(table, e->first.frame));
}

static void show_code_symbol(KEY_SHOW_ARGS)
{
	key_show_symbol(table, table_frame(table, e->first.frame), value, e->first.level, width,
			out);
}

static uint64_t take_data_dso(KEY_TAKE_ARGS)
{
	return table_frame(table, t->data)->dso_name;
}

static int compare_dsos(KEY_COMPARE_ARGS)
{
	return -key_compare_dsos(table, a, b);
}

static unsigned int measure_data_dso(KEY_MEASURE_ARGS)
{
	return key_dso_width(table, value, value != HASH_NONE);
}

static void show_dso(KEY_SHOW_ARGS)
{
	key_show_text(frames_dso_name(&table->samples->frames, (uint32_t)value), width, out);
}

/* -- data_src: accesses are told apart by one part of it; the first says what it was like -- */

static void show_part(const struct table *table, const struct entry *e, unsigned int width,
		      void (*show)(uint64_t v, struct buf *out), struct buf *out)
{
	uint64_t v[COLUMNS];
	size_t start = out->n;

	cells_spread(&table->samples->cells, e->first.cell, v);
	show(v[COL_DATA_SRC], out);
	if (out->n - start < width)
		buf_fill(out, ' ', width - (out->n - start));
}

static uint64_t take_lock(KEY_TAKE_ARGS)
{
	return DATA_SRC_LOCK(t->v[COL_DATA_SRC]);
}

static void show_lock(KEY_SHOW_ARGS)
{
	show_part(table, e, 0, data_src_lock, out);
}

static uint64_t take_tlb(KEY_TAKE_ARGS)
{
	return DATA_SRC_TLB(t->v[COL_DATA_SRC]);
}

static void show_tlb(KEY_SHOW_ARGS)
{
	show_part(table, e, width, data_src_tlb, out);
}

static uint64_t take_level(KEY_TAKE_ARGS)
{
	return DATA_SRC_LEVEL(t->v[COL_DATA_SRC]);
}

static void show_level(KEY_SHOW_ARGS)
{
	show_part(table, e, width, data_src_level, out);
}

static uint64_t take_snoop(KEY_TAKE_ARGS)
{
	return DATA_SRC_SNOOP(t->v[COL_DATA_SRC]);
}

static void show_snoop(KEY_SHOW_ARGS)
{
	show_part(table, e, width, data_src_snoop, out);
}

static uint64_t take_blocked(KEY_TAKE_ARGS)
{
	return DATA_SRC_BLOCKED(t->v[COL_DATA_SRC]);
}

static void show_blocked(KEY_SHOW_ARGS)
{
	show_part(table, e, 0, data_src_blocked, out);
}

/* -- the cache line -- */

/* Lines are told apart by the mode, by where they are mapped from (private memory: by whose it is),
 * and by their place there. */
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
	struct line line = {.cpumode = frame->cpumode, .dso = frame->dso_name,
			    .address = frame->addr & ~63ull};

	if (frame->map && frame->cpumode != MISC_KERNEL && is_anonymous(frame->map))
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

	return measure_address(frame) + (frame->sym != NULL);
}

static void show_line(KEY_SHOW_ARGS)
{
	const struct frame *frame = data_of(table, e);
	const struct map *map = frame->map;
	const struct line *line = table->texts.entries.at[value].p;
	char level = e->first.level;

	if (!map)
		level = 'X';
	else if (frame->cpumode != MISC_KERNEL && !(map->prot & PROT_EXEC) &&
		 map->flags & MAP_SHARED && (map->maj || map->min || map->ino))
		level = 's';
	key_show_symbol(table, frame, line->address, level, width, out);
}

static uint64_t take_physical(KEY_TAKE_ARGS)
{
	return t->v[COL_PHYS_ADDR];
}

static void show_physical(KEY_SHOW_ARGS)
{
	size_t start = out->n;

	buf_str(out, "[");
	buf_char(out, e->first.level);
	buf_str(out, value ? "] 0x" : "] ");
	buf_hex_zero(out, value, 16);
	if (out->n - start < width)
		buf_fill(out, ' ', width - (out->n - start));
}

static uint64_t take_page_size(KEY_TAKE_ARGS)
{
	return t->v[COL_DATA_PAGE];
}

#define C(name) COL_BIT(COL_##name)

const struct key keys_memory[] = {
	{"symbol_daddr", "Data Symbol", KEY_DATA | KEY_FRAME, C(ADDR), .take = take_data_address,
	 .measure = measure_data_symbol, .show = show_data_symbol},
	{"symbol_iaddr", "Code Symbol", KEY_FRAME, C(IP), .take = take_code_address,
	 .measure = measure_code_symbol, .show = show_code_symbol},
	{"dso_daddr", "Data Object", KEY_DATA, C(ADDR), .take = take_data_dso, .cmp = compare_dsos,
	 .measure = measure_data_dso, .show = show_dso},
	{"locked", "Locked", 0, C(DATA_SRC), 6, take_lock, .show = show_lock},
	{"tlb", "TLB access", 0, C(DATA_SRC), 22, take_tlb, .show = show_tlb},
	{"mem", "Memory access", 0, C(DATA_SRC), 24, take_level, .show = show_level},
	{"snoop", "Snoop", 0, C(DATA_SRC), 12, take_snoop, .show = show_snoop},
	{"dcacheline", "Data Cacheline", KEY_DATA | KEY_FRAME, C(ADDR) | C(THREAD), .take = take_line,
	 .cmp = compare_lines,
	 .measure = measure_line, .show = show_line},
	{"phys_daddr", "Data Physical Address", KEY_FRAME, C(PHYS_ADDR), 22, take_physical,
	 .show = show_physical},
	{"data_page_size", "Data Page Size", 0, C(DATA_PAGE), 22, take_page_size,
	 .show = key_show_page_size},
	{"blocked", "Blocked", 0, C(DATA_SRC), 10, take_blocked, .show = show_blocked},
	{NULL},
};
