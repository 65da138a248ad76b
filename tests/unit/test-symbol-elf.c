// SPDX-License-Identifier: MIT
/* ELF files made in memory, of both classes and byte orders, and the rules that choose symbols. */
#include "folder.h"

#include "base/buf.h"
#include "symbol/elf/elf_symbols.h"
#include "symbol/table/elf_table.h"

#include <endian.h>
#include <stdio.h>

struct shape {
	bool is_64_bit, big, exported;
};

struct made_symbol {
	const char *name;
	uint64_t value, size;
	uint8_t binding, type, visibility;
	uint16_t section; /* 1 .text, 2 .rodata, 3 .note (not loaded), 4 .init */
};

static void put(struct buf *b, struct shape s, uint64_t v, size_t n)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < n; i++)
		bytes[s.big ? n - 1 - i : i] = (uint8_t)(v >> 8 * i);
	buf_add(b, bytes, n);
}

static void put_word(struct buf *b, struct shape s, uint64_t v)
{
	put(b, s, v, s.is_64_bit ? 8 : 4);
}

static void put_section(struct buf *b, struct shape s, uint32_t name, uint32_t type, uint64_t flags,
			uint64_t addr, uint64_t offset, uint64_t size, uint32_t link)
{
	put(b, s, name, 4);
	put(b, s, type, 4);
	put_word(b, s, flags);
	put_word(b, s, addr);
	put_word(b, s, offset);
	put_word(b, s, size);
	put(b, s, link, 4);
	put(b, s, 0, 4);
	put_word(b, s, 8);
	put_word(b, s, type == SHT_SYMTAB ? (s.is_64_bit ? 24 : 16) : 0);
}

static void put_symbol(struct buf *b, struct shape s, uint32_t name, const struct made_symbol *m)
{
	put(b, s, name, 4);
	if (!s.is_64_bit) {
		put(b, s, m->value, 4);
		put(b, s, m->size, 4);
	}
	put(b, s, (uint64_t)(m->binding << 4 | m->type), 1);
	put(b, s, m->visibility, 1);
	put(b, s, m->section, 2);
	if (s.is_64_bit) {
		put(b, s, m->value, 8);
		put(b, s, m->size, 8);
	}
}

#define NAMES "\0.text\0.rodata\0.note\0.init\0.symtab\0.strtab\0.shstrtab\0.dynsym"
enum {
	N_TEXT = 1,
	N_RODATA = 7,
	N_NOTE = 15,
	N_INIT = 21,
	N_SYMTAB = 27,
	N_STRTAB = 35,
	N_NAMES = 43,
	N_DYNSYM = 53,
};

/* Text is mapped from file offset 0x1000 at 0x401000. */
static struct buf make_elf(struct shape s, uint16_t machine, const struct made_symbol *m, size_t n)
{
	static const uint8_t magic[8] = {0x7f, 'E', 'L', 'F', 0, 0, 1};
	struct buf b = {0}, names = {0}, symbols = {0};
	uint64_t header = s.is_64_bit ? 64 : 52, phdr = s.is_64_bit ? 56 : 32, at;

