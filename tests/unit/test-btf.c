// SPDX-License-Identifier: MIT
/* Types made by hand, as <linux/btf.h> lays them out, and what probes of the kernel become by them.
 */
#include "folder.h"
#include "unit.h"

#include "probe/btf/btf_args.h"

#include <string.h>
#include <unistd.h>

/* A file in the making. */
struct made {
	uint32_t types[400], n, next_id, first_string;
	char strings[1000];
	uint32_t strings_size;
};

static uint32_t name(struct made *m, const char *s)
{
	const uint32_t at = m->strings_size;

	memcpy(m->strings + at, s, strlen(s) + 1);
	m->strings_size += (uint32_t)strlen(s) + 1;
	return m->first_string + at;
}

static void word(struct made *m, uint32_t w)
{
	m->types[m->n++] = w;
}

static uint32_t type(struct made *m, const char *s, uint32_t kind, uint32_t members, uint32_t size)
{
	word(m, *s ? name(m, s) : 0);
	word(m, kind << 24 | members);
	word(m, size);
	return m->next_id++;
}

static uint32_t integer(struct made *m, const char *s, uint32_t size, bool is_signed)
{
	const uint32_t id = type(m, s, BTF_INT, 0, size);

	word(m, (is_signed ? 1u << 24 : 0) | size * 8);
	return id;
}

static void member(struct made *m, const char *s, uint32_t of, uint32_t at)
{
	word(m, *s ? name(m, s) : 0);
	word(m, of);
	word(m, at);
}

static void parameter(struct made *m, const char *s, uint32_t of)
{
	word(m, name(m, s));
	word(m, of);
}

#define HAS_BITS (1u << 7) /* with the kind */

static size_t bytes_of(const struct made *m, uint8_t out[8000])
{
	const uint32_t header[] = {0x0001eb9f, 24, 0, m->n * 4, m->n * 4, m->strings_size};

	memcpy(out, header, 24);
	memcpy(out + 24, m->types, m->n * 4);
	memcpy(out + 24 + m->n * 4, m->strings, m->strings_size);
	return 24 + m->n * 4 + m->strings_size;
}

static void write_bytes(const char *root, const char *file, const uint8_t *p, size_t n)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, file);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

/*
 * struct inner { u8 five : 5, seven : 3; int counts[4]; char text[8]; };
 * struct outer { int id; struct { unsigned wide; const struct inner *in; }; struct inner own; };
 * typedef struct outer outer_t;
 * int open_it(outer_t *o, const char *path, volatile int n, void *data);
 * int by_value(int first, struct inner second, int third);
 */
static void make_kernel(struct made *m)
{
	uint32_t i, u, u8, c, inner, ci, pci, array, text, anonymous, outer, outer_t, po, cc, pcc,
		vi, pv, proto;

	*m = (struct made){.next_id = 1, .strings_size = 1};
	i = integer(m, "int", 4, true);
	u = integer(m, "unsigned int", 4, false);
	u8 = integer(m, "unsigned char", 1, false);
	c = integer(m, "char", 1, true);
	array = type(m, "", BTF_ARRAY, 0, 0);
	word(m, i), word(m, u), word(m, 4);
	text = type(m, "", BTF_ARRAY, 0, 0);
	word(m, c), word(m, u), word(m, 8);
	inner = type(m, "inner", BTF_STRUCT | HAS_BITS, 4, 28);
	member(m, "five", u8, 5u << 24);
	member(m, "seven", u8, 3u << 24 | 5);
	member(m, "counts", array, 32);
	member(m, "text", text, 160);
	ci = type(m, "", BTF_CONST, 0, inner);
	pci = type(m, "", BTF_PTR, 0, ci);
	anonymous = type(m, "", BTF_STRUCT, 2, 16);
	member(m, "wide", u, 0);
	member(m, "in", pci, 64);
	outer = type(m, "outer", BTF_STRUCT, 3, 56);
	member(m, "id", i, 0);
	member(m, "", anonymous, 64);
	member(m, "own", inner, 192);
	outer_t = type(m, "outer_t", BTF_TYPEDEF, 0, outer);
	po = type(m, "", BTF_PTR, 0, outer_t);
	cc = type(m, "", BTF_CONST, 0, c);
	pcc = type(m, "", BTF_PTR, 0, cc);
	vi = type(m, "", BTF_VOLATILE, 0, i);
	pv = type(m, "", BTF_PTR, 0, 0);
	proto = type(m, "", BTF_FUNC_PROTO, 4, i);
	parameter(m, "o", po), parameter(m, "path", pcc), parameter(m, "n", vi),
		parameter(m, "data", pv);
	type(m, "open_it", BTF_FUNC, 1, proto);
	proto = type(m, "", BTF_FUNC_PROTO, 3, i);
	parameter(m, "first", i), parameter(m, "second", inner), parameter(m, "third", i);
	type(m, "by_value", BTF_FUNC, 0, proto);
}

