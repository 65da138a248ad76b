// SPDX-License-Identifier: MIT
/* The keys that every sample may have. */
#include "data/record/data_src.h"
#include "profile/table/key/key.h"
#include "profile/table/table.h"

/* The id of s in the texts that all text keys share. */
static uint64_t text(struct table *table, const char *s)
{
	return intern_str(&table->texts, s);
}

static const char *key_common_text_of(const struct table *table, uint64_t value)
{
	return intern_text(&table->texts, (uint32_t)value);
}

/* Values of keys that show a column as it was recorded. */
static uint64_t take_column(KEY_TAKE_ARGS)
{
	return t->v[__builtin_ctz(use->key->columns)];
}

static int compare_texts(KEY_COMPARE_ARGS)
{
	return strcmp(key_common_text_of(table, a), key_common_text_of(table, b));
}

static unsigned int measure_text(KEY_MEASURE_ARGS)
{
	return (unsigned int)strlen(key_common_text_of(table, value));
}

static void identity_text(KEY_TEXT_ARGS)
{
	if (value != HASH_NONE)
		buf_str(out, key_common_text_of(table, value));
}

static void text_number(KEY_TEXT_ARGS)
{
	buf_dec(out, value);
}

static void text_int(KEY_TEXT_ARGS)
{
	buf_sdec(out, (int32_t)value);
}

static void text_exact(KEY_TEXT_ARGS)
{
	buf_str(out, value ? "yes" : "no");
}

static void text_text(KEY_TEXT_ARGS)
{
	buf_str(out, key_common_text_of(table, value));
}

/* -- threads -- */

static const char *last_comm(const struct table *table, const struct entry *e)
{
	const struct thread *thread = table_first(table, e)->thread;

	return thread ? world_comm(table->samples->world, thread, WORLD_NOW) : "";
}

static uint64_t take_tid(KEY_TAKE_ARGS)
{
	return t->cell->thread ? t->cell->thread->tid : 0;
}

static int compare_ints(KEY_COMPARE_ARGS)
{
	return (int32_t)a < (int32_t)b ? -1 : (int32_t)a > (int32_t)b;
}

static unsigned int measure_tid(KEY_MEASURE_ARGS)
{
	return (unsigned int)strlen(last_comm(table, e)) + 8;
}

static void text_tid(KEY_TEXT_ARGS)
{
	buf_sdec(out, (int32_t)value);
	buf_char(out, ':');
	buf_str(out, last_comm(table, e));
}

static int compare_comms(KEY_COMPARE_ARGS)
{
	return strcmp(world_comm_text(table->samples->world, (uint32_t)a),
		      world_comm_text(table->samples->world, (uint32_t)b));
}

/* The reference measures the last name of the thread, not this one. */
static unsigned int measure_comm(KEY_MEASURE_ARGS)
{
	return (unsigned int)strlen(last_comm(table, e));
}

static void text_comm(KEY_TEXT_ARGS)
{
	buf_str(out, world_comm_text(table->samples->world, (uint32_t)value));
}

/* -- places -- */

static uint64_t take_dso(KEY_TAKE_ARGS)
{
	return table_frame(table, t->frame)->where->dso_name;
}

static int key_common_compare_dsos(KEY_COMPARE_ARGS)
{
	return key_compare_dsos(table, a, b);
}

static unsigned int measure_dso(KEY_MEASURE_ARGS)
{
	return key_dso_width(table, value, table_frame(table, e->first.frame)->where->sym);
}

static void key_common_text_dso(KEY_TEXT_ARGS)
{
	buf_str(out, frames_dso_name(&table->samples->frames, (uint32_t)value));
}

static uint64_t take_symbol(KEY_TAKE_ARGS)
{
	const struct frame *frame = table_frame(table, t->frame);

	return t->in_chain ? frame->chain_symbol_id : frame->symbol_id;
}

static int compare_symbols(KEY_COMPARE_ARGS)
{
	return key_compare_symbols(table, a, b);
}

static int sort_symbols(KEY_COMPARE_ARGS)
{
	return key_sort_symbols(table, a, b);
}

static unsigned int measure_symbol(KEY_MEASURE_ARGS)
{
	return key_symbol_width(table, value);
}

