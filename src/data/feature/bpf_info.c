// SPDX-License-Identifier: MIT
/*
 * BPF_PROG_INFO is a list of { u32 info_len, u32 data_len, u64 arrays, info, data }: info is the
 * kernel's struct bpf_prog_info, in which each pointer whose bit is set in arrays is an offset into
 * data. BPF_BTF is a list of { u32 id, u32 size, BTF }.
 * Sources: <linux/bpf.h>, <linux/btf.h>, the kernel's Documentation/bpf/btf.rst.
 */
#include "data/feature/bpf_info.h"

#include "base/buf.h"
#include "base/sorted.h"
#include "data/feature/feature.h"

#define NAME_MOST 511  /* the longest symbol name that the kernel has */
#define TEXT_MOST 4095 /* of a file's name, and of a line of source */

enum { /* offsets in struct bpf_prog_info */
	INFO_ID = 4,
	INFO_TAG = 8,
	INFO_CODE_LEN = 16,
	INFO_CODE = 24,
	INFO_NAME = 64,
	INFO_NR_KSYMS = 104,
	INFO_NR_LENS = 108,
	INFO_KSYMS = 112,
	INFO_LENS = 120,
	INFO_BTF_ID = 128,
	INFO_FUNC_SIZE = 132,
	INFO_FUNCS = 136,
	INFO_NR_LINES = 148,
	INFO_LINES = 152,
	INFO_JITED_LINES = 160,
	INFO_NR_JITED_LINES = 168,
	INFO_LINE_SIZE = 172,
	INFO_JITED_LINE_SIZE = 176,
	INFO_NR_TAGS = 180,
	INFO_TAGS = 184,
	INFO_SIZE = 192,
};

enum { /* offsets in struct bpf_line_info; the line is in the upper 22 bits of LINE_LINE */
	LINE_FILE = 4,
	LINE_TEXT = 8,
	LINE_LINE = 12,
	LINE_COLUMN_BITS = 10,
};

enum { /* bits of arrays */
	HAS_CODE = 1 << 0,
	HAS_KSYMS = 1 << 3,
	HAS_LENS = 1 << 4,
	HAS_FUNCS = 1 << 5,
	HAS_LINES = 1 << 6 | 1 << 7,
	HAS_TAGS = 1 << 8,
	HAS_NEEDED = HAS_KSYMS | HAS_LENS | HAS_TAGS,
};

struct blob {
	const uint8_t *p;
	size_t n;
	bool swap;
};

struct types {
	uint32_t id;
	struct blob btf;
	bool read;
	VEC(uint32_t) names; /* where in btf the name of type i + 1 is; 0: nowhere */
};

struct type_list {
	VEC(struct types) list; /* by id */
};

struct program {
	uint32_t id;
	uint64_t arrays;
	struct blob info, data;
};

/* The n bytes at offset at, or NULL when they are not all within the blob. */
static const uint8_t *bytes_at(const struct blob *b, uint64_t at, size_t n)
{
	return at > b->n || n > b->n - at ? NULL : b->p + at;
}

static uint32_t u32_at(const struct blob *b, uint64_t at)
{
	const uint8_t *p = bytes_at(b, at, 4);
	struct cursor c = cursor_over(p, p ? 4 : 0, b->swap);

	return cursor_u32(&c);
}

static uint64_t u64_at(const struct blob *b, uint64_t at)
{
	const uint8_t *p = bytes_at(b, at, 8);
	struct cursor c = cursor_over(p, p ? 8 : 0, b->swap);

	return cursor_u64(&c);
}

