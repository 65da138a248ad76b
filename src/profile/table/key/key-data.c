// SPDX-License-Identifier: MIT
/*
 * The keys of what instructions access: the type of data, the member of it, its cache line; and the
 * place of the instruction in its function. Values are ids of texts.
 */
#include "base/buf.h"
#include "profile/table/data_access.h"
#include "profile/table/key/key.h"
#include "profile/table/table.h"

#define CACHE_LINE 64

struct data_access data_access_of(struct data_types *types, const struct world *world,
				  const struct frame *code, const struct frame *data)
{
	struct data_access a = *data_types_find(types, code->where->dso, code->where->sym,
						code->where->dso ? frame_rva(code) : 0);
	const struct data_access *variable;
	struct dso *dso;
	uint64_t rva;

	if (a.miss == DATA_FOUND || !data || !data->ip || !data->where->map)
		return a;
	dso = world_dso_of_data(world, data->space, data->where->map, data->ip, &rva);
	if (!dso)
		return a;
	variable = data_types_find_variable(types, dso, rva);
	if (variable->miss != DATA_FOUND)
		return a;
	a.miss = DATA_FOUND;
	a.type = variable->type;
	a.dso = variable->dso;
	a.offset = variable->offset;
	return a;
}

/* Appends the type; NULL: it is not known, and what stands for it was appended. */
static const struct data_type *data_access_type(const struct data_types *types,
						const struct data_access *access, struct buf *out)
{
	const struct data_type *type =
		access->miss == DATA_FOUND ? data_types_at(types, access->type) : NULL;

	buf_str(out, type ? type->name : access->stack ? "(stack operation)" : "(unknown)");
	return type;
}

void data_access_text(const struct data_types *types, const struct data_access *access,
		      struct buf *out)
{
	const struct data_type *type = data_access_type(types, access, out);

	if (type && access->offset)
		buf_printf(out, " +%#llx (", (unsigned long long)access->offset);
	else
		buf_str(out, " +0 (");
	if (type && type->members.n > 1)
		data_type_path(type, access->offset, out);
	else
		buf_str(out, "no field");
	buf_char(out, ')');
}

static struct data_access access_of(struct table *table, const struct taken *t)
{
	if (!table->data_types)
		table->data_types = data_types_new();
	return data_access_of(table->data_types, table->samples->world,
			      table_frame(table, t->frame),
			      t->data == HASH_NONE ? NULL : table_frame(table, t->data));
}

static uint64_t text_id(struct table *table, struct buf *text)
{
	const uint64_t id = intern_str(&table->texts, buf_text(text));

	buf_release(text);
	return id;
}

static uint64_t take_type(KEY_TAKE_ARGS)
{
	const struct data_access access = access_of(table, t);
	struct buf text = {0};

	data_access_type(table->data_types, &access, &text);
	return text_id(table, &text);
}

static uint64_t take_type_offset(KEY_TAKE_ARGS)
{
	const struct data_access access = access_of(table, t);
	struct buf text = {0};

	data_access_text(table->data_types, &access, &text);
	return text_id(table, &text);
}

static uint64_t take_type_line(KEY_TAKE_ARGS)
{
	const struct data_access access = access_of(table, t);
	struct buf text = {0};
	const struct data_type *type = data_access_type(table->data_types, &access, &text);

	buf_printf(&text, ": cache-line %llu",
		   (unsigned long long)(type ? access.offset / CACHE_LINE : 0));
	return text_id(table, &text);
}

static uint64_t take_symbol_offset(KEY_TAKE_ARGS)
{
	const struct frame *frame = table_frame(table, t->frame);
	struct buf text = {0};

	buf_printf(&text, "[%c] ", t->level);
	if (frame->where->sym)
		buf_printf(&text, "%s+0x%llx", frame->where->name,
			   (unsigned long long)(frame_rva(frame) - frame->where->sym->start));
	else
		buf_printf(&text, "%#.16llx", (unsigned long long)frame_addr(frame));
	return text_id(table, &text);
}

static int key_data_compare(KEY_COMPARE_ARGS)
{
	return strcmp(intern_text(&table->texts, (uint32_t)a),
		      intern_text(&table->texts, (uint32_t)b));
}

static unsigned int key_data_measure(KEY_MEASURE_ARGS)
{
	return (unsigned int)strlen(intern_text(&table->texts, (uint32_t)value));
}

static void key_data_text(KEY_TEXT_ARGS)
{
	buf_str(out, intern_text(&table->texts, (uint32_t)value));
}

#define DATA_KEY(word, title, columns, taken)                                                      \
	{                                                                                          \
		word, title, KEY_FRAME | KEY_ORDERED, columns,                                     \
			.take = taken, .cmp = key_data_compare, .measure = key_data_measure,       \
			.identity = key_data_text, .text = key_data_text, .fit = KEY_LEFT          \
	}

const struct key keys_data[] = {
	DATA_KEY("type", "Data Type", COL_BIT(COL_ADDR), take_type),
	DATA_KEY("typeoff", "Data Type Offset", COL_BIT(COL_ADDR), take_type_offset),
	DATA_KEY("typecln", "Data Type Cacheline", COL_BIT(COL_ADDR), take_type_line),
	DATA_KEY("symoff", "Symbol Offset", 0, take_symbol_offset),
	{NULL},
};