static void symbol_of(KEY_SYMBOL_ARGS)
{
	const struct frame_symbol *s = frames_symbol(&table->samples->frames, (uint32_t)value);
	const struct frame *frame = table_frame(table, e->first.frame);
	const uint64_t address = e->first.in_chain ? frame->ip : frame_addr(frame);

	*out = (struct key_symbol){frame, frame->where->sym ? address : s->start, e->first.level,
				   false};
}

static void text_no_ipc(KEY_TEXT_ARGS)
{
	buf_str(out, "-      -");
}

/* 0: no symbol; else its size plus 1. */
static uint64_t take_symbol_size(KEY_TAKE_ARGS)
{
	const struct symbol *sym = table_frame(table, t->frame)->where->sym;

	return sym ? sym->end - sym->start + 1 : 0;
}

static uint64_t take_dso_size(KEY_TAKE_ARGS)
{
	const struct map *map = table_frame(table, t->frame)->where->map;

	return !map ? 0 : MIN(map->end - map->start, UINT64_MAX - 1) + 1;
}

static void text_size(KEY_TEXT_ARGS)
{
	if (value)
		buf_sdec(out, (int32_t)(value == UINT64_MAX ? value : value - 1));
	else
		buf_str(out, "unknown");
}

static uint64_t take_address(KEY_TAKE_ARGS)
{
	return table_frame(table, t->frame)->ip;
}

static void text_address(KEY_TEXT_ARGS)
{
	buf_str(out, value ? "0x" : "");
	buf_hex(out, value);
}

static uint64_t take_srcline(KEY_TAKE_ARGS)
{
	AUTO_BUF line = {0};

	frame_line_text(table_frame(table, t->frame), &line);
	return text(table, buf_text(&line));
}

/* Where no line is known, perf shows the text before the first colon of the text for "srcline". */
static uint64_t take_srcfile(KEY_TAKE_ARGS)
{
	const struct frame *frame = table_frame(table, t->frame);
	const char *name, *colon;

	if (frame->where->srcfile || frame->where->sym || !frame->where->map)
		return text(table, frame->where->srcfile ? frame->where->srcfile : "");
	name = frame->where->dso->short_name;
	colon = strchr(name, ':');
	return intern_put(&table->texts, name, colon ? (size_t)(colon - name) : 0);
}

static uint64_t take_parent(KEY_TAKE_ARGS)
{
	if (t->parent == HASH_NONE)
		return HASH_NONE;
	return text(table, table_frame(table, t->parent)->where->name);
}

static int compare_parents(KEY_COMPARE_ARGS)
{
	if (a == HASH_NONE || b == HASH_NONE)
		return a == HASH_NONE ? 1 : -1;
	return compare_texts(table, use, a, b);
}

static unsigned int measure_parent(KEY_MEASURE_ARGS)
{
	return value == HASH_NONE ? 0 : measure_text(table, use, e, value);
}

static void text_parent(KEY_TEXT_ARGS)
{
	buf_str(out, value == HASH_NONE ? "[other]" : key_common_text_of(table, value));
}

/* -- CPUs and times -- */

static uint64_t take_socket(KEY_TAKE_ARGS)
{
	uint32_t cpu = (uint32_t)t->v[COL_CPU];

	return (uint64_t)(int64_t)(cpu < table->samples->m->n_sockets
					   ? table->samples->m->socket_of_cpu[cpu]
					   : -1);
}

static void text_time(KEY_TEXT_ARGS)
{
	const uint64_t ns = value % 1000000000;

	buf_dec(out, value / 1000000000);
	buf_char(out, '.');
	if (table->opts.nanoseconds)
		buf_dec_zero(out, ns, 9);
	else
		buf_dec_zero(out, ns / 1000, 6);
}

static unsigned int measure_time(KEY_MEASURE_ARGS)
{
	return table->opts.nanoseconds ? 16 : 12;
}

/* -- weights -- */

static void text_weight_sum(KEY_TEXT_ARGS)
{
	buf_dec(out, value * e->self->samples);
}

#define TXN_SYNC	(1ull << 2)
#define TXN_ASYNC	(1ull << 3)

static void text_transaction(KEY_TEXT_ARGS)
{
	static const char *const bits[] = {"EL ",    "TX ",	 "SYNC ",     "ASYNC ",
					   "RETRY ", "CON ", "CAP-WRITE ", "CAP-READ "};

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (value & 1ull << i)
			buf_str(out, bits[i]);
	if (value && !(value & (TXN_SYNC | TXN_ASYNC)))
		buf_str(out, "NEITHER ");
	if (value >> 32) {
		buf_char(out, ':');
		buf_hex(out, value >> 32);
	}
}

