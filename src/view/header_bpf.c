// SPDX-License-Identifier: MIT
/*
 * BPF programs and their types, as the recorder found them.
 *
 * BPF_PROG_INFO is a list of { u32 info_len, u32 data_len, u64 arrays, info, data }: info is the
 * kernel's struct bpf_prog_info, in which each pointer whose bit is set in arrays is an offset into
 * data. BPF_BTF is a list of { u32 id, u32 size, BTF }.
 * Sources: <linux/bpf.h>, <linux/btf.h>, the kernel's Documentation/bpf/btf.rst.
 */
#include "view/header.h"

#include "base/mem.h"
#include "data/feature.h"

enum { /* offsets in struct bpf_prog_info */
	INFO_ID = 4,
	INFO_NAME = 64,
	INFO_NR_KSYMS = 104,
	INFO_NR_LENS = 108,
	INFO_KSYMS = 112,
	INFO_LENS = 120,
	INFO_BTF_ID = 128,
	INFO_FUNC_SIZE = 132,
	INFO_FUNCS = 136,
	INFO_NR_TAGS = 180,
	INFO_TAGS = 184,
	INFO_SIZE = 192,
};

struct blob {
	const uint8_t *p;
	size_t n;
	bool swap;
};

struct program {
	uint32_t id;
	struct blob info, data;
};

static uint32_t u32_at(const struct blob *b, uint64_t at)
{
	struct cursor c = cursor_over(b->p, b->n, b->swap);

	cursor_skip(&c, at > b->n ? b->n + 1 : (size_t)at);
	return cursor_u32(&c);
}

static uint64_t u64_at(const struct blob *b, uint64_t at)
{
	struct cursor c = cursor_over(b->p, b->n, b->swap);

	cursor_skip(&c, at > b->n ? b->n + 1 : (size_t)at);
	return cursor_u64(&c);
}

static struct blob find_btf(const struct recording *rec, uint32_t id)
{
	struct cursor c = feature_cursor(rec, FEATURE_BPF_BTF);
	uint32_t n = cursor_u32(&c);

	while (n-- && !c.bad) {
		uint32_t its_id = cursor_u32(&c), size = cursor_u32(&c);
		const uint8_t *p = cursor_bytes(&c, size);

		if (p && its_id == id)
			return (struct blob){p, size, rec->swap};
	}
	return (struct blob){0};
}

