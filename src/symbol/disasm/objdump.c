// SPDX-License-Identifier: MIT
#include "symbol/disasm/objdump.h"

#include "os/library.h"
#include "os/process/output.h"
#include "symbol/disasm/builder.h"

#include <ctype.h>

#define OUTPUT_MAX (256u << 20) /* bytes; functions of a million instructions print less */

struct words {
	struct arena arena;
	VEC(char *) argv;
};

static void words_add(struct words *w, char *word)
{
	vec_add(&w->argv, word);
}

/* Adds the words of a text: options may follow the program's name. */
static void words_split(struct words *w, const char *text)
{
	while (*text) {
		const size_t blank = strspn(text, " \t"), n = strcspn(text + blank, " \t");

		if (n)
			words_add(w, arena_strndup(&w->arena, text + blank, n));
		text += blank + n;
	}
}

static void make_command(struct words *w, const struct disasm *d, const char *path,
			 const struct disasm_options *o)
{
	words_split(w, o->objdump && *o->objdump ? o->objdump : "objdump");
	if (o->style) {
		words_add(w, arena_strdup(&w->arena, "-M"));
		words_add(w, arena_strdup(&w->arena, o->style));
	}
	words_add(w,
		  arena_printf(&w->arena, "--start-address=0x%llx", (unsigned long long)d->start));
	words_add(w, arena_printf(&w->arena, "--stop-address=0x%llx", (unsigned long long)d->end));
	if (o->section) {
		words_add(w, arena_strdup(&w->arena, "-j"));
		words_add(w, arena_strdup(&w->arena, o->section));
	}
	words_split(w, o->raw ? "-l -d -C" : "-l -d -C --no-show-raw-insn");
	if (o->source)
		words_add(w, arena_strdup(&w->arena, "-S"));
	if (o->prefix)
		words_add(w, arena_printf(&w->arena, "--prefix=%s", o->prefix));
	if (o->prefix_strip)
		words_add(w, arena_printf(&w->arena, "--prefix-strip=%s", o->prefix_strip));
	/* no "--", which llvm-objdump does not know */
	words_add(w, arena_printf(&w->arena, "%s%s", *path == '-' ? "./" : "", path));
	words_add(w, NULL);
}

/* Parses "/usr/src/a.c:12", with or without more text. Returns the length of the file's name, 0
 * when it is no source line. */
static size_t objdump_place_of(const char *text, size_t n, uint32_t *line)
{
	const char *colon = n && *text == '/' ? memchr(text, ':', n) : NULL;
	uint64_t number = 0;
	size_t i;

	if (!colon || colon == text + 1)
		return 0;
	i = (size_t)(colon - text) + 1;
	if (i == n || !isdigit((unsigned char)text[i]))
		return 0;
	for (; i < n && isdigit((unsigned char)text[i]) && number <= UINT32_MAX; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	*line = (uint32_t)number;
	return (size_t)(colon - text);
}

/* Parses "1139:" before other text. Returns its length, 0 when it is no address. */
static size_t address_of(const char *text, size_t n, uint64_t *vaddr)
{
	uint64_t v = 0;
	size_t i = 0;

	for (; i < n && isxdigit((unsigned char)text[i]); i++)
		v = v << 4 |
		    (uint64_t)(isdigit((unsigned char)text[i]) ? text[i] - '0'
							       : (text[i] | 32) - 'a' + 10);
	if (!i || i + 1 >= n || text[i] != ':')
		return 0;
	*vaddr = v;
	return i + 1;
}

static void take_line(struct disasm_builder *b, const char *text, size_t n)
{
	uint64_t vaddr;
	uint32_t line;
	size_t head;

	while (n && isspace((unsigned char)*text)) {
		text++;
		n--;
	}
	head = objdump_place_of(text, n, &line);
	if (head) {
		disasm_set_place(b, text, head, line);
		return;
	}
	head = address_of(text, n, &vaddr);
	if (head && vaddr >= b->d->start && vaddr < b->d->end)
		disasm_add_instruction(b, vaddr, head, text + head, n - head);
	else
		disasm_add_text(b, text, n);
}

/* True for the line that names the file, which perf leaves out. */
static bool names_file(const char *text, size_t n, const char *path)
{
	const size_t length = strlen(path);
	const char *at = memmem(text, n, path, length);

	return at && at + length < text + n && at[length] == ':';
}

void objdump_parse(struct disasm *d, const char *path, const char *text, size_t n)
{
	struct disasm_builder b = {.d = d};
	const char *end = text + n;

	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		const size_t length = (size_t)((eol ? eol : end) - text);

		if (!names_file(text, length, path))
			take_line(&b, text, length);
		text += length + 1;
	}
	d->tool = DISASM_OBJDUMP;
}

int objdump_disassemble(struct disasm *d, const char *path, const struct disasm_options *o,
			struct err *err)
{
	struct words w = {0};
	struct buf text = {0};
	int status;

	make_command(&w, d, path, o);
	status = command_output(w.argv.at, &text, OUTPUT_MAX, err);
	if (status < 0 && !o->objdump)
		err_hint(err, library_possible() ? DISASM_INSTALL : DISASM_INSTALL_OBJDUMP);
	else if (status > 0)
		err_set(err, ERR_SYSTEM, "'%s' cannot disassemble '%s' (status %d)", w.argv.at[0],
			path, status);
	else if (!status && !text.n)
		status = err_set(err, ERR_SYSTEM, "'%s' printed nothing of '%s'", w.argv.at[0],
				 path);
	else if (!status)
		objdump_parse(d, path, text.at, text.n);
	vec_release(&w.argv);
	arena_release(&w.arena);
	buf_release(&text);
	return status ? -1 : 0;
}
