// SPDX-License-Identifier: MIT
/* BPF programs of the header: read from bytes made here, sound and damaged, and what they name. */
#include "unit.h"

#include "base/buf.h"
#include "capture/synth/bpf_seen.h"
#include "data/feature/bpf_info.h"
#include "data/feature/feature.h"
#include "world/world.h"

#include <string.h>

enum {
	KSYMS = 1 << 3,
	LENS = 1 << 4,
	FUNCS = 1 << 5,
	LINES = 1 << 6 | 1 << 7,
	TAGS = 1 << 8,
	ALL = KSYMS | LENS | FUNCS | TAGS
};

#define JIT 0xffffffffc0500000ull

/* A program of n functions: its arrays lie one after the other in its data. */
struct made {
	uint32_t id, n, btf_id;
	uint64_t arrays, ksyms, lens, tags; /* offsets that are told, when not 0: wrong ones */
	const char *name;
	uint64_t address;
	uint32_t first_type; /* of function i: first_type + i */
	uint32_t info_len;
	uint64_t lines; /* offset that is told; 0: there are no lines */
	uint32_t n_lines, line_size;
};

enum { LINES_AT = 28 * 2 }; /* of a program of two functions */

static void word(struct buf *b, uint64_t v, size_t size, bool swap)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(v >> 8 * (swap ? size - 1 - i : i));
	buf_add(b, bytes, size);
}

static void poke(struct buf *b, size_t at, uint64_t v, size_t size, bool swap)
{
	struct buf w = {0};

	word(&w, v, size, swap);
	memcpy(b->at + at, w.at, size);
	buf_release(&w);
}

/* Three lines: of the second function, and two of the first, the latter first. */
static void add_lines(struct buf *b, uint64_t address, bool swap)
{
	/* { file, text, line } */
	static const uint32_t lines[3][3] = {{7, 1, 30}, {7, 99, 20}, {5, 13, 1u << 21}};
	static const uint64_t at[3] = {0x1000, 0xff, 0x10};

	for (int i = 0; i < 3; i++) {
		word(b, 0, 4, swap);
		word(b, lines[i][0], 4, swap);
		word(b, lines[i][1], 4, swap);
		word(b, lines[i][2] << 10 | 0x3ff, 4, swap);
	}
	for (int i = 0; i < 3; i++)
		word(b, address + at[i], 8, swap);
}

static void add_program(struct buf *b, const struct made *m, bool swap)
{
	uint32_t n = m->n, info_len = m->info_len ? m->info_len : 224;
	uint32_t ksyms = 0, lens = 8 * n, tags = lens + 4 * n, funcs = tags + 8 * n;
	size_t info;

	word(b, info_len, 4, swap);
	word(b, funcs + 8 * n + (m->lines ? 3 * (16 + 8) : 0), 4, swap);
	word(b, m->arrays, 8, swap);
	info = b->n;
	buf_fill(b, 0, 224);
	poke(b, info + 4, m->id, 4, swap);
	memcpy(b->at + info + 64, m->name, strlen(m->name));
	poke(b, info + 104, n, 4, swap);
	poke(b, info + 108, n, 4, swap);
	poke(b, info + 112, m->ksyms ? m->ksyms : ksyms, 8, swap);
	poke(b, info + 120, m->lens ? m->lens : lens, 8, swap);
	poke(b, info + 128, m->btf_id, 4, swap);
	poke(b, info + 132, 8, 4, swap);
	poke(b, info + 136, funcs, 8, swap);
	poke(b, info + 180, n, 4, swap);
	poke(b, info + 184, m->tags ? m->tags : tags, 8, swap);
	if (m->lines) {
		poke(b, info + 148, m->n_lines, 4, swap);
		poke(b, info + 152, m->lines, 8, swap);
		poke(b, info + 160, m->lines + 3 * 16, 8, swap);
		poke(b, info + 168, m->n_lines, 4, swap);
		poke(b, info + 172, m->line_size, 4, swap);
		poke(b, info + 176, 8, 4, swap);
	}
	b->n = info + info_len;
	for (uint32_t i = 0; i < n; i++)
		word(b, m->address + 0x1000 * i, 8, swap);
	for (uint32_t i = 0; i < n; i++)
		word(b, 0x100 + i, 4, swap);
	for (uint32_t i = 0; i < n; i++)
		for (uint8_t k = 0; k < 8; k++)
			buf_char(b, (char)(0x10 * k + i));
	for (uint32_t i = 0; i < n; i++) {
		word(b, 8 * i, 4, swap);
		word(b, m->first_type + i, 4, swap);
	}
	if (m->lines)
		add_lines(b, m->address, swap);
}

