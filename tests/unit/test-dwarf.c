// SPDX-License-Identifier: MIT
/* Debug information that leads in circles, or would be copied many times, is read once. */
#include "unit.h"
#include "symbol/elf/elf_file.h"
#include "symbol/lines/debug_image.h"
#include "symbol/lines/dwarf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#define FIRST	 0x1000 /* the code */
#define SIZE	 0x100
#define UNIT	 11 /* behind the header of a unit of DWARF 4 */
#define UNIT_LEN (1 + 8 + 4)

struct section {
	const char *name;
	uint32_t type;
	uint64_t flags;
	const struct buf *content;
};

/* A section of names comes behind them. */
static struct buf elf_of(uint16_t type, const struct section *s, size_t n)
{
	Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
			.e_type = type,
			.e_machine = EM_X86_64,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = (uint16_t)(n + 2),
			.e_shstrndx = (uint16_t)(n + 1)};
	Elf64_Shdr *table = calloc(n + 2, sizeof(*table));
	struct buf b = {0}, names = {0};

	assert_non_null(table);
	buf_char(&names, 0);
	buf_fill(&b, 0, sizeof(h));
	for (size_t i = 0; i < n; i++) {
		table[i + 1] = (Elf64_Shdr){.sh_name = (uint32_t)names.n,
					    .sh_type = s[i].type,
					    .sh_flags = s[i].flags,
					    .sh_offset = b.n,
					    .sh_size = s[i].content->n,
					    .sh_addralign = 1};
		/* headers over the same bytes */
		if (i && s[i].content == s[i - 1].content)
			table[i + 1].sh_offset = table[i].sh_offset;
		else
			buf_add(&b, s[i].content->at, s[i].content->n);
		buf_add(&names, s[i].name, strlen(s[i].name) + 1);
	}
	table[n + 1] = (Elf64_Shdr){.sh_name = (uint32_t)names.n,
				    .sh_type = SHT_STRTAB,
				    .sh_offset = b.n,
				    .sh_size = names.n + 10,
				    .sh_addralign = 1};
	buf_add(&names, ".shstrtab", 10);
	buf_add(&b, names.at, names.n);
	buf_fill(&b, 0, -b.n & 7);
	h.e_shoff = b.n;
	memcpy(b.at, &h, sizeof(h));
	buf_add(&b, table, (n + 2) * sizeof(*table));
	buf_release(&names);
	free(table);
	return b;
}

/* Sibling first, as a reference; functions by address and size, with a name. */
static void abbreviations(struct buf *b)
{
	static const uint8_t bytes[] = {1,    0x11, 1, 0x11, 0x01, 0x12, 0x06, 0,    0, /* a unit */
					2,    0x39, 1, 0x01, 0x13, 0,	 0, /* a namespace */
					3,    0x2e, 0, 0x11, 0x01, 0x12, 0x06, 0x03, 0x08,
					0,    0, /* a function */
					4,    0x2e, 0, 0x01, 0x13, 0x11, 0x01, 0x12, 0x06,
					0x03, 0x08, 0, 0, /* one with a sibling */
					0};

	buf_add(b, bytes, sizeof(bytes));
}

static void put(struct buf *b, uint64_t v, size_t n)
{
	buf_add(b, &v, n);
}

static void begin_unit(struct buf *b)
{
	put(b, 0, 4);
	put(b, 4, 2);
	put(b, 0, 4);
	put(b, 8, 1);
	put(b, 1, 1);
	put(b, FIRST, 8);
	put(b, SIZE, 4);
}

static void add_function(struct buf *b, uint64_t sibling)
{
	put(b, sibling ? 4 : 3, 1);
	if (sibling)
		put(b, sibling, 4);
	put(b, FIRST, 8);
	put(b, SIZE, 4);
	buf_add(b, "found", 6);
}

static void expect_function(struct buf *info, const char *name)
{
	const uint32_t length = (uint32_t)info->n - 4;
	struct buf abbrev = {0}, file;
	struct section s[] = {{".debug_info", SHT_PROGBITS, 0, info},
			      {".debug_abbrev", SHT_PROGBITS, 0, &abbrev}};
	struct line_levels levels = {0};
	struct dwarf_reader *r;
	struct dwarf_index *x;
	char path[32];
	int fd = memfd_create("dwarf", MFD_CLOEXEC);

	memcpy(info->at, &length, 4);
	abbreviations(&abbrev);
	file = elf_of(ET_EXEC, s, ARRAY_SIZE(s));
	assert_int_equal(write(fd, file.at, file.n), file.n);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	x = dwarf_index_open(path);
	assert_non_null(x);
	assert_int_equal(dwarf_index_unit(x, FIRST + 8), 0);
	r = dwarf_reader_new(x);
	assert_int_equal(dwarf_reader_find(r, 0, FIRST + 8, &levels), name ? 1 : 0);
	if (name)
		assert_string_equal(levels.at[0].function, name);
	vec_release(&levels);
	dwarf_reader_free(r);
	dwarf_index_free(x);
	buf_release(&file);
	buf_release(&abbrev);
	buf_release(info);
	close(fd);
}

