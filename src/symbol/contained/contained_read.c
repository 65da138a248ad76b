// SPDX-License-Identifier: MIT
/* Reads a payload. Each count is held against the bytes that are left before anything is allocated
 * for it; offsets of texts and numbers of lists are checked once, here. */
#include "symbol/contained/contained_private.h"

#include <zstd.h>

/* bytes; beyond these, at most RATIO times the compressed size is expanded */
#define FREE_EXPANDED (16u << 20)
#define RATIO	      64

enum least { /* bytes of the smallest entry in each list */
	     LEVEL_BYTES = 12,
	     LIST_BYTES = 8,
	     SOURCE_BYTES = 12,
	     DSO_BYTES = 107,
	     SEGMENT_BYTES = 36,
	     SYMBOL_BYTES = 24,
	     ODD_BYTES = 12,
	     PLACE_BYTES = 16,
	     CODE_BYTES = 28,
	     JIT_BYTES = 40,
	     TYPE_BYTES = 16,
	     MEMBER_BYTES = 28,
	     ACCESS_BYTES = 26,
};

bool contained_is_sound(const void *p, size_t n, bool swap)
{
	struct cursor c = cursor_over(p, n, swap);
	const uint32_t version = cursor_u32(&c);
	uint64_t sum;

	cursor_u32(&c);
	sum = cursor_u64(&c);
	return !c.bad && cursor_left(&c) >= 8 && version && version <= CONTAINED_VERSION &&
	       hash_bytes(c.p, cursor_left(&c), 0) == sum;
}

static size_t contained_read_count(struct cursor *c, size_t least)
{
	const uint32_t n = cursor_u32(c);

	if (n <= cursor_left(c) / least)
		return n;
	c->bad = true;
	return 0;
}

static void *contained_room(struct contained *k, size_t n, size_t size)
{
	return arena_alloc(&k->arena, (n + 1) * size);
}

/* The text at the next offset; NULL: none. */
static const char *read_text(const struct contained *k, struct cursor *c)
{
	const uint32_t at = cursor_u32(c);

	if (at < k->n_texts)
		return at ? k->texts + at : NULL;
	c->bad = true;
	return NULL;
}

static void read_id(struct cursor *c, struct build_id *id)
{
	const uint8_t size = cursor_u8(c);
	const void *p = cursor_bytes(c, sizeof(id->bytes));

	if (!p || size > sizeof(id->bytes)) {
		c->bad = true;
		return;
	}
	id->size = size;
	memcpy(id->bytes, p, sizeof(id->bytes));
}

static void read_levels(struct contained *k, struct cursor *c)
{
	k->n_levels = contained_read_count(c, LEVEL_BYTES);
	k->levels = contained_room(k, k->n_levels, sizeof(*k->levels));
	for (size_t i = 0; i < k->n_levels; i++) {
		k->levels[i].function = read_text(k, c);
		k->levels[i].file = read_text(k, c);
		k->levels[i].line = cursor_u32(c);
	}
	k->n_lists = contained_read_count(c, LIST_BYTES);
	k->lists = contained_room(k, k->n_lists, sizeof(*k->lists));
	for (size_t i = 0; i < k->n_lists; i++) {
		struct contained_list *l = &k->lists[i];

		l->first = cursor_u32(c);
		l->n = cursor_u32(c);
		if (l->first > k->n_levels || l->n > k->n_levels - l->first)
			c->bad = true;
	}
}

static void contained_read_sources(struct contained *k, struct cursor *c)
{
	k->n_sources = contained_read_count(c, SOURCE_BYTES);
	k->sources = contained_room(k, k->n_sources, sizeof(*k->sources));
	for (size_t i = 0; i < k->n_sources; i++) {
		struct contained_source *s = &k->sources[i];

		s->file = read_text(k, c);
		s->line = cursor_u32(c);
		s->text = read_text(k, c);
		if (!s->file) {
			c->bad = true;
			return;
		}
		/* of a file that comes twice, the first lines count */
		if ((!i || strcmp(s->file, s[-1].file)) &&
		    intern_str(&k->files, s->file) == k->first_source.n)
			vec_add(&k->first_source, (uint32_t)i);
	}
}