/* Types: 1 an int "int", 2 a structure of one member "s", 3 a function "first", 4 a function
 * "second". */
static void add_types(struct buf *b, uint32_t id, uint32_t strings_size, bool swap)
{
	static const char strings[] = "\0int\0s\0first\0second";
	static const uint32_t types[] = {1, 1u << 24, 4, 32,   5,  4u << 24 | 1, 4, 5,
					 1, 0,	       7, 12u << 24, 1, 13, 12u << 24, 1};
	uint32_t size = 24 + sizeof(types) + sizeof(strings);

	word(b, id, 4, swap);
	word(b, size, 4, swap);
	word(b, 0xeb9f, 2, swap);
	word(b, 1, 2, swap); /* version, flags */
	word(b, 24, 4, swap);
	word(b, 0, 4, swap);
	word(b, sizeof(types), 4, swap);
	word(b, sizeof(types), 4, swap);
	word(b, strings_size ? strings_size : sizeof(strings), 4, swap);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		word(b, types[i], 4, swap);
	buf_add(b, strings, sizeof(strings));
}

struct test {
	struct recording *rec;
	struct buf programs, types;
	bool swap;
};

static void begin(struct test *t, uint32_t programs, uint32_t types, bool swap)
{
	/* magic, size of the header, size of an attribute, no attributes, no data, no types, no
	 * features */
	static const uint64_t empty[13] = {0x32454c4946524550, 104, 144, 104, 0, 104, 0};
	struct err err = {0};

	memset(t, 0, sizeof(*t));
	t->rec = recording_open_memory(empty, sizeof(empty), &err);
	assert_non_null(t->rec);
	t->rec->m.swap = t->swap = swap;
	t->rec->m.sample_id_all = true;
	word(&t->programs, programs, 4, swap);
	word(&t->types, types, 4, swap);
}

static void take(struct test *t)
{
	feature_take(t->rec, FEATURE_BPF_PROG_INFO, (uint8_t *)t->programs.at, t->programs.n, 0);
	feature_take(t->rec, FEATURE_BPF_BTF, (uint8_t *)t->types.at, t->types.n, 0);
}

static void end(struct test *t)
{
	buf_release(&t->programs);
	buf_release(&t->types);
	recording_free(t->rec);
}

/* "ID ADDRESS SIZE NAME, ...", each function. */
static const char *listed(const struct test *t)
{
	static struct buf b;
	struct bpf_programs p = {0};

	buf_clear(&b);
	bpf_programs_read(&p, t->rec);
	for (size_t i = 0; i < p.list.n; i++)
		for (size_t k = 0; k < p.list.at[i].n; k++)
			buf_printf(&b, "%u %llx %x %s, ", p.list.at[i].id,
				   (unsigned long long)p.list.at[i].functions[k].address,
				   p.list.at[i].functions[k].size, p.list.at[i].functions[k].name);
	bpf_programs_release(&p);
	return buf_text(&b);
}

