// SPDX-License-Identifier: MIT
/* Notes what a set of dsos answers. */
#include "symbol/contained/contained_private.h"

void contained_note_begin(struct dso_set *set)
{
	set->private_data->noted = NEW(struct noted_set);
	contained_text(set->private_data->noted, "", 0);
}

uint32_t contained_text(struct noted_set *noted, const char *text, size_t n)
{
	uint32_t id;

	if (!text)
		return 0;
	id = intern_put(&noted->texts, text, n);
	if (id == noted->offsets.n) {
		vec_add(&noted->offsets, noted->n_text_bytes);
		noted->n_text_bytes += (uint32_t)n + 1;
	}
	return id;
}

static uint32_t note_string(struct noted_set *noted, const char *text)
{
	return text ? contained_text(noted, text, strlen(text)) : 0;
}

struct noted_dso *contained_noted(struct dso *dso)
{
	struct dso_private *p = dso->private_data;

	if (!p->noted)
		p->noted = NEW(struct noted_dso);
	return p->noted;
}

void contained_note_symbol(struct dso *dso, uint64_t rva, const struct symbol *sym)
{
	struct noted_dso *d = contained_noted(dso);
	uint32_t *asked = idmap_put(&d->by_rva, rva), *known;
	struct noted_rva answer = {rva, CONTAINED_NO_SYMBOL};

	if (*asked != HASH_NONE)
		return;
	*asked = (uint32_t)d->asked.n;
	if (sym) {
		known = idmap_put(&d->by_index, sym->index);
		if (*known == HASH_NONE) {
			*known = (uint32_t)d->symbols.n;
			vec_add(&d->symbols, *sym);
		}
		answer.symbol = *known;
	}
	vec_add(&d->asked, answer);
}

void contained_note_lines(struct dso *dso, uint64_t rva, const struct line_level *levels, size_t n)
{
	struct noted_set *noted = dso->set->private_data->noted;
	struct noted_level own[64];

	/* deeper levels have not been seen: such an address is left without lines */
	if (n > ARRAY_SIZE(own))
		return;
	/* dsos are looked up in parallel */
	pthread_mutex_lock(&dso->set->private_data->noted_lock);
	for (size_t i = 0; i < n; i++)
		own[i] = (struct noted_level){note_string(noted, levels[i].function),
					      note_string(noted, levels[i].file), levels[i].line};
	vec_add(&contained_noted(dso)->places,
		(struct noted_place){rva, intern_put(&noted->lists, own, n * sizeof(*own))});
	pthread_mutex_unlock(&dso->set->private_data->noted_lock);
}

static void note_piece(struct dso *dso, struct noted_code piece, const void *p, size_t n)
{
	struct noted_set *noted = dso->set->private_data->noted;
	struct noted_dso *d = contained_noted(dso);
	const uint64_t key[3] = {piece.rva, piece.machine, n};
	uint32_t *known = idmap_put(&d->by_code, hash_bytes(key, sizeof(key), 0));

	if (*known != HASH_NONE || !n || noted->code.n + n > CONTAINED_MOST / 2)
		return;
	*known = (uint32_t)d->codes.n;
	piece.at = noted->code.n;
	piece.size = (uint32_t)n;
	buf_add(&noted->code, p, n);
	vec_add(&d->codes, piece);
}

void contained_note_code(struct dso *dso, const struct symbol *sym, const struct function_code *c)
{
	struct noted_set *noted = dso->set->private_data->noted;

	if (c->machine)
		note_piece(dso,
			   (struct noted_code){
				   .rva = sym->start,
				   .vaddr = c->vaddr,
				   .machine = c->machine->elf,
				   .bits = c->machine->bits,
				   .order = (c->machine->big_endian ? CODE_BIG_ENDIAN : 0) |
					    (c->machine->thumb ? CODE_THUMB : 0),
				   .section = note_string(noted, c->section)},
			   c->p, c->n);
}

void contained_note_bytes(struct dso *dso, uint64_t offset, const void *p, size_t n)
{
	note_piece(dso, (struct noted_code){.rva = offset}, p, n);
}

void contained_note_source(struct dso_set *set, const char *file, uint32_t line, const char *text,
			   size_t n)
{
	struct noted_set *noted = set->private_data->noted;
	const uint32_t key[2] = {note_string(noted, file), line};

	if (intern_put(&noted->source_lines, key, sizeof(key)) < noted->sources.n)
		return;
	while (n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		n--;
	if (memchr(text, 0, n))
		n = strnlen(text, n);
	vec_add(&noted->sources,
		(struct noted_source){key[0], line, contained_text(noted, text, n)});
}

void contained_note_jit(struct dso *dso, const struct jit_codes *codes)
{
	struct noted_dso *d = contained_noted(dso);

	for (size_t i = 0; i < codes->n; i++)
		vec_add(&d->jit, codes->at[i]);
	d->jit_flags = (codes->swap ? CONTAINED_SWAP : 0) |
		       (codes->other_clock ? CONTAINED_OTHER_CLOCK : 0);
}

void contained_note_release_dso(struct dso *dso)
{
	struct noted_dso *d = dso->private_data->noted;

	if (!d)
		return;
	idmap_release(&d->by_index);
	vec_release(&d->symbols);
	idmap_release(&d->by_rva);
	vec_release(&d->asked);
	vec_release(&d->places);
	idmap_release(&d->by_code);
	vec_release(&d->codes);
	vec_release(&d->jit);
	vec_release(&d->accesses);
	free(d);
}

void contained_note_release(struct dso_set *set)
{
	struct noted_set *noted = set->private_data->noted;

	if (!noted)
		return;
	intern_release(&noted->texts);
	vec_release(&noted->offsets);
	intern_release(&noted->lists);
	intern_release(&noted->source_lines);
	vec_release(&noted->sources);
	vec_release(&noted->types);
	vec_release(&noted->members);
	buf_release(&noted->code);
	free(noted);
}
