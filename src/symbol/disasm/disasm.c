// SPDX-License-Identifier: MIT
#include "symbol/disasm/disasm.h"

#include "symbol/disasm/code_file.h"
#include "symbol/disasm/disasm_llvm.h"
#include "symbol/disasm/objdump.h"

#include <sys/utsname.h>

/* The name that distributions give to an objdump for another processor than this machine's, to be
 * freed; NULL: the code is for this machine, or its processor is not known. */
static char *other_objdump(const struct function_code *code)
{
	struct utsname host;

	if (!code->machine || uname(&host) < 0 || !strcmp(host.machine, code->machine->name))
		return NULL;
	return mem_printf("%s-objdump", code->machine->triple);
}

/* The end of a symbol that runs on into other sections: _init has no size, and so reaches over the
 * stubs behind it. objdump reads all of them, LLVM is
 * given one section. */
static uint64_t end_in_file(const struct dso *dso, const struct symbol *sym,
			    const struct function_code *code)
{
	const bool linked =
		dso->kind == DSO_FILE && code->has_image && code->image.elf.type != ET_REL;

	return code->vaddr + (linked ? MAX(sym->end - sym->start, (uint64_t)code->n) : code->n);
}

static int by_objdump(struct disasm *d, struct dso *dso, const struct function_code *code,
		      const struct disasm_options *o, struct err *err)
{
	AUTO_CHAR *other = o->objdump ? NULL : other_objdump(code);
	const bool module = code->has_image && code->image.elf.type == ET_REL;
	struct disasm_options how = *o;
	char made[FILES_MEMORY_PATH];
	const char *path = code->path;
	AUTO_FD fd = -1;

	if (code_file_needed(code)) {
		fd = code_file_open(code, dso, made, err);
		if (fd < 0)
			return -1;
		path = made;
	}
	/* the sections of a relocatable file all begin at 0 */
	how.section = module ? code->section : NULL;
	how.objdump = other;
	if (other && !objdump_disassemble(d, path, &how, NULL))
		return 0;
	how.objdump = o->objdump;
	return objdump_disassemble(d, path, &how, err);
}

int disasm_symbol(struct disasm *d, struct dso *dso, const struct symbol *sym,
		  const struct disasm_options *o, struct err *err)
{
	static const enum disasm_tool usual[] = {DISASM_LLVM, DISASM_OBJDUMP};
	static const enum disasm_tool reversed[] = {DISASM_OBJDUMP, DISASM_LLVM};
	const enum disasm_tool *tools = o->tools[0] ? o->tools : usual;
	struct function_code code;
	int got = -1;

	if (function_code_open(&code, dso, sym, err))
		return -1;
	d->start = code.vaddr;
	if (tools[0] == DISASM_LLVM && tools[1] &&
	    end_in_file(dso, sym, &code) > code.vaddr + code.n)
		tools = reversed;
	d->machine = code.machine;
	d->raw = o->raw;
	for (size_t i = 0; i < ARRAY_SIZE(usual) && tools[i] && got; i++) {
		const bool llvm = tools[i] == DISASM_LLVM;

		d->end = llvm ? code.vaddr + code.n : end_in_file(dso, sym, &code);
		got = llvm ? disasm_by_llvm(d, dso, sym, &code, o, err)
			   : by_objdump(d, dso, &code, o, err);
	}
	function_code_release(&code);
	return got;
}

void disasm_release(struct disasm *d)
{
	arena_release(&d->arena);
	vec_release(&d->lines);
	*d = (struct disasm){0};
}
