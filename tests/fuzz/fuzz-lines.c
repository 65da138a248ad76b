// SPDX-License-Identifier: MIT
/*
 * Source lines: an entry of their cache, or the kernel's symbols that lie beside it (checksums are
 * made right, so that what follows them is read), or an ELF file with debug information, of which
 * addresses all over its code are looked up.
 */
#include "base/hash.h"
#include "driver.h"
#include "symbol/cache/stored_symbols.h"
#include "symbol/elf/elf_file.h"
#include "symbol/lines/cache.h"
#include "symbol/lines/debug_image.h"
#include "symbol/lines/dwarf.h"
#include "symbol/lines/split_package.h"
#include "symbol/table/symbol_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEPS 200 /* addresses of a file */

static void read_texts(const struct line_levels *levels)
{
	for (size_t i = 0; i < levels->n; i++) {
		const struct line_level *l = &levels->at[i];

		if ((l->function && strlen(l->function) > SIZE_MAX / 2) ||
		    (l->file && strlen(l->file) > SIZE_MAX / 2))
			abort();
	}
}

static void cache(const uint8_t *data, size_t size)
{
	struct mapped bytes = {.p = mem_alloc(size), .n = size, .heap = true};
	struct line_cache_news news = {0};
	struct line_cache_key key = {0};
	struct line_levels levels = {0};
	struct line_cache c, again;
	struct buf out = {0};
	uint64_t sum = size < 64 ? 0 : hash_bytes(data + 16, size - 16, 0);

	memcpy((uint8_t *)bytes.p, data, size);
	if (size >= 64) {
		memcpy((uint8_t *)bytes.p + 8, &sum, 8);
		key.build_id.size = MIN(data[40], 20);
		memcpy(key.build_id.bytes, data + 44, 20);
	}
	if (!line_cache_take(&c, bytes, &key))
		return;
	for (uint32_t i = 0; i < MIN(c.n_places, 1000); i++) {
		uint64_t vaddr;

		memcpy(&vaddr, c.places + 16 * i, 8);
		line_cache_find(&c, vaddr, &levels);
		vec_add(&news.places, (struct line_cache_place){vaddr + 1, 0, 0});
	}
	read_texts(&levels);
	/* what is written from it can be read */
	if (!line_cache_bytes(&c, &news, &key, &out))
		abort();
	bytes = (struct mapped){.p = (uint8_t *)out.at, .n = out.n, .heap = true};
	if (!line_cache_take(&again, bytes, &key) || again.n_places > c.n_places + news.places.n)
		abort();
	line_cache_release(&again);
	line_cache_release(&c);
	line_cache_news_release(&news);
	vec_release(&levels);
}

/* The kernel's symbols as they are kept. */
static void symbols(const uint8_t *data, size_t size)
{
	struct mapped bytes = {.p = mem_alloc(size), .n = size, .heap = true};
	uint64_t sum = size < 104 ? 0 : hash_bytes(data + 16, size - 16, 0);
	struct symbol_table t = {0};
	struct kernel_key key = {0};

	memcpy((uint8_t *)bytes.p, data, size);
	if (size >= 104) {
		memcpy((uint8_t *)bytes.p + 8, &sum, 8);
		key.build_id.size = MIN(data[28], 20);
		memcpy(key.build_id.bytes, data + 32, 20);
		memcpy(key.boot_id, data + 52, BOOT_ID);
		memcpy(&key.text, data + 88, 8);
		memcpy(&key.stext, data + 96, 8);
	}
	if (!stored_symbols_take(&t, bytes, &key))
		return;
	symbol_table_seal(&t);
	for (size_t i = 0; i < t.n; i++) {
		const struct symbol *s = symbol_table_at(&t, i);
		const struct symbol *found = symbol_table_find(&t, s->start);

		if (strlen(s->name) > size || s->end < s->start ||
		    (found && found->start > s->start))
			abort();
	}
	symbol_table_release(&t);
}

static void look_around(const struct dwarf_index *x, uint64_t start, uint64_t size,
			struct line_levels *levels)
{
	struct dwarf_reader *r = dwarf_reader_new(x);

	for (uint64_t i = 0; i < STEPS; i++) {
		uint64_t vaddr = start + (size < STEPS ? i : size / STEPS * i);
		size_t unit = dwarf_index_unit(x, vaddr);

		if (unit != DWARF_NO_UNIT)
			dwarf_reader_find(r, unit, vaddr, levels);
	}
	read_texts(levels);
	dwarf_reader_free(r);
}

/* Takes every unit out of a package: any eight bytes of its index may be a unit's id. */
static void package_units(const char *path, const struct elf_file *f)
{
	const struct elf_section *index = elf_section_named(f, ".debug_cu_index");
	struct split_package *p = index ? split_package_open_file(path) : NULL;
	struct cursor c = p ? elf_section_bytes(f, index) : (struct cursor){0};

	while (cursor_left(&c) >= 8) {
		AUTO_BUF unit = {0};
		struct elf_file made;

		if (!split_package_unit(p, cursor_u64(&c), &unit))
			continue;
		if (elf_file_init(&made, unit.at, unit.n) ||
		    !elf_section_named(&made, ".shstrtab"))
			abort();
		elf_file_release(&made);
	}
	split_package_close(p);
}

static void debug_information(const uint8_t *data, size_t size)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);
	struct line_levels levels = {0};
	struct dwarf_index *x;
	struct elf_file f;
	char path[32];

	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	if (fd >= 0 && write(fd, data, size) == (ssize_t)size && !elf_file_init(&f, data, size)) {
		const struct elf_section *text = elf_section_named(&f, ".text");

		x = debug_identity(&f) ? dwarf_index_open(path) : NULL;
		if (x)
			look_around(x, text && f.type != ET_REL ? text->addr : 0x1000,
				    text ? text->size : 0x1000, &levels);
		dwarf_index_free(x);
		package_units(path, &f);
		elf_file_release(&f);
	}
	vec_release(&levels);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 8 && !memcmp(data, "PERFLINE", 8))
		cache(data, size);
	else if (size >= 8 && !memcmp(data, "PERFSYMS", 8))
		symbols(data, size);
	else if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
		debug_information(data, size);
	return 0;
}
