// SPDX-License-Identifier: MIT
/* Where symbols come from: an ELF file, a kallsyms file, a JIT's map; the first bytes say which. */
#include "driver.h"
#include "os/machine/kallsyms.h"
#include "symbol/demangle.h"
#include "symbol/elf_symbols.h"
#include "symbol/perf_map.h"

#include <stdlib.h>
#include <string.h>

static char *shown(void *ctx, const char *name)
{
	(void)ctx;
	return demangle(name, true);
}

static void check(struct symbol_table *t)
{
	symbol_table_seal(t);
	for (size_t i = 0; i < t->n; i++) {
		const struct symbol *s = &t->at[i], *found = symbol_table_find(t, s->start);

		if (s->index != i || s->end < s->start || (i && s[-1].start > s->start) || !found ||
		    strlen(found->name) > SIZE_MAX / 2)
			abort();
		symbol_table_find(t, s->end);
	}
	symbol_table_find(t, 0);
	symbol_table_find(t, UINT64_MAX);
	symbol_table_release(t);
}

static void elf(const uint8_t *data, size_t size)
{
	struct symbol_table t = {0};
	struct arena arena = {0};
	struct build_id id;
	struct elf_file f;
	uint32_t crc;

	if (!elf_file_init(&f, data, size)) {
		elf_build_id(&f, &id);
		elf_debuglink(&f, &crc);
		elf_load(&f, &f, &f, &t, &arena, shown, NULL);
		check(&t);
	}
	elf_file_release(&f);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_table t = {0};
	struct kallsyms k = {0};
	char *text;

	if (size >= 4 && !memcmp(data, ELFMAG, SELFMAG)) {
		elf(data, size);
		return 0;
	}
	text = mem_strndup((const char *)data, size);
	kallsyms_parse(&k, text, strlen(text));
	kallsyms_release(&k);
	free(text);
	text = mem_strndup((const char *)data, size);
	perf_map_parse(text, strlen(text), &t);
	check(&t);
	free(text);
	return 0;
}
