// SPDX-License-Identifier: MIT
/* Writes what a set has noted as a payload. */
#include "symbol/contained/contained_private.h"

#include "symbol/lines/lines_private.h"

#include <zstd.h>

#define LEVEL 6 /* of zstd: a tenth smaller than 3, in twice the time */
/* Places with equal lines are joined when they are not farther apart: no instruction is longer. */
#define JOIN 16

static void add_u8(struct buf *b, uint8_t v)
{
	buf_char(b, (char)v);
}

static uint32_t string_at(struct noted_set *noted, const char *text)
{
	const uint32_t id = text ? contained_text(noted, text, strlen(text)) : 0;

	return noted->offsets.at[id];
}

static void add_id(struct buf *b, const struct build_id *id)
{
	add_u8(b, id->size);
	buf_add(b, id->bytes, sizeof(id->bytes));
}

static int note_by_start(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int note_by_rva(const void *a, const void *b)
{
	const struct noted_place *x = a, *y = b;

	return x->rva < y->rva ? -1 : x->rva > y->rva;
}

/* The place in the sorted symbols of the one that a search finds; NO_SYMBOL: none. */
static uint32_t searched(const struct symbol_table *t, uint64_t rva)
{
	const struct symbol *found = symbol_table_find(t, rva);

	return found ? (uint32_t)(found - t->at) : CONTAINED_NO_SYMBOL;
}

/* Writes the symbols, and the addresses that a search among them would name otherwise. */
static void write_symbols(struct noted_set *noted, const struct noted_dso *d, struct buf *b)
{
	struct symbol_table t = {0};
	uint32_t *sorted = mem_alloc((d->symbols.n + 1) * sizeof(*sorted)), n = 0;
	size_t count;

	for (size_t i = 0; i < d->symbols.n; i++) {
		struct symbol s = d->symbols.at[i];

		s.index = (uint32_t)i;
		vec_add(&t, s);
	}
	if (t.n)
		qsort(t.at, t.n, sizeof(*t.at), note_by_start);
	buf_u32(b, (uint32_t)t.n);
	for (size_t i = 0; i < t.n; i++) {
		const struct symbol *s = &t.at[i];

		sorted[s->index] = (uint32_t)i;
		buf_u64(b, s->start);
		buf_u64(b, s->end);
		buf_u32(b, string_at(noted, s->name));
		add_u8(b, s->binding);
		add_u8(b, s->type);
		add_u8(b, s->plt);
		add_u8(b, s->idle);
	}
	count = b->n;
	buf_u32(b, 0);
	for (size_t i = 0; i < d->asked.n; i++) {
		const struct noted_rva *a = &d->asked.at[i];
		const uint32_t is =
			a->symbol == CONTAINED_NO_SYMBOL ? a->symbol : sorted[a->symbol];

		if (is == searched(&t, a->rva))
			continue;
		buf_u64(b, a->rva);
		buf_u32(b, is);
		n++;
	}
	memcpy(b->at + count, &n, sizeof(n));
	free(sorted);
	vec_release(&t);
}

static void write_places(struct noted_dso *d, struct buf *b)
{
	const struct noted_place *p = d->places.at;
	const size_t count = b->n;
	uint32_t n = 0;

	buf_u32(b, 0);
	if (d->places.n)
		qsort(d->places.at, d->places.n, sizeof(*p), note_by_rva);
	for (size_t first = 0, end; first < d->places.n; first = end, n++) {
		for (end = first + 1; end < d->places.n && p[end].list == p[first].list &&
				      p[end].rva - p[end - 1].rva <= JOIN;)
			end++;
		buf_u64(b, p[first].rva);
		buf_u32(b, (uint32_t)(p[end - 1].rva - p[first].rva + 1));
		buf_u32(b, p[first].list);
	}
	memcpy(b->at + count, &n, sizeof(n));
}

/* In the order of file offsets, the longer one first. */
static int note_by_offset(const void *a, const void *b)
{
	const struct noted_code *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->size > y->size ? -1 : x->size < y->size;
}

/* Writes functions, and pieces of the file that do not lie in what was written before. So of all
 * that begin at or before an offset, mostly the last one reaches the farthest. */
static void write_codes(const struct noted_set *noted, struct noted_dso *d, uint64_t shift,
			struct buf *b)
{
	const size_t count = b->n;
	uint64_t end = 0;
	uint32_t n = 0;

	for (size_t i = 0; i < d->codes.n; i++)
		d->codes.at[i].offset = d->codes.at[i].rva - (d->codes.at[i].machine ? shift : 0);
	if (d->codes.n)
		qsort(d->codes.at, d->codes.n, sizeof(*d->codes.at), note_by_offset);
	buf_u32(b, 0);
	for (size_t i = 0; i < d->codes.n; i++) {
		const struct noted_code *c = &d->codes.at[i];

		if (!c->machine && c->offset + c->size <= end)
			continue;
		end = MAX(end, c->offset + c->size);
		n++;
		buf_u64(b, c->rva);
		buf_u64(b, c->vaddr);
		buf_u16(b, c->machine);
		add_u8(b, c->bits);
		add_u8(b, c->order);
		buf_u32(b, noted->offsets.at[c->section]);
		buf_u32(b, c->size);
		buf_add(b, noted->code.at + c->at, c->size);
	}
	memcpy(b->at + count, &n, sizeof(n));
}

static void write_jit(const struct noted_dso *d, struct buf *b)
{
	buf_u32(b, (uint32_t)d->jit.n);
	for (size_t i = 0; i < d->jit.n; i++) {
		const struct jit_code *c = &d->jit.at[i];

		buf_u64(b, c->time);
		buf_u64(b, c->start);
		buf_u64(b, c->end);
		buf_u64(b, c->offset);
		buf_u64(b, c->number);
	}
}

static int note_by_access(const void *a, const void *b)
{
	const struct noted_access *x = a, *y = b;

	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	return x->flags < y->flags ? -1 : x->flags > y->flags;
}

static void write_accesses(const struct noted_set *noted, struct noted_dso *d, struct buf *b)
{
	if (d->accesses.n)
		qsort(d->accesses.at, d->accesses.n, sizeof(*d->accesses.at), note_by_access);
	buf_u32(b, (uint32_t)d->accesses.n);
	for (size_t i = 0; i < d->accesses.n; i++) {
		const struct noted_access *a = &d->accesses.at[i];

		buf_u64(b, a->rva);
		buf_u64(b, a->offset);
		buf_u32(b, a->type);
		add_u8(b, a->miss);
		add_u8(b, a->flags);
		buf_u32(b, noted->offsets.at[a->mnemonic]);
	}
}

static uint8_t flags_of(const struct dso *dso)
{
	const struct dso_private *p = dso->private_data;

	return (p->file ? CONTAINED_FILE : 0) | (dso->is_64_bit ? CONTAINED_64_BIT : 0) |
	       (dso->mem_mapped_by_ip ? CONTAINED_BY_IP : 0) |
	       (p->lines && p->lines->readable ? CONTAINED_READABLE : 0) |
	       (p->jit ? CONTAINED_LINES : 0) | p->noted->jit_flags;
}

static void write_dso(struct noted_set *noted, const struct dso *dso, struct buf *b)
{
	static const struct build_id none;
	const struct dso_private *p = dso->private_data;
	const struct symbol_table *t = &dso->symbols;
	AUTO_BUF name = {0};

	contained_name(dso, &name);
	buf_u32(b, string_at(noted, buf_text(&name)));
	add_u8(b, (uint8_t)dso->kind);
	add_u8(b, (uint8_t)dso->source);
	add_u8(b, (uint8_t)dso->origin);
	add_u8(b, flags_of(dso));
	buf_u32(b, (uint32_t)contained_pid(dso));
	add_u8(b, (uint8_t)dso_nameless(dso));
	add_id(b, p->id_found ? &none : &dso->build_id);
	add_id(b, &dso->build_id);
	buf_u32(b, string_at(noted, dso->source_path));
	buf_u64(b, p->offset_shift);
	buf_u64(b, t->n ? symbol_table_at(t, 0)->start : 0);
	buf_u64(b, t->n ? symbol_table_at(t, t->n - 1)->end : 0);
	buf_u32(b, (uint32_t)p->segments.n);
	for (size_t i = 0; i < p->segments.n; i++) {
		const struct elf_segment *s = &p->segments.at[i];

		buf_u64(b, s->offset);
		buf_u64(b, s->vaddr);
		buf_u64(b, s->filesz);
		buf_u64(b, s->memsz);
		buf_u32(b, s->flags);
	}
	write_symbols(noted, p->noted, b);
	write_places(p->noted, b);
	write_codes(noted, p->noted, p->offset_shift, b);
	write_jit(p->noted, b);
	write_accesses(noted, p->noted, b);
}

static void write_levels(const struct noted_set *noted, struct buf *b)
{
	uint32_t n = 0;

	for (size_t i = 0; i < noted->lists.entries.n; i++)
		n += (uint32_t)(noted->lists.entries.at[i].n / sizeof(struct noted_level));
	buf_u32(b, n);
	for (size_t i = 0; i < noted->lists.entries.n; i++) {
		const struct noted_level *l = noted->lists.entries.at[i].p;

		for (size_t k = 0; k < noted->lists.entries.at[i].n / sizeof(*l); k++) {
			buf_u32(b, noted->offsets.at[l[k].function]);
			buf_u32(b, noted->offsets.at[l[k].file]);
			buf_u32(b, l[k].line);
		}
	}
	buf_u32(b, (uint32_t)noted->lists.entries.n);
	n = 0;
	for (size_t i = 0; i < noted->lists.entries.n; i++) {
		const uint32_t own =
			(uint32_t)(noted->lists.entries.at[i].n / sizeof(struct noted_level));

		buf_u32(b, n);
		buf_u32(b, own);
		n += own;
	}
}

static int source_by_line(const void *a, const void *b)
{
	const struct noted_source *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void write_sources(struct noted_set *noted, struct buf *b)
{
	if (noted->sources.n)
		qsort(noted->sources.at, noted->sources.n, sizeof(*noted->sources.at),
		      source_by_line);
	buf_u32(b, (uint32_t)noted->sources.n);
	for (size_t i = 0; i < noted->sources.n; i++) {
		const struct noted_source *s = &noted->sources.at[i];

		buf_u32(b, noted->offsets.at[s->file]);
		buf_u32(b, s->line);
		buf_u32(b, noted->offsets.at[s->text]);
	}
}

static void write_types(const struct noted_set *noted, struct buf *b)
{
	buf_u32(b, (uint32_t)noted->types.n);
	for (size_t i = 0; i < noted->types.n; i++) {
		const struct noted_type *t = &noted->types.at[i];

		buf_u32(b, noted->offsets.at[t->name]);
		buf_u64(b, t->size);
		buf_u32(b, t->n);
		for (uint32_t k = 0; k < t->n; k++) {
			const struct noted_member *m = &noted->members.at[t->first + k];

			buf_u32(b, noted->offsets.at[m->type]);
			buf_u32(b, noted->offsets.at[m->name]);
			buf_u64(b, m->offset);
			buf_u64(b, m->size);
			buf_u32(b, m->depth);
		}
	}
}

static void write_texts(const struct noted_set *noted, struct buf *b)
{
	buf_u32(b, noted->n_text_bytes);
	for (size_t i = 0; i < noted->texts.entries.n; i++)
		buf_add(b, noted->texts.entries.at[i].p, noted->texts.entries.at[i].n + 1);
}

/* Puts the head and the compressed body behind out. */
static bool write_payload(uint32_t n_dsos, const struct buf *texts, const struct buf *rest,
			  struct buf *out)
{
	AUTO_BUF body = {0};
	const size_t at = out->n;
	uint64_t sum;
	size_t room, n;

	buf_add(&body, texts->at, texts->n);
	buf_add(&body, rest->at, rest->n);
	if (body.n > CONTAINED_MOST)
		return false;
	buf_u32(out, CONTAINED_VERSION);
	buf_u32(out, n_dsos);
	buf_u64(out, 0);
	buf_u64(out, body.n);
	room = ZSTD_compressBound(body.n);
	buf_reserve(out, room);
	n = ZSTD_compress(out->at + out->n, room, body.at, body.n, LEVEL);
	if (ZSTD_isError(n))
		return false;
	out->n += n;
	sum = hash_bytes(out->at + at + 16, out->n - at - 16, 0);
	memcpy(out->at + at + 8, &sum, sizeof(sum));
	return true;
}

static bool is_noted(const struct dso *dso)
{
	return dso->private_data->noted && dso->source != SYMBOLS_SYNTHETIC;
}

bool contained_write(struct dso_set *set, struct buf *out, struct contained_totals *totals)
{
	struct noted_set *noted = set->private_data->noted;
	AUTO_BUF texts = {0}, rest = {0}, dsos = {0};
	const size_t at = out->n;
	bool good;

	*totals = (struct contained_totals){
		.code = noted->code.n, .sources = noted->sources.n, .types = noted->types.n};
	for (size_t i = 0; i < set->dsos.n; i++) {
		struct dso *dso = set->dsos.at[i];

		if (!is_noted(dso))
			continue;
		/* a file whose symbols cover no address that was hit is one with symbols, too */
		if (dso->symbols.n && !dso->private_data->noted->symbols.n)
			contained_note_symbol(dso, symbol_table_at(&dso->symbols, 0)->start,
					      symbol_table_at(&dso->symbols, 0));
		write_dso(noted, dso, &dsos);
		totals->dsos++;
		totals->symbols += dso->private_data->noted->symbols.n;
		totals->places += dso->private_data->noted->places.n;
	}
	write_levels(noted, &rest);
	write_sources(noted, &rest);
	write_types(noted, &rest);
	buf_u32(&rest, (uint32_t)totals->dsos);
	buf_add(&rest, dsos.at, dsos.n);
	write_texts(noted, &texts);
	good = totals->dsos && write_payload((uint32_t)totals->dsos, &texts, &rest, out);
	totals->bytes = out->n - at;
	return good;
}
