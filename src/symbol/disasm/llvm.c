// SPDX-License-Identifier: MIT
#include "symbol/disasm/llvm.h"

#include "base/mem.h"
#include "os/library.h"
#include "symbol/disasm/disasm.h"

#include <stdio.h>

/* llvm-c/Disassembler.h */
#define PRINT_IMMEDIATES_IN_HEX 2
#define OTHER_DIALECT		4
typedef int (*operand_info_fn)(void *info, uint64_t pc, uint64_t offset, uint64_t op_size,
			       uint64_t inst_size, int tag, void *tag_buf);
typedef const char *(*symbol_lookup_fn)(void *info, uint64_t value, uint64_t *type, uint64_t pc,
					const char **name);

#define NEWEST 30
#define OLDEST 11
#define TEXT   512 /* bytes of an instruction */

struct llvm {
	void *library;
	const struct insn_machine *machine;
	bool intel;
	void *context;
	void *(*create)(const char *triple, const char *cpu, const char *features, void *info,
			int tag, operand_info_fn operands, symbol_lookup_fn lookup);
	int (*set_options)(void *context, uint64_t options);
	void (*dispose)(void *context);
	size_t (*instruction)(void *context, uint8_t *bytes, uint64_t n, uint64_t pc, char *text,
			      size_t text_n);
	void (*init_info)(void), (*init_mc)(void), (*init_disassembler)(void);
};

/* LLVM's symbol callback. It knows no names, so that LLVM writes addresses. */
static const char *no_name(void *info, uint64_t value, uint64_t *type, uint64_t pc,
			   const char **name)
{
	(void)info, (void)value, (void)pc;
	*type = 0;
	*name = NULL;
	return NULL;
}

/* Loads a library of that name. False: it isn't there, or doesn't support the processor. */
static bool llvm_load(struct llvm *l, const char *name)
{
	AUTO_CHAR *info = mem_printf("LLVMInitialize%sTargetInfo", l->machine->target);
	AUTO_CHAR *mc = mem_printf("LLVMInitialize%sTargetMC", l->machine->target);
	AUTO_CHAR *disassembler = mem_printf("LLVMInitialize%sDisassembler", l->machine->target);
	const struct library_function functions[] = {
		{"LLVMCreateDisasmCPUFeatures", &l->create},
		{"LLVMSetDisasmOptions", &l->set_options},
		{"LLVMDisasmDispose", &l->dispose},
		{"LLVMDisasmInstruction", &l->instruction},
		{info, &l->init_info},
		{mc, &l->init_mc},
		{disassembler, &l->init_disassembler},
	};

	l->library = library_open(name, functions, ARRAY_SIZE(functions));
	return l->library;
}

/* Loads the newest libLLVM. Distributions use three forms of its name. */
static bool load_any(struct llvm *l)
{
	for (int version = NEWEST; version >= OLDEST; version--)
		for (int i = 0; i < 3; i++) {
			char name[32];

			if (i == 0)
				snprintf(name, sizeof(name), "libLLVM.so.%d.1", version);
			else
				snprintf(name, sizeof(name), "libLLVM-%d.so%s", version,
					 i == 1 ? ".1" : "");
			if (llvm_load(l, name))
				return true;
		}
	return llvm_load(l, "libLLVM.so");
}

struct llvm *llvm_open(const struct insn_machine *m, bool intel, struct err *err)
{
	struct llvm *l = NEW(struct llvm);

	l->machine = m;
	l->intel = intel;
	if (!load_any(l)) {
		free(l);
		err_set(err, ERR_UNSUPPORTED, "no libLLVM here disassembles code of %s", m->name);
		err_hint(err, DISASM_INSTALL);
		return NULL;
	}
	l->init_info();
	l->init_mc();
	l->init_disassembler();
	l->context = l->create(m->triple, "", m->features, NULL, 0, NULL, no_name);
	/* set the dialect first: it makes a new printer, which drops other options */
	if (!l->context || (intel && !l->set_options(l->context, OTHER_DIALECT)) ||
	    !l->set_options(l->context, PRINT_IMMEDIATES_IN_HEX)) {
		llvm_close(l);
		err_set(err, ERR_UNSUPPORTED, "libLLVM cannot disassemble code of %s", m->name);
		return NULL;
	}
	return l;
}

void llvm_close(struct llvm *l)
{
	if (!l)
		return;
	if (l->context)
		l->dispose(l->context);
	library_close(l->library);
	free(l);
}

bool llvm_fits(const struct llvm *l, const struct insn_machine *m, bool intel)
{
	return l && l->machine == m && l->intel == intel;
}

/* Converts LLVM's layout "\tlock\t\tcmpxchgq\t%rax, (%rdx)" to that of binutils. */
static void lay_out(const char *text, bool tight, struct buf *out)
{
	size_t word, n;

	text += strspn(text, "\t ");
	for (;;) {
		word = strcspn(text, "\t ");
		n = strspn(text + word, "\t ");
		/* two blanks follow a prefix */
		if (!text[word + n] || n < 2)
			break;
		buf_add(out, text, word);
		buf_char(out, ' ');
		text += word + n;
	}
	buf_add(out, text, word);
	text += word + n;
	if (*text)
		buf_fill(out, ' ', MAX((tight ? 7 : 8) - (int)word, 1));
	for (; *text; text++)
		if (!(tight && *text == ' ' && text[-1] == ','))
			buf_char(out, *text == '\t' ? ' ' : *text);
}

/* True for an x86 prefix that LLVM decodes as an instruction of its own. */
static bool is_lone_prefix(const struct llvm *l, const char *text, size_t size)
{
	text += strspn(text, "\t ");
	return size == 1 && l->machine->step == 1 && insn_is_prefix(text, strcspn(text, "\t "));
}

size_t llvm_instruction(struct llvm *l, const uint8_t *p, size_t n, uint64_t vaddr, struct buf *out)
{
	uint8_t bytes[64];
	char text[TEXT] = "";
	size_t size, more;

	n = MIN(n, sizeof(bytes));
	memcpy(bytes, p, n);
	size = l->instruction(l->context, bytes, n, vaddr, text, sizeof(text));
	if (!size || size > n || !text[0])
		return 0;
	if (is_lone_prefix(l, text, size) && size < n) {
		const size_t start = out->n;

		buf_printf(out, "%s ", text + strspn(text, "\t "));
		more = llvm_instruction(l, p + size, n - size, vaddr + size, out);
		if (more)
			return size + more;
		out->n = start;
	}
	lay_out(text, l->machine->tight, out);
	return size;
}