static void programs_have_the_names_of_kallsyms(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct test t;
		uint32_t *ids;

		begin(&t, 5, 3, swap);
		add_program(&t.programs,
			    &(struct made){9, 2, 7, ALL, .name = "first", .address = JIT,
					   .first_type = 3},
			    swap);
		add_program(&t.programs,
			    &(struct made){3, 1, 0, ALL, .name = "own", .address = JIT + 0x8000},
			    swap);
		add_program(&t.programs,
			    &(struct made){9, 1, 0, ALL, .name = "again", .address = 1}, swap);
		add_program(&t.programs, &(struct made){4, 1, 0, ALL, .name = "", .address = 5},
			    swap);
		add_program(&t.programs, &(struct made){5, 2, 99, ALL, .name = "x", .address = 6},
			    swap);
		add_types(&t.types, 8, 0, swap);
		add_types(&t.types, 7, 0, swap);
		add_types(&t.types, 8, 0, swap);
		take(&t);
		assert_string_equal(listed(&t),
				    "3 ffffffffc0508000 100 bpf_prog_0010203040506070_own, "
				    "4 5 100 bpf_prog_0010203040506070, "
				    "5 6 100 bpf_prog_0010203040506070_F, 5 1006 101 "
				    "bpf_prog_0111213141516171_F, "
				    "9 ffffffffc0500000 100 bpf_prog_0010203040506070_first, "
				    "9 ffffffffc0501000 101 bpf_prog_0111213141516171_second, ");
		assert_int_equal(bpf_types_read(t.rec, &ids), 2);
		assert_int_equal(ids[0], 7);
		assert_int_equal(ids[1], 8);
		free(ids);
		end(&t);
	}
}