	put_symbol(&symbols, s, 0, &(struct made_symbol){0});
	buf_char(&names, 0);
	for (size_t i = 0; i < n; i++) {
		put_symbol(&symbols, s, *m[i].name ? (uint32_t)names.n : 0, &m[i]);
		buf_add(&names, m[i].name, strlen(m[i].name) + 1);
	}
	at = header + phdr;
	buf_add(&b, magic, 8);
	b.at[EI_CLASS] = s.is_64_bit ? ELFCLASS64 : ELFCLASS32;
	b.at[EI_DATA] = s.big ? ELFDATA2MSB : ELFDATA2LSB;
	buf_fill(&b, 0, 8);
	put(&b, s, ET_EXEC, 2);
	put(&b, s, machine, 2);
	put(&b, s, 1, 4);
	put_word(&b, s, 0x401000);
	put_word(&b, s, header);
	put_word(&b, s, at + symbols.n + names.n + sizeof(NAMES));
	put(&b, s, 0, 4);
	put(&b, s, header, 2);
	put(&b, s, phdr, 2);
	put(&b, s, 1, 2);
	put(&b, s, s.is_64_bit ? 64 : 40, 2);
	put(&b, s, 8, 2);
	put(&b, s, 7, 2);
	put(&b, s, PT_LOAD, 4);
	if (s.is_64_bit)
		put(&b, s, PF_X | PF_R, 4);
	put_word(&b, s, 0x1000);
	put_word(&b, s, 0x401000);
	put_word(&b, s, 0);
	put_word(&b, s, 0x2000);
	put_word(&b, s, 0x2000);
	if (!s.is_64_bit)
		put(&b, s, PF_X | PF_R, 4);
	put_word(&b, s, 0x1000);
	buf_add(&b, symbols.at, symbols.n);
	buf_add(&b, names.at, names.n);
	buf_add(&b, NAMES, sizeof(NAMES));
	put_section(&b, s, 0, SHT_NULL, 0, 0, 0, 0, 0);
	put_section(&b, s, N_TEXT, SHT_PROGBITS, SHF_ALLOC, 0x401000, 0x1000, 0x1000, 0);
	put_section(&b, s, N_RODATA, SHT_PROGBITS, SHF_ALLOC, 0x402000, 0x2000, 0x1000, 0);
	put_section(&b, s, N_NOTE, SHT_PROGBITS, 0, 0, 0x3000, 0x1000, 0);
	put_section(&b, s, N_INIT, SHT_PROGBITS, SHF_ALLOC, 0x401000, 0x1000, 0x10, 0);
	put_section(&b, s, s.exported ? N_DYNSYM : N_SYMTAB, s.exported ? SHT_DYNSYM : SHT_SYMTAB,
		    0, 0, at, symbols.n, 6);
	put_section(&b, s, N_STRTAB, SHT_STRTAB, 0, 0, at + symbols.n, names.n, 0);
	put_section(&b, s, N_NAMES, SHT_STRTAB, 0, 0, at + symbols.n + names.n, sizeof(NAMES), 0);
	buf_release(&symbols);
	buf_release(&names);
	return b;
}

static void assert_same(const struct symbol *a, const struct symbol *b)
{
	assert_int_equal(!a, !b);
	if (!a)
		return;
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->end, b->end);
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->binding, b->binding);
}

/* Symbols that are made when they are asked for: each is the one of the table of all. */
static void assert_same_when_asked(const struct symbol_table *all, const struct elf_file *f,
				   const struct elf_file *dynamic, const struct build_id *id)
{
	struct symbol_table t;

	elf_table_make(&t, f, dynamic, f, NULL, NULL);
	elf_table_keep(&t, id, 0, 1 << 20);
	assert_int_equal(t.n, all->n);
	for (uint64_t address = 0xffc; address < 0x3004; address++)
		assert_same(symbol_table_find(all, address), symbol_table_find(&t, address));
	for (size_t i = 0; i < t.n; i++) {
		const struct symbol *s = symbol_table_at(&t, i);

		assert_same(&all->at[i], s);
		assert_true(s->index < t.n);
		assert_ptr_equal(symbol_table_at(&t, i), s);
	}
	symbol_table_release(&t);
}

/* The names of all symbols, each with its extent, in order of address. */
static void expect(const struct made_symbol *m, size_t n, uint16_t machine, const char *want)
{
	for (int i = 0; i < 4; i++) {
		struct buf b = make_elf((struct shape){.is_64_bit = i & 1, .big = i & 2}, machine,
					m, n),
			   text = {0};
		struct symbol_table t = {0};
		struct arena arena = {0};
		struct elf_file f;

		assert_int_equal(elf_file_init(&f, b.at, b.n), 0);
		elf_load(&f, &f, &f, &t, &arena, NULL, NULL);
		symbol_table_seal(&t);
		for (size_t j = 0; j < t.n; j++)
			buf_printf(&text, "%s%s %lx-%lx", j ? ", " : "", t.at[j].name,
				   (unsigned long)t.at[j].start, (unsigned long)t.at[j].end);
		assert_string_equal(buf_text(&text), want);
		assert_same_when_asked(&t, &f, &f, &(struct build_id){0});
		symbol_table_release(&t);
		elf_file_release(&f);
		arena_release(&arena);
		buf_release(&text);
		buf_release(&b);
	}
}

#define GLOBAL(name, value, size)                                                                  \
	{                                                                                          \
		name, value, size, STB_GLOBAL, STT_FUNC, 0, 1                                      \
	}

