// SPDX-License-Identifier: MIT
#include "symbol/disasm/disasm_llvm.h"

#include "symbol/cache/instructions.h"
#include "symbol/contained/contained_private.h"
#include "symbol/disasm/llvm.h"
#include "symbol/disasm/source_text.h"

#include <elf.h>
#include <stdio.h>

#define ROW	 7	     /* bytes of an instruction in one line */
#define CODE_MAX (16u << 20) /* bytes of a function */

struct by_llvm {
	struct disasm_builder b;
	struct dso *dso;
	const struct symbol *sym;
	const struct function_code *code;
	const struct disasm_options *o;
	struct llvm *llvm; /* borrowed; NULL: the texts come from the cache */
	struct kept_instructions kept;
	struct source_text source;
};

static uint64_t rva_of(const struct by_llvm *s, uint64_t vaddr)
{
	const uint64_t own = vaddr - s->code->vaddr;

	if (own < s->sym->end - s->sym->start || s->dso->kind != DSO_FILE)
		return s->sym->start + own;
	return dso_rva_of_vaddr(s->dso, vaddr);
}

/* "1139 <main+0x20>". Code that a compiler in the kernel made calls the kernel. */
static void add_address(const struct by_llvm *s, uint64_t vaddr, struct buf *out)
{
	struct dso *dso = s->dso, *kernel = dso->kind == DSO_BPF ? dso_set_kernel(dso->set) : NULL;
	uint64_t rva = rva_of(s, vaddr);
	const struct symbol *sym = dso_find(dso, rva);

	if (!sym && kernel && (sym = dso_find(kernel, vaddr))) {
		dso = kernel;
		rva = vaddr;
	}
	buf_hex(out, vaddr);
	if (!sym)
		return;
	buf_printf(out, " <%s", dso_symbol_name(dso, sym));
	if (rva != sym->start)
		buf_printf(out, "+0x%llx", (unsigned long long)(rva - sym->start));
	buf_char(out, '>');
}

/* The address of an operand like 0x2e3b(%rip) or [rip + 0x2e3b]; false: there is none. */
static bool relative_address(const char *text, uint64_t next, uint64_t *vaddr)
{
	const char *rip = strstr(text, "(%rip)"), *at = rip;
	bool minus;

	if (rip) {
		while (at > text && at[-1] != ' ' && at[-1] != ',' && at[-1] != '*' &&
		       at[-1] != ':')
			at--;
		if (at == rip)
			return false;
		minus = *at == '-';
		at += minus;
	} else {
		rip = strstr(text, "[rip ");
		if (!rip)
			return false;
		minus = rip[5] == '-';
		at = rip + 7;
	}
	if (at[0] != '0' || at[1] != 'x')
		return false;
	*vaddr = strtoull(at, NULL, 16);
	*vaddr = minus ? next - *vaddr : next + *vaddr;
	return true;
}

/* The operand of AArch64's adrp, and the page that LLVM writes behind it: "x8, 32 // 0x30000".
 * NULL: there is none. */
static const char *page_address(const char *text, uint64_t *vaddr)
{
	const char *comma = strchr(text, ','), *page = strstr(text, " // 0x");

	if (strncmp(text, "adrp ", 5) || !comma || comma[1] != ' ' || !page || page < comma)
		return NULL;
	*vaddr = strtoull(page + 4, NULL, 16);
	return comma + 2;
}

/* Adds the names of addresses to the instruction's text, as objdump does. */
static void name_addresses(const struct by_llvm *s, struct buf *text, uint64_t vaddr, size_t size)
{
	const struct insn_machine *m = s->code->machine;
	const char *plain = buf_text(text), *operand;
	AUTO_BUF out = {0};
	struct insn insn;
	uint64_t address;

	insn_read(&insn, m, plain, vaddr, true);
	if (insn.has_target) {
		buf_add(&out, plain, insn.target_at);
		add_address(s, insn.target, &out);
		buf_str(&out, plain + insn.target_at + insn.target_n);
	} else if (m->elf == EM_X86_64 && relative_address(plain, vaddr + size, &address)) {
		buf_str(&out, plain);
		buf_str(&out, "        # ");
		add_address(s, address, &out);
	} else if (m->elf == EM_AARCH64 && (operand = page_address(plain, &address))) {
		buf_add(&out, plain, (size_t)(operand - plain));
		add_address(s, address, &out);
	} else {
		return;
	}
	buf_clear(text);
	buf_add(text, out.at, out.n);
}

/* Appends the bytes of an instruction: in words of four bytes when all instructions have that size,
 * else one by one. */
static void add_raw(const struct by_llvm *s, const uint8_t *p, size_t n, struct buf *out)
{
	const size_t start = out->n;
	const bool words = s->code->machine->step == 4 && n == 4;

	for (size_t i = 0; i < n; i++)
		buf_printf(out, words ? "%02x" : "%02x ",
			   p[words && !s->code->machine->big_endian ? n - 1 - i : i]);
	if (words)
		buf_char(out, ' ');
	else if (out->n - start < ROW * 3)
		buf_fill(out, ' ', ROW * 3 - (out->n - start));
	buf_char(out, '\t');
}

static size_t label_width(uint64_t vaddr)
{
	return (size_t)snprintf(NULL, 0, "%llx:", (unsigned long long)vaddr);
}

