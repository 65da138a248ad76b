// SPDX-License-Identifier: MIT
#include "symbol/disasm/source_text.h"

#include "os/files/mapped.h"
#include "symbol/contained/contained_private.h"

#define CONTEXT	   5		/* lines that objdump shows before the first one of a function */
#define SOURCE_MAX (64u << 20) /* bytes of a file */

struct source_file {
	const char *name; /* as the debug information has it */
	struct mapped bytes;
	struct buf contained; /* of the recording: .bytes is empty */
	VEC(uint32_t) starts; /* offset of each line, and of the end */
	uint32_t last, most;  /* of the lines shown so far: the last, and the greatest */
};

/* The path of a source file, to be freed: without its first folders, and with a prefix, as by
 * objdump's --prefix and --prefix-strip. */
static char *source_text_path_of(const struct disasm_options *o, const char *name)
{
	const char *rest = name;

	if (!o->prefix || *name != '/')
		return mem_strdup(name);
	for (long i = o->prefix_strip ? strtol(o->prefix_strip, NULL, 10) : 0; i > 0; i--) {
		const char *slash = strchr(rest + 1, '/');

		if (!slash)
			break;
		rest = slash;
	}
	return mem_printf("%s%s", o->prefix, rest);
}

static const char *source_file_text(const struct source_file *f)
{
	return f->contained.n ? f->contained.at : (const char *)f->bytes.p;
}

static void find_lines(struct source_file *f)
{
	const char *text = source_file_text(f);
	const size_t n = f->contained.n ? f->contained.n : f->bytes.n;

	for (size_t at = 0; at < n;) {
		const char *eol = memchr(text + at, '\n', n - at);

		vec_add(&f->starts, (uint32_t)at);
		at = eol ? (size_t)(eol - text) + 1 : n;
	}
	vec_add(&f->starts, (uint32_t)n);
}

static struct source_file *source_text_file_of(struct source_text *s, const char *name)
{
	struct source_file *f = s->file;
	AUTO_CHAR *path = NULL;

	if (f && !strcmp(f->name, name))
		return f;
	for (size_t i = 0; i < s->files.n; i++)
		if (!strcmp(s->files.at[i]->name, name))
			return s->files.at[i];
	f = arena_alloc(&s->arena, sizeof(*f));
	f->name = arena_strdup(&s->arena, name);
	path = source_text_path_of(s->options, name);
	if (contained_source(s->set, name, &f->contained) ||
	    !mapped_read(&f->bytes, path, SOURCE_MAX, NULL))
		find_lines(f);
	vec_add(&s->files, f);
	return f;
}

/* Adds the lines that objdump shows: those after the greatest line shown so far, from at most
 * CONTEXT lines before this one. Never the same line twice in a row. */
static void add_source(const struct source_text *s, struct source_file *f, struct disasm_builder *b,
		       uint32_t line)
{
	uint32_t from = line > CONTEXT ? line - CONTEXT : 1;

	if (f->last == line)
		return;
	if (f->most >= from)
		from = f->most < line ? f->most + 1 : line;
	for (; from <= line && from < f->starts.n; from++) {
		const uint32_t start = f->starts.at[from - 1];
		const char *text = source_file_text(f) + start;

		disasm_add_text(b, text, f->starts.at[from] - start);
		if (s->set->private_data->noted)
			contained_note_source(s->set, f->name, from, text,
					      f->starts.at[from] - start);
	}
	f->most = MAX(f->most, line);
	f->last = line;
}

static void add_function(struct disasm_builder *b, const char *name)
{
	AUTO_CHAR *text = mem_printf("%s():", name);

	disasm_add_text(b, text, strlen(text));
}

void source_text_add(struct source_text *s, struct disasm_builder *b,
		     const struct source_place *place, const char *text)
{
	const struct line_level *level = place->n ? &place->at[0] : NULL;
	struct source_file *f;

	if (!level && !s->function && s->symbol) {
		add_function(b, s->symbol);
		s->function = s->symbol;
	}
	if (!level)
		return;
	if (level->function && (!s->function || strcmp(s->function, level->function))) {
		add_function(b, level->function);
		s->function = level->function;
		s->line = 0;
	}
	if (!level->file || !level->line)
		return;
	f = source_text_file_of(s, level->file);
	if (f == s->file && level->line == s->line)
		return;
	s->file = f;
	s->line = level->line;
	disasm_set_place(b, level->file, strlen(level->file), level->line);
	if (!s->options->source)
		return;
	if (text && *text) {
		disasm_add_text(b, text, strlen(text));
	} else if (f->starts.n) {
		add_source(s, f, b, level->line);
	} else {
		AUTO_CHAR *place_text = mem_printf("%s:%u", level->file, level->line);

		disasm_add_text(b, place_text, strlen(place_text));
	}
}

void source_text_release(struct source_text *s)
{
	for (size_t i = 0; i < s->files.n; i++) {
		mapped_release(&s->files.at[i]->bytes);
		buf_release(&s->files.at[i]->contained);
		vec_release(&s->files.at[i]->starts);
	}
	vec_release(&s->files);
	arena_release(&s->arena);
}