static void code_and_data_count(void **state)
{
	static const struct made_symbol m[] = {
		GLOBAL("second", 0x401100, 0x20),
		GLOBAL("first", 0x401000, 0x100),
		{"object", 0x402000, 8, STB_LOCAL, STT_OBJECT, 0, 2},
		{"label", 0x401120, 4, STB_LOCAL, STT_NOTYPE, 0, 1},
		{"const", 0x402010, 4, STB_LOCAL, STT_NOTYPE, 0, 2},
		{"mark", 0x401130, 4, STB_LOCAL, STT_NOTYPE, STV_HIDDEN, 1},
		{"init_label", 0x401140, 4, STB_LOCAL, STT_NOTYPE, 0, 4},
		{"ifunc", 0x401150, 4, STB_LOCAL, STT_GNU_IFUNC, 0, 1},
		{"undefined", 0x401160, 4, STB_GLOBAL, STT_FUNC, 0, SHN_UNDEF},
		{"absolute", 0x401170, 4, STB_GLOBAL, STT_FUNC, 0, SHN_ABS},
		{"thread_local", 0x401180, 4, STB_GLOBAL, STT_TLS, 0, 1},
		{"not_loaded", 0x401190, 4, STB_GLOBAL, STT_FUNC, 0, 3},
		{"no_such_section", 0x4011a0, 4, STB_GLOBAL, STT_FUNC, 0, 77},
		{"a_section", 0x4011b0, 4, STB_GLOBAL, STT_SECTION, 0, 1},
		{"", 0x4011c0, 4, STB_GLOBAL, STT_FUNC, 0, 1},
	};

	(void)state;
	expect(m, ARRAY_SIZE(m), EM_PPC64,
	       "first 1000-1100, second 1100-1120, label 1120-1124, ifunc 1150-1154, "
	       "object 2000-2008, const 2010-2014");
}

static void mapping_symbols_are_no_symbols(void **state)
{
	static const struct made_symbol m[] = {
		{"$x", 0x401000, 0, STB_LOCAL, STT_NOTYPE, 0, 1},
		{"$d.12", 0x401010, 0, STB_LOCAL, STT_NOTYPE, 0, 1},
		{"$y", 0x401020, 4, STB_LOCAL, STT_NOTYPE, 0, 1},
		{"$dd", 0x401030, 4, STB_LOCAL, STT_NOTYPE, 0, 1},
	};

	(void)state;
	expect(m, ARRAY_SIZE(m), EM_AARCH64, "$y 1020-1024, $dd 1030-1034");
	expect(m, ARRAY_SIZE(m), EM_RISCV,
	       "$x 1000-1010, $d.12 1010-1020, $y 1020-1024, $dd 1030-1034");
}

static void thumb_bits_are_no_addresses(void **state)
{
	static const struct made_symbol m[] = {GLOBAL("thumb", 0x401011, 8)};

	(void)state;
	expect(m, 1, EM_ARM, "thumb 1010-1018");
	expect(m, 1, EM_PPC64, "thumb 1011-1019");
}

static void a_symbol_without_size_ends_at_the_next(void **state)
{
	static const struct made_symbol m[] = {
		GLOBAL("a", 0x401000, 0),
		GLOBAL("b", 0x401040, 0x10),
		GLOBAL("last", 0x401234, 0),
	};

	(void)state;
	expect(m, ARRAY_SIZE(m), EM_X86_64, "a 1000-1040, b 1040-1050, last 1234-3000");
}

static void of_equal_addresses_the_best_stays(void **state)
{
	static const struct made_symbol m[] = {
		/* some size */
		GLOBAL("sizeless", 0x401000, 0),
		GLOBAL("x", 0x401000, 4),
		/* not weak */
		{"weak_but_long", 0x401010, 4, STB_WEAK, STT_FUNC, 0, 1},
		{"l", 0x401010, 4, STB_LOCAL, STT_FUNC, 0, 1},
		/* global */
		{"local_but_long", 0x401020, 4, STB_LOCAL, STT_FUNC, 0, 1},
		GLOBAL("g", 0x401020, 4),
		/* fewer underscores in front */
		GLOBAL("__under", 0x401030, 4),
		GLOBAL("_u", 0x401030, 4),
		/* the longer name */
		GLOBAL("short", 0x401040, 4),
		GLOBAL("longer", 0x401040, 4),
		GLOBAL("medium", 0x401040, 4),
		/* the first, unless it is a system call's old alias */
		GLOBAL("one", 0x401050, 4),
		GLOBAL("two", 0x401050, 4),
		GLOBAL("SyS_a", 0x401060, 4),
		GLOBAL("sys_a", 0x401060, 4),
	};

	(void)state;
	expect(m, ARRAY_SIZE(m), EM_X86_64,
	       "x 1000-1004, l 1010-1014, g 1020-1024, _u 1030-1034, longer 1040-1044, "
	       "one 1050-1054, sys_a 1060-1064");
}

