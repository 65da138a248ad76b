// SPDX-License-Identifier: MIT
/*
 * The keys of memory accesses: the data address, and what the PMU says of the access in data_src
 * (union perf_mem_data_src of include/uapi/linux/perf_event.h).
 */
#include "profile/key.h"
#include "profile/profile.h"

#include <sys/mman.h>

#define SOURCE_OP(v)	    ((v) & 0x1f)
#define SOURCE_LEVEL(v)	    ((v) >> 5 & 0x3fff)
#define SOURCE_SNOOP(v)	    ((v) >> 19 & 0x1f)
#define SOURCE_LOCK(v)	    ((v) >> 24 & 3)
#define SOURCE_TLB(v)	    ((v) >> 26 & 0x7f)
#define SOURCE_LEVEL_NUM(v) ((v) >> 33 & 0xf)
#define SOURCE_REMOTE(v)    ((v) >> 37 & 1)
#define SOURCE_SNOOPX(v)    ((v) >> 38 & 3)
#define SOURCE_BLOCKED(v)   ((v) >> 40 & 7)
#define SOURCE_HOPS(v)	    ((v) >> 43 & 7)

static uint64_t take_data_address(KEY_TAKE_ARGS)
{
	return t->v[COL_ADDR];
}

static const struct frame *data_of(const struct profile *p, const struct entry *e)
{
	return frames_at(&p->frames, e->first.data);
}

static unsigned int measure_address(const struct frame *frame)
{
	return frame->sym ? (unsigned int)strlen(frame->name) + 4 + 16 + 2 : 22;
}

static unsigned int measure_data_symbol(KEY_MEASURE_ARGS)
{
	return measure_address(data_of(p, e));
}

static void show_data_symbol(KEY_SHOW_ARGS)
{
	key_show_symbol(p, data_of(p, e), value, e->first.level, width, out);
}

static uint64_t take_code_address(KEY_TAKE_ARGS)
{
	return t->v[COL_IP];
}

static unsigned int measure_code_symbol(KEY_MEASURE_ARGS)
{
	return measure_address(frames_at(&p->frames, e->first.frame));
}

static void show_code_symbol(KEY_SHOW_ARGS)
{
	key_show_symbol(p, frames_at(&p->frames, e->first.frame), value, e->first.level, width,
			out);
}

static uint64_t take_data_dso(KEY_TAKE_ARGS)
{
	return frames_at(&p->frames, t->data)->dso_name;
}

static int compare_dsos(KEY_COMPARE_ARGS)
{
	return -key_compare_dsos(p, a, b);
}

static unsigned int measure_data_dso(KEY_MEASURE_ARGS)
{
	return key_dso_width(p, value, value != HASH_NONE);
}

static void show_dso(KEY_SHOW_ARGS)
{
	key_show_text(frames_dso_name(&p->frames, (uint32_t)value), width, out);
}

/* -- data_src -- */

static uint64_t take_lock(KEY_TAKE_ARGS)
{
	return SOURCE_LOCK(t->v[COL_DATA_SRC]);
}

static void show_lock(KEY_SHOW_ARGS)
{
	const char *text = value & 1 ? "N/A" : value & 2 ? "Yes" : "No";

	buf_add(out, text, strnlen(text, width));
}

/* Appends the names of the set bits with " or " between; says whether there was one. */
static bool bit_names(uint64_t bits, const char *const *names, size_t n, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (!(bits & 1ull << i) || !names[i])
			continue;
		if (any)
			buf_str(out, " or ");
		buf_str(out, names[i]);
		any = true;
	}
	return any;
}

static void show_left(struct buf *text, unsigned int width, struct buf *out)
{
	buf_left(out, buf_text(text), width);
	buf_release(text);
}

static uint64_t take_tlb(KEY_TAKE_ARGS)
{
	return SOURCE_TLB(t->v[COL_DATA_SRC]);
}

static void show_tlb(KEY_SHOW_ARGS)
{
	static const char *const names[] = {"N/A", NULL, NULL, "L1", "L2", "Walker", "Fault"};
	struct buf text = {0};

	if (!bit_names(value, names, ARRAY_SIZE(names), &text))
		buf_str(&text, "N/A");
	if (value & 2)
		buf_str(&text, " hit");
	if (value & 4)
		buf_str(&text, " miss");
	show_left(&text, width, out);
}

/* Level, its number, hops and remoteness: packed so that sorting by the level bits comes first. */
static uint64_t take_level(KEY_TAKE_ARGS)
{
	uint64_t v = t->v[COL_DATA_SRC];

	return SOURCE_LEVEL(v) << 8 | SOURCE_LEVEL_NUM(v) << 4 | SOURCE_HOPS(v) << 1 |
	       SOURCE_REMOTE(v);
}

