// SPDX-License-Identifier: MIT
#include "symbol/unwind/lookup.h"

#include "symbol/unwind/guess.h"
#include "symbol/unwind/x86_code.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK	   64
#define WIDE_BLOCK 512 /* for rules that hold for more than a block */
#define MOST_RULES (1u << 20) /* most rules that are remembered */

/* Bytes of code at a program's entry that count as the outermost frame: it often has no call frame
 * information. */
#define ENTRY_BYTES 64

void lookup_init(struct lookup *k, const struct unwind_machine *machine)
{
	k->machine = machine;
	k->memory = mem_zero_table(((sizeof(struct cached) * LOOKUP_WAYS) << LOOKUP_SET_BITS) +
				   CACHE_LINE);
	k->cache = (struct cached *)(((uintptr_t)k->memory + CACHE_LINE - 1) &
				     ~(uintptr_t)(CACHE_LINE - 1));
}

void lookup_release(struct lookup *k)
{
	free(k->memory);
	intern_release(&k->rule_ids);
	vec_release(&k->rules);
}

/* How many words below the frame's address the register is stored; 0: it is unchanged, 64: no
 * simple rule can tell. */
static uint32_t words_below(const struct cfi_value *v)
{
	if (v->how == CFI_SAME)
		return 0;
	return v->how == CFI_AT && v->at < -8 && v->at > -64 * 8 && v->at % 8 == 0
		       ? (uint32_t)(-v->at / 8)
		       : 64;
}

static bool simple(const struct unwind_machine *m, const struct cfi_rule *r, uint32_t *rule)
{
	const uint32_t fp = words_below(&r->fp), kept = words_below(&r->kept);

	if (m->elf != EM_X86_64 || r->flags || r->frame_size ||
	    (r->frame_reg != m->sp && r->frame_reg != m->fp) || r->frame <= 0 || r->frame % 8 ||
	    r->frame > 0xfff * 8 || r->ra.how != CFI_AT || r->ra.at != -8 || r->sp.how != CFI_IS ||
	    r->sp.at || fp == 64 || kept == 64)
		return false;
	*rule = RULE_SIMPLE | kept << 19 | fp << 13 | (uint32_t)r->frame / 8 << 1 |
		(r->frame_reg == m->fp ? RULE_BY_FP : 0);
	return true;
}

/* Drops all rules, and the cache entries that use them. */
static void forget_rules(struct lookup *k)
{
	intern_release(&k->rule_ids);
	vec_clear(&k->rules);
	k->forgotten++;
	memset(k->cache, 0, (sizeof(*k->cache) * LOOKUP_WAYS) << LOOKUP_SET_BITS);
	memset(k->by_file, 0, sizeof(k->by_file));
}

static uint32_t rule_id(struct lookup *k, const struct known_rule *known)
{
	uint32_t id;

	if (simple(k->machine, &known->rule, &id))
		return id;
	if (known->rule.ra.how == CFI_UNDEFINED && !known->rule.flags)
		return RULE_ENTRY;
	if (k->rules.n == MOST_RULES)
		forget_rules(k);
	id = intern_put(&k->rule_ids, known, sizeof(*known));
	if (id == k->rules.n)
		vec_add(&k->rules, *known);
	return id;
}

/* For code without a rule in any table: tries the instructions at the address, or the entry that
 * ends right before it. */
static uint32_t by_code(struct lookup *k, const struct unwind_file *in, uint64_t vaddr)
{
	struct known_rule known = {.file = in};
	bool called;

	if (k->machine->elf != EM_X86_64)
		return RULE_NONE;
	called = x86_follows_call(&in->elf, vaddr + 1);
	if (!x86_edge_rule(&in->elf, k->machine, vaddr, &known.rule) &&
	    (!in->has_cfi || !cfi_find_ended(&in->cfi, vaddr, &known.rule) || known.rule.flags ||
	     known.rule.ra.how != CFI_AT))
		return called ? RULE_NONE : RULE_UNCALLED;
	known.rule.flags = CFI_EXACT | (called ? 0 : CFI_UNCALLED);
	return rule_id(k, &known);
}

static bool is_entry(const struct unwind_file *in, uint64_t vaddr)
{
	uint64_t start, end;

	return in->elf.entry && vaddr - in->elf.entry < ENTRY_BYTES &&
	       !(in->has_cfi && cfi_function(&in->cfi, in->elf.entry, &start, &end));
}

/* The rule at an address of a file, from the first source that knows one. It holds for all
 * addresses in [*from, *to). */
