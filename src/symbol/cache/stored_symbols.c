// SPDX-License-Identifier: MIT
#include "symbol/cache/stored_symbols.h"

#include "symbol/cache/entry.h"
#include "symbol/dso_private.h"

#define HEADER	    (CACHE_FRAME + 12 + 20 + BOOT_ID + 16)
#define MAX_SYMBOLS (16u << 20)

static const struct cache_form form = {"PERFSYMS", 1};

struct stored_symbols {
	struct mapped bytes;
	const uint8_t *starts, *names, *kinds;
	const char *strings;
	uint32_t n, n_strings;
	pthread_mutex_t lock; /* held while a symbol is made */
};

static uint64_t start_at(const struct stored_symbols *s, size_t i)
{
	struct cursor in = cache_cursor(s->starts + i * 8, 8);

	return cursor_u64(&in);
}

static const char *name_at(const struct stored_symbols *s, size_t i)
{
	struct cursor in = cache_cursor(s->names + i * 4, 4);
	uint32_t offset = cursor_u32(&in);

	return offset < s->n_strings ? s->strings + offset : "";
}

static bool stored_symbols_is_for(struct cursor *header, const struct kernel_key *key)
{
	uint32_t size = cursor_u32(header);
	const uint8_t *id = cursor_bytes(header, sizeof(key->build_id.bytes));
	const char *boot = cursor_bytes(header, BOOT_ID);
	uint64_t text = cursor_u64(header), stext = cursor_u64(header);

	return !header->bad && size && size == key->build_id.size &&
	       !memcmp(id, key->build_id.bytes, size) && !memcmp(boot, key->boot_id, BOOT_ID) &&
	       text == key->text && stext == key->stext;
}

/* Checks everything but the name offsets, which name_at() checks: checking all of them would take
 * as long as the checksum. */
static bool stored_symbols_is_sound(struct stored_symbols *s, const struct kernel_key *key)
{
	struct cursor in;

	if (!cache_entry_open(s->bytes.p, s->bytes.n, &form, &in))
		return false;
	s->n = cursor_u32(&in);
	s->n_strings = cursor_u32(&in);
	if (!stored_symbols_is_for(&in, key) || !s->n || s->n > MAX_SYMBOLS || !s->n_strings ||
	    cursor_left(&in) != (uint64_t)s->n * 13 + s->n_strings || s->bytes.p[s->bytes.n - 1])
		return false;
	s->starts = in.p;
	s->names = s->starts + (size_t)s->n * 8;
	s->kinds = s->names + (size_t)s->n * 4;
	s->strings = (const char *)s->kinds + s->n;
	return true;
}

bool stored_symbols_take(struct symbol_table *t, struct mapped bytes, const struct kernel_key *key)
{
	struct stored_symbols *s = NEW(struct stored_symbols);

	s->bytes = bytes;
	pthread_mutex_init(&s->lock, NULL);
	if (!stored_symbols_is_sound(s, key)) {
		stored_symbols_free(s);
		return false;
	}
	/* pages of symbols that are never looked up are never touched */
	*t = (struct symbol_table){
		.at = mem_zero(s->n * sizeof(*t->at)), .n = s->n, .cap = s->n, .stored = s};
	return true;
}

