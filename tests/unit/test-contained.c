// SPDX-License-Identifier: MIT
/* What a set of dsos answered, another set answers from a payload, without any file. */
#include "unit.h"

#include "base/cursor.h"
#include "base/hash.h"
#include "symbol/code.h"
#include "symbol/contained/contained.h"
#include "symbol/contained/contained_types.h"
#include "symbol/disasm/function_code.h"
#include "symbol/lines/lines.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>
#include <zstd.h>

#define NOWHERE "/nonexistent"

/* A function of this program, to be found in its file. */
int contained_target(int n);
__attribute__((noinline, used)) int contained_target(int n)
{
	return n * 3 + 1;
}

static const char *own_path(void)
{
	static char path[PATH_MAX];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	assert_true(n > 0);
	path[n] = 0;
	return path;
}

struct answers {
	const char *name;
	uint64_t start, end, vaddr;
	bool asked;
	uint32_t levels, line;
	char file[PATH_MAX];
	uint8_t code[16];
	size_t n_code, n_function;
};

/* start: of the function; 0: to be found by its name. */
static void ask(struct dso_set *set, uint64_t start, struct answers *a)
{
	struct dso *dso = dso_set_get(set, own_path(), NULL, DSO_FILE, -1);
	const struct symbol *sym = start ? NULL : dso_find_name(dso, "contained_target");
	struct code_files code = {0};
	struct function_code f;
	struct source_place place;

	sym = dso_find(dso, start ? start : sym->start);
	assert_non_null(sym);
	*a = (struct answers){.name = dso_symbol_name(dso, sym),
			      .start = sym->start,
			      .end = sym->end,
			      .vaddr = dso_vaddr(dso, sym->start)};
	place = dso_source(dso, sym->start);
	a->asked = place.asked;
	a->levels = place.n;
	if (place.n && place.at[0].file) {
		snprintf(a->file, sizeof(a->file), "%s", place.at[0].file);
		a->line = place.at[0].line;
	}
	a->n_code = code_read(&code, dso, sym->start, a->code, sizeof(a->code));
	code_files_release(&code);
	assert_int_equal(function_code_open(&f, dso, sym, NULL), 0);
	assert_memory_equal(f.p, a->code, MIN(f.n, a->n_code));
	a->n_function = f.n;
	function_code_release(&f);
	/* an address without a symbol */
	assert_null(dso_find(dso, 1));
}

static void write_payload(struct buf *out, struct answers *near, struct dso_set *set)
{
	const struct symbol_options how = {.demangle = true};
	struct contained_totals totals;

	dso_set_init(set, &how);
	contained_note_begin(set);
	ask(set, 0, near);
	assert_true(contained_write(set, out, &totals));
	assert_int_equal(totals.dsos, 1);
	assert_int_equal(totals.symbols, 1);
	assert_int_equal(totals.bytes, out->n);
}

static void answers_are_the_same_without_files(void **state)
{
	const struct symbol_options how = {.demangle = true, .symfs = NOWHERE};
	struct dso_set set, far_set;
	struct answers near, far;
	AUTO_BUF payload = {0};

	(void)state;
	write_payload(&payload, &near, &set);
	assert_true(contained_is_sound(payload.at, payload.n, false));
	assert_int_equal(contained_count(payload.at, payload.n, false), 1);
	dso_set_init(&far_set, &how);
	contained_attach(&far_set, contained_open(payload.at, payload.n, false));
	ask(&far_set, near.start, &far);
	assert_string_equal(far.name, "contained_target");
	assert_int_equal(far.end, near.end);
	assert_int_equal(far.vaddr, near.vaddr);
	assert_int_equal(far.asked, near.asked);
	assert_int_equal(far.levels, near.levels);
	assert_int_equal(far.line, near.line);
	assert_string_equal(far.file, near.file);
	assert_int_equal(far.n_code, near.n_code);
	assert_memory_equal(far.code, near.code, near.n_code);
	assert_int_equal(far.n_function, near.n_function);
	dso_set_release(&far_set);
	dso_set_release(&set);
}

static void other_names_get_no_answer(void **state)
{
	const struct symbol_options how = {.symfs = NOWHERE};
	const struct build_id other = {.bytes = {1, 2, 3}, .size = 20};
	struct dso_set set, far_set;
	struct answers near;
	AUTO_BUF payload = {0};

	(void)state;
	write_payload(&payload, &near, &set);
	dso_set_init(&far_set, &how);
	contained_attach(&far_set, contained_open(payload.at, payload.n, false));
	assert_null(dso_find(dso_set_get(&far_set, "/other", NULL, DSO_FILE, -1), near.start));
	assert_null(dso_find(dso_set_get(&far_set, own_path(), NULL, DSO_ANON, 1), near.start));
	/* nothing was recorded of its build-id: any may be that of the file */
	assert_non_null(
		dso_find(dso_set_get(&far_set, own_path(), &other, DSO_FILE, -1), near.start));
	dso_set_release(&far_set);
	dso_set_release(&set);
}