/* The longest that a transaction's text can get. */
static unsigned int measure_transaction(KEY_MEASURE_ARGS)
{
	return value ? 61 : 0;
}

static void text_cgroup(KEY_TEXT_ARGS)
{
	const char *path = value ? world_cgroup(table->samples->world, value) : "N/A";

	buf_str(out, path ? path : "unknown");
}

static unsigned int measure_cgroup(KEY_MEASURE_ARGS)
{
	const char *path = value ? world_cgroup(table->samples->world, value) : NULL;

	return MAX(path ? (unsigned int)strlen(path) : 0, 6u);
}

/* The cgroup namespace of the thread: device and inode, as interned bytes. */
static uint64_t take_cgroup_namespace(KEY_TAKE_ARGS)
{
	struct { uint64_t dev, ino; } id = {0, 0};
	const struct namespaces *spaces = t->cell->thread
		? world_namespaces(t->cell->thread, t->cell->order) : NULL;

	if (spaces && spaces->n > 6) {
		id.dev = spaces->dev[6];
		id.ino = spaces->ino[6];
	}
	return intern_put(&table->texts, &id, sizeof(id));
}

static int compare_namespaces(KEY_COMPARE_ARGS)
{
	uint64_t x[2], y[2];

	memcpy(x, key_common_text_of(table, a), sizeof(x));
	memcpy(y, key_common_text_of(table, b), sizeof(y));
	for (int i = 0; i < 2; i++)
		if (x[i] != y[i])
			return (int64_t)(x[i] - y[i]) < 0 ? -1 : 1;
	return 0;
}

static void text_cgroup_namespace(KEY_TEXT_ARGS)
{
	uint64_t id[2];

	memcpy(id, key_common_text_of(table, value), sizeof(id));
	buf_dec(out, id[0]);
	buf_str(out, "/0x");
	buf_hex(out, id[1]);
}

void key_text_page_size(KEY_TEXT_ARGS)
{
	data_page_size_text(value, out);
}

/* -- tracepoints -- */

static uint64_t take_trace(KEY_TAKE_ARGS)
{
	return table_trace_text(table, t);
}

static void text_trace(KEY_TEXT_ARGS)
{
	buf_str(out, value == HASH_NONE ? "N/A" : key_common_text_of(table, value));
}

/* The reference makes the text when it compares two samples: a single sample has no width. */
static unsigned int measure_trace(KEY_MEASURE_ARGS)
{
	if (value == HASH_NONE || table->events.at[e->event].samples < 2)
		return 0;
	return measure_text(table, use, e, value);
}

#define C(name) COL_BIT(COL_##name)

