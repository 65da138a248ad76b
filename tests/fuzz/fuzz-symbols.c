// SPDX-License-Identifier: MIT
/* Where symbols come from: an ELF file, a kallsyms file, a JIT's map; the first bytes say which. */
#include "driver.h"
#include "os/machine/kallsyms.h"
#include "symbol/demangle.h"
#include "symbol/elf/elf_symbols.h"
#include "symbol/perf_map.h"
#include "symbol/table/elf_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static void same(const struct symbol *a, const struct symbol *b)
{
	if (!a != !b ||
	    (a && (a->start != b->start || a->end != b->end || strcmp(a->name, b->name) ||
		   a->binding != b->binding || a->type != b->type || a->plt != b->plt)))
		abort();
}

/* Symbols that are made when they are asked for are those of the table of all, whatever is asked
 * first. */
static void check_asked(const struct symbol_table *t, const struct elf_file *f)
{
	struct symbol_table asked;

	elf_table_make(&asked, f, f, f, shown, NULL);
	if (asked.n != t->n)
		abort();
	for (size_t k = 0; k < t->n; k++) {
		const struct symbol *s = &t->at[k % 2 ? t->n - 1 - k / 2 : k / 2];

		same(symbol_table_find(t, s->start), symbol_table_find(&asked, s->start));
		same(symbol_table_find(t, s->end), symbol_table_find(&asked, s->end));
		same(symbol_table_find(t, s->end - 1), symbol_table_find(&asked, s->end - 1));
		same(symbol_table_find(t, s->start - 1), symbol_table_find(&asked, s->start - 1));
	}
	for (size_t i = 0; i < t->n; i++)
		same(&t->at[i], symbol_table_at(&asked, i));
	same(symbol_table_find(t, UINT64_MAX), symbol_table_find(&asked, UINT64_MAX));
	symbol_table_release(&asked);
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
		symbol_table_seal(&t);
		check_asked(&t, &f);
		check(&t);
	}
	elf_file_release(&f);
	arena_release(&arena);
}

/* As a file: expanded when it is a compressed module, with the table it carries, its functions'
 * ranges, Go's. */
static void file(const uint8_t *data, size_t size, enum dso_kind kind, bool ranges)
{
	const struct symbol_options options = {.buildid_dir = "/nowhere",
					       .demangle = true,
					       .function_ranges = ranges,
					       .no_live = true};
	struct dso_set set;
	struct dso *dso;
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	dso_set_init(&set, &options);
	dso = dso_set_get(&set, path, NULL, kind, -1);
	dso_load(dso);
	for (size_t i = 0; i < dso->symbols.n; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i);

		if (s->end < s->start ||
		    (i && symbol_table_at(&dso->symbols, i - 1)->start > s->start) ||
		    !dso_find(dso, s->start) || !dso_symbol_name(dso, s))
			abort();
	}
	dso_set_release(&set);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_table t = {0};
	struct kallsyms k = {0};
	char *text;

	if (size >= 4 && !memcmp(data, ELFMAG, SELFMAG)) {
		elf(data, size);
		file(data, size, DSO_FILE, true);
		file(data, size, DSO_FILE, false);
		return 0;
	}
	if (size >= 2 && (data[0] == 0x1f || data[0] == 0x28 || data[0] == 0xfd)) {
		file(data, size, DSO_MODULE, false);
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
