// SPDX-License-Identifier: MIT
/* Finds the entry that covers an address. */
#include "symbol/unwind/cfi_entry.h"

#include "base/sorted.h"
#include "symbol/unwind/encoded.h"

/* The budget of all rules of one file, in steps of their programs: FREE_STEPS plus STEPS_A_RULE for
 * each rule. Most programs take about ten steps, the longest thousands. */
#define FREE_STEPS     (1u << 24)
#define STEPS_A_RULE 1024

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TAIL_BYTES 32 /* most bytes of code that follow the end of their entry */

/* The bytes at a virtual address up to the end of its segment, as far as they are in the file. */
static bool at_vaddr(const struct elf_file *elf, uint64_t vaddr, const uint8_t **p, size_t *n)
{
	for (size_t i = 0; i < elf->segments.n; i++) {
		const struct elf_segment *s = &elf->segments.at[i];
		uint64_t in = vaddr - s->vaddr;

		if (s->type != PT_LOAD || vaddr < s->vaddr || in >= s->filesz ||
		    s->offset >= elf->n || in >= elf->n - s->offset)
			continue;
		*p = elf->p + s->offset + in;
		*n = MIN(s->filesz - in, elf->n - s->offset - in);
		return true;
	}
	return false;
}

static struct cfi_section section(const struct elf_file *elf, const char *name)
{
	const struct elf_section *s = elf_section_named(elf, name);
	struct cfi_section out = {0};

	if (s && !(s->flags & SHF_COMPRESSED)) {
		struct cursor c = elf_section_bytes(elf, s);

		if (cursor_left(&c) && cursor_left(&c) <= INT32_MAX)
			out = (struct cfi_section){c.p, cursor_left(&c), s->addr};
	}
	return out;
}

/* Finds .eh_frame_hdr by its program header, which is there even in files without sections. */
static bool find_header(const struct elf_file *elf, struct cursor *c, uint64_t *vaddr)
{
	for (size_t i = 0; i < elf->segments.n; i++) {
		const struct elf_segment *s = &elf->segments.at[i];
		const uint8_t *p;
		size_t n;

		if (s->type != PT_GNU_EH_FRAME || !at_vaddr(elf, s->vaddr, &p, &n))
			continue;
		*c = cursor_over(p, MIN(n, s->filesz), elf->swap);
		*vaddr = s->vaddr;
		return true;
	}
	return false;
}

/* Only the one format that linkers write can be searched in place: pairs of 32-bit numbers relative
 * to the header. */
static void cfi_read_header(struct cfi *c)
{
	const unsigned int word = c->machine->word;
	uint8_t version, frame_enc, count_enc, table_enc;
	uint64_t vaddr, frame, count, here;
	struct cursor at;
	const uint8_t *start;

	if (!find_header(c->elf, &at, &vaddr))
		return;
	start = at.p;
	version = cursor_u8(&at);
	frame_enc = cursor_u8(&at);
	count_enc = cursor_u8(&at);
	table_enc = cursor_u8(&at);
	here = vaddr + (uint64_t)(at.p - start);
	frame = read_pointer_format(&at, frame_enc, word);
	if (at.bad || version != 1)
		return;
	if ((frame_enc & PTR_BASE) == PTR_PCREL)
		frame += here;
	else if ((frame_enc & PTR_BASE) == PTR_DATAREL)
		frame += vaddr;
	if (!c->eh.p && !(frame_enc & PTR_INDIRECT)) {
		const uint8_t *p;
		size_t n;

		if (at_vaddr(c->elf, frame, &p, &n) && n <= INT32_MAX)
			c->eh = (struct cfi_section){p, n, frame};
	}
	if (count_enc == PTR_OMIT || table_enc != (PTR_DATAREL | 0x0b) || !c->eh.p)
		return;
	count = read_pointer_format(&at, count_enc, word);
	if (at.bad || !count || count > cursor_left(&at) / 8)
		return;
	c->table = (struct cfi_section){at.p, count * 8, 0};
	c->table_base = vaddr;
	c->table_entries = (uint32_t)count;
}