void stored_symbols_free(struct stored_symbols *s)
{
	if (!s)
		return;
	mapped_release(&s->bytes);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void stored_symbols_give_back(const struct stored_symbols *s)
{
	mapped_give_back(&s->bytes);
}

/* Makes a symbol. The name is set last: a thread that sees the name sees the other fields. */
static void stored_symbols_make(struct stored_symbols *s, struct symbol *to, size_t i)
{
	const char *name = name_at(s, i);
	uint64_t start = start_at(s, i);
	uint64_t end = i + 1 < s->n ? start_at(s, i + 1) : symbol_last_end(start);

	to->start = start;
	to->end = MAX(start, end);
	to->binding = s->kinds[i] >> 4;
	to->type = s->kinds[i] & 15;
	to->index = (uint32_t)i;
	to->idle = symbol_is_idle(name);
	__atomic_store_n(&to->name, name, __ATOMIC_RELEASE);
}

const struct symbol *stored_symbols_at(const struct symbol_table *t, size_t i)
{
	struct stored_symbols *s = t->stored;
	struct symbol *at = &t->at[i];

	if (__atomic_load_n(&at->name, __ATOMIC_ACQUIRE))
		return at;
	pthread_mutex_lock(&s->lock);
	if (!at->name)
		stored_symbols_make(s, at, i);
	pthread_mutex_unlock(&s->lock);
	return at;
}

/* strcmp() takes longer to call than most names take to differ. */
static inline bool is_name(const char *one, const char *two)
{
	while (*one == *two && *one)
		one++, two++;
	return *one == *two;
}

void stored_symbols_named(const struct symbol_table *t, const char *const *names, size_t n,
			  const struct symbol **found)
{
	size_t left = n;

	memset(found, 0, n * sizeof(*found));
	for (size_t i = 0; i < t->stored->n && left; i++) {
		const char *name = name_at(t->stored, i);

		for (size_t j = 0; j < n; j++) {
			if (!is_name(name, names[j]) || found[j])
				continue;
			found[j] = stored_symbols_at(t, i);
			left--;
		}
	}
	/* a pass over all names maps them all: few of them are read again */
	stored_symbols_give_back(t->stored);
}

const struct symbol *stored_symbols_find(const struct symbol_table *t, uint64_t address)
{
	const struct stored_symbols *s = t->stored;
	const struct symbol *found;
	size_t n = s->n, first = 0;

	if (address < start_at(s, 0))
		return NULL;
	while (n > 1) {
		size_t half = n / 2;

		first += start_at(s, first + half) <= address ? half : 0;
		n -= half;
	}
	found = stored_symbols_at(t, first);
	return address < found->end ? found : NULL;
}

/* -- writing -- */

/* True when each symbol ends where the next one starts, as the format requires. Only around a
 * module would that differ, and no known kernel has a module between its symbols. */
static bool is_plain(const struct symbol_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct symbol *s = &t->at[i];
		uint64_t end = i + 1 < t->n ? s[1].start : symbol_last_end(s->start);

		if (s->end != end || s->end <= s->start || s->plt || s->binding > 15 ||
		    s->type > 15)
			return false;
	}
	return t->n && t->n <= MAX_SYMBOLS;
}

bool stored_symbols_bytes(const struct symbol_table *t, const struct kernel_key *key,
			  struct buf *out)
{
	uint64_t strings = 0;

	for (size_t i = 0; i < t->n; i++)
		strings += strlen(t->at[i].name) + 1;
	if (!is_plain(t) || strings > UINT32_MAX || !key->build_id.size)
		return false;
	buf_reserve(out, HEADER + t->n * 13 + strings);
	cache_entry_begin(out, &form);
	cache_put_u32(out, (uint32_t)t->n);
	cache_put_u32(out, (uint32_t)strings);
	cache_put_u32(out, key->build_id.size);
	buf_add(out, key->build_id.bytes, sizeof(key->build_id.bytes));
	buf_add(out, key->boot_id, BOOT_ID);
	cache_put_u64(out, key->text);
	cache_put_u64(out, key->stext);
	for (size_t i = 0; i < t->n; i++)
		cache_put_u64(out, t->at[i].start);
	strings = 0;
	for (size_t i = 0; i < t->n; i++) {
		cache_put_u32(out, (uint32_t)strings);
		strings += strlen(t->at[i].name) + 1;
	}
	for (size_t i = 0; i < t->n; i++)
		buf_char(out, (char)(t->at[i].binding << 4 | t->at[i].type));
	for (size_t i = 0; i < t->n; i++)
		buf_add(out, t->at[i].name, strlen(t->at[i].name) + 1);
	cache_entry_end(out);
	return true;
}