static void damage_is_seen(void **state)
{
	struct dso_set set;
	struct answers near;
	AUTO_BUF payload = {0};

	(void)state;
	write_payload(&payload, &near, &set);
	for (size_t n = 0; n < payload.n; n += 1 + n / 8)
		assert_null(contained_open(payload.at, n, false));
	for (size_t at = 0; at < payload.n; at += 1 + at / 8) {
		/* how many dsos there are is for listings only */
		if (at >= 4 && at < 8)
			continue;
		payload.at[at] ^= 4;
		assert_null(contained_open(payload.at, payload.n, false));
		payload.at[at] ^= 4;
	}
	dso_set_release(&set);
}

/* Zeros of half a gigabyte are a few KB of zstd. */
static void what_expands_without_end_is_refused(void **state)
{
	const uint64_t size = 512u << 20;
	uint8_t *zeros = calloc(1, size);
	uint64_t head[3] = {1, 0, size};
	AUTO_BUF payload = {0};
	size_t n;

	(void)state;
	buf_add(&payload, head, sizeof(head));
	buf_reserve(&payload, 1 << 20);
	n = ZSTD_compress(payload.at + payload.n, 1 << 20, zeros, size, 1);
	assert_false(ZSTD_isError(n));
	payload.n += n;
	head[1] = hash_bytes(payload.at + 16, payload.n - 16, 0);
	memcpy(payload.at, head, sizeof(head));
	assert_true(contained_is_sound(payload.at, payload.n, false));
	assert_null(contained_open(payload.at, payload.n, false));
	free(zeros);
}

static struct contained *note_and_open(struct contained_member *members, uint32_t n,
				       struct contained_access access)
{
	const struct contained_type type = {"struct pair", 16, members, n};
	struct contained_totals totals;
	AUTO_BUF payload = {0};
	struct dso_set set;
	struct dso *dso;

	dso_set_init(&set, NULL);
	contained_note_begin(&set);
	dso = dso_set_get(&set, own_path(), NULL, DSO_FILE, -1);
	dso_load(dso);
	assert_int_equal(contained_note_type(&set, &type), 0);
	contained_note_access(dso, &access);
	assert_true(contained_write(&set, &payload, &totals));
	assert_int_equal(totals.types, 1);
	dso_set_release(&set);
	assert_true(contained_is_sound(payload.at, payload.n, false));
	return contained_open(payload.at, payload.n, false);
}

static void types_are_those_that_were_noted(void **state)
{
	struct contained_member members[] = {{"struct pair", "", 0, 16, 0},
					     {"int", "first", 0, 4, 1},
					     {"long", "second", 8, 8, 1}};
	const struct contained_access noted = {0x1234, 8, 0, 0, CONTAINED_STACK, "movq"};
	const struct contained_type *type;
	struct contained_access got;
	struct dso_set set;
	struct dso *dso;

	(void)state;
	dso_set_init(&set, &(struct symbol_options){.symfs = NOWHERE});
	contained_attach(&set, note_and_open(members, ARRAY_SIZE(members), noted));
	dso = dso_set_get(&set, own_path(), NULL, DSO_FILE, -1);
	assert_false(contained_access_find(dso, 0x1234, true, &got));
	assert_false(contained_access_find(dso, 0x1235, false, &got));
	assert_true(contained_access_find(dso, 0x1234, false, &got));
	assert_int_equal(got.offset, 8);
	assert_int_equal(got.flags, CONTAINED_STACK);
	assert_string_equal(got.mnemonic, "movq");
	type = contained_type_at(&set, got.type);
	assert_string_equal(type->name, "struct pair");
	assert_int_equal(type->n_members, 3);
	assert_string_equal(type->members[2].name, "second");
	assert_int_equal(type->members[2].offset, 8);
	dso_set_release(&set);
}

static void types_that_cannot_be_are_refused(void **state)
{
	static const struct contained_member good = {"struct pair", "", 0, 16, 0};
	const struct contained_access access = {.type = 0};
	struct contained_member deep[] = {good, {"int", "first", 0, 4, 2}},
				second[] = {good, {"int", "first", 0, 4, 0}},
				large[] = {good, {"int", "first", 8, 9, 1}},
				far[] = {good, {"int", "first", 17, 0, 1}};

	(void)state;
	assert_null(note_and_open(deep, 2, access));
	assert_null(note_and_open(second, 2, access));
	assert_null(note_and_open(large, 2, access));
	assert_null(note_and_open(far, 2, access));
	assert_null(note_and_open(deep, 0, access));
	assert_null(note_and_open(deep, 1, (struct contained_access){.type = 1}));
	assert_null(note_and_open(deep, 1, (struct contained_access){.type = 0, .offset = 16}));
}

static void nothing_asked_is_nothing_written(void **state)
{
	struct contained_totals totals;
	AUTO_BUF payload = {0};
	struct dso_set set;

	(void)state;
	dso_set_init(&set, NULL);
	contained_note_begin(&set);
	dso_set_get(&set, own_path(), NULL, DSO_FILE, -1);
	assert_false(contained_write(&set, &payload, &totals));
	assert_int_equal(payload.n, 0);
	dso_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_the_same_without_files),
		cmocka_unit_test(other_names_get_no_answer),
		cmocka_unit_test(damage_is_seen),
		cmocka_unit_test(what_expands_without_end_is_refused),
		cmocka_unit_test(types_are_those_that_were_noted),
		cmocka_unit_test(types_that_cannot_be_are_refused),
		cmocka_unit_test(nothing_asked_is_nothing_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