static int types_order(const void *a, const void *b)
{
	const struct types *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static void types_list(struct type_list *t, struct cursor c)
{
	uint32_t n = cursor_u32(&c);
	size_t kept = 0;

	while (n-- && !c.bad) {
		uint32_t id = cursor_u32(&c), size = cursor_u32(&c);
		const uint8_t *p = cursor_bytes(&c, size);

		if (!c.bad)
			vec_add(&t->list, (struct types){.id = id, .btf = {p, size, c.swap}});
	}
	if (t->list.n)
		qsort(t->list.at, t->list.n, sizeof(*t->list.at), types_order);
	for (size_t i = 0; i < t->list.n; i++)
		if (!kept || t->list.at[i].id != t->list.at[kept - 1].id)
			t->list.at[kept++] = t->list.at[i];
	t->list.n = kept;
}

static void types_release(struct type_list *t)
{
	for (size_t i = 0; i < t->list.n; i++)
		vec_release(&t->list.at[i].names);
	vec_release(&t->list);
}

/* How many bytes a BTF type has after its twelve-byte header. */
static uint32_t type_more(uint32_t kind, uint32_t n)
{
	switch (kind) {
	case 1:	 /* int */
	case 14: /* var */
	case 17: /* declaration tag */
		return 4;
	case 3: /* array */
		return 12;
	case 4:	 /* struct */
	case 5:	 /* union */
	case 15: /* data section */
	case 19: /* 64-bit enum */
		return 12 * n;
	case 6:	 /* enum */
	case 13: /* function prototype */
		return 8 * n;
	default:
		return 0;
	}
}

static void types_read(struct types *t)
{
	const struct blob *b = &t->btf;
	uint64_t header = u32_at(b, 4), at = header + u32_at(b, 8), end = at + u32_at(b, 12);
	uint64_t strings = header + u32_at(b, 16), strings_end = strings + u32_at(b, 20);

	t->read = true;
	if (strings_end > b->n || end > b->n)
		return;
	while (at + 12 <= end) {
		uint32_t info = u32_at(b, at + 4);
		uint64_t name = strings + u32_at(b, at);
		size_t most = name < strings_end ? MIN(strings_end - name, NAME_MOST + 1) : 0;

		vec_add(&t->names, most && memchr(b->p + name, 0, most) ? (uint32_t)name : 0);
		at += 12 + type_more(info >> 24 & 0x1f, info & 0xffff);
	}
}

static const char *type_name(struct types *t, uint32_t type)
{
	if (!t->read)
		types_read(t);
	if (!type || type > t->names.n || !t->names.at[type - 1])
		return NULL;
	return (const char *)t->btf.p + t->names.at[type - 1];
}

/* The types of a program, or NULL. */
static struct types *types_of(const struct program *p, const struct type_list *t)
{
	const struct types key = {.id = u32_at(&p->info, INFO_BTF_ID)};

	return key.id && t->list.n
		       ? bsearch(&key, t->list.at, t->list.n, sizeof(key), types_order)
		       : NULL;
}

/* The text at an offset of the types' strings, "" when there is none. */
static const char *types_text(const struct types *t, uint32_t offset)
{
	const struct blob *b = &t->btf;
	const uint64_t strings = (uint64_t)u32_at(b, 4) + u32_at(b, 16);
	const uint64_t end = strings + u32_at(b, 20), at = strings + offset;

	if (end > b->n || at >= end ||
	    !memchr(b->p + at, 0, (size_t)MIN(end - at, (uint64_t)TEXT_MOST + 1)))
		return "";
	return (const char *)b->p + at;
}

static const char *function_name(const struct program *p, struct types *types, uint32_t i,
				 uint32_t n)
{
	const char *own = (const char *)p->info.p + INFO_NAME;
	uint64_t function = u64_at(&p->info, INFO_FUNCS) +
			    (uint64_t)i * u32_at(&p->info, INFO_FUNC_SIZE);

	if (types)
		return p->arrays & HAS_FUNCS ? type_name(types, u32_at(&p->data, function + 4))
					     : NULL;
	if (n > 1)
		return "F"; /* as the kernel calls them */
	return *own && memchr(own, 0, 16) ? own : NULL;
}

static int line_order(const void *a, const void *b)
{
	const struct made_line *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* All lines of a program, by address. Returns their number. */
static size_t read_lines(const struct program *p, const struct types *types, struct arena *arena,
			 struct made_line **lines)
{
	const uint32_t n = MIN(u32_at(&p->info, INFO_NR_LINES),
			       u32_at(&p->info, INFO_NR_JITED_LINES));
	const uint64_t at = u64_at(&p->info, INFO_LINES), size = u32_at(&p->info, INFO_LINE_SIZE);
	const uint64_t jited = u64_at(&p->info, INFO_JITED_LINES);
	const uint64_t jited_size = u32_at(&p->info, INFO_JITED_LINE_SIZE);

	if (!types || (p->arrays & HAS_LINES) != HAS_LINES || size < LINE_LINE + 4 ||
	    jited_size < 8 || !n || n > p->data.n / size || n > p->data.n / jited_size ||
	    !bytes_at(&p->data, at, n * size) || !bytes_at(&p->data, jited, n * jited_size))
		return 0;
	*lines = arena_alloc(arena, n * sizeof(**lines));
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t line = at + i * size;

		(*lines)[i] = (struct made_line){
			.address = u64_at(&p->data, jited + i * jited_size),
			.file = types_text(types, u32_at(&p->data, line + LINE_FILE)),
			.line = u32_at(&p->data, line + LINE_LINE) >> LINE_COLUMN_BITS,
			.text = types_text(types, u32_at(&p->data, line + LINE_TEXT)),
		};
	}
	qsort(*lines, n, sizeof(**lines), line_order);
	return n;
}

/* How many lines begin before an address. */
static size_t lines_before(const struct made_line *lines, size_t n, uint64_t address)
{
	return address ? SORTED_UNTIL(lines, n, address, address - 1) : 0;
}

/* Gives a function its part of the program's n lines. */
static void take_lines(struct bpf_function *f, const struct made_line *lines, size_t n)
{
	const size_t first = lines_before(lines, n, f->address);
	const uint64_t end = position_after(f->address, f->size);

	f->lines = lines + first;
	f->n_lines = lines_before(lines + first, n - first, end);
}

static void read_functions(struct bpf_program *to, const struct program *p,
			   const struct type_list *t, struct arena *arena)
{
	struct types *types = types_of(p, t);
	struct made_line *lines = NULL;
	const size_t n_lines = read_lines(p, types, arena, &lines);
	uint64_t addrs = u64_at(&p->info, INFO_KSYMS), lens = u64_at(&p->info, INFO_LENS);
	uint64_t tags = u64_at(&p->info, INFO_TAGS);
	uint64_t code = u64_at(&p->info, INFO_CODE), done = 0;
	const uint64_t code_n = p->arrays & HAS_CODE ? u32_at(&p->info, INFO_CODE_LEN) : 0;
	uint32_t n = u32_at(&p->info, INFO_NR_KSYMS);
	struct buf b = {0};

	to->functions = arena_alloc(arena, n * sizeof(*to->functions));
	to->n = n;
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *tag = bytes_at(&p->data, tags + 8 * (uint64_t)i, 8);
		const char *name = function_name(p, types, i, n);

		buf_clear(&b);
		buf_str(&b, "bpf_prog_");
		for (int k = 0; tag && k < 8; k++)
			buf_hex_zero(&b, tag[k], 2);
		if (name) {
			buf_char(&b, '_');
			buf_str(&b, name);
		}
		to->functions[i] = (struct bpf_function){
			.address = u64_at(&p->data, addrs + 8 * (uint64_t)i),
			.size = u32_at(&p->data, lens + 4 * (uint64_t)i),
			.name = arena_strdup(arena, buf_text(&b)),
		};
		/* the code of the functions, one after the other */
		if (done + to->functions[i].size <= code_n)
			to->functions[i].code =
				bytes_at(&p->data, code + done, to->functions[i].size);
		done += to->functions[i].size;
		if (n_lines)
			take_lines(&to->functions[i], lines, n_lines);
	}
	buf_release(&b);
}