/* Many at few addresses, without a size, weak, one inside the other; some only exported, some
 * exported besides. */
static void each_made_when_it_is_asked_for_is_the_same(void **state)
{
	enum { N = 60 };
	const struct build_id id = {.size = 20};
	uint32_t random = 1;
	char box[] = "/tmp/test-symbol-elf-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(box));
	setenv("XDG_CACHE_HOME", box, 1);
	for (int round = 0; round < 48; round++) {
		struct made_symbol m[2][N];
		char names[2][N][8];
		struct buf b[2];
		struct elf_file f[2];
		struct symbol_table t = {0};
		struct arena arena = {0};

		for (int i = 0; i < 2 * N; i++) {
			struct made_symbol *s = &m[i / N][i % N];

			random = random * 1664525 + 1013904223;
			snprintf(names[i / N][i % N], 8, "s%.*s%u", (int)(random >> 28) % 3, "__",
				 random >> 24 & 31);
			*s = (struct made_symbol){
				names[i / N][i % N],
				0x401000 + (random >> 9 & 127) * (round % 2 ? 8 : 64),
				(random >> 16 & 3) < 2 ? 0 : (random >> 18 & 63) << (round % 3),
				(uint8_t)((random >> 4 & 3) % 3), STT_FUNC, 0, 1};
		}
		for (int i = 0; i < 2; i++) {
			const struct shape shape = {.is_64_bit = true, .exported = i == 1};

			b[i] = make_elf(shape, EM_X86_64, m[i],
					(size_t)(round % 4 < 2 + i ? N : 20 * i));
			assert_int_equal(elf_file_init(&f[i], b[i].at, b[i].n), 0);
		}
		elf_load(&f[0], &f[1], &f[0], &t, &arena, NULL, NULL);
		symbol_table_seal(&t);
		/* what covers others is found; then it is known; then it is that of other files */
		assert_same_when_asked(&t, &f[0], &f[1], &id);
		assert_same_when_asked(&t, &f[0], &f[1], &id);
		symbol_table_release(&t);
		arena_release(&arena);
		for (int i = 0; i < 2; i++) {
			elf_file_release(&f[i]);
			buf_release(&b[i]);
		}
	}
	assert_int_equal(folder_remove(box), 0);
}

/* Two of a damaged file, more than half of all addresses apart. */
static void symbols_may_lie_anywhere(void **state)
{
	static const struct made_symbol m[] = {GLOBAL("low", 0x401000, 8),
					       GLOBAL("high", 0xf000000000401000, 8)};
	struct buf b = make_elf((struct shape){.is_64_bit = true}, EM_X86_64, m, ARRAY_SIZE(m));
	struct symbol_table t = {0};
	struct arena arena = {0};
	struct elf_file f;

	(void)state;
	assert_int_equal(elf_file_init(&f, b.at, b.n), 0);
	elf_load(&f, &f, &f, &t, &arena, NULL, NULL);
	symbol_table_seal(&t);
	assert_int_equal(t.n, 2);
	assert_same_when_asked(&t, &f, &f, &(struct build_id){0});
	symbol_table_release(&t);
	elf_file_release(&f);
	arena_release(&arena);
	buf_release(&b);
}

static const char *name_at(const struct symbol_table *t, uint64_t address)
{
	const struct symbol *s = symbol_table_find(t, address);

	return s ? s->name : "none";
}

static struct symbol_table table_of(const struct symbol *s, size_t n)
{
	struct symbol_table t = {0};

	for (size_t i = 0; i < n; i++)
		vec_add(&t, s[i]);
	symbol_table_finish(&t, ENDS_BY_NEXT, NULL, NULL);
	return t;
}

/* Equal ones in the order they came in: .index says when. */
static void assert_sorted(struct symbol_table *t, size_t n)
{
	symbol_table_sort(t);
	assert_int_equal(t->n, n);
	for (size_t i = 1; i < n; i++) {
		assert_true(t->at[i - 1].start <= t->at[i].start);
		if (t->at[i - 1].start == t->at[i].start)
			assert_true(t->at[i - 1].index < t->at[i].index);
	}
	symbol_table_release(t);
}

