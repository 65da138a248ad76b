// SPDX-License-Identifier: MIT
#include "profile/table/key/key.h"
#include "profile/table/table.h"

#include <elf.h>
#include <strings.h>

static const struct key *find_in(const struct key *table, const char *word, size_t n)
{
	for (; table->name; table++)
		if (!strncasecmp(table->name, word, n))
			return table;
	return NULL;
}

const struct key *key_find(const char *word, size_t n, enum sample_mode mode, bool *wrong_mode)
{
	const struct key *key = find_in(keys_common, word, n);

	*wrong_mode = false;
	if (key)
		return key;
	key = find_in(keys_branch, word, n);
	if (key) {
		*wrong_mode = mode != MODE_BRANCH;
		return *wrong_mode ? NULL : key;
	}
	key = find_in(keys_memory, word, n);
	if (key) {
		*wrong_mode = mode != MODE_MEMORY;
		return *wrong_mode ? NULL : key;
	}
	/* exact names: a shorter word may be a field of tracepoints */
	key = find_in(keys_data, word, n);
	while (key && key->name && strlen(key->name) != n)
		key = find_in(key + 1, word, n);
	if (key)
		return key;
	/* in other modes these names may be fields of tracepoints */
	return mode == MODE_WALL ? find_in(keys_wall, word, n) : NULL;
}

/* By the sign of the difference in 64 bits, so that kernel addresses come before user ones. */
static int by_number(const struct key *key, uint64_t a, uint64_t b)
{
	int64_t difference = (int64_t)(key->flags & KEY_DESCENDING ? b - a : a - b);

	return (difference > 0) - (difference < 0);
}

int key_compare(const struct table *table, const struct key_use *use, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	return use->key->cmp ? use->key->cmp(table, use, a, b) : by_number(use->key, a, b);
}

int key_sort(const struct table *table, const struct key_use *use, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	return use->key->sort ? use->key->sort(table, use, a, b) : key_compare(table, use, a, b);
}

static const struct frame *key_frame_of(const struct table *table, uint64_t symbol_id)
{
	return table_frame(table, table->samples->frames.frame_of_symbol.at[symbol_id]);
}

void key_identity(const struct table *table, const struct key_use *use, const struct entry *e,
		  struct buf *out)
{
	const uint64_t value = e->values[use->index];

	if (use->key->identity)
		use->key->identity(table, use, e, value, out);
	else
		buf_add(out, &value, sizeof(value));
}

void key_identity_dso(KEY_TEXT_ARGS)
{
	if (value != HASH_NONE)
		buf_str(out, frames_dso_name(&table->samples->frames, (uint32_t)value));
}

void key_identity_symbol(KEY_TEXT_ARGS)
{
	if (frames_symbol(&table->samples->frames, (uint32_t)value)->resolved)
		buf_str(out, key_frame_of(table, value)->where->name);
}

int key_compare_dsos(const struct table *table, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	if (a == HASH_NONE || b == HASH_NONE)
		return a == HASH_NONE ? 1 : -1;
	return strcmp(frames_dso_name(&table->samples->frames, (uint32_t)a),
		      frames_dso_name(&table->samples->frames, (uint32_t)b));
}

int key_compare_symbols(const struct table *table, uint64_t a, uint64_t b)
{
	const struct frame_symbol *s = frames_symbol(&table->samples->frames, (uint32_t)a);
	const struct frame_symbol *t = frames_symbol(&table->samples->frames, (uint32_t)b);
	int64_t difference;
	int order;

	/* Two unresolved addresses are compared without their dsos, and so are symbols when dsos
	 * are a key. */
	if ((s->resolved || t->resolved) && !(table->layout.flags & KEY_DSO)) {
		order = key_compare_dsos(table, key_frame_of(table, a)->where->dso_name,
					 key_frame_of(table, b)->where->dso_name);
		if (order)
			return order;
	}
	if (s->resolved != t->resolved)
		return !s->resolved || (t->resolved && s->resolved > t->resolved) ? 1 : -1;
	difference = (int64_t)(s->start - t->start);
	if (!difference)
		difference = (int64_t)(s->end - t->end);
	return (difference > 0) - (difference < 0);
}

int key_sort_symbols(const struct table *table, uint64_t a, uint64_t b)
{
	const struct frame_symbol *s = frames_symbol(&table->samples->frames, (uint32_t)a);
	const struct frame_symbol *t = frames_symbol(&table->samples->frames, (uint32_t)b);

	if (!s->resolved != !t->resolved)
		return s->resolved ? -1 : 1;
	return s->resolved ? strcmp(key_frame_of(table, a)->where->name,
				    key_frame_of(table, b)->where->name)
			   : 0;
}

void key_symbol_text(const struct key_symbol *s, struct buf *out)
{
	const struct frame *frame = s->frame;
	const bool object = frame->where->sym && frame->where->sym->type == STT_OBJECT;

	if (!frame->where->sym) {
		buf_str(out, s->address ? "0x" : "");
		buf_hex_zero(out, s->address, 16);
		return;
	}
	buf_str(out, frame->where->name);
	if (object || (s->with_offset && frame_rva(frame) != frame->where->sym->start)) {
		buf_str(out, "+0x");
		buf_hex(out, frame_rva(frame) - frame->where->sym->start);
	}
	if (frame->inlined && !object && !s->with_offset)
		buf_str(out, " (inlined)");
}

void key_text(const struct table *table, const struct key_use *use, const struct entry *e,
	      struct buf *out)
{
	const uint64_t value = e->values[use->index];
	struct key_symbol symbol;

	if (!use->key->symbol) {
		use->key->text(table, use, e, value, out);
		return;
	}
	use->key->symbol(table, use, e, value, &symbol);
	key_symbol_text(&symbol, out);
}

unsigned int key_symbol_width(const struct table *table, uint64_t symbol_id)
{
	const struct frame_symbol *s = frames_symbol(&table->samples->frames, (uint32_t)symbol_id);

	if (!s->resolved)
		return 22;
	return (unsigned int)strlen(key_frame_of(table, symbol_id)->where->name) +
	       (table->opts.verbose ? 25 : 4);
}

unsigned int key_dso_width(const struct table *table, uint64_t dso_name, bool resolved)
{
	unsigned int width = 0;

	if (dso_name != HASH_NONE)
		width = (unsigned int)strlen(
			frames_dso_name(&table->samples->frames, (uint32_t)dso_name));
	if (!resolved && width < 16 && !table->opts.separated && !table->opts.layout.widths &&
	    !table->opts.filter.dsos.given)
		width = 16;
	return width;
}