const struct key keys_common[] = {
	{"pid", "    Pid:Command", KEY_ORDERED, .columns = C(THREAD), .take = take_tid,
	 .cmp = compare_ints, .measure = measure_tid, .text = text_tid, .fit = KEY_COLON},
	{"comm", "Command", KEY_COLLAPSES | KEY_ORDERED, C(COMM), .take = take_column,
	 .cmp = compare_comms, .measure = measure_comm, .identity = text_comm, .text = text_comm,
	 .fit = KEY_CUT},
	{"dso", "Shared Object", KEY_FRAME | KEY_DSO | KEY_ORDERED, .take = take_dso,
	 .cmp = key_common_compare_dsos, .measure = measure_dso, .identity = key_identity_dso,
	 .text = key_common_text_dso, .fit = KEY_CUT},
	{"symbol", "Symbol", KEY_FRAME | KEY_SYMBOL, .take = take_symbol, .cmp = compare_symbols,
	 .sort = sort_symbols, .measure = measure_symbol, .identity = key_identity_symbol,
	 .symbol = symbol_of},
	{"parent", "Parent symbol", KEY_PARENT | KEY_ORDERED, .take = take_parent,
	 .cmp = compare_parents, .measure = measure_parent, .identity = identity_text,
	 .text = text_parent, .fit = KEY_CUT},
	{"cpu", "CPU", KEY_ORDERED, .columns = C(CPU), .width = 3, .take = take_column,
	 .cmp = compare_ints, .text = text_int, .fit = KEY_ZEROS},
	{"socket", "Socket", KEY_ORDERED, .columns = C(CPU), .width = 6, .take = take_socket,
	 .cmp = compare_ints, .text = text_int, .fit = KEY_ZEROS_RIGHT},
	{"srcline", "Source:Line", KEY_FRAME | KEY_COLLAPSES | KEY_LINES | KEY_ORDERED,
	 .take = take_srcline, .cmp = compare_texts, .measure = measure_text,
	 .identity = identity_text, .text = text_text, .fit = KEY_SHORT},
	{"srcfile", "Source File", KEY_FRAME | KEY_COLLAPSES | KEY_LINES | KEY_ORDERED,
	 .take = take_srcfile, .cmp = compare_texts, .measure = measure_text,
	 .identity = identity_text, .text = text_text, .fit = KEY_SHORT},
	{"local_weight", "Local Weight", KEY_DESCENDING, C(WEIGHT), 12, take_column,
	 .text = text_number, .fit = KEY_LEFT},
	{"weight", "Weight", KEY_DESCENDING, C(WEIGHT), 12, take_column, .text = text_weight_sum,
	 .fit = KEY_LEFT},
	{"transaction", "Transaction                ", KEY_DESCENDING, C(TRANSACTION),
	 .take = take_column, .measure = measure_transaction, .text = text_transaction,
	 .fit = KEY_LEFT},
	{"trace", "Trace output", KEY_ORDERED, .columns = C(RAW) | C(EVENT) | C(CPU),
	 .take = take_trace, .cmp = compare_parents, .measure = measure_trace,
	 .identity = identity_text, .text = text_trace, .fit = KEY_SHORT},
	{"symbol_size", "Symbol size", KEY_FRAME, .take = take_symbol_size, .text = text_size,
	 .fit = KEY_RIGHT},
	{"dso_size", "DSO size", KEY_FRAME, .take = take_dso_size, .text = text_size,
	 .fit = KEY_RIGHT},
	{"cgroup", "Cgroup", .columns = C(CGROUP), .width = 6, .take = take_column,
	 .measure = measure_cgroup, .identity = text_cgroup, .text = text_cgroup},
	{"cgroup_id", "cgroup id (dev/inode)", .columns = C(THREAD), .width = 20,
	 .take = take_cgroup_namespace, .cmp = compare_namespaces,
	 .identity = text_cgroup_namespace, .text = text_cgroup_namespace, .fit = KEY_SHORT},
	{"ipc_null", "IPC   [IPC Coverage]", KEY_FRAME, .take = take_symbol, .cmp = compare_symbols,
	 .text = text_no_ipc, .fit = KEY_CUT},
	{"time", "Time", .columns = C(TIME), .take = take_column, .measure = measure_time,
	 .text = text_time, .fit = KEY_SHORT},
	{"code_page_size", "Code Page Size", .columns = C(CODE_PAGE), .width = 6,
	 .take = take_column, .text = key_text_page_size, .fit = KEY_LEFT},
	{"local_ins_lat", "Local INSTR Latency", KEY_DESCENDING, C(INS_LAT), 13, take_column,
	 .text = text_number, .fit = KEY_LEFT},
	{"ins_lat", "INSTR Latency", KEY_DESCENDING, C(INS_LAT), 13, take_column,
	 .text = text_weight_sum, .fit = KEY_LEFT},
	{"local_p_stage_cyc", "Local Pipeline Stage Cycle", KEY_DESCENDING | KEY_POWERPC,
	 C(P_STAGE), 13, take_column, .text = text_number, .fit = KEY_LEFT},
	{"p_stage_cyc", "Pipeline Stage Cycle", KEY_DESCENDING | KEY_POWERPC, C(P_STAGE), 13,
	 take_column, .text = text_weight_sum, .fit = KEY_LEFT},
	{"parallelism", "Parallelism", .columns = C(PARALLELISM), .take = take_column,
	 .text = text_number, .fit = KEY_RIGHT},
	{"addr", "Address", KEY_FRAME, .width = 18, .take = take_address, .text = text_address,
	 .fit = KEY_LEFT},
	{"exact", "Exact", .columns = C(EXACT), .take = take_column, .text = text_exact,
	 .fit = KEY_RIGHT},
	{NULL},
};