/* A module with "int of_module(int n, outer_t *o)", by the kernel's types. */
static void make_module(struct made *m, const struct made *kernel)
{
	uint32_t proto;

	*m = (struct made){.next_id = kernel->next_id,
			   .first_string = kernel->strings_size,
			   .strings_size = 0};
	proto = type(m, "", BTF_FUNC_PROTO, 2, 1);
	parameter(m, "n", 1), parameter(m, "o", 13);
	type(m, "of_module", BTF_FUNC, 0, proto);
}

struct host {
	char root[64];
	struct made kernel;
};

static void host_make(struct host *h)
{
	struct made module;
	uint8_t bytes[8000];
	size_t n;

	snprintf(h->root, sizeof(h->root), "/tmp/test-btf-XXXXXX");
	assert_non_null(mkdtemp(h->root));
	make_kernel(&h->kernel);
	n = bytes_of(&h->kernel, bytes);
	write_bytes(h->root, "vmlinux", bytes, n);
	make_module(&module, &h->kernel);
	n = bytes_of(&module, bytes);
	write_bytes(h->root, "toy", bytes, n);
}

/* What a spec's arguments become, or the error's place. */
static void define(const struct btf *b, const char *text, struct buf *out)
{
	struct arena arena = {0};
	struct probe_spec s = {0};
	struct probe_def d = {0};
	struct err err = {0};
	AUTO_BUF notes = {0};

	assert_int_equal(probe_spec_parse(&s, text, &arena, &err), 0);
	assert_true(btf_can_answer(&s));
	d.function = s.function;
	if (btf_define_args(b, &s, &d, &arena, &notes, &err)) {
		const char *what = strstr(err.hint, "\\___ ");

		buf_printf(out, "! %s", what ? what + 5 : err.text);
	}
	for (size_t i = 0; i < d.args.n && !err.code; i++)
		probe_fetch_text(&d.args.at[i], out);
	probe_def_release(&d);
	probe_spec_release(&s);
	arena_release(&arena);
}

