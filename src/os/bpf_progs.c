// SPDX-License-Identifier: MIT
#include "os/bpf_progs.h"

#include "base/mem.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BYTES_MOST (8u << 20) /* of the arrays of a program, and of types */

/* An array of struct bpf_prog_info: where its pointer, the number of its entries and their size
 * are. */
static const struct array {
	enum bpf_prog_array bit;
	uint16_t at, n_at;
	uint16_t size_at; /* 0: the size is .size */
	uint16_t size;
} arrays[] = {
#define AT(field) offsetof(struct bpf_prog_info, field)
	{BPF_PROG_CODE, AT(jited_prog_insns), AT(jited_prog_len), 0, 1},
	{BPF_PROG_KSYMS, AT(jited_ksyms), AT(nr_jited_ksyms), 0, 8},
	{BPF_PROG_LENS, AT(jited_func_lens), AT(nr_jited_func_lens), 0, 4},
	{BPF_PROG_FUNCS, AT(func_info), AT(nr_func_info), AT(func_info_rec_size), 0},
	{BPF_PROG_LINES, AT(line_info), AT(nr_line_info), AT(line_info_rec_size), 0},
	{BPF_PROG_JITED_LINES, AT(jited_line_info), AT(nr_jited_line_info),
	 AT(jited_line_info_rec_size), 0},
	{BPF_PROG_TAGS, AT(prog_tags), AT(nr_prog_tags), 0, 8},
#undef AT
};

_Static_assert(offsetof(struct bpf_prog_info, run_cnt) + 8 == BPF_PROG_INFO_BYTES,
	       "the layout of Linux 5.1");

static int bpf_call(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int bpf_info_get(int fd, void *info, size_t n)
{
	union bpf_attr a = {0};

	a.info.bpf_fd = (uint32_t)fd;
	a.info.info_len = (uint32_t)n;
	a.info.info = (uintptr_t)info;
	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &a);
}

static int bpf_prog_open(uint32_t id)
{
	union bpf_attr a = {0};

	a.prog_id = id;
	return bpf_call(BPF_PROG_GET_FD_BY_ID, &a);
}

uint32_t bpf_prog_next(uint32_t id)
{
	union bpf_attr a = {0};

	a.start_id = id;
	return bpf_call(BPF_PROG_GET_NEXT_ID, &a) ? 0 : a.next_id;
}

bool bpf_prog_what(uint32_t id, struct bpf_prog_what *to)
{
	struct bpf_prog_info info = {0};
	AUTO_FD fd = bpf_prog_open(id);

	*to = (struct bpf_prog_what){.id = id};
	if (fd < 0 || bpf_info_get(fd, &info, sizeof(info)))
		return false;
	to->type = info.type;
	memcpy(to->name, info.name, sizeof(info.name));
	return true;
}

static uint32_t info_u32(const struct bpf_prog_info *info, uint16_t at)
{
	uint32_t v;

	memcpy(&v, (const uint8_t *)info + at, sizeof(v));
	return v;
}

static void info_set(struct bpf_prog_info *info, uint16_t at, const void *p, size_t n)
{
	memcpy((uint8_t *)info + at, p, n);
}

/* Makes room in .data for the arrays that sizes has, and asks for them: sets the pointers of info.
 * False: that is too much. */
static bool arrays_ask(struct bpf_prog_copy *c, const struct bpf_prog_info *sizes,
		       struct bpf_prog_info *info)
{
	uint64_t offsets[ARRAY_SIZE(arrays)], need = 0;

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct array *a = &arrays[i];
		const uint64_t n = info_u32(sizes, a->n_at);
		const uint64_t size = a->size_at ? info_u32(sizes, a->size_at) : a->size;

		offsets[i] = need;
		if (n && size)
			c->arrays |= a->bit;
		need += (n * size + 7) & ~7ull;
		if (need > BYTES_MOST)
			return false;
	}
	buf_fill(&c->data, 0, need);
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct array *a = &arrays[i];
		const uint64_t to = (uintptr_t)c->data.at + offsets[i];

		if (!(c->arrays & a->bit))
			continue;
		info_set(info, a->at, &to, sizeof(to));
		info_set(info, a->n_at, (const uint8_t *)sizes + a->n_at, sizeof(uint32_t));
		if (a->size_at)
			info_set(info, a->size_at, (const uint8_t *)sizes + a->size_at,
				 sizeof(uint32_t));
	}
	return true;
}

/* Takes the kernel's answer: pointers become offsets. */
static void arrays_take(struct bpf_prog_copy *c, struct bpf_prog_info *info)
{
	const uint64_t none = 0;

	c->id = info->id;
	c->btf_id = info->btf_id;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct array *a = &arrays[i];
		uint64_t at;

		memcpy(&at, (uint8_t *)info + a->at, sizeof(at));
		/* what is hidden from this process has no entries in the answer */
		if (!at || !info_u32(info, a->n_at)) {
			c->arrays &= ~(uint64_t)a->bit;
			info_set(info, a->at, &none, sizeof(none));
			continue;
		}
		at -= (uintptr_t)c->data.at;
		info_set(info, a->at, &at, sizeof(at));
	}
	memcpy(c->info, info, sizeof(c->info));
}

static bool has_addresses(const struct bpf_prog_copy *c, const struct bpf_prog_info *info)
{
	uint64_t first = 0;

	if (c->arrays & BPF_PROG_KSYMS)
		memcpy(&first, c->data.at + info->jited_ksyms, sizeof(first));
	return first;
}

bool bpf_prog_copy(uint32_t id, struct bpf_prog_copy *to)
{
	struct bpf_prog_info sizes = {0}, info = {0};
	AUTO_FD fd = bpf_prog_open(id);

	*to = (struct bpf_prog_copy){0};
	if (fd >= 0 && !bpf_info_get(fd, &sizes, sizeof(sizes)) && arrays_ask(to, &sizes, &info) &&
	    !bpf_info_get(fd, &info, sizeof(info))) {
		arrays_take(to, &info);
		if (has_addresses(to, &info))
			return true;
	}
	bpf_prog_copy_release(to);
	return false;
}

void bpf_prog_copy_release(struct bpf_prog_copy *copy)
{
	buf_release(&copy->data);
	*copy = (struct bpf_prog_copy){0};
}

bool bpf_types_copy(uint32_t btf_id, struct buf *to)
{
	struct bpf_btf_info info = {0};
	union bpf_attr a = {0};
	const size_t before = to->n;
	AUTO_FD fd = -1;
	uint32_t n;

	a.btf_id = btf_id;
	fd = bpf_call(BPF_BTF_GET_FD_BY_ID, &a);
	if (fd < 0 || bpf_info_get(fd, &info, sizeof(info)) || !info.btf_size ||
	    info.btf_size > BYTES_MOST)
		return false;
	n = info.btf_size;
	buf_fill(to, 0, n);
	info = (struct bpf_btf_info){.btf = (uintptr_t)to->at + before, .btf_size = n};
	if (!bpf_info_get(fd, &info, sizeof(info)) && info.btf_size == n)
		return true;
	to->n = before;
	return false;
}