static void show_level(KEY_SHOW_ARGS)
{
	static const char *const names[] = {"N/A", NULL, NULL, "L1", "LFB/MAB", "L2", "L3",
		"Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)", "Remote Cache (1 hop)",
		"Remote Cache (2 hops)", "I/O", "Uncached"};
	static const char *const numbers[16] = {[9] = "CXL", [10] = "I/O", [11] = "Any cache",
		[12] = "LFB/MAB", [13] = "RAM", [14] = "PMEM", [15] = "N/A"};
	static const char *const hops[8] = {NULL, "core, same node ", "node, same socket ",
		"socket, same board ", "board "};
	uint64_t level = value >> 8, number = value >> 4 & 0xf, hop = value >> 1 & 7;
	struct buf text = {0};
	bool any = false;

	if (value & 1)
		buf_str(&text, "Remote ");
	if (hop)
		buf_str(&text, hops[hop] ? hops[hop] : "");
	else
		any = bit_names(level & ~6ull, names, ARRAY_SIZE(names), &text);
	if (number) {
		if (any)
			buf_str(&text, " or ");
		if (numbers[number])
			buf_str(&text, numbers[number]);
		else
			buf_printf(&text, "L%u", (unsigned int)number);
	}
	if (!text.n)
		buf_str(&text, "N/A");
	if (level & 2)
		buf_str(&text, " hit");
	if (level & 4)
		buf_str(&text, " miss");
	show_left(&text, width, out);
}

static uint64_t take_snoop(KEY_TAKE_ARGS)
{
	uint64_t v = t->v[COL_DATA_SRC];

	return SOURCE_SNOOP(v) << 2 | SOURCE_SNOOPX(v);
}

static void show_snoop(KEY_SHOW_ARGS)
{
	static const char *const names[] = {"N/A", "None", "Hit", "Miss", "HitM"};
	struct buf text = {0};
	bool any = bit_names(value >> 2, names, ARRAY_SIZE(names), &text);

	if (value & 3) {
		if (any)
			buf_str(&text, " or ");
		buf_str(&text, value & 1 ? "Fwd" : "Peer");
		any = true;
	}
	if (!any)
		buf_str(&text, "N/A");
	show_left(&text, width, out);
}

static uint64_t take_blocked(KEY_TAKE_ARGS)
{
	return SOURCE_BLOCKED(t->v[COL_DATA_SRC]);
}

static void show_blocked(KEY_SHOW_ARGS)
{
	size_t start = out->n;

	if (!value || value & 1) {
		buf_str(out, " N/A");
	} else {
		buf_str(out, value & 2 ? " Data" : "");
		buf_str(out, value & 4 ? " Addr" : "");
	}
	out->n = MIN(out->n, start + width);
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
	const struct frame *frame = frames_at(&p->frames, t->data);
	struct line line = {.cpumode = frame->cpumode, .dso = frame->dso_name,
			    .address = frame->addr & ~63ull};

	if (frame->map && frame->cpumode != MISC_KERNEL && is_anonymous(frame->map))
		line.pid = t->first->thread->pid;
	return intern_put(&p->texts, &line, sizeof(line));
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a == b ? 0 : a < b ? -1 : 1;
}

static int compare_lines(KEY_COMPARE_ARGS)
{
	const struct line *x = p->texts.entries.at[a].p, *y = p->texts.entries.at[b].p;
	int order = compare_numbers(x->cpumode, y->cpumode);

	if (!order)
		order = key_compare_dsos(p, x->dso, y->dso);
	if (!order)
		order = compare_numbers(x->pid, y->pid);
	return order ? order : compare_numbers(x->address, y->address);
}

static unsigned int measure_line(KEY_MEASURE_ARGS)
{
	const struct frame *frame = data_of(p, e);

	return measure_address(frame) + (frame->sym != NULL);
}

static void show_line(KEY_SHOW_ARGS)
{
	const struct frame *frame = data_of(p, e);
	const struct map *map = frame->map;
	const struct line *line = p->texts.entries.at[value].p;
	char level = e->first.level;

	if (!map)
		level = 'X';
	else if (frame->cpumode != MISC_KERNEL && !(map->prot & PROT_EXEC) &&
		 map->flags & MAP_SHARED && (map->maj || map->min || map->ino))
		level = 's';
	key_show_symbol(p, frame, line->address, level, width, out);
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
