// SPDX-License-Identifier: MIT
/* Tracepoints: the whole as text, and single fields. */
#include "profile/table/make.h"

static const struct tp_formats *formats_of(const struct table *table)
{
	return &table->samples->m->formats;
}

static const char *kernel_function(void *ctx, uint64_t address, uint64_t *start)
{
	struct table *table = ctx;
	struct place place = world_place(table->samples->world, 0, MISC_KERNEL, address);
	const struct symbol *sym = place_symbol(&place);

	if (!sym)
		return NULL;
	*start = address - (place_rva(&place) - sym->start);
	return sym->name;
}

/* Appends the text of a raw sample, as table_trace_text() does. */
static void trace_line(struct table *table, const struct event *ev, const void *raw, size_t size,
		       uint32_t cpu, struct buf *out)
{
	uint32_t id = (uint32_t)ev->attr.config;

	if (table->opts.layout.raw_trace && ev->format) {
		tp_fields_show(formats_of(table), ev->format, raw, size, out);
		return;
	}
	tp_text_show(table->tp_text, id, raw, size, cpu, out);
}

void table_trace_begin(struct table *table)
{
	struct tp_text_options how = {kernel_function, table};

	if (samples_have(table->samples, COL_RAW) && !table->tp_text)
		table->tp_text = tp_text_new(formats_of(table), &how);
}

uint64_t table_trace_text(struct table *table, const struct taken *t)
{
	const struct intern_entry *raw;
	struct buf line = {0};
	uint64_t id;

	if (t->event->attr.type != TYPE_TRACEPOINT)
		return HASH_NONE;
	if (t->v[COL_RAW] != HASH_NONE) {
		raw = &table->samples->cells.raws.entries.at[t->v[COL_RAW]];
		trace_line(table, t->event, raw->p, raw->n, (uint32_t)t->v[COL_CPU], &line);
	}
	id = intern_str(&table->texts, buf_text(&line));
	buf_release(&line);
	return id;
}

/* -- one field -- */

/* The id of the field's bytes; HASH_NONE for a sample of another event. */
static uint64_t take_field(KEY_TAKE_ARGS)
{
	const struct intern_entry *raw;
	const void *bytes;
	size_t n;

	if (t->event != use->event || t->v[COL_RAW] == HASH_NONE)
		return HASH_NONE;
	raw = &table->samples->cells.raws.entries.at[t->v[COL_RAW]];
	if (use->field->is_dynamic) {
		bytes = tp_field_bytes(formats_of(table), use->field, raw->p, raw->n, &n);
	} else {
		n = use->field->size;
		bytes = (size_t)use->field->offset + n <= raw->n
				? (const char *)raw->p + use->field->offset : NULL;
	}
	return bytes ? intern_put(&table->texts, bytes, n) : HASH_NONE;
}

/* Greater bytes come first, as memory compares them. */
static int compare_fields(KEY_COMPARE_ARGS)
{
	const struct intern_entry *x, *y;
	int order;

	if (a == HASH_NONE || b == HASH_NONE)
		return a == HASH_NONE ? 1 : -1;
	x = &table->texts.entries.at[a];
	y = &table->texts.entries.at[b];
	order = memcmp(x->p, y->p, MIN(x->n, y->n));
	if (!order)
		order = x->n < y->n ? -1 : x->n > y->n;
	return -order;
}

static const struct intern_entry *raw_of(const struct table *table, const struct entry *e,
					 uint32_t *cpu)
{
	uint64_t v[COLUMNS];

	cells_spread(&table->samples->cells, e->first.cell, v);
	*cpu = (uint32_t)v[COL_CPU];
	return v[COL_RAW] == HASH_NONE ? NULL : &table->samples->cells.raws.entries.at[v[COL_RAW]];
}

/* The field's value in the sample's text, when it is there as " name=value"; else false. */
static bool value_in_text(const char *text, size_t n, const char *name, const char **value,
			  size_t *len)
{
	size_t name_len = strlen(name);
	const char *end = text + n;

	while (text < end) {
		const char *blank = memchr(text, ' ', (size_t)(end - text));
		const char *stop = blank ? blank : end;

		if ((size_t)(stop - text) > name_len && !strncmp(text, name, name_len)) {
			*value = text + name_len + 1;
			*len = (size_t)(stop - *value);
			return true;
		}
		text = stop + 1;
	}
	return false;
}

static void field_text(const struct table *table, const struct key_use *use, const struct entry *e,
		       struct buf *out)
{
	uint32_t cpu;
	const struct intern_entry *raw = raw_of(table, e, &cpu);
	struct buf line = {0};
	const char *value;
	size_t n;

	if (!raw)
		return;
	if (!use->raw && table->tp_text) {
		tp_text_show(table->tp_text, (uint32_t)use->event->attr.config, raw->p, raw->n,
			     cpu, &line);
		if (value_in_text(buf_text(&line), line.n, use->field->name, &value, &n)) {
			buf_add(out, value, n);
			buf_release(&line);
			return;
		}
	}
	buf_release(&line);
	tp_field_show(formats_of(table), use->field, raw->p, raw->n, out);
}

static void text_field(KEY_TEXT_ARGS)
{
	field_text(table, use, e, out);
}

static unsigned int measure_field(KEY_MEASURE_ARGS)
{
	const struct tp_field *field = use->field;
	size_t width = strlen(field->name);
	struct buf text = {0};

	if (field->is_dynamic && value != HASH_NONE)
		width = MAX(width, table->texts.entries.at[value].n);
	width = MAX(width, (size_t)field->size * (field->is_string ? 1 : 2) +
				   (field->is_string ? 0 : 2));
	if (!use->raw) {
		field_text(table, use, e, &text);
		width = MAX(width, text.n);
	}
	buf_release(&text);
	return (unsigned int)MIN(width, 4096u);
}

const struct key key_tp_field = {
	"field",
	"",
	KEY_TP_FIELD,
	COL_BIT(COL_RAW) | COL_BIT(COL_EVENT) | COL_BIT(COL_CPU),
	.take = take_field,
	.cmp = compare_fields,
	.measure = measure_field,
	.identity = text_field,
	.text = text_field,
	.fit = KEY_RIGHT_CUT,
};
