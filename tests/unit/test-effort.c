// SPDX-License-Identifier: MIT
/* Files that would take too much work are given up, and others are not. */
#include "unit.h"
#include "symbol/dso_private.h"
#include "symbol/unwind/cfi_entry.h"
#include "symbol/unwind/encoded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CONTENT 4096 /* where the section that is asked about lies */

/* An ELF file for x86-64 with one section of interest. */
static struct buf make(const char *name, uint64_t flags, const void *content, size_t n)
{
	const size_t names = CONTENT + n, table = (names + 64 + 63) & ~(size_t)63;
	Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
			.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_phoff = sizeof(h),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
			.e_shoff = table,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 3,
			.e_shstrndx = 2};
	Elf64_Phdr load = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 1 << 20, .p_memsz = 1 << 20};
	Elf64_Shdr s[3] = {
		{0},
		{.sh_name = 1,
		 .sh_type = SHT_PROGBITS,
		 .sh_flags = flags,
		 .sh_addr = CONTENT,
		 .sh_offset = CONTENT,
		 .sh_size = n},
		{.sh_type = SHT_STRTAB, .sh_offset = names, .sh_size = strlen(name) + 2}};
	struct buf b = {0};

	buf_add(&b, &h, sizeof(h));
	buf_add(&b, &load, sizeof(load));
	buf_fill(&b, 0, CONTENT - b.n);
	buf_add(&b, content, n);
	buf_char(&b, 0);
	buf_str(&b, name);
	buf_fill(&b, 0, table - b.n);
	buf_add(&b, s, sizeof(s));
	return b;
}

static void add_entry(struct buf *b, uint32_t pointer, const void *body, uint32_t n)
{
	const uint32_t words[] = {n + 4, pointer};

	buf_add(b, words, sizeof(words));
	buf_add(b, body, n);
}

static void add_cie(struct buf *b, const char *letters)
{
	struct buf body = {0};

	buf_char(&body, 1);
	buf_add(&body, letters, strlen(letters) + 1);
	buf_add(&body, "\x01\x78\x10", 3);
	if (*letters)
		buf_char(&body, 0); /* no data */
	buf_add(&body, "\x0c\x07\x08\x90\x01", 5);
	add_entry(b, 0, body.at, (uint32_t)body.n);
	buf_release(&body);
}

/* Its program is so many steps that do nothing. */
static void add_fde(struct buf *b, uint64_t start, uint64_t size, size_t steps, bool sized)
{
	const uint64_t range[] = {start, size};
	struct buf body = {0};

	buf_add(&body, range, sizeof(range));
	buf_fill(&body, 0, sized + steps);
	add_entry(b, (uint32_t)b->n + 4, body.at, (uint32_t)body.n);
	buf_release(&body);
}

static bool finds(const struct unwind_file *f, uint64_t vaddr)
{
	struct cfi_rule rule;
	uint64_t from, to;

	return cfi_find(&f->cfi, vaddr, &rule, &from, &to);
}

static void sections_are_bounded(void **state)
{
	const size_t n = ELF_SECTIONS_MAX + 1000;
	struct buf b = make(".text", 0, "x", 1);
	Elf64_Ehdr h;
	Elf64_Shdr first = {.sh_size = 1ull << 40};
	struct unwind_file f;
	struct elf_file elf;

	(void)state;
	memcpy(&h, b.at, sizeof(h));
	h.e_shnum = 0;
	memcpy(b.at, &h, sizeof(h));
	memcpy(b.at + h.e_shoff, &first, sizeof(first));
	buf_fill(&b, 0, n * sizeof(first));
	assert_int_equal(elf_file_init(&elf, b.at, b.n), 0);
	assert_int_equal(elf.sections.n, ELF_SECTIONS_MAX);
	assert_true(elf.too_many);
	assert_string_equal(elf.sections.at[1].name, ".text");
	elf_file_release(&elf);
	assert_int_equal(unwind_file_init(&f, b.at, b.n), 0);
	assert_true(unwind_file_given_up(&f));
	assert_int_equal(f.elf.segments.n, 1);
	unwind_file_release(&f);
	buf_release(&b);
}

static void names_of_sections_are_copies(void **state)
{
	struct buf b = make(".a_name_that_is_longer_than_what_is_kept", 0, "x", 1);
	struct elf_file elf;

	(void)state;
	assert_int_equal(elf_file_init(&elf, b.at, b.n), 0);
	memset(b.at, 'x', b.n);
	assert_string_equal(elf.sections.at[1].name, ".a_name_that_is_longer_than_wha");
	elf_file_release(&elf);
	buf_release(&b);
}

static void notes_are_looked_at_up_to_a_bound(void **state)
{
	static const uint32_t note[] = {4, 4, NT_GNU_BUILD_ID, 0x554e47, 0x12345678};
	uint8_t *notes = calloc(1, ELF_NOTES_MAX + sizeof(note));
	struct build_id id;

	(void)state;
	assert_non_null(notes);
	for (int far = 0; far <= 1; far++) {
		const size_t before = ELF_NOTES_MAX / 12 * 12 - (far ? 0 : 2 * 12);
		struct elf_file elf;
		struct buf b;

		memcpy(notes + before, note, sizeof(note));
		b = make(".note.gnu.build-id", 0, notes, before + sizeof(note));
		assert_int_equal(elf_file_init(&elf, b.at, b.n), 0);
		elf.sections.at[1].type = SHT_NOTE;
		assert_int_equal(elf_build_id(&elf, &id), far ? -1 : 0);
		elf_file_release(&elf);
		memset(notes + before, 0, sizeof(note));
		buf_release(&b);
	}
	free(notes);
}