/* How many bytes follow the twelve that each type of BTF begins with. */
static uint32_t btf_more(uint32_t kind, uint32_t n)
{
	switch (kind) {
	case 1:	 /* int */
	case 14: /* var */
	case 17: /* declaration tag */
		return 4;
	case 3: /* array */
		return 12;
	case 4: /* struct */
	case 5: /* union */
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

/* The name of a type, or NULL. */
static const char *btf_name(const struct blob *btf, uint32_t type)
{
	uint64_t header = u32_at(btf, 4), at = header + u32_at(btf, 8);
	uint64_t types_end = at + u32_at(btf, 12), strings = header + u32_at(btf, 16);
	uint64_t strings_end = strings + u32_at(btf, 20);

	if (!btf->p || strings_end > btf->n || types_end > btf->n)
		return NULL;
	for (uint32_t id = 1; at + 12 <= types_end; id++) {
		uint32_t info = u32_at(btf, at + 4);

		if (id == type) {
			uint64_t name = strings + u32_at(btf, at);

			if (name >= strings_end || !memchr(btf->p + name, 0, strings_end - name))
				return NULL;
			return (const char *)btf->p + name;
		}
		at += 12 + btf_more(info >> 24 & 0x1f, info & 0xffff);
	}
	return NULL;
}

/* "bpf_prog_TAG_NAME": the name that the kernel gives it in kallsyms. */
static void program_name(const struct recording *rec, const struct program *p, uint32_t i,
			 uint32_t n, struct buf *b)
{
	uint64_t tag = u64_at(&p->info, INFO_TAGS) + 8 * (uint64_t)i;
	uint32_t btf_id = u32_at(&p->info, INFO_BTF_ID);
	struct blob btf = {0};
	const char *name = NULL;

	buf_str(b, "bpf_prog_");
	for (int byte = 0; byte < 8 && tag + 8 <= p->data.n; byte++)
		buf_printf(b, "%02x", p->data.p[tag + (unsigned int)byte]);
	if (btf_id)
		btf = find_btf(rec, btf_id);
	if (btf.p) {
		uint64_t func = u64_at(&p->info, INFO_FUNCS) +
				(uint64_t)i * u32_at(&p->info, INFO_FUNC_SIZE);

		name = btf_name(&btf, u32_at(&p->data, func + 4));
	} else if (n == 1) {
		const char *own = (const char *)p->info.p + INFO_NAME;

		if (*own && memchr(own, 0, 16))
			name = own;
	} else {
		name = "F";
	}
	if (name)
		buf_printf(b, "_%s", name);
}

static void program_show(const struct recording *rec, const struct program *p, struct buf *b)
{
	uint32_t n = u32_at(&p->info, INFO_NR_KSYMS);
	uint64_t addrs = u64_at(&p->info, INFO_KSYMS), lens = u64_at(&p->info, INFO_LENS);

	if (n != u32_at(&p->info, INFO_NR_TAGS) || n != u32_at(&p->info, INFO_NR_LENS))
		return;
	if (addrs > p->data.n || n > (p->data.n - addrs) / 8)
		return;
	if (n != 1)
		buf_printf(b, "# bpf_prog_info %u:\n", p->id);
	for (uint32_t i = 0; i < n; i++) {
		if (n == 1)
			buf_printf(b, "# bpf_prog_info %u: ", p->id);
		else
			buf_printf(b, "# \tsub_prog %u: ", i);
		program_name(rec, p, i, n, b);
		buf_printf(b, " addr 0x%llx size %u\n",
			   (unsigned long long)u64_at(&p->data, addrs + 8 * (uint64_t)i),
			   u32_at(&p->data, lens + 4 * (uint64_t)i));
	}
}

static int by_id(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

void header_bpf_programs(const struct recording *rec, struct buf *b)
{
	struct cursor c = feature_cursor(rec, FEATURE_BPF_PROG_INFO);
	uint32_t n = cursor_u32(&c);
	VEC(struct program) all = {0};

	while (n-- && !c.bad) {
		uint32_t info_len = cursor_u32(&c), data_len = cursor_u32(&c);
		struct program p = {0};

		cursor_skip(&c, 8);
		p.info = (struct blob){cursor_bytes(&c, info_len), info_len, rec->swap};
		p.data = (struct blob){cursor_bytes(&c, data_len), data_len, rec->swap};
		if (!p.info.p || !p.data.p || info_len < INFO_SIZE)
			continue;
		p.id = u32_at(&p.info, INFO_ID);
		vec_add(&all, p);
	}
	if (all.n)
		qsort(all.at, all.n, sizeof(*all.at), by_id);
	for (size_t i = 0; i < all.n; i++)
		if (!i || all.at[i].id != all.at[i - 1].id)
			program_show(rec, &all.at[i], b);
	vec_release(&all);
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void header_bpf_types(const struct recording *rec, struct buf *b)
{
	struct cursor c = feature_cursor(rec, FEATURE_BPF_BTF);
	uint32_t n = cursor_u32(&c);
	VEC(uint32_t) ids = {0};

	while (n-- && !c.bad) {
		uint32_t id = cursor_u32(&c);

		cursor_skip(&c, cursor_u32(&c));
		if (!c.bad)
			vec_add(&ids, id);
	}
	if (ids.n)
		qsort(ids.at, ids.n, sizeof(*ids.at), by_number);
	for (size_t i = 0; i < ids.n; i++)
		if (!i || ids.at[i] != ids.at[i - 1])
			buf_printf(b, "# btf info of id %u\n", ids.at[i]);
	vec_release(&ids);
}
