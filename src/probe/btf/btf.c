// SPDX-License-Identifier: MIT
#include "probe/btf/btf.h"

#include "os/files/mapped.h"

#include <string.h>

#define BTF_MAGIC  0xeb9f
#define BTF_MOST   (256u << 20) /* bytes of a file */
#define DEPTH_MOST 32		/* types that refer to each other */

/* One file of BTF. Ids and offsets of names go on where those of the base end. */
struct btf {
	struct mapped file;
	struct btf *base; /* of a module: the kernel's; or NULL */
	struct cursor types;
	const char *strings;
	uint32_t strings_size, first_id, first_string;
	VEC(uint32_t) at; /* of each type: its offset in .types */
};

void btf_close(struct btf *b)
{
	if (!b)
		return;
	btf_close(b->base);
	mapped_release(&b->file);
	vec_release(&b->at);
	free(b);
}

/* Bytes behind the twelve that each type has. */
static uint64_t rest_size(uint32_t kind, uint32_t n)
{
	switch (kind) {
	case BTF_INT:
	case BTF_VAR:
	case BTF_DECL_TAG:
		return 4;
	case BTF_ARRAY:
		return 12;
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_DATASEC:
	case BTF_ENUM64:
		return 12 * (uint64_t)n;
	case BTF_ENUM:
	case BTF_FUNC_PROTO:
		return 8 * (uint64_t)n;
	default:
		return 0;
	}
}

static const char *btf_name_at(const struct btf *b, uint32_t offset)
{
	while (b && offset < b->first_string)
		b = b->base;
	return b && offset - b->first_string < b->strings_size
		       ? b->strings + (offset - b->first_string)
		       : "";
}

static int damaged(const char *path, struct err *err)
{
	return err_set(err, ERR_INPUT, "'%s' is no type information that can be read", path);
}

/* Finds where each type begins. */
static int read_types(struct btf *b, const char *path, struct err *err)
{
	struct cursor c = b->types;

	while (cursor_left(&c)) {
		const uint32_t at = (uint32_t)(c.p - b->types.p);
		uint32_t info;

		cursor_u32(&c);
		info = cursor_u32(&c);
		cursor_u32(&c);
		cursor_skip(&c, rest_size(info >> 24 & 31, info & 0xffff));
		/* of an unknown kind nobody knows the size */
		if (c.bad || (info >> 24 & 31) >= BTF_KINDS)
			return damaged(path, err);
		vec_add(&b->at, at);
	}
	return 0;
}

static int read_file(struct btf *b, const char *path, struct err *err)
{
	struct cursor c;
	uint32_t header, types, types_size, strings;

	if (mapped_read(&b->file, path, BTF_MOST, err))
		return -1;
	c = cursor_over(b->file.p, b->file.n, false);
	if (cursor_u16(&c) != BTF_MAGIC || cursor_u8(&c) != 1)
		return damaged(path, err);
	cursor_u8(&c);
	header = cursor_u32(&c);
	types = cursor_u32(&c);
	types_size = cursor_u32(&c);
	strings = cursor_u32(&c);
	b->strings_size = cursor_u32(&c);
	c = cursor_over(b->file.p, b->file.n, false);
	cursor_skip(&c, header);
	b->types = c;
	cursor_skip(&c, strings);
	b->strings = cursor_bytes(&c, b->strings_size);
	cursor_skip(&b->types, types);
	if (c.bad || b->types.bad || cursor_left(&b->types) < types_size || !b->strings_size ||
	    b->strings[b->strings_size - 1])
		return damaged(path, err);
	b->types.end = b->types.p + types_size;
	return read_types(b, path, err);
}

static struct btf *open_file(const char *root, const char *name, struct btf *base, struct err *err)
{
	struct btf *b = NEW(struct btf);
	AUTO_CHAR *path = mem_printf("%s/%s", root, name);

	b->base = base;
	b->first_id = base ? base->first_id + (uint32_t)base->at.n : 1;
	b->first_string = base ? base->first_string + base->strings_size : 0;
	if (!read_file(b, path, err))
		return b;
	btf_close(b);
	return NULL;
}

struct btf *btf_open(const char *root, const char *module, struct err *err)
{
	struct btf *kernel = open_file(root, "vmlinux", NULL, err);

	return kernel && module ? open_file(root, module, kernel, err) : kernel;
}

bool btf_type(const struct btf *b, uint32_t id, struct btf_type *out)
{
	struct cursor c;
	uint32_t info, word;

	*out = (struct btf_type){.name = ""};
	if (!id)
		return true;
	while (b && id < b->first_id)
		b = b->base;
	if (!b || id - b->first_id >= b->at.n)
		return false;
	c = b->types;
	cursor_skip(&c, b->at.at[id - b->first_id]);
	out->name = btf_name_at(b, cursor_u32(&c));
	info = cursor_u32(&c);
	word = cursor_u32(&c);
	out->kind = (enum btf_kind)(info >> 24 & 31);
	out->has_bits = info >> 31;
	out->of = out->size = word;
	out->left = info & 0xffff;
	if (out->kind == BTF_INT)
		out->is_signed = cursor_u32(&c) >> 24 & 1;
	else if (out->kind == BTF_ARRAY) {
		out->of = cursor_u32(&c);
		cursor_u32(&c);
		out->elements = cursor_u32(&c);
	}
	out->rest = c;
	return !c.bad;
}

bool btf_next(const struct btf *b, struct btf_type *of, struct btf_item *out)
{
	if (!of->left--)
		return false;
	out->name = btf_name_at(b, cursor_u32(&of->rest));
	out->type = cursor_u32(&of->rest);
	out->at = out->bits = 0;
	if (of->kind == BTF_FUNC_PROTO)
		return !of->rest.bad;
	out->at = cursor_u32(&of->rest);
	if (of->has_bits) {
		out->bits = out->at >> 24;
		out->at &= 0xffffff;
	}
	return !of->rest.bad;
}

uint32_t btf_function(const struct btf *b, const char *name)
{
	for (; b; b = b->base)
		for (size_t i = 0; i < b->at.n; i++) {
			struct btf_type t;

			if (btf_type(b, b->first_id + (uint32_t)i, &t) && t.kind == BTF_FUNC &&
			    !strcmp(t.name, name))
				return t.of;
		}
	return 0;
}

bool btf_real_type(const struct btf *b, uint32_t id, struct btf_type *out)
{
	for (int i = 0; i < DEPTH_MOST; i++) {
		if (!btf_type(b, id, out))
			return false;
		switch (out->kind) {
		case BTF_TYPEDEF:
		case BTF_VOLATILE:
		case BTF_CONST:
		case BTF_RESTRICT:
		case BTF_TYPE_TAG:
			id = out->of;
			break;
		default:
			return out->kind != BTF_VOID;
		}
	}
	return false;
}

uint64_t btf_size(const struct btf *b, uint32_t id)
{
	uint64_t n = 1, size;

	for (int i = 0; i < DEPTH_MOST; i++) {
		struct btf_type t;

		if (!btf_real_type(b, id, &t))
			return 0;
		switch (t.kind) {
		case BTF_PTR:
			return n * sizeof(void *);
		case BTF_ARRAY:
			if (__builtin_mul_overflow(n, t.elements, &n))
				return 0;
			id = t.of;
			break;
		case BTF_INT:
		case BTF_STRUCT:
		case BTF_UNION:
		case BTF_ENUM:
		case BTF_ENUM64:
		case BTF_FLOAT:
			return __builtin_mul_overflow(n, t.size, &size) ? 0 : size;
		default:
			return 0;
		}
	}
	return 0;
}