/* Members of a type, of which each begins in the one that it is part of. */
static void read_members(struct contained *k, struct contained_type *t, struct cursor *c)
{
	struct contained_member *m;
	uint32_t depth = 0;

	t->n_members = (uint32_t)contained_read_count(c, MEMBER_BYTES);
	t->members = m = contained_room(k, t->n_members, sizeof(*m));
	for (uint32_t i = 0; i < t->n_members; i++) {
		const char *type = read_text(k, c), *name = read_text(k, c);

		m[i].type = type ? type : "";
		m[i].name = name ? name : "";
		m[i].offset = cursor_u64(c);
		m[i].size = cursor_u64(c);
		m[i].depth = cursor_u32(c);
		if (m[i].depth > depth || (i && !m[i].depth) || m[i].offset > t->size ||
		    m[i].size > t->size - m[i].offset)
			c->bad = true;
		depth = MIN(m[i].depth + 1, CONTAINED_TYPE_DEPTH);
	}
	if (!t->n_members)
		c->bad = true;
}

static void read_types(struct contained *k, struct cursor *c)
{
	k->n_types = contained_read_count(c, TYPE_BYTES);
	k->types = contained_room(k, k->n_types, sizeof(*k->types));
	for (size_t i = 0; i < k->n_types && !c->bad; i++) {
		struct contained_type *t = &k->types[i];

		t->name = read_text(k, c);
		t->size = cursor_u64(c);
		if (!t->name)
			t->name = "";
		read_members(k, t, c);
	}
}

static void read_segments(struct contained *k, struct contained_dso *d, struct cursor *c)
{
	d->n_segments = contained_read_count(c, SEGMENT_BYTES);
	d->segments = contained_room(k, d->n_segments, sizeof(*d->segments));
	for (size_t i = 0; i < d->n_segments; i++) {
		struct elf_segment *s = &d->segments[i];

		s->type = PT_LOAD;
		s->offset = cursor_u64(c);
		s->vaddr = cursor_u64(c);
		s->filesz = cursor_u64(c);
		s->memsz = cursor_u64(c);
		s->flags = cursor_u32(c);
	}
}

static void contained_read_symbols(struct contained *k, struct contained_dso *d, struct cursor *c)
{
	d->n_symbols = contained_read_count(c, SYMBOL_BYTES);
	d->symbols = contained_room(k, d->n_symbols, sizeof(*d->symbols));
	for (size_t i = 0; i < d->n_symbols; i++) {
		struct symbol *s = &d->symbols[i];

		s->start = cursor_u64(c);
		s->end = cursor_u64(c);
		s->name = read_text(k, c);
		s->binding = cursor_u8(c);
		s->type = cursor_u8(c);
		s->plt = cursor_u8(c) != 0;
		s->idle = cursor_u8(c) != 0;
		if (!s->name)
			s->name = "";
		if (s->end < s->start || (i && s->start < s[-1].start))
			c->bad = true;
	}
	d->n_odd = contained_read_count(c, ODD_BYTES);
	d->odd = contained_room(k, d->n_odd, sizeof(*d->odd));
	for (size_t i = 0; i < d->n_odd; i++) {
		d->odd[i].rva = cursor_u64(c);
		d->odd[i].symbol = cursor_u32(c);
		if (d->odd[i].symbol >= d->n_symbols && d->odd[i].symbol != CONTAINED_NO_SYMBOL)
			c->bad = true;
	}
}

static void contained_read_places(struct contained *k, struct contained_dso *d, struct cursor *c)
{
	d->n_places = contained_read_count(c, PLACE_BYTES);
	d->places = contained_room(k, d->n_places, sizeof(*d->places));
	for (size_t i = 0; i < d->n_places; i++) {
		struct contained_place *p = &d->places[i];

		p->rva = cursor_u64(c);
		p->size = cursor_u32(c);
		p->list = cursor_u32(c);
		if (p->list >= k->n_lists || (i && p->rva < p[-1].rva))
			c->bad = true;
	}
}

