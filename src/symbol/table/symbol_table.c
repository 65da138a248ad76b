// SPDX-License-Identifier: MIT
#include "symbol/table/symbol_table.h"

#include "symbol/cache/stored_symbols.h"
#include "symbol/table/elf_table.h"
#include "symbol/table/symbol_tree.h"

#include <elf.h>

#define RADIX_BITS 11
#define RADIX	   (1u << RADIX_BITS)
#define PAGE	   4096ull

/* Radix sort, least significant digit first, over the digits in which addresses differ: a library's
 * text needs two or three passes. */
struct symbol_key *symbol_keys_sort(struct symbol_key *keys, struct symbol_key *other, size_t n)
{
	uint64_t low = UINT64_MAX, high = 0;

	for (size_t i = 0; i < n; i++) {
		low = MIN(low, keys[i].start);
		high = MAX(high, keys[i].start);
	}
	for (unsigned int shift = 0; n && shift < 64 && (high - low) >> shift;
	     shift += RADIX_BITS) {
		uint32_t count[RADIX] = {0}, sum = 0;
		struct symbol_key *swap = keys;

		for (size_t i = 0; i < n; i++)
			count[((keys[i].start - low) >> shift) & (RADIX - 1)]++;
		for (size_t i = 0; i < RADIX; i++) {
			uint32_t c = count[i];

			count[i] = sum;
			sum += c;
		}
		for (size_t i = 0; i < n; i++)
			other[count[((keys[i].start - low) >> shift) & (RADIX - 1)]++] = keys[i];
		keys = other;
		other = swap;
	}
	return keys;
}

/* Most symbols behind the sorted part that are inserted one by one. */
#define FEW 64

/* Inserts the last symbols into the sorted part. A kallsyms file is sorted except for what was
 * loaded last. */
static void insert_last(struct symbol *s, size_t sorted, size_t n)
{
	for (; sorted < n; sorted++) {
		const struct symbol one = s[sorted];
		size_t to = 0, end = sorted;

		while (to < end) {
			const size_t middle = to + (end - to) / 2;

			if (s[middle].start > one.start)
				end = middle;
			else
				to = middle + 1;
		}
		memmove(s + to + 1, s + to, (sorted - to) * sizeof(*s));
		s[to] = one;
	}
}

void symbol_table_sort(struct symbol_table *t)
{
	struct symbol *symbols = t->at, *sorted;
	size_t n = t->n;
	struct symbol_key *room, *keys;
	uint64_t last = 0;
	size_t in_order = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t start = symbols[i].start;

		if (in_order == i && start >= last)
			in_order++;
		last = start;
	}
	if (n - in_order <= FEW) {
		insert_last(symbols, in_order, n);
		return;
	}
	room = mem_alloc(2 * n * sizeof(*room));
	for (size_t i = 0; i < n; i++)
		room[i] = (struct symbol_key){symbols[i].start, (uint32_t)i, 0};
	keys = symbol_keys_sort(room, room + n, n);
	sorted = mem_alloc(n * sizeof(*sorted));
	for (size_t i = 0; i < n; i++)
		sorted[i] = symbols[keys[i].id];
	free(room);
	free(symbols);
	t->at = sorted;
	t->cap = n;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Names of system calls in old kernels. */
static bool is_old_alias(const char *name)
{
	return !strncmp(name, "SyS", 3) || !strncmp(name, "compat_SyS", 10);
}

static bool better_name(const char *a, const char *b)
{
	size_t n_a = underscores(a), n_b = underscores(b);

	if (n_a != n_b)
		return n_a < n_b;
	n_a = strlen(a);
	n_b = strlen(b);
	if (n_a != n_b)
		return n_a > n_b;
	return !is_old_alias(a);
}

/* True when two names are shown equal without demangling them: they are equal, or are variants of
 * one constructor or destructor (C1 and C2, D0 to D2). C++ has many such pairs at one address. */
static bool shown_alike(const char *a, const char *b)
{
	size_t same = 0;

	while (a[same] && a[same] == b[same])
		same++;
	if (!a[same] && !b[same])
		return true;
	return same > 3 && (a[same - 1] == 'C' || a[same - 1] == 'D') && a[same] >= '0' &&
	       a[same] <= '3' && b[same] >= '0' && b[same] <= '3' &&
	       !strcmp(a + same + 1, b + same + 1) && a[0] == '_' && a[1] == 'Z';
}