static uint32_t find_rule(struct lookup *k, const struct unwind_request *q, uint64_t ip,
			  const struct unwind_file *in, uint64_t vaddr, uint64_t *from,
			  uint64_t *to)
{
	const struct unwind_machine *m = k->machine;
	struct known_rule known = {.file = in};
	/* not used: in this range the file itself may have other rules */
	uint64_t debug_from, debug_to;

	if (!unwind_file_given_up(in) && in->has_cfi &&
	    cfi_find(&in->cfi, vaddr, &known.rule, from, to))
		return rule_id(k, &known);
	*from = vaddr;
	*to = vaddr + 1;
	if (unwind_file_given_up(in))
		return RULE_TOO_MUCH;
	if (in->has_go && go_rule(&in->go, m, vaddr, &known.rule))
		return rule_id(k, &known);
	if (q->debug && (known.file = q->debug(q->ctx, ip))) {
		if (!unwind_file_given_up(known.file) && known.file->has_cfi &&
		    cfi_find(&known.file->cfi, vaddr, &known.rule, &debug_from, &debug_to))
			return rule_id(k, &known);
		if (unwind_file_given_up(known.file))
			return RULE_TOO_MUCH;
	}
	if (plt_rule(&in->elf, m, vaddr, &known.rule))
		return rule_id(k, &known);
	return is_entry(in, vaddr) ? RULE_ENTRY : by_code(k, in, vaddr);
}

static struct cached_file *file_slot(struct lookup *k, const struct unwind_file *in, uint64_t what)
{
	return &k->by_file[slot_of(what, (uintptr_t)in, LOOKUP_FILE_BITS)];
}

static bool holds(const struct cached_file *c, const struct unwind_file *in, uint64_t vaddr)
{
	return c->in == in && vaddr - c->from < c->n;
}

/* The rule at the place. It holds for *n addresses of the file from *from on. */
static uint32_t look_up_file(struct lookup *k, const struct unwind_request *q, uint64_t ip,
			     const struct unwind_place *place, uint64_t *from, uint64_t *n)
{
	const uint64_t vaddr = place->vaddr;
	struct cached_file *all = file_slot(k, place->file, vaddr / BLOCK);
	struct cached_file *wide = file_slot(k, place->file, (vaddr / WIDE_BLOCK) << 32);
	struct cached_file *one = file_slot(k, place->file, ~vaddr);
	struct cached_file found = {.in = place->file};
	uint64_t to;

	if (holds(all, place->file, vaddr)) {
		found = *all;
	} else if (holds(wide, place->file, vaddr)) {
		found = *all = *wide;
	} else if (holds(one, place->file, vaddr)) {
		found = *one;
	} else {
		found.rule = find_rule(k, q, ip, place->file, vaddr, &found.from, &to);
		found.n = (uint32_t)MIN(to - found.from, UINT32_MAX);
		if (found.n > BLOCK)
			*wide = found;
		*(found.n > 1 ? all : one) = found;
	}
	*from = found.from;
	*n = found.n;
	return found.rule;
}

/* Caches a rule for those of the n addresses from `from` on that lie in the block of ip, which is
 * one of them. */
static void lookup_remember(struct cached *set, uint32_t space, uint32_t rule, uint64_t ip,
			    uint64_t from, uint64_t n)
{
	const uint64_t block = ip >> LOOKUP_BLOCK_BITS, start = block << LOOKUP_BLOCK_BITS;
	const uint64_t first = from > start ? from - start : 0;
	const uint64_t last = MIN(from + n - 1 - start, (1u << LOOKUP_BLOCK_BITS) - 1);

	if (ip - 1 >= LOOKUP_MOST - 1)
		return;
	memmove(set + 1, set, (LOOKUP_WAYS - 1) * sizeof(*set));
	set[0] = (struct cached){block << 16 | first << 8 | (last - first), space, rule};
}

uint32_t lookup_find(struct lookup *k, const struct unwind_request *q, uint64_t ip,
		     struct cached *set)
{
	struct unwind_place place = {0};
	uint64_t from = ip, n = 1, below, above;
	uint32_t rule;

	k->fleeting = true;
	if (!q->place(q->ctx, ip, &place))
		return RULE_NO_CODE;
	if (place.file) {
		rule = look_up_file(k, q, ip, &place, &from, &n);
		below = MIN(place.vaddr - from, place.below);
		above = place.vaddr - from < n ? from + n - 1 - place.vaddr : 0;
		n = below + MIN(above, place.above) + 1;
		from = ip - below;
	} else {
		rule = place.too_much ? RULE_TOO_MUCH : place.missing ? RULE_NO_FILE : RULE_NONE;
	}
	k->fleeting = place.data;
	if (!place.data)
		lookup_remember(set, q->space, rule, ip, from, n);
	return rule;
}