/* Arrays that are not there, lie outside, or wrap around the end of all addresses. */
static void damaged_programs_are_left_out(void **state)
{
	static const struct made bad[] = {
		{1, 1, 0, KSYMS | LENS, .name = "x"},
		{1, 1, 0, LENS | TAGS, .name = "x"},
		{1, 1, 0, ALL, .ksyms = UINT64_MAX - 3, .name = "x"},
		{1, 1, 0, ALL, .lens = UINT64_MAX - 1, .name = "x"},
		{1, 1, 0, ALL, .tags = UINT64_MAX - 3, .name = "x"},
		{1, 1, 0, ALL, .tags = 23, .name = "x"},
		{1, 1, 0, ALL, .info_len = 191, .name = "x"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct test t;

		begin(&t, 2, 0, false);
		add_program(&t.programs, &bad[i], false);
		add_program(&t.programs, &(struct made){2, 1, 0, ALL, .name = "y", .address = 8},
			    false);
		take(&t);
		assert_string_equal(listed(&t), "2 8 100 bpf_prog_0010203040506070_y, ");
		end(&t);
	}
}

static void damaged_types_name_nothing(void **state)
{
	struct test t;
	const struct made m = {1, 1, 7, ALL, .name = "x", .address = 8, .first_type = 3};
	size_t whole;

	(void)state;
	/* strings that lie outside; a type that isn't there; one without a name */
	begin(&t, 3, 2, false);
	add_program(&t.programs, &m, false);
	add_program(&t.programs,
		    &(struct made){2, 1, 8, ALL, .name = "x", .address = 8, .first_type = 5},
		    false);
	add_program(&t.programs, &(struct made){3, 1, 8, ALL, .name = "x", .address = 8}, false);
	add_types(&t.types, 7, 500, false);
	add_types(&t.types, 8, 0, false);
	take(&t);
	assert_string_equal(listed(&t), "1 8 100 bpf_prog_0010203040506070, "
					"2 8 100 bpf_prog_0010203040506070, "
					"3 8 100 bpf_prog_0010203040506070, ");
	end(&t);
	/* every way of being cut short: no more than there is, and no end without one */
	begin(&t, UINT32_MAX, UINT32_MAX, false);
	add_program(&t.programs, &m, false);
	add_types(&t.types, 7, 0, false);
	take(&t);
	assert_string_equal(listed(&t), "1 8 100 bpf_prog_0010203040506070_first, ");
	whole = t.programs.n;
	for (size_t n = 0; n <= whole; n++) {
		uint8_t *copy = mem_alloc(n + 1);

		memcpy(copy, t.programs.at, n);
		feature_take(t.rec, FEATURE_BPF_PROG_INFO, copy, n, 0);
		assert_true(n == whole || !*listed(&t));
		free(copy);
	}
	for (size_t n = 0; n < t.types.n; n++) {
		feature_take(t.rec, FEATURE_BPF_BTF, (uint8_t *)t.types.at, n, 0);
		assert_string_equal(listed(&t), "1 8 100 bpf_prog_0010203040506070_x, ");
	}
	end(&t);
}

/* "NAME+OFFSET FILE:LINE TEXT, ...", each line of each function. */
static const char *lines_listed(const struct test *t)
{
	static struct buf b;
	struct bpf_programs p = {0};

	buf_clear(&b);
	bpf_programs_read(&p, t->rec);
	for (size_t i = 0; i < p.list.n; i++)
		for (size_t k = 0; k < p.list.at[i].n; k++) {
			const struct bpf_function *f = &p.list.at[i].functions[k];

			for (size_t l = 0; l < f->n_lines; l++)
				buf_printf(&b, "%s+%llx %s:%u %s, ", f->name + 26,
					   (unsigned long long)(f->lines[l].address - f->address),
					   f->lines[l].file, f->lines[l].line, f->lines[l].text);
		}
	bpf_programs_release(&p);
	return buf_text(&b);
}

static void functions_have_their_lines(void **state)
{
	const struct made sound = {1, 2, 7, ALL | LINES, .name = "x", .address = JIT,
				   .first_type = 3, .lines = LINES_AT, .n_lines = 3,
				   .line_size = 16};
	struct {
		uint64_t arrays, lines;
		uint32_t n, size, types;
	} bad[] = {
		{ALL, LINES_AT, 3, 16, 7},		    /* the arrays are not there */
		{ALL | LINES, LINES_AT, 3, 15, 7},	    /* too small an entry */
		{ALL | LINES, LINES_AT, 4, 16, 7},	    /* more than there are */
		{ALL | LINES, LINES_AT + 1, 3, 16, 7},	    /* they end outside */
		{ALL | LINES, UINT64_MAX - 48, 3, 16, 7},   /* they wrap around */
		{ALL | LINES, LINES_AT, 1u << 31, 16, 7},
		{ALL | LINES, LINES_AT, 2, 1u << 31, 7},
		{ALL | LINES, LINES_AT, 1u << 28, 1u << 28, 7},
		{ALL | LINES, LINES_AT, 3, 16, 0},	    /* no types to take texts from */
	};

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct test t;

		begin(&t, 1, 1, swap);
		add_program(&t.programs, &sound, swap);
		add_types(&t.types, 7, 0, swap);
		take(&t);
		/* a text outside of the strings is none */
		assert_string_equal(lines_listed(&t),
				    "first+10 s:2097152 second, first+ff first:20 , "
				    "second+0 first:30 int, ");
		end(&t);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct made m = sound;
		struct test t;

		m.arrays = bad[i].arrays;
		m.lines = bad[i].lines;
		m.n_lines = bad[i].n;
		m.line_size = bad[i].size;
		m.btf_id = bad[i].types;
		begin(&t, 1, 1, false);
		add_program(&t.programs, &m, false);
		add_types(&t.types, 7, 0, false);
		take(&t);
		assert_string_equal(lines_listed(&t), "");
		end(&t);
	}
}

static const char *name_at(struct world *w, uint64_t ip, uint64_t time)
{
	struct thread *t = world_thread(w, 1, 1, time);
	struct place p = world_place(w, world_epoch(w, t, time), MISC_KERNEL, ip);
	const struct symbol *s = place_symbol(&p);

	return s ? s->name : "";
}

static void add_ksymbol(struct world *w, uint64_t addr, const char *name, uint64_t time)
{
	struct record r = {.header = {.type = RECORD_KSYMBOL},
			   .ksymbol = {.addr = addr, .len = 0x80, .ksym_type = 1, .name = name}};

	world_add(w, &r, time);
}

