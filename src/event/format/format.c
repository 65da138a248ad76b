// SPDX-License-Identifier: MIT
#include "event/format/format.h"

#include <ctype.h>

/* Text that is not terminated: a line, or a part of one. */
struct piece {
	const char *p, *end;
};

static struct piece trimmed(struct piece t)
{
	while (t.p < t.end && isspace((unsigned char)*t.p))
		t.p++;
	while (t.p < t.end && isspace((unsigned char)t.end[-1]))
		t.end--;
	return t;
}

static bool next_line(struct piece *rest, struct piece *line)
{
	const char *nl;

	if (rest->p == rest->end)
		return false;
	nl = memchr(rest->p, '\n', (size_t)(rest->end - rest->p));
	line->p = rest->p;
	line->end = nl ? nl : rest->end;
	rest->p = nl ? nl + 1 : rest->end;
	return true;
}

/* Cuts "word" and what follows it off the front; false when t does not begin with it. */
static bool format_take(struct piece *t, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(t->end - t->p) < n || memcmp(t->p, word, n))
		return false;
	t->p += n;
	return true;
}

static bool contains(struct piece t, const char *word)
{
	return memmem(t.p, (size_t)(t.end - t.p), word, strlen(word)) != NULL;
}

static bool format_take_number(struct piece *t, uint32_t *v)
{
	uint64_t n = 0;
	const char *start;

	*t = trimmed(*t);
	for (start = t->p; t->p < t->end && isdigit((unsigned char)*t->p); t->p++) {
		n = n * 10 + (uint64_t)(*t->p - '0');
		if (n > UINT32_MAX)
			return false;
	}
	*v = (uint32_t)n;
	return t->p > start;
}

