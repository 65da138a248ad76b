// SPDX-License-Identifier: MIT
#include "symbol/jit/jit_image.h"

#include "base/hash.h"

#include <elf.h>

/* Section numbers. Optional sections come last, and are left out as groups: the two of the frames,
 * the three of the lines. */
enum {
	S_NULL,
	S_TEXT,
	S_NOTE,
	S_SYMTAB,
	S_STRTAB,
	S_NAMES,
	S_FRAMES,
	S_FRAMES_HEADER,
	S_ABBREV,
	S_INFO,
	S_LINE,
	S_COUNT
};

/* The names of sections, and the offset of each name. */
static const char section_names[] =
	"\0.text\0.note.gnu.build-id\0.symtab\0.strtab\0.shstrtab\0.eh_frame\0.eh_frame_hdr"
	"\0.debug_abbrev\0.debug_info\0.debug_line";
enum { N_TEXT = 1, N_NOTE = 7, N_SYMTAB = 26, N_STRTAB = 34, N_NAMES = 42, N_FRAMES = 52,
       N_FRAMES_HEADER = 62, N_ABBREV = 76, N_INFO = 90, N_LINE = 102 };

#define ID_SIZE 20

struct note {
	Elf64_Nhdr head;
	char name[4];
	uint8_t id[ID_SIZE];
};

static size_t aligned(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

size_t jit_image_mapped(const struct jit_image *im)
{
	return im->frames_size ? aligned(im->size) + im->frames_size : im->size;
}

static void fill_to(struct buf *b, size_t start, size_t offset)
{
	buf_fill(b, 0, offset - (b->n - start));
}

/* Appends bytes at the next aligned offset, and sets offset and size in the section header. */
static void add_section(struct buf *b, size_t start, Elf64_Shdr *s, const void *p, size_t n)
{
	fill_to(b, start, aligned(b->n - start));
	s->sh_offset = b->n - start;
	s->sh_size = n;
	buf_add(b, p, n);
}

static void make_note(const struct jit_image *im, struct note *note)
{
	uint64_t h[3];

	*note = (struct note){.head = {4, ID_SIZE, NT_GNU_BUILD_ID}, .name = "GNU"};
	h[0] = hash_bytes(im->code, im->size, 0);
	h[1] = hash_bytes(im->name, strlen(im->name), h[0]);
	h[2] = hash_bytes(h, 2 * sizeof(h[0]), im->machine);
	memcpy(note->id, h, ID_SIZE);
}

static void make_header(const struct jit_image *im, size_t sections_at, size_t sections, void *to)
{
	struct {
		Elf64_Ehdr e;
		Elf64_Phdr load, frames;
	} h = {
		.e = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
									    : ELFDATA2MSB,
				  EV_CURRENT},
		      .e_type = ET_DYN, .e_machine = (Elf64_Half)im->machine,
		      .e_version = EV_CURRENT, .e_phoff = sizeof(h.e), .e_shoff = sections_at,
		      .e_ehsize = sizeof(h.e), .e_phentsize = sizeof(h.load),
		      .e_phnum = im->frames_header_size ? 2 : 1,
		      .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = (Elf64_Half)sections,
		      .e_shstrndx = S_NAMES},
		.load = {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = JIT_IMAGE_CODE,
			 .p_vaddr = JIT_IMAGE_CODE, .p_paddr = JIT_IMAGE_CODE,
			 .p_filesz = jit_image_mapped(im), .p_memsz = jit_image_mapped(im),
			 .p_align = 8},
		.frames = {.p_type = PT_GNU_EH_FRAME, .p_flags = PF_R, .p_align = 4,
			   .p_filesz = im->frames_header_size, .p_memsz = im->frames_header_size},
	};

	h.frames.p_offset = h.frames.p_vaddr = h.frames.p_paddr =
		JIT_IMAGE_CODE + aligned(im->size) + im->frames_size - im->frames_header_size;
	_Static_assert(sizeof(h) <= JIT_IMAGE_CODE, "the headers stand in front of the code");
	memcpy(to, &h, sizeof(h));
}

/* Appends the sections of the lines. Their headers go to `to`: the place of the frames' headers
 * when there are none. */