/* Where no record tells of an address, the header does; a record goes before it. */
static void the_header_names_what_records_do_not(void **state)
{
	static const struct symbol_options options = {.symfs = "/nonexistent"};
	struct record comm = {.header = {.type = RECORD_COMM},
			      .comm = {.pid = 1, .tid = 1, .comm = "x"}};
	struct test t;
	struct world *w;

	(void)state;
	begin(&t, 2, 1, false);
	add_program(&t.programs,
		    &(struct made){1, 2, 7, ALL, .name = "x", .address = JIT, .first_type = 3},
		    false);
	/* a place in user space is no program's, nor is one at the end of all */
	add_program(&t.programs,
		    &(struct made){2, 2, 7, ALL, .name = "x", .address = UINT64_MAX - 0xff,
				   .first_type = 3},
		    false);
	add_types(&t.types, 7, 0, false);
	take(&t);
	w = world_of_recording(t.rec, &options);
	world_add(w, &comm, 0);
	add_ksymbol(w, JIT + 0x1000, "bpf_prog_2_late", 50);
	world_seal(w);
	assert_string_equal(name_at(w, JIT, 10), "bpf_prog_0010203040506070_first");
	assert_string_equal(name_at(w, JIT + 0xff, 90), "bpf_prog_0010203040506070_first");
	assert_string_equal(name_at(w, JIT + 0x100, 10), "");
	assert_string_equal(name_at(w, JIT + 0x1000, 49), "bpf_prog_0111213141516171_second");
	assert_string_equal(name_at(w, JIT + 0x1000, 50), "bpf_prog_2_late");
	/* what the record's range leaves free */
	assert_string_equal(name_at(w, JIT + 0x1090, 50), "bpf_prog_0111213141516171_second");
	assert_string_equal(name_at(w, UINT64_MAX - 1, 10), "");
	assert_string_equal(name_at(w, 0xeff, 10), "");
	world_free(w);
	end(&t);
}

/* A program that is loaded again has the same name and another address, after the first was asked
 * for. */
static void programs_loaded_again_have_names(void **state)
{
	static const struct symbol_options options = {.symfs = "/nonexistent"};
	struct test t;
	struct world *w;

	(void)state;
	begin(&t, 0, 0, false);
	take(&t);
	w = world_of_recording(t.rec, &options);
	world_present_only(w);
	add_ksymbol(w, JIT, "bpf_prog_1_a", 1);
	assert_string_equal(name_at(w, JIT, WORLD_NOW), "bpf_prog_1_a");
	for (uint64_t i = 1; i < 4; i++) {
		add_ksymbol(w, JIT + 0x1000 * i, "bpf_prog_1_a", 2);
		assert_string_equal(name_at(w, JIT + 0x1000 * i, WORLD_NOW), "bpf_prog_1_a");
	}
	assert_string_equal(name_at(w, JIT, WORLD_NOW), "bpf_prog_1_a");
	world_free(w);
	end(&t);
}

/* What a recorder has no room for is counted, and a smaller program after it still has room. */
static void programs_beyond_the_most_are_counted(void **state)
{
	static const size_t sizes[] = {BPF_SEEN_BYTES_MOST / 2, BPF_SEEN_BYTES_MOST / 2, 4096};
	struct bpf_seen seen = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct bpf_prog_copy copy = {.id = (uint32_t)i + 1};

		buf_fill(&copy.data, 0, sizes[i]);
		bpf_seen_put(&seen, &copy);
		bpf_prog_copy_release(&copy);
		assert_int_equal(seen.programs_left_out, i > 0);
	}
	assert_int_equal(seen.types_left_out, 0);
	assert_in_range(seen.infos.n, sizes[0] + sizes[2], BPF_SEEN_BYTES_MOST);
	bpf_seen_release(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_have_the_names_of_kallsyms),
		cmocka_unit_test(damaged_programs_are_left_out),
		cmocka_unit_test(damaged_types_name_nothing),
		cmocka_unit_test(functions_have_their_lines),
		cmocka_unit_test(the_header_names_what_records_do_not),
		cmocka_unit_test(programs_loaded_again_have_names),
		cmocka_unit_test(programs_beyond_the_most_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