static void read_codes(struct contained *k, struct contained_dso *d, struct cursor *c)
{
	d->n_codes = contained_read_count(c, CODE_BYTES);
	d->codes = contained_room(k, d->n_codes, sizeof(*d->codes));
	for (size_t i = 0; i < d->n_codes && !c->bad; i++) {
		struct contained_code *code = &d->codes[i];

		code->rva = cursor_u64(c);
		code->vaddr = cursor_u64(c);
		code->machine = cursor_u16(c);
		code->bits = cursor_u8(c);
		code->order = cursor_u8(c);
		code->section = read_text(k, c);
		code->size = cursor_u32(c);
		code->bytes = cursor_bytes(c, code->size);
		code->offset = code->rva - (code->machine ? d->shift : 0);
		if (i && code->offset < code[-1].offset)
			c->bad = true;
	}
}

static void read_jit(struct contained *k, struct contained_dso *d, struct cursor *c)
{
	d->n_jit = contained_read_count(c, JIT_BYTES);
	d->jit = contained_room(k, d->n_jit, sizeof(*d->jit));
	for (size_t i = 0; i < d->n_jit; i++) {
		struct jit_code *j = &d->jit[i];

		j->time = cursor_u64(c);
		j->start = cursor_u64(c);
		j->end = cursor_u64(c);
		j->offset = cursor_u64(c);
		j->number = cursor_u64(c);
		if (j->end < j->start)
			c->bad = true;
	}
}

static void read_accesses(struct contained *k, struct contained_dso *d, struct cursor *c)
{
	d->n_accesses = contained_read_count(c, ACCESS_BYTES);
	d->accesses = contained_room(k, d->n_accesses, sizeof(*d->accesses));
	for (size_t i = 0; i < d->n_accesses; i++) {
		struct contained_access *a = &d->accesses[i];

		a->rva = cursor_u64(c);
		a->offset = cursor_u64(c);
		a->type = cursor_u32(c);
		a->miss = cursor_u8(c);
		a->flags = cursor_u8(c);
		a->mnemonic = read_text(k, c);
		if (a->type != CONTAINED_NO_TYPE &&
		    (a->type >= k->n_types || a->offset >= k->types[a->type].size))
			c->bad = true;
	}
	if (!c->bad)
		contained_link_accesses(d);
}

static uint64_t contained_name_key(const char *name, enum dso_kind kind, int32_t pid)
{
	return hash_bytes(name, strlen(name), (uint64_t)kind << 32 | (uint32_t)pid);
}

static void contained_read_dso(struct contained *k, struct contained_dso *d, struct cursor *c,
			       uint32_t version)
{
	uint8_t nameless;

	d->of = k;
	d->name = read_text(k, c);
	d->kind = (enum dso_kind)cursor_u8(c);
	d->source = (enum symbol_source)cursor_u8(c);
	d->origin = (char)cursor_u8(c);
	d->flags = cursor_u8(c);
	d->pid = (int32_t)cursor_u32(c);
	nameless = cursor_u8(c);
	d->nameless = (enum nameless)nameless;
	read_id(c, &d->recorded);
	read_id(c, &d->found);
	d->path = read_text(k, c);
	d->shift = cursor_u64(c);
	d->first = cursor_u64(c);
	d->last = cursor_u64(c);
	read_segments(k, d, c);
	contained_read_symbols(k, d, c);
	contained_read_places(k, d, c);
	read_codes(k, d, c);
	read_jit(k, d, c);
	if (version > 1)
		read_accesses(k, d, c);
	if (!d->name || d->kind >= DSO_UNKNOWN || d->source > SYMBOLS_SYNTHETIC ||
	    d->source == SYMBOLS_NOT_LOADED || nameless >= NAMELESS_KINDS || !d->origin)
		c->bad = true;
}

/* Adds a dso to the chain of those with its name, kind and pid. */
static void link_dso(struct contained *k, size_t i)
{
	struct contained_dso *d = &k->dsos[i];
	uint32_t *first = idmap_put(&k->by_name, contained_name_key(d->name, d->kind, d->pid));

	d->next = *first == HASH_NONE ? 0 : *first;
	*first = (uint32_t)i;
}

