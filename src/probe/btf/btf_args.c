// SPDX-License-Identifier: MIT
#include "probe/btf/btf_args.h"

#include <inttypes.h>
#include <string.h>

#define NESTED_MOST 16 /* unnamed structures in each other, types that refer to others */

bool btf_can_answer(const struct probe_spec *s)
{
	return s->function && !s->sdt && !s->file && !s->line_given && !s->pattern && !s->offset;
}

/* An argument on its way from the parameter to what it leads to. */
struct btf_path {
	const struct btf *b;
	const struct probe_spec *spec;
	const struct probe_arg *arg;
	struct arena *arena;
	struct probe_fetch *out;
	struct err *err;
	const char *name; /* of where it is now */
	uint32_t type;	  /* there */
	uint32_t bits,
		shift; /* of a bit field: its width, and its first bit within its type; else 0 */
};

static int path_fail(const struct btf_path *p, const char *fmt, const char *name)
{
	return probe_spec_fail(p->spec->text, p->arg->at, p->err, fmt, name);
}

#define PATH_FAIL(p, fmt, ...)                                                                     \
	probe_spec_fail((p)->spec->text, (p)->arg->at, (p)->err, fmt, __VA_ARGS__)

static bool is_structure(const struct btf_type *t)
{
	return t->kind == BTF_STRUCT || t->kind == BTF_UNION;
}

/* Adds to where the value lies, or with follow to where it points to. */
static void path_move(const struct btf_path *p, int64_t offset, bool follow)
{
	if (follow)
		vec_add(&p->out->derefs, (struct probe_deref){0});
	vec_last(&p->out->derefs)->offset += offset;
	vec_last(&p->out->derefs)->user = p->arg->user;
}

/* Its offset is counted from the outermost structure, in bits. */
static bool find_member(const struct btf *b, struct btf_type *in, const char *name,
			struct btf_item *out, unsigned int depth)
{
	struct btf_item m;

	while (depth < NESTED_MOST && btf_next(b, in, &m)) {
		struct btf_type inner;

		if (!strcmp(m.name, name)) {
			*out = m;
			return true;
		}
		/* what has no name lends its members */
		if (!*m.name && btf_real_type(b, m.type, &inner) && is_structure(&inner) &&
		    find_member(b, &inner, name, out, depth + 1)) {
			out->at += m.at;
			return true;
		}
	}
	return false;
}

static int path_take_member(struct btf_path *p, const struct probe_field *f)
{
	struct btf_type type;
	struct btf_item m;
	uint64_t unit;
	bool pointer;

	if (!btf_real_type(p->b, p->type, &type))
		return path_fail(p, "'%s' has no type", p->name);
	pointer = type.kind == BTF_PTR;
	if (pointer && !f->arrow)
		return path_fail(p, "'%s' is reached by '->'", f->name);
	if (pointer && !btf_real_type(p->b, type.of, &type))
		return path_fail(p, "nobody knows what '%s' points to", p->name);
	if (!is_structure(&type))
		return path_fail(p, "'%s' is neither a structure nor a union", p->name);
	if (!pointer && f->arrow)
		return path_fail(p, "'%s' is reached by '.'", f->name);
	if (!find_member(p->b, &type, f->name, &m, 0))
		return PATH_FAIL(p, "'%s' (%s) has no member '%s'", p->name, type.name, f->name);
	/* the kernel fetches a bit field with all of its type */
	unit = m.bits ? MAX(btf_size(p->b, m.type), (uint64_t)1) : 1;
	path_move(p, (int64_t)(m.at / 8 / unit * unit), pointer);
	p->bits = m.bits;
	p->shift = (uint32_t)(m.at % (8 * unit));
	p->type = m.type;
	p->name = f->name;
	return 0;
}

