// SPDX-License-Identifier: MIT
#include "symbol/elf/elf_names.h"

#include "symbol/dso_private.h"
#include "symbol/elf/elf_symbols.h"

int elf_names_walk(const char *path, elf_name_fn fn, void *ctx)
{
	struct symbol_table t = {0};
	struct elf_image image;
	int ret = 0;

	if (elf_image_open(&image, path, true))
		return -1;
	elf_symbols_add(&image.elf, &image.elf,
			elf_has_symbols(&image.elf, SHT_SYMTAB) ? SHT_SYMTAB : SHT_DYNSYM, &t);
	for (size_t i = 0; i < t.n && !ret; i++)
		ret = fn(&t.at[i], ctx);
	symbol_table_release(&t);
	elf_image_release(&image);
	return ret;
}

bool elf_needs_symbol(const char *path, const char *name)
{
	struct elf_image image;
	bool needs;

	if (elf_image_open(&image, path, true))
		return false;
	needs = elf_leaves_undefined(&image.elf, name);
	elf_image_release(&image);
	return needs;
}