/* Takes the part of line up to the next ';', and passes over the ';'. */
static bool take_clause(struct piece *t, struct piece *clause)
{
	const char *semicolon = memchr(t->p, ';', (size_t)(t->end - t->p));

	if (!semicolon)
		return false;
	*clause = trimmed((struct piece){t->p, semicolon});
	t->p = semicolon + 1;
	*t = trimmed(*t);
	return true;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes "[N]" off the end of a declaration, as the field's dimension. */
static void take_dimension(struct piece *decl, struct tp_field *f)
{
	const char *open = decl->end;
	struct piece inside;

	if (decl->end == decl->p || decl->end[-1] != ']')
		return;
	while (open > decl->p && *open != '[')
		open--;
	f->is_array = true;
	inside = (struct piece){open + 1, decl->end - 1};
	format_take_number(&inside, &f->elements);
	*decl = trimmed((struct piece){decl->p, open});
}

static bool parse_declaration(struct tp_formats *fs, struct piece decl, struct tp_field *f)
{
	struct piece type, name;

	if (format_take(&decl, "__data_loc ")) {
		f->is_dynamic = true;
	} else if (format_take(&decl, "__rel_loc ")) {
		f->is_dynamic = f->is_relative = true;
	}
	decl = trimmed(decl);
	take_dimension(&decl, f);
	name = (struct piece){decl.end, decl.end};
	while (name.p > decl.p && is_name_char(name.p[-1]))
		name.p--;
	type = trimmed((struct piece){decl.p, name.p});
	if (name.p == name.end)
		return false;
	take_dimension(&type, f);
	f->is_pointer = contains(type, "*");
	f->is_string = f->is_array && contains(type, "char");
	f->name = arena_strndup(&fs->arena, name.p, (size_t)(name.end - name.p));
	f->type = arena_strndup(&fs->arena, type.p, (size_t)(type.end - type.p));
	f->is_common = !strncmp(f->name, "common_", 7);
	return true;
}

static bool parse_field(struct tp_formats *fs, struct piece line, struct tp_field *f)
{
	struct piece decl, clause;
	uint32_t sign = 0;

	*f = (struct tp_field){0};
	if (!take_clause(&line, &decl) || !take_clause(&line, &clause) ||
	    !format_take(&clause, "offset:") || !format_take_number(&clause, &f->offset) ||
	    !take_clause(&line, &clause) || !format_take(&clause, "size:") ||
	    !format_take_number(&clause, &f->size))
		return false;
	/* kernels before 2.6.33 do not write "signed:" */
	if (take_clause(&line, &clause) && format_take(&clause, "signed:"))
		format_take_number(&clause, &sign);
	f->is_signed = sign;
	if (!parse_declaration(fs, decl, f))
		return false;
	if (f->is_dynamic)
		f->elements = 0;
	return true;
}

/* Parses a format. Offsets and sizes of fields are not checked here: each read of a field checks
 * them against the sample's raw data. */
static struct tp_format *format_parse(struct tp_formats *fs, struct piece rest, struct err *err)
{
	struct tp_format *fmt = arena_alloc(&fs->arena, sizeof(*fmt));
	struct piece line;
	bool has_id = false;
	struct tp_field field;

	fmt->text = rest.p;
	fmt->text_len = (uint32_t)(rest.end - rest.p);
	fmt->print_fmt = "";
	while (next_line(&rest, &line)) {
		line = trimmed(line);
		if (format_take(&line, "name:")) {
			line = trimmed(line);
			fmt->name = arena_strndup(&fs->arena, line.p, (size_t)(line.end - line.p));
		} else if (format_take(&line, "ID:")) {
			has_id = format_take_number(&line, &fmt->id);
		} else if (format_take(&line, "field:") || format_take(&line, "field special:")) {
			if (!parse_field(fs, line, &field))
				goto bad;
			vec_add(&fmt->fields, field);
		} else if (format_take(&line, "print fmt:")) {
			/* C source, which may contain newlines: it is all the rest of the text */
			line.end = rest.end;
			line = trimmed(line);
			fmt->print_fmt =
				arena_strndup(&fs->arena, line.p, (size_t)(line.end - line.p));
			break;
		}
	}
	if (fmt->name && has_id)
		return fmt;
bad:
	vec_release(&fmt->fields);
	err_set(err, ERR_INPUT, "the format of a tracepoint%s%s cannot be understood",
		fmt->name ? " " : "", fmt->name ? fmt->name : "");
	return NULL;
}

struct tp_format *tp_formats_add(struct tp_formats *f, const char *system, const char *text,
				 size_t len, struct err *err)
{
	struct piece all;
	struct tp_format *fmt;
	uint32_t *index;

	if (len > UINT32_MAX) {
		err_set(err, ERR_INPUT, "a tracepoint format of %zu bytes", len);
		return NULL;
	}
	all.p = arena_strndup(&f->arena, text, len);
	all.end = all.p + strlen(all.p);
	fmt = format_parse(f, all, err);
	if (!fmt)
		return NULL;
	fmt->system = arena_strdup(&f->arena, system);
	f->changes++;
	index = idmap_put(&f->by_id, fmt->id);
	if (*index != HASH_NONE) {
		vec_release(&f->all.at[*index]->fields);
		f->all.at[*index] = fmt;
		return fmt;
	}
	*index = (uint32_t)f->all.n;
	vec_add(&f->all, fmt);
	return fmt;
}

void tp_formats_release(struct tp_formats *f)
{
	for (size_t i = 0; i < f->all.n; i++)
		vec_release(&f->all.at[i]->fields);
	vec_release(&f->all);
	vec_release(&f->printks);
	vec_release(&f->comms);
	idmap_release(&f->by_id);
	arena_release(&f->arena);
}

struct tp_format *tp_formats_find(const struct tp_formats *f, uint32_t id)
{
	uint32_t index = idmap_find(&f->by_id, id);

	return index == HASH_NONE ? NULL : f->all.at[index];
}

struct tp_format *tp_formats_find_name(const struct tp_formats *f, const char *system,
				       const char *name)
{
	for (size_t i = 0; i < f->all.n; i++)
		if (!strcmp(f->all.at[i]->name, name) && !strcmp(f->all.at[i]->system, system))
			return f->all.at[i];
	return NULL;
}

const struct tp_field *tp_format_field(const struct tp_format *fmt, const char *name)
{
	for (size_t i = 0; i < fmt->fields.n; i++)
		if (!strcmp(fmt->fields.at[i].name, name))
			return &fmt->fields.at[i];
	return NULL;
}

uint64_t tp_field_u64(const struct tp_formats *f, const struct tp_field *field, const void *raw,
		      size_t size)
{
	if ((uint64_t)field->offset + field->size > size)
		return 0;
	return tp_raw_number((const uint8_t *)raw + field->offset, field->size, f->swap,
			     field->is_signed);
}

const void *tp_field_bytes(const struct tp_formats *f, const struct tp_field *field,
			   const void *raw, size_t size, size_t *n)
{
	uint64_t offset = field->offset, len = field->size;

	*n = 0;
	if (offset + len > size)
		return NULL;
	if (field->is_dynamic) {
		uint32_t loc;

		if (len < 4)
			return NULL;
		loc = (uint32_t)tp_raw_number((const uint8_t *)raw + offset, 4, f->swap, false);
		offset = (field->is_relative ? offset + len : 0) + (loc & 0xffff);
		len = loc >> 16;
		if (offset + len > size)
			return NULL;
	} else if (field->is_array && !field->elements && !len) {
		/* a flexible array: the rest of the record */
		len = size - offset;
	}
	*n = len;
	return (const uint8_t *)raw + offset;
}

/* Lines are: 0xffffffff8281a8ff : "text". Escapes stay as they are, as in libtraceevent. */
void tp_formats_add_printks(struct tp_formats *f, const char *text, size_t len)
{
	struct piece rest = {text, text + len}, line;

	while (next_line(&rest, &line)) {
		struct piece t = trimmed(line);
		uint64_t address = 0;
		const char *digits;

		if (!format_take(&t, "0x"))
			continue;
		for (digits = t.p; t.p < t.end && isxdigit((unsigned char)*t.p); t.p++)
			address = address << 4 |
				  (uint64_t)(*t.p <= '9' ? *t.p - '0' : (*t.p | 32) - 'a' + 10);
		if (t.p == digits)
			continue;
		t = trimmed(t);
		if (!format_take(&t, ":"))
			continue;
		t = trimmed(t);
		format_take(&t, "\"");
		if (t.p < t.end && t.end[-1] == '"')
			t.end--;
		/* the format string's own newline */
		if (t.end - t.p >= 2 && t.end[-2] == '\\' && t.end[-1] == 'n')
			t.end -= 2;
		vec_add(&f->printks,
			(struct tp_printk){address, arena_strndup(&f->arena, t.p,
								  (size_t)(t.end - t.p))});
	}
}

/* Lines are: 1234 comm */
void tp_formats_add_comms(struct tp_formats *f, const char *text, size_t len)
{
	struct piece rest = {text, text + len}, line;
	uint32_t pid;

	while (next_line(&rest, &line)) {
		struct piece t = trimmed(line);

		if (!format_take_number(&t, &pid) || pid > INT32_MAX)
			continue;
		t = trimmed(t);
		vec_add(&f->comms,
			(struct tp_comm){(int32_t)pid,
					 arena_strndup(&f->arena, t.p, (size_t)(t.end - t.p))});
	}
}