static void add_instruction(struct by_llvm *s, uint64_t at, size_t size, const char *text)
{
	const uint8_t *p = s->code->p + at;
	AUTO_BUF line = {0};
	size_t done = s->o->raw ? MIN(size, (size_t)ROW) : size;

	buf_char(&line, '\t');
	if (s->o->raw)
		add_raw(s, p, done, &line);
	buf_str(&line, text);
	disasm_add_instruction(&s->b, s->code->vaddr + at, label_width(s->code->vaddr + at),
			       buf_text(&line), line.n);
	for (size_t n; done < size; done += n) {
		const uint64_t vaddr = s->code->vaddr + at + done;

		n = MIN(size - done, (size_t)ROW);
		buf_clear(&line);
		buf_char(&line, '\t');
		add_raw(s, p + done, n, &line);
		disasm_add_instruction(&s->b, vaddr, label_width(vaddr), buf_text(&line), line.n);
	}
}

/* Reads the next instruction's text, without names, and returns its size. The text is "(bad)" when
 * the bytes are no instruction. */
static size_t read_next(struct by_llvm *s, uint64_t at, struct buf *text)
{
	const size_t left = s->code->n - at, step = s->code->machine->step;
	size_t size;

	if (!s->llvm)
		return kept_instructions_next(&s->kept, text);
	size = llvm_instruction(s->llvm, s->code->p + at, left, s->code->vaddr + at, text);
	if (!size) {
		size = MIN(left, step);
		buf_str(text, "(bad)");
	}
	kept_instructions_add(&s->kept, (uint32_t)size, text->at, text->n);
	return size;
}

/* Adds one instruction. Returns its size. */
static size_t add_next(struct by_llvm *s, uint64_t at)
{
	AUTO_BUF text = {0};
	const size_t size = read_next(s, at, &text);

	name_addresses(s, &text, s->code->vaddr + at, size);
	add_instruction(s, at, size, buf_text(&text));
	return size;
}

static void add_heading(struct by_llvm *s)
{
	AUTO_CHAR *section = mem_printf("Disassembly of section %s:",
					*s->code->section ? s->code->section : ".text");
	AUTO_CHAR *label = mem_printf("%016llx <%s>:", (unsigned long long)s->code->vaddr,
				      dso_symbol_name(s->dso, s->sym));
	const char *const lines[] = {"", "", "", section, "", label};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		disasm_add_text(&s->b, lines[i], strlen(lines[i]));
}

/* Two slow things that do not need each other: to load LLVM, which takes 20 ms, and to open the
 * debug information of the function. */
struct disasm_start {
	struct by_llvm *s;
	bool intel;
	struct err *err;
};

static void disasm_start_one(void *ctx, size_t i, unsigned int worker)
{
	struct disasm_start *start = ctx;
	struct by_llvm *s = start->s;

	(void)worker;
	if (i)
		dso_source(s->dso, s->sym->start);
	else
		s->llvm = llvm_open(s->code->machine, start->intel, start->err);
}

/* Sets s->llvm to the disassembler of the set, which is made at the first function, and anew for
 * another processor. */
static int start_llvm(struct by_llvm *s, bool intel, struct err *err)
{
	struct llvm **kept = &s->dso->set->private_data->llvm;
	struct disasm_start start = {s, intel, err};

	if (!llvm_fits(*kept, s->code->machine, intel)) {
		AUTO(pool) *pool = pool_new(MIN(pool_cpus(), 2u));

		llvm_close(*kept);
		*kept = NULL;
		pool_for(pool, 2, disasm_start_one, &start);
		*kept = s->llvm;
	}
	s->llvm = *kept;
	return s->llvm ? 0 : -1;
}

int disasm_by_llvm(struct disasm *d, struct dso *dso, const struct symbol *sym,
		   const struct function_code *code, const struct disasm_options *o,
		   struct err *err)
{
	struct by_llvm s = {.b = {.d = d},
			    .dso = dso,
			    .sym = sym,
			    .code = code,
			    .o = o,
			    .source = {.options = o, .set = dso->set}};
	const bool intel = o->style && !strcmp(o->style, "intel");

	if (!code->machine)
		return err_set(err, ERR_UNSUPPORTED, "'%s' is code of an unknown processor",
			       dso->long_name);
	if (code->n > CODE_MAX)
		return err_set(err, ERR_INPUT, "'%s' is too large to be a function", sym->name);
	kept_instructions_open(&s.kept, code->p, code->n, code->vaddr, code->machine->triple,
			       intel ? "intel" : "",
			       contained_notes(dso) ? 0 : dso->set->options.cache_size);
	if (!s.kept.found && start_llvm(&s, intel, err)) {
		kept_instructions_close(&s.kept, false);
		return -1;
	}
	add_heading(&s);
	s.source.symbol = dso_symbol_name(dso, sym);
	for (uint64_t at = 0; at < code->n;) {
		const struct source_place place = dso_source(dso, sym->start + at);

		source_text_add(&s.source, &s.b, &place, dso_line_text(dso, sym->start + at));
		at += add_next(&s, at);
	}
	d->tool = DISASM_LLVM;
	source_text_release(&s.source);
	kept_instructions_close(&s.kept, true);
	return 0;
}