static bool read_body(struct contained *k, struct cursor c, uint32_t version)
{
	k->n_texts = cursor_u32(&c);
	k->texts = cursor_bytes(&c, k->n_texts);
	if (!k->texts || !k->n_texts || k->texts[0] || k->texts[k->n_texts - 1])
		return false;
	read_levels(k, &c);
	contained_read_sources(k, &c);
	if (version > 1)
		read_types(k, &c);
	k->n_dsos = contained_read_count(&c, DSO_BYTES);
	k->dsos = contained_room(k, k->n_dsos + 1, sizeof(*k->dsos));
	for (size_t i = 1; i <= k->n_dsos && !c.bad; i++) {
		contained_read_dso(k, &k->dsos[i], &c, version);
		if (!c.bad)
			link_dso(k, i);
	}
	return !c.bad && !cursor_left(&c);
}

/* Expands the body. NULL: it does not have the stated size, or is far larger than it can be. */
static uint8_t *expand_body(struct cursor *c, uint64_t size)
{
	uint8_t *body;
	size_t got;

	if (!size || size > CONTAINED_MOST ||
	    (size > FREE_EXPANDED && (size - FREE_EXPANDED) / RATIO > cursor_left(c)))
		return NULL;
	body = mem_alloc_large((size_t)size);
	got = ZSTD_decompress(body, (size_t)size, c->p, cursor_left(c));
	if (!ZSTD_isError(got) && got == size)
		return body;
	free(body);
	return NULL;
}

struct contained *contained_open(const void *p, size_t n, bool swap)
{
	struct cursor c = cursor_over(p, n, swap);
	struct contained *k;
	uint32_t version;
	uint64_t size;

	if (!contained_is_sound(p, n, swap))
		return NULL;
	version = cursor_u32(&c);
	cursor_skip(&c, 12);
	size = cursor_u64(&c);
	k = NEW(struct contained);
	k->body = expand_body(&c, size);
	if (k->body && read_body(k, cursor_over(k->body, (size_t)size, swap), version))
		return k;
	contained_free(k);
	return NULL;
}

void contained_free(struct contained *k)
{
	if (!k)
		return;
	for (size_t i = 1; i <= k->n_dsos && k->dsos; i++)
		idmap_release(&k->dsos[i].by_access);
	idmap_release(&k->by_name);
	intern_release(&k->files);
	vec_release(&k->first_source);
	arena_release(&k->arena);
	free(k->body);
	free(k);
}

uint32_t contained_count(const void *p, size_t n, bool swap)
{
	struct cursor c = cursor_over(p, n, swap);

	cursor_u32(&c);
	return cursor_u32(&c);
}

void contained_name(const struct dso *dso, struct buf *out)
{
	if (dso->guest_kernel)
		buf_printf(out, "%s/", dso->guest_kernel->long_name);
	buf_str(out, dso->long_name);
}

const struct contained_dso *contained_search(const struct contained *k, const struct dso *dso)
{
	const int32_t pid = contained_pid(dso);
	const struct contained_dso *fits = NULL;
	AUTO_BUF name = {0};
	uint32_t i;

	contained_name(dso, &name);
	i = idmap_find(&k->by_name, contained_name_key(buf_text(&name), dso->kind, pid));

	for (size_t at = i == HASH_NONE ? 0 : i; at; at = k->dsos[at].next) {
		const struct contained_dso *d = &k->dsos[at];

		if (strcmp(d->name, buf_text(&name)) || d->kind != dso->kind || d->pid != pid)
			continue;
		if (build_id_equal(&d->recorded, &dso->build_id))
			return d;
		if (!d->recorded.size || !dso->build_id.size)
			fits = d;
	}
	return fits;
}

bool contained_knows_guest(const struct dso_set *set, const char *name)
{
	const struct contained *k = set->private_data->contained;

	return k && idmap_find(&k->by_name, contained_name_key(name, DSO_KERNEL, -1)) != HASH_NONE;
}