static void a_function_in_namespaces_is_found(void **state)
{
	struct buf info = {0};

	(void)state;
	begin_unit(&info);
	for (int i = 0; i < 30; i++) {
		put(&info, 2, 1);
		put(&info, UNIT + UNIT_LEN + 30 * 5 + 19 + (30 - (uint64_t)i),
		    4); /* behind its end */
	}
	add_function(&info, 0);
	buf_fill(&info, 0, 31);
	expect_function(&info, "found");
}

/* Each namespace's sibling is its own child: twice the way at each. */
static void a_tree_whose_siblings_are_children_is_walked_once(void **state)
{
	struct buf info = {0};

	(void)state;
	begin_unit(&info);
	for (uint64_t i = 0; i < 30; i++) {
		put(&info, 2, 1);
		put(&info, UNIT + UNIT_LEN + (i + 1) * 5, 4);
	}
	add_function(&info, 0);
	buf_fill(&info, 0, 31);
	expect_function(&info, "found");
}

static void siblings_that_lead_back_end_a_list(void **state)
{
	(void)state;
	for (uint64_t to = 0; to <= 1; to++) {
		struct buf info = {0};

		begin_unit(&info);
		add_function(&info, UNIT + (to ? UNIT_LEN : 0)); /* itself, or what it stands in */
		buf_fill(&info, 0, 1);
		expect_function(&info, "found");
	}
}

static void headers_over_the_same_bytes_are_copied_once(void **state)
{
	enum { HEADERS = 4000 };
	struct section *s = calloc(HEADERS, sizeof(*s));
	struct buf bytes = {0}, file, out = {0};
	struct elf_file elf;

	(void)state;
	assert_non_null(s);
	buf_fill(&bytes, 0, 1 << 20);
	for (size_t i = 0; i < HEADERS; i++)
		s[i] = i % 2 ? (struct section){".debug_str", SHT_PROGBITS, 0, &bytes}
			     : (struct section){".strtab", SHT_STRTAB, 0, &bytes};
	file = elf_of(ET_REL, s, HEADERS);
	assert_int_equal(elf_file_init(&elf, file.at, file.n), 0);
	assert_int_equal(debug_image_expand(&elf, false, NULL, &out), 1);
	assert_in_range(out.n, 1 << 20, 2 << 20);
	buf_release(&out);
	elf_file_release(&elf);
	buf_release(&file);
	buf_release(&bytes);
	free(s);
}

static void little_is_not_expanded_to_much(void **state)
{
	static const size_t sizes[] = {4 << 20, 64 << 20};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint8_t *zeros = calloc(1, sizes[i]);
		uLongf n = compressBound(sizes[i]);
		Elf64_Chdr head = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = sizes[i]};
		struct buf packed = {0}, file, out = {0};
		struct section s = {".debug_info", SHT_PROGBITS, SHF_COMPRESSED, &packed};
		struct elf_file elf;

		assert_non_null(zeros);
		buf_add(&packed, &head, sizeof(head));
		buf_reserve(&packed, n);
		assert_int_equal(compress2((uint8_t *)packed.at + packed.n, &n, zeros, sizes[i], 1),
				 Z_OK);
		packed.n += n;
		file = elf_of(ET_EXEC, &s, 1);
		assert_int_equal(elf_file_init(&elf, file.at, file.n), 0);
		assert_int_equal(debug_image_expand(&elf, false, NULL, &out), i ? -1 : 1);
		buf_release(&out);
		elf_file_release(&elf);
		buf_release(&file);
		buf_release(&packed);
		free(zeros);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_in_namespaces_is_found),
		cmocka_unit_test(a_tree_whose_siblings_are_children_is_walked_once),
		cmocka_unit_test(siblings_that_lead_back_end_a_list),
		cmocka_unit_test(headers_over_the_same_bytes_are_copied_once),
		cmocka_unit_test(little_is_not_expanded_to_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
