// SPDX-License-Identifier: MIT
/* Answers from a recording, in place of a dso's files. */
#include "symbol/contained/contained_private.h"

#include "base/sorted.h"

#include <stdio.h>

#define LOOK_BACK 8 /* pieces of code that may begin before one that lies inside them */

void contained_attach(struct dso_set *set, struct contained *c)
{
	set->private_data->contained = c;
}

void contained_find(struct dso *dso)
{
	const struct contained *all = dso->set->private_data->contained;
	const struct symbol_options *o = &dso->set->options;
	const struct guest_options *g = &o->guests;

	/* files that the user names are preferred */
	if (dso->guest && (g->mount || g->kallsyms || g->modules || g->vmlinux))
		return;
	if (dso->in_kernel && !dso->guest && (o->vmlinux || o->kallsyms))
		return;
	if (all && dso->source != SYMBOLS_SYNTHETIC)
		dso->private_data->contained = contained_search(all, dso);
}

void contained_load(struct dso *dso)
{
	const struct contained_dso *d = contained_of(dso);
	struct dso_private *p = dso->private_data;

	dso->build_id = d->found;
	dso->is_64_bit = d->flags & CONTAINED_64_BIT;
	dso->mem_mapped_by_ip = d->flags & CONTAINED_BY_IP;
	dso->source = d->source;
	dso->origin = d->origin;
	dso->source_path = d->path;
	p->offset_shift = d->shift;
	for (size_t i = 0; i < d->n_segments; i++)
		vec_add(&p->segments, d->segments[i]);
	for (size_t i = 0; i < d->n_symbols; i++)
		vec_add(&dso->symbols, d->symbols[i]);
	symbol_table_seal(&dso->symbols);
	for (size_t i = 0; i < d->n_odd; i++)
		*idmap_put(&p->odd, d->odd[i].rva) = (uint32_t)i;
	p->has_odd = d->n_odd > 0;
}

bool contained_odd(const struct dso *dso, uint64_t rva, const struct symbol **sym)
{
	const struct contained_dso *d = contained_of(dso);
	const uint32_t at = idmap_find(&dso->private_data->odd, rva);

	if (at == HASH_NONE)
		return false;
	*sym = d->odd[at].symbol == CONTAINED_NO_SYMBOL ? NULL
							: &dso->symbols.at[d->odd[at].symbol];
	return true;
}

/* The last place that begins at or before the address, when it reaches that far. */
static const struct contained_place *contained_place_at(const struct contained_dso *d, uint64_t rva)
{
	const size_t low = SORTED_UNTIL(d->places, d->n_places, rva, rva);

	return low && rva - d->places[low - 1].rva < d->places[low - 1].size ? &d->places[low - 1]
									     : NULL;
}

bool contained_lines(const struct dso *dso, uint64_t rva, struct line_levels *out)
{
	const struct contained_dso *d = contained_of(dso);
	const struct contained_place *p = contained_place_at(d, rva);
	const struct contained_list *l;

	if (!p)
		return false;
	l = &d->of->lists[p->list];
	for (uint32_t i = 0; i < l->n; i++)
		vec_add(out, d->of->levels[l->first + i]);
	return true;
}

/* How many pieces of code begin at or before that offset of the file. */
static size_t codes_until(const struct contained_dso *d, uint64_t offset)
{
	return SORTED_UNTIL(d->codes, d->n_codes, offset, offset);
}

bool contained_code(struct function_code *c, struct dso *dso, const struct symbol *sym)
{
	const struct contained_dso *d = contained_of(dso);
	const uint64_t offset = sym->start - d->shift;

	for (size_t i = codes_until(d, offset); i && d->codes[i - 1].offset == offset; i--) {
		const struct contained_code *code = &d->codes[i - 1];

		if (!code->machine)
			continue;
		c->machine =
			insn_machine_find(code->machine, code->bits, code->order & CODE_BIG_ENDIAN);
		if (c->machine && code->order & CODE_THUMB)
			c->machine = insn_machine_thumb(c->machine);
		c->p = code->bytes;
		c->n = (size_t)MIN(code->size, sym->end - sym->start);
		c->vaddr = code->vaddr;
		snprintf(c->section, sizeof(c->section), "%s", code->section ? code->section : "");
		return c->machine && c->n;
	}
	return false;
}

size_t contained_bytes(const struct dso *dso, uint64_t offset, void *to, size_t n)
{
	const struct contained_dso *d = contained_of(dso);
	const size_t until = codes_until(d, offset);
	size_t most = 0;

	if (!(d->flags & CONTAINED_FILE))
		return 0;
	for (size_t i = until; i && until - i < LOOK_BACK && most < n; i--) {
		const struct contained_code *code = &d->codes[i - 1];
		const uint64_t at = offset - code->offset;

		if (at >= code->size || MIN(n, code->size - at) <= most)
			continue;
		most = (size_t)MIN(n, code->size - at);
		memcpy(to, code->bytes + at, most);
	}
	return most;
}

bool contained_source(const struct dso_set *set, const char *file, struct buf *out)
{
	const struct contained *k = set->private_data->contained;
	const uint32_t id = k ? intern_find(&k->files, file, strlen(file)) : HASH_NONE;
	uint32_t line = 1;

	if (id == HASH_NONE)
		return false;
	for (size_t i = k->first_source.at[id]; i < k->n_sources; i++) {
		const struct contained_source *s = &k->sources[i];

		if (strcmp(s->file, file) || s->line < line || s->line > CONTAINED_LINE_MOST)
			break;
		buf_fill(out, '\n', s->line - line);
		line = s->line + 1;
		buf_str(out, s->text ? s->text : "");
		buf_char(out, '\n');
	}
	return line > 1;
}

bool contained_jit(struct dso *dso, struct jit_codes *codes)
{
	const struct contained_dso *d;

	contained_find(dso);
	d = contained_of(dso);
	if (!d || !d->n_jit)
		return false;
	codes->swap = d->flags & CONTAINED_SWAP;
	codes->other_clock = d->flags & CONTAINED_OTHER_CLOCK;
	for (size_t i = 0; i < d->n_jit; i++)
		vec_add(codes, d->jit[i]);
	contained_load(dso);
	dso->source = SYMBOLS_JITDUMP;
	return true;
}