static void an_augmentation_has_few_letters(void **state)
{
	static const char *const letters[] = {"zSSSSSSSSSSSSSS", "zSSSSSSSSSSSSSSS"};

	(void)state;
	for (int many = 0; many <= 1; many++) {
		struct buf frames = {0}, b;
		struct unwind_file f;

		add_cie(&frames, letters[many]);
		add_fde(&frames, 0x1000, 16, 0, true);
		b = make(".eh_frame", 0, frames.at, frames.n);
		assert_int_equal(unwind_file_init(&f, b.at, b.n), 0);
		assert_int_equal(finds(&f, 0x1008), !many);
		assert_false(unwind_file_given_up(&f));
		unwind_file_release(&f);
		buf_release(&b);
		buf_release(&frames);
	}
}

static void a_file_of_endless_rules_is_given_up(void **state)
{
	struct buf frames = {0}, b;
	struct unwind_file f;
	int n = 0;

	(void)state;
	add_cie(&frames, "");
	add_fde(&frames, 0x1000, 16, 100000, false);
	add_fde(&frames, 0x2000, 16, 20000, false);
	b = make(".eh_frame", 0, frames.at, frames.n);
	assert_int_equal(unwind_file_init(&f, b.at, b.n), 0);
	assert_true(finds(&f, 0x2000)); /* long, but there are such */
	assert_false(finds(&f, 0x1000));
	assert_false(unwind_file_given_up(&f));
	for (; n < 100 && !unwind_file_given_up(&f); n++)
		finds(&f, 0x1000);
	assert_in_range(n, 2, 20);
	unwind_file_release(&f);
	buf_release(&b);
	buf_release(&frames);
}

static void many_rules_of_common_length_are_fine(void **state)
{
	struct buf frames = {0}, b;
	struct unwind_file f;

	(void)state;
	add_cie(&frames, "");
	add_fde(&frames, 0x1000, 16, 900, false);
	b = make(".eh_frame", 0, frames.at, frames.n);
	assert_int_equal(unwind_file_init(&f, b.at, b.n), 0);
	for (int i = 0; i < 40000; i++)
		assert_true(finds(&f, 0x1000));
	assert_true(f.effort.steps > 36000000);
	assert_false(unwind_file_given_up(&f));
	unwind_file_release(&f);
	buf_release(&b);
	buf_release(&frames);
}

static void an_index_is_bounded(void **state)
{
	const size_t n = (size_t)(CFI_ENTRIES_MAX + 1) * 8;
	uint32_t *frames = calloc(1, n);
	struct unwind_file f;
	struct buf b;

	(void)state;
	assert_non_null(frames);
	for (size_t i = 0; i < n / 8; i++)
		frames[2 * i] = 4;
	for (int less = 0; less <= 1; less++) {
		b = make(".eh_frame", 0, frames, n - (less ? 8 : 0));
		assert_int_equal(unwind_file_init(&f, b.at, b.n), 0);
		assert_int_equal(unwind_file_given_up(&f), !less);
		assert_true(f.cost >= n / 8 * sizeof(*f.cfi.index.at) / 2);
		unwind_file_release(&f);
		buf_release(&b);
	}
	free(frames);
}

static void numbers_are_filled_up_a_little_only(void **state)
{
	uint8_t bytes[64];

	(void)state;
	memset(bytes, 0x80, sizeof(bytes));
	for (size_t n = 2; n < sizeof(bytes); n++) {
		struct cursor u = cursor_over(bytes, n, false), s = u;

		bytes[0] = 0x85;
		bytes[n - 1] = 0;
		assert_int_equal(read_uleb(&u), 5);
		assert_int_equal(read_sleb(&s), 5);
		assert_int_equal(u.bad, n > 20);
		assert_int_equal(s.bad, n > 20);
		bytes[n - 1] = 0x80;
	}
}

static void little_does_not_expand_to_much(void **state)
{
	static const struct {
		size_t n;
		int says; /* 0: it is expanded */
	} sizes[] = {{1 << 20, 0}, {15 << 20, 0}, {40 << 20, EFBIG}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint8_t *zeros = calloc(1, sizes[i].n), *packed;
		uLongf n = compressBound(sizes[i].n);
		Elf64_Chdr head = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = sizes[i].n};
		struct mapped expanded;
		struct elf_file elf;
		const uint8_t *p;
		struct buf b;
		size_t got;

		packed = malloc(sizeof(head) + n);
		assert_non_null(zeros);
		assert_non_null(packed);
		memcpy(packed, &head, sizeof(head));
		assert_int_equal(compress2(packed + sizeof(head), &n, zeros, sizes[i].n, 1), Z_OK);
		b = make(".debug_frame", SHF_COMPRESSED, packed, sizeof(head) + n);
		assert_int_equal(elf_file_init(&elf, b.at, b.n), 0);
		assert_int_equal(elf_section_whole(&elf, ".debug_frame", &expanded, &p, &got),
				 !sizes[i].says);
		if (sizes[i].says)
			assert_int_equal(errno, sizes[i].says);
		else
			assert_int_equal(got, sizes[i].n);
		mapped_release(&expanded);
		elf_file_release(&elf);
		buf_release(&b);
		free(zeros);
		free(packed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_bounded),
		cmocka_unit_test(names_of_sections_are_copies),
		cmocka_unit_test(notes_are_looked_at_up_to_a_bound),
		cmocka_unit_test(an_augmentation_has_few_letters),
		cmocka_unit_test(a_file_of_endless_rules_is_given_up),
		cmocka_unit_test(many_rules_of_common_length_are_fine),
		cmocka_unit_test(an_index_is_bounded),
		cmocka_unit_test(numbers_are_filled_up_a_little_only),
		cmocka_unit_test(little_does_not_expand_to_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
