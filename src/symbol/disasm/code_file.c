// SPDX-License-Identifier: MIT
#include "symbol/disasm/code_file.h"

#include "os/files/files.h"

#include <errno.h>

enum { NONE, TEXT, SYMBOLS, STRINGS, NAMES, SECTIONS };

bool code_file_needed(const struct function_code *c)
{
	return !c->path || (c->has_image && c->image.bytes.heap);
}

static void code_file_put(Elf64_Shdr *s, uint32_t type, struct buf *out, const void *p, size_t n)
{
	s->sh_type = type;
	s->sh_offset = out->n;
	s->sh_size = n;
	s->sh_addralign = 1;
	buf_add(out, p, n);
}

/* Appends the dso's functions, for the names of the addresses that the code calls. */
static void code_file_symbols(const struct function_code *c, struct dso *dso, struct buf *symbols,
			      struct buf *names)
{
	const Elf64_Sym none = {0};

	buf_add(symbols, &none, sizeof(none));
	buf_char(names, 0);
	for (size_t i = 0; i < dso->symbols.n; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i);
		const bool own = s->start == c->vaddr;
		const Elf64_Sym symbol = {.st_name = (Elf64_Word)names->n,
					  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					  .st_shndx = own ? TEXT : SHN_ABS,
					  .st_value = s->start,
					  .st_size = s->end - s->start};

		buf_add(symbols, &symbol, sizeof(symbol));
		buf_add(names, s->name, strlen(s->name) + 1);
	}
}

/* Appends an executable that has nothing but the function, in this machine's byte order. */
static void code_file_make(struct buf *out, const struct function_code *c, struct dso *dso)
{
	static const char titles[] = "\0.text\0.symtab\0.strtab";
	Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 c->machine->big_endian ? ELFDATA2MSB : ELFDATA2LSB,
					 EV_CURRENT},
			     .e_type = ET_EXEC,
			     .e_machine = c->machine->elf,
			     .e_version = EV_CURRENT,
			     .e_entry = c->vaddr,
			     .e_ehsize = sizeof(header),
			     .e_shentsize = sizeof(Elf64_Shdr),
			     .e_shnum = SECTIONS,
			     .e_shstrndx = NAMES};
	Elf64_Shdr s[SECTIONS] = {
		[TEXT] = {.sh_name = 1, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = c->vaddr},
		[SYMBOLS] = {.sh_name = 7, .sh_link = STRINGS, .sh_info = 1,
			     .sh_entsize = sizeof(Elf64_Sym)},
		[STRINGS] = {.sh_name = 15},
		[NAMES] = {.sh_name = 15},
	};
	AUTO_BUF symbols = {0}, names = {0};

	code_file_symbols(c, dso, &symbols, &names);
	buf_add(out, &header, sizeof(header));
	code_file_put(&s[TEXT], SHT_PROGBITS, out, c->p, c->n);
	code_file_put(&s[STRINGS], SHT_STRTAB, out, names.at, names.n);
	code_file_put(&s[NAMES], SHT_STRTAB, out, titles, sizeof(titles));
	buf_fill(out, 0, -out->n % 8);
	code_file_put(&s[SYMBOLS], SHT_SYMTAB, out, symbols.at, symbols.n);
	header.e_shoff = out->n;
	memcpy(out->at, &header, sizeof(header));
	buf_add(out, s, sizeof(s));
}

int code_file_open(const struct function_code *c, struct dso *dso, char path[FILES_MEMORY_PATH],
		   struct err *err)
{
	const uint32_t order = 1;
	const bool big = *(const uint8_t *)&order != 1;
	AUTO_BUF made = {0};
	int fd;

	if (!c->has_image &&
	    (!c->machine || c->machine->bits != 64 || c->machine->big_endian != big))
		return err_set(err, ERR_UNSUPPORTED,
			       "objdump cannot read '%s': no file has its code", dso->long_name);
	if (!c->has_image)
		code_file_make(&made, c, dso);
	fd = c->has_image ? files_in_memory(c->image.bytes.p, c->image.bytes.n, path)
			  : files_in_memory(made.at, made.n, path);
	if (fd < 0)
		err_sys(err, errno, "cannot make a file of the code of '%s'", dso->long_name);
	return fd;
}