static void add_lines(struct buf *b, size_t start, Elf64_Shdr *to, const Elf64_Shdr *from,
		      const struct jit_image *im)
{
	struct jit_dwarf dwarf = {0};

	memmove(to, from, (S_COUNT - S_ABBREV) * sizeof(*to));
	jit_dwarf_build(&dwarf, im->lines, JIT_IMAGE_CODE, im->size);
	add_section(b, start, &to[0], dwarf.abbrev.at, dwarf.abbrev.n);
	add_section(b, start, &to[1], dwarf.info.at, dwarf.info.n);
	add_section(b, start, &to[2], dwarf.line.at, dwarf.line.n);
	jit_dwarf_release(&dwarf);
}

void jit_image_build(const struct jit_image *im, struct buf *out)
{
	const size_t start = out->n, table = im->frames_size - im->frames_header_size;
	size_t n_sections = S_NAMES + 1;
	const Elf64_Sym symbols[2] = {
		{0},
		{.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = S_TEXT,
		 .st_value = JIT_IMAGE_CODE, .st_size = im->size}};
	Elf64_Shdr s[S_COUNT] = {
		[S_TEXT] = {.sh_name = N_TEXT, .sh_type = SHT_PROGBITS,
			    .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = JIT_IMAGE_CODE,
			    .sh_addralign = 8},
		[S_NOTE] = {.sh_name = N_NOTE, .sh_type = SHT_NOTE, .sh_addralign = 4},
		[S_SYMTAB] = {.sh_name = N_SYMTAB, .sh_type = SHT_SYMTAB, .sh_link = S_STRTAB,
			      .sh_info = 1, .sh_entsize = sizeof(Elf64_Sym), .sh_addralign = 8},
		[S_STRTAB] = {.sh_name = N_STRTAB, .sh_type = SHT_STRTAB, .sh_addralign = 1},
		[S_NAMES] = {.sh_name = N_NAMES, .sh_type = SHT_STRTAB, .sh_addralign = 1},
		[S_FRAMES] = {.sh_name = N_FRAMES, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
			      .sh_addralign = 8},
		[S_FRAMES_HEADER] = {.sh_name = N_FRAMES_HEADER, .sh_type = SHT_PROGBITS,
				     .sh_flags = SHF_ALLOC, .sh_addralign = 1},
		[S_ABBREV] = {.sh_name = N_ABBREV, .sh_type = SHT_PROGBITS, .sh_addralign = 1},
		[S_INFO] = {.sh_name = N_INFO, .sh_type = SHT_PROGBITS, .sh_addralign = 1},
		[S_LINE] = {.sh_name = N_LINE, .sh_type = SHT_PROGBITS, .sh_addralign = 1},
	};
	AUTO_BUF names = {0};
	struct note note;
	size_t at;

	make_note(im, &note);
	fill_to(out, start, JIT_IMAGE_CODE);
	add_section(out, start, &s[S_TEXT], im->code, im->size);
	if (im->frames_size) {
		add_section(out, start, &s[S_FRAMES], im->frames, table);
		/* right behind .eh_frame, as the JIT assumed when it computed the header */
		s[S_FRAMES_HEADER].sh_offset = out->n - start;
		s[S_FRAMES_HEADER].sh_size = im->frames_header_size;
		buf_add(out, (const char *)im->frames + table, im->frames_header_size);
		s[S_FRAMES].sh_addr = s[S_FRAMES].sh_offset;
		s[S_FRAMES_HEADER].sh_addr = s[S_FRAMES_HEADER].sh_offset;
	}
	add_section(out, start, &s[S_NOTE], &note, sizeof(note));
	add_section(out, start, &s[S_SYMTAB], symbols, sizeof(symbols));
	buf_char(&names, 0);
	buf_add(&names, im->name, strlen(im->name) + 1);
	add_section(out, start, &s[S_STRTAB], names.at, names.n);
	add_section(out, start, &s[S_NAMES], section_names, sizeof(section_names));
	if (im->frames_size)
		n_sections = S_FRAMES_HEADER + 1;
	if (im->lines) {
		add_lines(out, start, s + n_sections, s + S_ABBREV, im);
		n_sections += S_COUNT - S_ABBREV;
	}
	fill_to(out, start, aligned(out->n - start));
	at = out->n - start;
	buf_add(out, s, n_sections * sizeof(*s));
	make_header(im, at, n_sections, out->at + start);
}