static void sorting_keeps_the_order_of_equal_ones(void **state)
{
	enum { N = 1000 };

	(void)state;
	/* in order but for the last few; then also but for more than a few; then not at all */
	for (size_t late = 0; late <= N; late = late < 100 ? late + 3 : late + 300) {
		struct symbol_table t = {0};

		for (uint32_t i = 0; i < N; i++)
			vec_add(&t, (struct symbol){
					    .start = i < N - late ? 0x1000 + i / 2 * 16
								  : 0x1000 + (N - i) * 7 % 500 * 16,
					    .index = i});
		assert_sorted(&t, N);
	}
}

static void look_ups_respect_extents(void **state)
{
	static const struct symbol s[] = {{.start = 0x30, .end = 0x40, .name = "b"},
					  {.start = 0x10, .end = 0x20, .name = "a"}};
	struct symbol_table t = table_of(s, 2);

	(void)state;
	symbol_table_seal(&t);
	assert_string_equal(name_at(&t, 0xf), "none");
	assert_string_equal(name_at(&t, 0x10), "a");
	assert_string_equal(name_at(&t, 0x1f), "a");
	assert_string_equal(name_at(&t, 0x20), "none");
	assert_string_equal(name_at(&t, 0x3f), "b");
	assert_string_equal(name_at(&t, UINT64_MAX), "none");
	assert_int_equal(t.at[1].index, 1);
	symbol_table_release(&t);
}

/* What perf's tree says: b, inserted second, becomes its root when c comes; a is below it. */
static void overlapping_symbols_are_found_as_perf_finds_them(void **state)
{
	static const struct symbol nested[] = {
		{.start = 0x10, .end = 0x80, .name = "a"},
		{.start = 0x20, .end = 0x30, .name = "b"},
		{.start = 0x90, .end = 0xa0, .name = "c"},
	};
	struct symbol_table t = table_of(nested, 3);

	(void)state;
	symbol_table_seal(&t);
	assert_non_null(t.tree);
	assert_string_equal(name_at(&t, 0x18), "a");
	assert_string_equal(name_at(&t, 0x28), "b");
	assert_string_equal(name_at(&t, 0x50), "none");
	assert_string_equal(name_at(&t, 0x95), "c");
	symbol_table_release(&t);
	t = table_of(nested, 2); /* a is the root: it hides b */
	symbol_table_seal(&t);
	assert_string_equal(name_at(&t, 0x28), "a");
	assert_string_equal(name_at(&t, 0x50), "a");
	symbol_table_release(&t);
}

/* Inserting and erasing keep every symbol within reach, however many come and go. */
static void no_symbol_gets_lost_in_the_tree(void **state)
{
	struct symbol_table t = {0};
	uint32_t random = 1;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint64_t start;

		random = random * 1664525 + 1013904223;
		start = (uint64_t)(random >> 19) * 0x10;
		vec_add(&t, (struct symbol){.start = start, .end = start + 8, .name = "s"});
	}
	symbol_table_finish(&t, ENDS_BY_NEXT, NULL, NULL);
	vec_add(&t, (struct symbol){.start = 0x4, .end = 0x5, .name = "inner"});
	vec_add(&t, (struct symbol){
			    .start = t.at[0].start + 1, .end = t.at[0].start + 2, .name = "inner"});
	symbol_table_seal(&t);
	assert_non_null(t.tree);
	for (size_t i = 0; i < t.n; i++)
		if (!strcmp(t.at[i].name, "s"))
			assert_ptr_equal(symbol_table_find(&t, t.at[i].start), &t.at[i]);
	symbol_table_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_and_data_count),
		cmocka_unit_test(mapping_symbols_are_no_symbols),
		cmocka_unit_test(thumb_bits_are_no_addresses),
		cmocka_unit_test(a_symbol_without_size_ends_at_the_next),
		cmocka_unit_test(of_equal_addresses_the_best_stays),
		cmocka_unit_test(each_made_when_it_is_asked_for_is_the_same),
		cmocka_unit_test(symbols_may_lie_anywhere),
		cmocka_unit_test(sorting_keeps_the_order_of_equal_ones),
		cmocka_unit_test(look_ups_respect_extents),
		cmocka_unit_test(overlapping_symbols_are_found_as_perf_finds_them),
		cmocka_unit_test(no_symbol_gets_lost_in_the_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
