// SPDX-License-Identifier: MIT
/* Loads the symbols of the vdso, which has no file. Its bytes are in the build-id cache, or in our
 * own memory when the recording is of this machine. */
#include "os/process/process.h"
#include "symbol/dso_private.h"
#include "symbol/elf/elf_symbols.h"

const void *dso_own_vdso(struct dso *dso, size_t *n)
{
	struct elf_file elf;
	struct build_id id;
	const void *p;
	bool fits;

	if (strcmp(dso->long_name, "[vdso]") ||
	    (dso->set->options.symfs && *dso->set->options.symfs))
		return NULL;
	p = own_vdso(n);
	if (!p || elf_file_init(&elf, p, *n) < 0)
		return NULL;
	fits = dso->build_id.size ? !elf_build_id(&elf, &id) && build_id_equal(&id, &dso->build_id)
				  : !dso->set->options.no_live;
	elf_file_release(&elf);
	return fits ? p : NULL;
}

bool dso_load_vdso(struct dso *dso)
{
	struct elf_file elf;
	const void *p;
	size_t n = 0;

	if (dso_load_elf(dso))
		return true;
	p = dso_own_vdso(dso, &n);
	if (!p || elf_file_init(&elf, p, n) < 0)
		return false;
	elf_load(&elf, &elf, &elf, &dso->symbols, &dso->private_data->arena, dso_shown_name, dso);
	dso->source = SYMBOLS_DYNSYM;
	dso->origin = 'd';
	dso->source_path = "[vdso]";
	elf_file_release(&elf);
	return true;
}
