// SPDX-License-Identifier: MIT
#include "symbol/disasm/disasm.h"

#include "symbol/disasm/objdump.h"

/* The ELF file that has the dso's code, or NULL. */
static const char *code_file(struct dso *dso)
{
	dso_load(dso);
	return dso->kind == DSO_KERNEL && dso->source == SYMBOLS_VMLINUX ? dso->source_path : dso_file(dso);
}

/* perf 6.1's words. */
static int no_vmlinux(const struct dso *kernel, struct err *err)
{
	char id[41];

	build_id_text(&kernel->build_id, id);
	err_set(err, ERR_INPUT, "No vmlinux file%s%s", *id ? " with build id " : "", id);
	return err_hint(err, "was found in the path.\n\n"
			     "Note that annotation using /proc/kcore requires CAP_SYS_RAWIO capability.\n\n"
			     "Please use:\n\n  perf buildid-cache -vu vmlinux\n\nor:\n\n  --vmlinux vmlinux");
}

int disasm_symbol(struct disasm *d, struct dso *dso, const struct symbol *sym, const struct disasm_options *o,
		  struct err *err)
{
	const char *path = code_file(dso);

	if (!path)
		return dso->kind == DSO_KERNEL ? no_vmlinux(dso, err)
					       : err_set(err, ERR_INPUT, "no file has the code of '%s'", dso->long_name);
	d->start = dso_vaddr(dso, sym->start);
	d->end = d->start + (sym->end - sym->start);
	return objdump_disassemble(d, path, o, err);
}

void disasm_release(struct disasm *d)
{
	arena_release(&d->arena);
	vec_release(&d->lines);
	*d = (struct disasm){0};
}