bool symbol_better(const struct symbol *a, const struct symbol *b, shown_name_fn shown, void *ctx)
{
	AUTO_CHAR *shown_a = NULL, *shown_b = NULL;

	if ((a->end == a->start) != (b->end == b->start))
		return a->end != a->start;
	if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK))
		return a->binding != STB_WEAK;
	if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL))
		return a->binding == STB_GLOBAL;
	/* mostly a symbol that is in .symtab and in .dynsym */
	if (!strcmp(a->name, b->name))
		return !is_old_alias(a->name);
	if (shown && !shown_alike(a->name, b->name)) {
		shown_a = shown(ctx, a->name);
		shown_b = shown(ctx, b->name);
	}
	return better_name(shown_a ? shown_a : a->name, shown_b ? shown_b : b->name);
}

/* Rounds up to a page, and adds a page. */
uint64_t symbol_last_end(uint64_t address)
{
	return address > UINT64_MAX - 2 * PAGE ? UINT64_MAX
					       : (address + 2 * PAGE - 1) & ~(PAGE - 1);
}

static uint64_t end_from_next(const struct symbol *s, const struct symbol *next,
			      enum symbol_ends ends)
{
	if (ends == ENDS_BY_MODULE && !s->index != !next->index)
		return symbol_last_end(s->end);
	return next->start;
}

void symbol_table_finish(struct symbol_table *t, enum symbol_ends ends, shown_name_fn shown,
			 void *ctx)
{
	struct symbol *s;
	size_t n, kept = 0;

	if (ends == ENDS_BY_NEXT) {
		if (!t->history)
			t->history = symbol_history_new();
		symbol_history_add(t->history, t, t->finished);
	}
	symbol_table_sort(t);
	s = t->at;
	n = t->n;
	for (size_t i = 0; i + 1 < n; i++)
		if (s[i].end == s[i].start)
			s[i].end = end_from_next(&s[i], &s[i + 1], ends);
	if (n && s[n - 1].end == s[n - 1].start)
		s[n - 1].end = symbol_last_end(s[n - 1].start);
	for (size_t i = 0; i < n; i++) {
		if (kept && s[kept - 1].start == s[i].start) {
			bool first = symbol_better(&s[kept - 1], &s[i], shown, ctx);

			if (t->history)
				symbol_history_erase(t->history, s[first ? i : kept - 1].index,
						     s[first ? kept - 1 : i].index);
			if (!first)
				s[kept - 1] = s[i];
		} else {
			s[kept++] = s[i];
		}
	}
	t->n = t->finished = kept;
}

void symbol_table_seal(struct symbol_table *t)
{
	struct symbol *s;
	bool overlap = false;

	if (t->stored || t->elf)
		return;
	if (t->history)
		symbol_history_add(t->history, t, t->finished);
	symbol_table_sort(t);
	s = t->at;
	for (size_t i = 1; i < t->n && !overlap; i++)
		overlap = s[i - 1].end > s[i].start;
	if (overlap && t->history)
		t->tree = symbol_tree_new(t);
	symbol_history_free(t->history);
	t->history = NULL;
	for (size_t i = 0; i < t->n; i++)
		s[i].index = (uint32_t)i;
}

const struct symbol *symbol_table_at(const struct symbol_table *t, size_t i)
{
	if (t->elf)
		return elf_table_at(t, i);
	return t->stored ? stored_symbols_at(t, i) : &t->at[i];
}

const struct symbol *symbol_table_find(const struct symbol_table *t, uint64_t address)
{
	const struct symbol *s = t->at;
	size_t n = t->n, first = 0;

	if (t->tree)
		return symbol_tree_find(t, address);
	if (t->elf)
		return elf_table_find(t, address);
	if (t->stored)
		return stored_symbols_find(t, address);
	if (!n || address < s[0].start)
		return NULL;
	/* the last symbol that starts at or before the address; the loop has no branch to
	 * mispredict */
	while (n > 1) {
		size_t half = n / 2;

		first += s[first + half].start <= address ? half : 0;
		n -= half;
	}
	return address < s[first].end || address == s[first].start ? &s[first] : NULL;
}

void symbol_table_release(struct symbol_table *t)
{
	vec_release(t);
	symbol_history_free(t->history);
	symbol_tree_free(t->tree);
	stored_symbols_free(t->stored);
	elf_table_free(t->elf);
	t->elf = NULL;
	t->stored = NULL;
	t->history = NULL;
	t->tree = NULL;
}