/* True when each array lies within the data, and all have one length. */
static bool is_whole(const struct program *p)
{
	uint32_t n = u32_at(&p->info, INFO_NR_KSYMS);

	return (p->arrays & HAS_NEEDED) == HAS_NEEDED && n == u32_at(&p->info, INFO_NR_TAGS) &&
	       n == u32_at(&p->info, INFO_NR_LENS) &&
	       bytes_at(&p->data, u64_at(&p->info, INFO_KSYMS), 8 * (size_t)n) &&
	       bytes_at(&p->data, u64_at(&p->info, INFO_LENS), 4 * (size_t)n) &&
	       bytes_at(&p->data, u64_at(&p->info, INFO_TAGS), 8 * (size_t)n);
}

static int program_order(const void *a, const void *b)
{
	const struct bpf_program *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

void bpf_programs_parse(struct bpf_programs *programs, struct cursor c, struct cursor btfs)
{
	uint32_t n = cursor_u32(&c);
	struct type_list types = {0};
	size_t kept = 0;

	types_list(&types, btfs);
	while (n-- && !c.bad) {
		uint32_t info_len = cursor_u32(&c), data_len = cursor_u32(&c);
		struct program p = {.arrays = cursor_u64(&c)};
		struct bpf_program got = {0};

		p.info = (struct blob){cursor_bytes(&c, info_len), info_len, c.swap};
		p.data = (struct blob){cursor_bytes(&c, data_len), data_len, c.swap};
		if (c.bad || info_len < INFO_SIZE || !is_whole(&p))
			continue;
		got.id = u32_at(&p.info, INFO_ID);
		memcpy(got.tag, p.info.p + INFO_TAG, sizeof(got.tag));
		read_functions(&got, &p, &types, &programs->arena);
		vec_add(&programs->list, got);
	}
	types_release(&types);
	if (programs->list.n)
		qsort(programs->list.at, programs->list.n, sizeof(*programs->list.at),
		      program_order);
	for (size_t i = 0; i < programs->list.n; i++)
		if (!kept || programs->list.at[i].id != programs->list.at[kept - 1].id)
			programs->list.at[kept++] = programs->list.at[i];
	programs->list.n = kept;
}

void bpf_programs_read(struct bpf_programs *programs, const struct recording *rec)
{
	bpf_programs_parse(programs, feature_cursor(rec, FEATURE_BPF_PROG_INFO),
			   feature_cursor(rec, FEATURE_BPF_BTF));
}

void bpf_programs_release(struct bpf_programs *programs)
{
	vec_release(&programs->list);
	arena_release(&programs->arena);
}

size_t bpf_types_read(const struct recording *rec, uint32_t **at)
{
	struct type_list types = {0};
	size_t n;

	types_list(&types, feature_cursor(rec, FEATURE_BPF_BTF));
	n = types.list.n;
	*at = mem_alloc((n + 1) * sizeof(**at));
	for (size_t i = 0; i < n; i++)
		(*at)[i] = types.list.at[i].id;
	types_release(&types);
	return n;
}
