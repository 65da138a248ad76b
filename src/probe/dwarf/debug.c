// SPDX-License-Identifier: MIT
#include "probe/dwarf/debug.h"

#include "symbol/cache/entry.h"

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
		     uint64_t cache_size, struct err *err)
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
	d->memory.max = cache_size;
	d->memory.key.identity = d->reader.identity;
	if (build_id_of_file(debug_path, &d->memory.key.build_id))
		d->memory.max = 0;
	return 0;
}

static void unit_memory_close(struct unit_memory *m)
{
	AUTO_CHAR *dir = m->changed ? cache_dir() : NULL;

	if (dir)
		unit_lists_store(&m->lists, dir, &m->key, m->max);
	unit_lists_release(&m->lists);
}

/* The lists of earlier commands; NULL: nothing is remembered. */
static struct unit_lists *remembered(struct unit_memory *m)
{
	AUTO_CHAR *dir = m->max && !m->loaded ? cache_dir() : NULL;

	if (dir)
		unit_lists_load(&m->lists, dir, &m->key);
	else if (!m->loaded)
		m->max = 0; /* no home */
	m->loaded = true;
	return m->max ? &m->lists : NULL;
}

/* What is asked of units: a text that two questions never share. */
static char *unit_question(const char *function, const char *file)
{
	return function ? mem_printf("function %s", function) : mem_printf("source %s", file);
}

void probe_debug_filter(struct probe_debug *d, const char *function, const char *file,
			struct unit_filter *out, bool *known)
{
	AUTO_CHAR *question = function || file ? unit_question(function, file) : NULL;
	const struct unit_lists *lists = question ? remembered(&d->memory) : NULL;
	const struct unit_list *list = lists ? unit_lists_find(lists, question) : NULL;

	*known = list != NULL;
	if (list)
		unit_filter_take(out, list->units, list->n);
	else
		unit_filter_init(out, d->reader.dwarf, &d->raw, function, file);
}

void probe_debug_remember(struct probe_debug *d, const char *function, const char *file,
			  const uint64_t *units, size_t n)
{
	AUTO_CHAR *question = NULL;

	/* a .dwo file may be replaced, and what is missing may come */
	if (!d->memory.max || d->split || probe_debug_missing(d))
		return;
	question = unit_question(function, file);
	unit_lists_add(&d->memory.lists, question, units, n);
	d->memory.changed = true;
}

void probe_debug_close(struct probe_debug *d)
{
	if (d->eh)
		dwarf_cfi_end(d->eh);
	unit_memory_close(&d->memory);
	elf_end(d->code);
	if (d->code_fd >= 0)
		close(d->code_fd);
	debug_reader_close(&d->reader);
	*d = (struct probe_debug){.code_fd = -1, .reader.fd = -1};
}

int probe_debug_unit(struct probe_debug *d, const struct unit_filter *filter, Dwarf_CU **next,
		     Dwarf_Die *unit)
{
	uint8_t kind;

	while (!dwarf_get_units(d->reader.dwarf, *next, next, NULL, &kind, unit, NULL)) {
		if (kind == DW_UT_type || kind == DW_UT_split_type ||
		    (filter && !unit_filter_passes(filter, unit)))
			continue;
		d->unit_at = dwarf_dieoffset(unit);
		d->split |= kind == DW_UT_skeleton;
		split_units_find(&d->reader.split, unit);
		return 1;
	}
	return 0;
}

const char *probe_debug_missing(struct probe_debug *d)
{
	Dwarf_Die unit;
	Dwarf_CU *next = NULL;
	Dwarf_Attribute name;
	const char *shared;
	const void *build_id;
	uint8_t kind;

	if (dwelf_dwarf_gnu_debugaltlink(d->reader.dwarf, &shared, &build_id) > 0 &&
	    !dwarf_getalt(d->reader.dwarf))
		return shared;
	while (!dwarf_get_units(d->reader.dwarf, next, &next, NULL, &kind, &unit, NULL))
		if (kind == DW_UT_skeleton && !split_units_find(&d->reader.split, &unit) &&
		    (dwarf_attr(&unit, DW_AT_dwo_name, &name) ||
		     dwarf_attr(&unit, DW_AT_GNU_dwo_name, &name)))
			return dwarf_formstring(&name);
	return NULL;
}

bool probe_debug_unit_at(struct probe_debug *d, Dwarf_Addr address, Dwarf_Die *unit)
{
	Dwarf_CU *next = NULL;

	if (dwarf_addrdie(d->reader.dwarf, address, unit)) {
		split_units_find(&d->reader.split, unit);
		return true;
	}
	while (probe_debug_unit(d, NULL, &next, unit))
		if (dwarf_haspc(unit, address) > 0)
			return true;
	return false;
}
