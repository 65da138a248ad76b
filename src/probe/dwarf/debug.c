// SPDX-License-Identifier: MIT
#include "probe/dwarf/debug.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static void find_code(struct probe_debug *d, const char *path)
{
	GElf_Ehdr ehdr;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;

	d->code_fd = open(path, O_RDONLY | O_CLOEXEC);
	d->code = d->code_fd < 0 ? NULL : elf_begin(d->code_fd, ELF_C_READ_MMAP, NULL);
	if (!d->code || !gelf_getehdr(d->code, &ehdr) || elf_getshdrstrndx(d->code, &names))
		return;
	while ((scn = elf_nextscn(d->code, scn))) {
		const char *name =
			gelf_getshdr(scn, &shdr) ? elf_strptr(d->code, names, shdr.sh_name) : NULL;

		if (name && !strcmp(name, ".text"))
			d->text_shift = shdr.sh_addr - shdr.sh_offset;
		if (name && !strcmp(name, ".eh_frame") && shdr.sh_type != SHT_NOBITS &&
		    ehdr.e_type != ET_REL)
			d->eh = dwarf_getcfi_elf(d->code);
	}
}

int probe_debug_open(struct probe_debug *d, const char *debug_path, const char *path,
		     struct err *err)
{
	GElf_Ehdr ehdr;

	*d = (struct probe_debug){.code_fd = -1};
	if (debug_reader_open(&d->reader, debug_path)) {
		probe_debug_close(d);
		return err_set(err, ERR_INPUT, "cannot read the debug information of '%s'",
			       debug_path);
	}
	if (gelf_getehdr(dwarf_getelf(d->reader.dwarf), &ehdr))
		d->machine = ehdr.e_machine;
	find_code(d, path);
	return 0;
}

void probe_debug_close(struct probe_debug *d)
{
	if (d->eh)
		dwarf_cfi_end(d->eh);
	elf_end(d->code);
	if (d->code_fd >= 0)
		close(d->code_fd);
	debug_reader_close(&d->reader);
	*d = (struct probe_debug){.code_fd = -1, .reader.fd = -1};
}

static void use_split(Dwarf_Die *unit)
{
	Dwarf_Die split = {0};
	uint8_t kind;

	if (!dwarf_cu_info(unit->cu, NULL, &kind, NULL, &split, NULL, NULL, NULL) &&
	    kind == DW_UT_skeleton && split.addr)
		*unit = split;
}

int probe_debug_unit(struct probe_debug *d, Dwarf_CU **next, Dwarf_Die *unit)
{
	uint8_t kind;

	while (!dwarf_get_units(d->reader.dwarf, *next, next, NULL, &kind, unit, NULL)) {
		if (kind == DW_UT_type || kind == DW_UT_split_type)
			continue;
		use_split(unit);
		return 1;
	}
	return 0;
}

const char *probe_debug_missing(struct probe_debug *d)
{
	Dwarf_Die unit, split;
	Dwarf_CU *next = NULL;
	Dwarf_Attribute name;
	const char *shared;
	const void *build_id;
	uint8_t kind;

	if (dwelf_dwarf_gnu_debugaltlink(d->reader.dwarf, &shared, &build_id) > 0 &&
	    !dwarf_getalt(d->reader.dwarf))
		return shared;
	while (!dwarf_get_units(d->reader.dwarf, next, &next, NULL, &kind, &unit, &split))
		if (kind == DW_UT_skeleton && !split.addr &&
		    (dwarf_attr(&unit, DW_AT_dwo_name, &name) ||
		     dwarf_attr(&unit, DW_AT_GNU_dwo_name, &name)))
			return dwarf_formstring(&name);
	return NULL;
}

bool probe_debug_unit_at(struct probe_debug *d, Dwarf_Addr address, Dwarf_Die *unit)
{
	Dwarf_CU *next = NULL;

	if (dwarf_addrdie(d->reader.dwarf, address, unit)) {
		use_split(unit);
		return true;
	}
	while (probe_debug_unit(d, &next, unit))
		if (dwarf_haspc(unit, address) > 0)
			return true;
	return false;
}
