// SPDX-License-Identifier: MIT
#include "symbol/lines/split_units.h"

#include "symbol/elf/elf_file.h"

#include <dwarf.h>
#include <fcntl.h>
#include <unistd.h>

void split_units_open(struct split_units *u, const char *path)
{
	*u = (struct split_units){.package = split_package_open(path), .fd = -1};
	pthread_mutex_init(&u->lock, NULL);
	if (u->package)
		u->fd = files_in_memory("", 0, u->path);
}

void split_units_close(struct split_units *u)
{
	split_package_close(u->package);
	if (u->package && u->fd >= 0)
		close(u->fd);
	pthread_mutex_destroy(&u->lock);
	*u = (struct split_units){.fd = -1};
}

const char *split_units_path(const struct split_units *u)
{
	return u->package && u->fd >= 0 ? u->path : NULL;
}

void split_units_set_image(struct split_units *u, const struct buf *image)
{
	const struct elf_section *strings, *offsets;
	struct elf_file f;

	if (!split_units_path(u) || elf_file_init(&f, image->at, image->n))
		return;
	strings = elf_section_named(&f, ".debug_str");
	offsets = elf_section_named(&f, ".debug_str_offsets");
	if (strings && strings->size > strlen(u->path)) {
		u->image = (uint8_t *)image->at;
		u->n = image->n;
		u->swap = f.swap;
		u->path_at = (uint32_t)(strings->size - strlen(u->path) - 1);
	}
	if (offsets) {
		const struct cursor c = elf_section_bytes(&f, offsets);

		u->offsets_at = offsets->offset;
		u->offsets_n = cursor_left(&c);
	}
	elf_file_release(&f);
}

/* The number that an attribute has in the image, which is n bytes, or with n 0 a ULEB128. */
static uint64_t image_number(const struct split_units *u, const uint8_t *at, size_t n)
{
	uint64_t v = 0;
	unsigned int i = 0;

	for (; n && i < n; i++)
		v |= (uint64_t)at[i] << (8 * (u->swap ? n - 1 - i : i));
	if (n)
		return v;
	for (; i < 3 && at[i] & 0x80; i++)
		v |= (uint64_t)(at[i] & 0x7f) << (7 * i);
	return v | (uint64_t)(at[i] & 0x7f) << (7 * i);
}

/* Where the image holds the offset of an attribute's string: in the entry itself, or in
 * .debug_str_offsets. NULL: it can't be told. */
static uint8_t *string_offset(const struct split_units *u, Dwarf_Die *unit, Dwarf_Attribute *name)
{
	const unsigned int form = dwarf_whatform(name);
	const uint8_t *at = name->valp;
	Dwarf_Word base = 0;
	Dwarf_Attribute a;
	uint64_t place;
	size_t n = 0;

	if (at < u->image || at >= u->image + u->n || u->image + u->n - at < 4)
		return NULL;
	if (form == DW_FORM_strp)
		return u->image + (at - u->image);
	if (form >= DW_FORM_strx1 && form <= DW_FORM_strx4)
		n = form - DW_FORM_strx1 + 1;
	else if (form != DW_FORM_strx && form != DW_FORM_GNU_str_index)
		return NULL;
	if (dwarf_attr(unit, DW_AT_str_offsets_base, &a))
		dwarf_formudata(&a, &base);
	place = base + 4 * image_number(u, at, n);
	return base <= u->offsets_n && place + 4 <= u->offsets_n
		       ? u->image + u->offsets_at + place : NULL;
}

/* Makes the skeleton unit name the file in memory, which becomes the unit's. Otherwise libdw looks
 * for the .dwo file. */
static void hand_over(struct split_units *u, Dwarf_Die *unit, uint64_t id)
{
	uint32_t path_at = u->swap ? __builtin_bswap32(u->path_at) : u->path_at;
	char path[FILES_MEMORY_PATH];
	uint8_t offset_size = 0;
	Dwarf_Attribute name;
	Dwarf_Die die;
	AUTO_BUF file = {0};
	uint8_t *offset;
	int fd;

	if (!dwarf_cu_die(unit->cu, &die, NULL, NULL, NULL, &offset_size, NULL, NULL) ||
	    offset_size != 4 ||
	    (!dwarf_attr(unit, DW_AT_dwo_name, &name) &&
	     !dwarf_attr(unit, DW_AT_GNU_dwo_name, &name)))
		return;
	offset = string_offset(u, unit, &name);
	if (!offset || !split_package_unit(u->package, id, &file))
		return;
	fd = files_in_memory(file.at, file.n, path);
	if (fd < 0)
		return;
	if (dup3(fd, u->fd, O_CLOEXEC) >= 0)
		memcpy(offset, &path_at, sizeof(path_at));
	close(fd);
}

bool split_units_find(struct split_units *u, Dwarf_Die *unit)
{
	Dwarf_Die split = {0};
	uint8_t kind;
	uint64_t id;

	if (dwarf_cu_info(unit->cu, NULL, &kind, NULL, NULL, &id, NULL, NULL) ||
	    kind != DW_UT_skeleton)
		return false;
	pthread_mutex_lock(&u->lock);
	if (u->image)
		hand_over(u, unit, id);
	if (dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL))
		split.addr = NULL;
	pthread_mutex_unlock(&u->lock);
	if (split.addr)
		*unit = split;
	return split.addr != NULL;
}