static void arguments_become_what_the_kernel_fetches(void **state)
{
	static const char *const rows[][2] = {
		{"open_it n", " n=$arg3:s32"},
		{"open_it o path data", " o=$arg1:x64 path=$arg2:x64 data=$arg4:x64"},
		{"open_it $params", " o=$arg1:x64 path=$arg2:x64 n=$arg3:s32 data=$arg4:x64"},
		{"open_it x=n:u8 %di $comm", " x=$arg3:u8 %di $comm"},
		{"open_it n:x", " n_x=$arg3:x32"},
		{"open_it path:string", " path_string=+0($arg2):string"},
		{"open_it path:ustring@user", " path_ustring=+u0($arg2):ustring"},
		{"open_it path[2]", " path=+2($arg2):s8"},
		{"open_it o->id", " id=+0($arg1):s32"},
		{"open_it o->wide o->in", " wide=+8($arg1):x32 in=+16($arg1):x64"},
		{"open_it o->in->counts[2]", " counts=+12(+16($arg1)):s32"},
		{"open_it o->own.counts[1]", " counts=+32($arg1):s32"},
		{"open_it o->own.text:string", " text=+44($arg1):string"},
		{"open_it o->in->five o->own.seven",
		 " five=+0(+16($arg1)):b5@0/8 seven=+24($arg1):b3@5/8"},
		{"by_value first", " first=$arg1:s32"},
		{"by_value second", "! 'second' cannot be had: 'second' is passed by value"},
		{"by_value third", "! 'third' cannot be had: 'second' is passed by value"},
		{"open_it m", "! 'm' cannot be had: no parameter has that name, and without debug "
			      "information there are no other variables"},
		{"open_it n->id", "! 'n' is neither a structure nor a union"},
		{"open_it o.id", "! 'id' is reached by '->'"},
		{"open_it o->own->five", "! 'five' is reached by '.'"},
		{"open_it o->nothing", "! 'o' (outer) has no member 'nothing'"},
		{"open_it data->x", "! nobody knows what 'data' points to"},
		{"open_it data[1]", "! the elements of 'data' have no size"},
		{"open_it n[1]", "! 'n' is neither a pointer nor an array"},
		{"open_it n:string", "! 'n' is neither a pointer nor an array, so no string"},
		{"open_it o:string", "! 'o' does not lead to characters, so it is no string"},
		{"nobody n", "! the kernel's type information (BTF) has no function 'nobody'"},
		{"of_module n",
		 "! the kernel's type information (BTF) has no function 'of_module'"},
	};
	struct host h;
	struct btf *b;

	(void)state;
	host_make(&h);
	b = btf_open(h.root, NULL, NULL);
	assert_non_null(b);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_BUF got = {0};

		define(b, rows[i][0], &got);
		if (strcmp(buf_text(&got), rows[i][1]))
			fail_msg("%s: %s", rows[i][0], buf_text(&got));
	}
	btf_close(b);
	folder_remove(h.root);
}

static void a_module_stands_on_the_kernels_types(void **state)
{
	AUTO_BUF got = {0};
	struct host h;
	struct btf *b;

	(void)state;
	host_make(&h);
	b = btf_open(h.root, "toy", NULL);
	assert_non_null(b);
	define(b, "of_module n o->own.counts[0]", &got);
	define(b, "open_it n", &got);
	assert_string_equal(buf_text(&got), " n=$arg1:s32 counts=+28($arg2):s32 n=$arg3:s32");
	btf_close(b);
	assert_null(btf_open(h.root, "none", NULL));
	folder_remove(h.root);
}

static void parameters_are_listed_with_their_types(void **state)
{
	struct probe_variables v = {0};
	struct arena arena = {0};
	struct host h;
	struct btf *b;

	(void)state;
	host_make(&h);
	b = btf_open(h.root, NULL, NULL);
	assert_false(btf_list_parameters(b, "nobody", &arena, &v));
	assert_true(btf_list_parameters(b, "open_it", &arena, &v));
	assert_int_equal(v.places.at[0].rows.n, 4);
	assert_string_equal(v.places.at[0].rows.at[0], "(unknown_type)\tdata");
	assert_string_equal(v.places.at[0].rows.at[1], "char*\tpath");
	assert_string_equal(v.places.at[0].rows.at[2], "int\tn");
	assert_string_equal(v.places.at[0].rows.at[3], "outer_t*\to");
	probe_variables_release(&v);
	btf_close(b);
	arena_release(&arena);
	folder_remove(h.root);
}

/* Each byte of the file turned, and the file cut at each length: an answer or an error. */
static void damage_is_no_crash(void **state)
{
	uint8_t bytes[8000];
	struct host h;
	size_t n;

	(void)state;
	host_make(&h);
	n = bytes_of(&h.kernel, bytes);
	for (size_t i = 0; i < 2 * n; i++) {
		struct btf *b;

		if (i < n)
			bytes[i] ^= 0xff;
		write_bytes(h.root, "vmlinux", bytes, i < n ? n : i - n);
		b = btf_open(h.root, NULL, NULL);
		if (b) {
			AUTO_BUF got = {0};

			define(b, "open_it $params o->in->counts[2] o->own.five path:string", &got);
		}
		btf_close(b);
		if (i < n)
			bytes[i] ^= 0xff;
	}
	folder_remove(h.root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_become_what_the_kernel_fetches),
		cmocka_unit_test(a_module_stands_on_the_kernels_types),
		cmocka_unit_test(parameters_are_listed_with_their_types),
		cmocka_unit_test(damage_is_no_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