static int cfi_by_start(const void *a, const void *b)
{
	const struct cfi_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void add_to_index(void *ctx, const struct cfi_fde *fde, size_t at)
{
	struct cfi *c = ctx;

	vec_add(&c->index, (struct cfi_entry){fde->start, fde->end, (uint32_t)at, fde->debug});
}

/* An .eh_frame whose header has a table needs no index. */
static void make_index(struct cfi *c)
{
	if (c->eh.p && !c->table_entries)
		c->too_much |= !cfi_entries(c, false, &c->entries, add_to_index, c);
	if (c->debug.p && !c->too_much)
		c->too_much |= !cfi_entries(c, true, &c->entries, add_to_index, c);
	if (c->too_much)
		vec_release(&c->index);
	if (c->index.n)
		qsort(c->index.at, c->index.n, sizeof(*c->index.at), cfi_by_start);
}

bool cfi_open(struct cfi *c, const struct elf_file *elf)
{
	*c = (struct cfi){.elf = elf, .machine = unwind_machine_find(elf->machine)};
	if (!c->machine)
		return false;
	c->eh = section(elf, ".eh_frame");
	cfi_read_header(c);
	make_index(c);
	return c->eh.p && !c->too_much;
}

bool cfi_open_debug(struct cfi *c, const struct elf_file *elf, const uint8_t *p, size_t n)
{
	*c = (struct cfi){.elf = elf, .machine = unwind_machine_find(elf->machine)};
	if (!c->machine || n > INT32_MAX)
		return false;
	c->debug = (struct cfi_section){.p = p, .n = n};
	make_index(c);
	return c->index.n;
}

void cfi_release(struct cfi *c)
{
	vec_release(&c->index);
}

static uint32_t table_word(const struct cfi *c, size_t i)
{
	uint32_t v;

	memcpy(&v, c->table.p + 4 * i, 4);
	return c->elf->swap ? __builtin_bswap32(v) : v;
}

static uint64_t table_start(const struct cfi *c, uint32_t i)
{
	return c->table_base + (uint64_t)(int64_t)(int32_t)table_word(c, 2 * (size_t)i);
}

/* The last function of the table that begins at the address or before it. */
static bool last_in_table(const struct cfi *c, uint64_t vaddr, struct cfi_fde *fde)
{
	const int64_t wanted = (int64_t)(vaddr - c->table_base);
	uint32_t low = 0, high = c->table_entries;
	uint64_t at;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if ((int32_t)table_word(c, 2 * (size_t)middle) <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	at = c->table_base + (uint64_t)(int64_t)(int32_t)table_word(c, 2 * (size_t)(low - 1) + 1) -
	     c->eh.vaddr;
	if (at >= c->eh.n || !cfi_entry_read(c, false, at, fde) || vaddr < fde->start)
		return false;
	fde->from = table_start(c, low - 1);
	fde->to = low < c->table_entries ? table_start(c, low) : UINT64_MAX;
	return true;
}

static bool find_in_table(const struct cfi *c, uint64_t vaddr, struct cfi_fde *fde)
{
	return last_in_table(c, vaddr, fde) && vaddr < fde->end;
}

static bool find_in_index(const struct cfi *c, uint64_t vaddr, struct cfi_fde *fde)
{
	const size_t low = SORTED_UNTIL(c->index.at, c->index.n, start, vaddr);

	if (!low || vaddr >= c->index.at[low - 1].end ||
	    !cfi_entry_read(c, c->index.at[low - 1].debug, c->index.at[low - 1].at, fde))
		return false;
	/* the entry holds for this address only: the table may cover the next ones */
	fde->from = c->table_entries ? vaddr : c->index.at[low - 1].start;
	fde->to = c->table_entries   ? vaddr + 1
		  : low < c->index.n ? c->index.at[low].start
				     : UINT64_MAX;
	return true;
}

static bool find_entry(const struct cfi *c, uint64_t vaddr, struct cfi_fde *fde)
{
	if (c->table_entries && find_in_table(c, vaddr, fde))
		return true;
	return find_in_index(c, vaddr, fde);
}

bool cfi_exhausted(const struct cfi *c)
{
	const struct cfi_effort *e = c->effort;

	return e && atomic_load_explicit(&e->steps, memory_order_relaxed) >
			    FREE_STEPS + STEPS_A_RULE * atomic_load_explicit(&e->rules,
									     memory_order_relaxed);
}

bool cfi_find(const struct cfi *c, uint64_t vaddr, struct cfi_rule *rule, uint64_t *from,
	      uint64_t *to)
{
	struct cfi_fde fde;

	return find_entry(c, vaddr, &fde) && cfi_entry_rule(c, &fde, vaddr, rule, from, to);
}

bool cfi_find_ended(const struct cfi *c, uint64_t vaddr, struct cfi_rule *rule)
{
	struct cfi_fde fde;
	uint64_t from, to;

	return c->table_entries && last_in_table(c, vaddr, &fde) && vaddr >= fde.end &&
	       vaddr - fde.end < TAIL_BYTES && vaddr < fde.to &&
	       cfi_entry_rule(c, &fde, fde.end - 1, rule, &from, &to);
}

bool cfi_function(const struct cfi *c, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
	struct cfi_fde fde;

	if (!find_entry(c, vaddr, &fde))
		return false;
	*start = fde.start;
	*end = fde.end;
	return true;
}
