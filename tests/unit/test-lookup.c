// SPDX-License-Identifier: MIT
/* The rules that lead to callers, and what is remembered of them, on the code of this
 * test itself. */
#include "unit.h"

#include "os/mapped.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_found_once_for_their_addresses)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	puts("1..0 # skip: the rules of another machine's code");
	return 77;
}

#endif