static int path_take_element(struct btf_path *p, const struct probe_field *f)
{
	struct btf_type type;
	int64_t step;
	uint64_t size;

	if (!btf_real_type(p->b, p->type, &type))
		return path_fail(p, "'%s' has no type", p->name);
	if (type.kind != BTF_ARRAY && type.kind != BTF_PTR)
		return path_fail(p, "'%s' is neither a pointer nor an array", p->name);
	size = btf_size(p->b, type.of);
	if (!size)
		return path_fail(p, "the elements of '%s' have no size", p->name);
	if (__builtin_mul_overflow(size, f->index, &step))
		return path_fail(p, "'%s' has not so many elements", p->name);
	path_move(p, step, type.kind == BTF_PTR);
	p->type = type.of;
	p->bits = 0;
	p->name = arena_printf(p->arena, "[%" PRId64 "]", f->index);
	return 0;
}

static int path_take_string(const struct btf_path *p, const struct btf_type *type)
{
	struct btf_type element;

	if (type->kind != BTF_PTR && type->kind != BTF_ARRAY)
		return path_fail(p, "'%s' is neither a pointer nor an array, so no string",
				 p->name);
	if (!btf_real_type(p->b, type->of, &element) || element.kind != BTF_INT ||
	    element.size != 1)
		return path_fail(p, "'%s' does not lead to characters, so it is no string",
				 p->name);
	if (type->kind == BTF_PTR)
		path_move(p, 0, true);
	p->out->type = p->arg->type;
	return 0;
}

static int path_take_type(const struct btf_path *p, struct buf *notes)
{
	const char *cast = p->arg->type;
	struct btf_type type;
	uint64_t bits;

	if (cast && strcmp(cast, "string") && strcmp(cast, "ustring") && strcmp(cast, "x") &&
	    strcmp(cast, "s") && strcmp(cast, "u")) {
		p->out->type = cast;
		return 0;
	}
	if (!btf_real_type(p->b, p->type, &type))
		return path_fail(p, "'%s' has no type", p->name);
	bits = 8 * btf_size(p->b, p->type);
	if (p->bits) {
		p->out->type = arena_printf(p->arena, "b%u@%u/%" PRIu64, p->bits, p->shift, bits);
		return 0;
	}
	if (cast && (!strcmp(cast, "string") || !strcmp(cast, "ustring")))
		return path_take_string(p, &type);
	if (!bits)
		return 0; /* the kernel takes its default */
	if (bits > 64) {
		buf_printf(notes, "%s exceeds max-bitwidth. Cut down to 64 bits.\n", type.name);
		bits = 64;
	}
	p->out->type = arena_printf(p->arena, "%c%u",
				    cast	     ? *cast
				    : type.is_signed ? 's'
						     : 'x',
				    (unsigned int)bits);
	return 0;
}

/* The number of a parameter, from 1. A structure that is passed by value takes an unknown number of
 * registers. */
static int find_parameter(struct btf_path *p, const struct btf_type *function)
{
	struct btf_type all = *function;
	struct btf_item item;

	for (int i = 1; btf_next(p->b, &all, &item); i++) {
		struct btf_type type;
		const bool by_value = btf_real_type(p->b, item.type, &type) &&
				      (is_structure(&type) || type.kind == BTF_FLOAT ||
				       btf_size(p->b, item.type) > sizeof(void *));

		if (by_value)
			return PATH_FAIL(p, "'%s' cannot be had: '%s' is passed by value",
					 p->arg->value, item.name);
		if (strcmp(item.name, p->arg->value))
			continue;
		p->type = item.type;
		return i;
	}
	return path_fail(p,
			 "'%s' cannot be had: no parameter has that name, and without debug "
			 "information there are no other variables",
			 p->arg->value);
}

static int fetch_variable(struct btf_path *p, const struct btf_type *function, struct buf *notes)
{
	int number, failed = 0;

	if (p->spec->retprobe)
		return path_fail(p,
				 "'%s' cannot be had: of a function that returns there is $retval",
				 p->arg->value);
	p->name = p->arg->value;
	number = find_parameter(p, function);
	if (number < 0)
		return -1;
	p->out->base = arena_printf(p->arena, "$arg%d", number);
	for (size_t i = 0; i < p->arg->fields.n && !failed; i++)
		failed = (p->arg->fields.at[i].name ? path_take_member
						    : path_take_element)(p, &p->arg->fields.at[i]);
	return failed ? -1 : path_take_type(p, notes);
}

