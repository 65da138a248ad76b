// SPDX-License-Identifier: MIT
/* The rules that lead to callers, and what is remembered of them, on the code of this
 * test itself. */
#include "unit.h"

#include "os/files/mapped.h"
#include "symbol/unwind/lookup.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)

static bool at_its_vaddr(void *ctx, uint64_t ip, struct unwind_place *out)
{
	*out = (struct unwind_place){.file = ctx, .vaddr = ip};
	return true;
}

static const struct cfi_rule *rule_of(const struct lookup *k, uint32_t id)
{
	return &k->rules.at[id].rule;
}

/* What is remembered of the addresses around one is true in whatever order they come, and saves
 * looking. */
static void rules_are_found_once_for_their_addresses(void **state)
{
	struct lookup *up = mem_zero(sizeof(*up)), *down = mem_zero(sizeof(*down));
	struct mapped bytes = {0};
	struct unwind_file f;
	struct unwind_request q = {.place = at_its_vaddr, .ctx = &f, .space = 1};
	uint64_t first, last, from, to, blocks = 0;
	struct cfi_rule rule;
	size_t known = 0;

	(void)state;
	assert_int_equal(mapped_open(&bytes, "/proc/self/exe", NULL), 0);
	assert_int_equal(unwind_file_init(&f, bytes.p, bytes.n), 0);
	lookup_init(up, unwind_machine_find(EM_X86_64));
	lookup_init(down, unwind_machine_find(EM_X86_64));
	first = f.elf.entry;
	last = first + 0x4000;
	for (uint64_t v = last; v-- > first;)
		lookup_rule(down, &q, v);
	f.effort.rules = 0;
	for (uint64_t v = first; v < last; v++) {
		uint32_t a = lookup_rule(up, &q, v), b = lookup_rule(down, &q, v);

		known += a < RULE_NO_CODE;
		if (a >= RULE_SIMPLE || b >= RULE_SIMPLE)
			assert_int_equal(a, b);
		else
			assert_memory_equal(rule_of(up, a), rule_of(down, b),
					    sizeof(struct cfi_rule));
	}
	assert_true(known > 0x1000);
	/* blocks of 64 bytes that hold nothing but a rule's that began in a block before, in the
	 * same 512 bytes */
	for (uint64_t v = (first | 63) + 1; v + 64 < last; v += 64)
		if (v % 512 && cfi_find(&f.cfi, v, &rule, &from, &to) && from <= v - 64 &&
		    to >= v + 64) {
			const uint64_t before = f.effort.rules;

			lookup_release(up);
			*up = (struct lookup){0};
			lookup_init(up, unwind_machine_find(EM_X86_64));
			lookup_rule(up, &q, v - 1);
			assert_true(f.effort.rules > before);
			f.effort.rules = before;
			lookup_rule(up, &q, v + 1);
			assert_int_equal(f.effort.rules, before);
			blocks++;
		}
	assert_true(blocks > 5);
	lookup_release(up);
	lookup_release(down);
	free(up);
	free(down);
	unwind_file_release(&f);
	mapped_release(&bytes);
}

/* A file that is mapped from one address to another, which may be data; questions are counted. */
struct mapping {
	struct unwind_file *file;
	uint64_t start, end;
	bool data;
	unsigned int asked;
};

static bool in_mapping(void *ctx, uint64_t ip, struct unwind_place *out)
{
	struct mapping *m = ctx;

	m->asked++;
	if (ip < m->start || ip >= m->end)
		return false;
	*out = (struct unwind_place){.file = m->file,
				     .vaddr = ip,
				     .data = m->data,
				     .below = ip - m->start,
				     .above = m->end - 1 - ip};
	return true;
}

/* An address whose rule holds for 32 more on either side, within a block of 256. */
static uint64_t amid(const struct unwind_file *f)
{
	struct cfi_rule rule;
	uint64_t from, to;

	for (uint64_t v = (f->elf.entry | 255) + 129; v < f->elf.entry + 0x8000; v += 256)
		if (cfi_find(&f->cfi, v, &rule, &from, &to) && from <= v - 32 && to > v + 32)
			return v;
	fail_msg("no rule holds for 64 bytes");
	return 0;
}

static void rules_are_remembered_for_the_mapped_code_around(void **state)
{
	struct lookup *k = mem_zero(sizeof(*k));
	struct mapped bytes = {0};
	struct unwind_file f;
	struct mapping m = {.file = &f};
	struct unwind_request q = {.place = in_mapping, .ctx = &m, .space = 1};
	uint64_t v;
	uint32_t rule;

	(void)state;
	assert_int_equal(mapped_open(&bytes, "/proc/self/exe", NULL), 0);
	assert_int_equal(unwind_file_init(&f, bytes.p, bytes.n), 0);
	lookup_init(k, unwind_machine_find(EM_X86_64));
	v = amid(&f);
	m.start = v - 8;
	m.end = v + 8;
	rule = lookup_rule(k, &q, v);
	assert_int_equal(m.asked, 1);
	/* within the map and the rule no place is asked for again, outside of the map it is */
	assert_int_equal(lookup_rule(k, &q, v - 8), rule);
	assert_int_equal(lookup_rule(k, &q, v + 7), rule);
	assert_int_equal(m.asked, 1);
	assert_false(k->fleeting);
	assert_int_equal(lookup_rule(k, &q, v + 8), RULE_NO_CODE);
	assert_true(k->fleeting);
	assert_int_equal(lookup_rule(k, &q, v - 9), RULE_NO_CODE);
	assert_int_equal(m.asked, 3);
	/* another space knows nothing of it */
	q.space = 2;
	assert_int_equal(lookup_rule(k, &q, v), rule);
	assert_int_equal(m.asked, 4);
	/* where nothing was, something may be now; data is asked for each time */
	q.space = 1;
	m.data = true;
	m.start -= 16;
	assert_int_equal(lookup_rule(k, &q, v - 9), rule);
	assert_true(k->fleeting);
	assert_int_equal(lookup_rule(k, &q, v - 9), rule);
	assert_int_equal(m.asked, 6);
	/* nor are addresses remembered that no place has */
	assert_int_equal(lookup_rule(k, &q, 0), RULE_NO_CODE);
	assert_int_equal(lookup_rule(k, &q, v | 1ull << 63), RULE_NO_CODE);
	assert_int_equal(m.asked, 8);
	lookup_release(k);
	free(k);
	unwind_file_release(&f);
	mapped_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_found_once_for_their_addresses),
		cmocka_unit_test(rules_are_remembered_for_the_mapped_code_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	puts("1..0 # skip: the rules of another machine's code");
	return 77;
}

#endif