static int add_arg(struct btf_path *p, const struct btf_type *function, struct probe_def *d,
		   struct buf *notes)
{
	const struct probe_arg *arg = p->arg;
	struct probe_fetch fetch = {arg->name, arg->value, .type = arg->type};
	int failed = 0;

	if (probe_arg_is_variable(arg)) {
		fetch = (struct probe_fetch){.name = probe_arg_field_name(arg, p->arena)};
		p->out = &fetch;
		failed = fetch_variable(p, function, notes);
	}
	vec_add(&d->args, fetch);
	return failed;
}

/* $params: those that can be had. */
static int add_parameters(struct btf_path *p, const struct btf_type *function, struct probe_def *d,
			  struct buf *notes)
{
	const struct probe_arg *list = p->arg;
	struct btf_type all = *function;
	struct btf_item item;
	int failed = 0;

	while (!failed && btf_next(p->b, &all, &item)) {
		const struct probe_arg one = {.value = arena_strdup(p->arena, item.name),
					      .at = list->at};

		p->arg = &one;
		failed = *item.name ? add_arg(p, function, d, notes) : 0;
	}
	p->arg = list;
	return failed;
}

int btf_define_args(const struct btf *b, const struct probe_spec *s, struct probe_def *d,
		    struct arena *arena, struct buf *notes, struct err *err)
{
	const uint32_t id = btf_function(b, d->function);
	struct btf_type function;
	int failed = 0;

	if (!id || !btf_type(b, id, &function) || function.kind != BTF_FUNC_PROTO)
		return err_set(err, ERR_INPUT,
			       "the kernel's type information (BTF) has no function '%s'",
			       d->function);
	probe_def_release(d);
	for (size_t i = 0; i < s->args.n && !failed; i++) {
		struct btf_path p = {
			.b = b, .spec = s, .arg = &s->args.at[i], .arena = arena, .err = err};

		failed = (probe_arg_is_list(p.arg) ? add_parameters : add_arg)(&p, &function, d,
									       notes);
	}
	return failed;
}

/* As `perf probe -V` writes types: without const, arrays as pointers. False: it leads to void. */
static bool add_type_text(const struct btf *b, uint32_t id, struct buf *out, int depth)
{
	struct btf_type t;

	do {
		if (++depth > NESTED_MOST || !btf_type(b, id, &t) || t.kind == BTF_VOID)
			return false;
		id = t.of;
	} while (t.kind == BTF_CONST || t.kind == BTF_VOLATILE || t.kind == BTF_RESTRICT ||
		 t.kind == BTF_TYPE_TAG);
	switch (t.kind) {
	case BTF_PTR:
	case BTF_ARRAY:
		if (!add_type_text(b, t.of, out, depth))
			return false;
		buf_char(out, '*');
		return true;
	case BTF_FUNC_PROTO:
		buf_str(out, "(function_type)");
		return true;
	case BTF_UNION:
		buf_str(out, "union ");
		break;
	case BTF_STRUCT:
		buf_str(out, "struct ");
		break;
	case BTF_FWD:
		buf_str(out, t.has_bits ? "union " : "struct ");
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		buf_str(out, "enum ");
		break;
	default:
		break;
	}
	buf_str(out, t.name);
	return *t.name;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool btf_list_parameters(const struct btf *b, const char *function, struct arena *arena,
			 struct probe_variables *out)
{
	const uint32_t id = btf_function(b, function);
	struct probe_variables_at *v;
	struct btf_type type;
	struct btf_item item;

	if (!id || !btf_type(b, id, &type) || type.kind != BTF_FUNC_PROTO)
		return false;
	v = vec_extend(&out->places, 1);
	v->symbol = arena_strdup(arena, function);
	while (btf_next(b, &type, &item)) {
		AUTO_BUF text = {0};

		if (!add_type_text(b, item.type, &text, 0)) {
			text.n = 0;
			buf_str(&text, "(unknown_type)");
		}
		buf_printf(&text, "\t%s", item.name);
		if (*item.name)
			vec_add(&v->rows, arena_strdup(arena, buf_text(&text)));
	}
	if (v->rows.n)
		qsort(v->rows.at, v->rows.n, sizeof(*v->rows.at), by_text);
	return true;
}
