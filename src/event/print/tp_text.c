// SPDX-License-Identifier: MIT
#include "event/print/print.h"

struct parsed {
	const struct tp_format *format; /* what it was made from: a format may be replaced */
	bool understood;
	bool numbers; /* no text comes from samples, and the format's own text has no control
		       * characters */
	bool lines;   /* what a program wrote into the trace itself (ftrace:print) may have lines */
	struct print print;
};

/* A cache of recently used formats, by the low bits of their id. */
#define RECENT 16
struct recent {
	uint32_t id;
	const struct parsed *parsed;
};

struct tp_text {
	const struct tp_formats *formats;
	struct tp_text_options opts;
	struct arena arena;
	struct idmap by_id; /* tracepoint id -> index in parsed */
	VEC(struct parsed *) parsed;
	struct recent recent[RECENT];
	uint32_t changes; /* formats->changes when .recent was filled */
};

struct tp_text *tp_text_new(const struct tp_formats *formats, const struct tp_text_options *opts)
{
	struct tp_text *t = NEW(struct tp_text);

	t->formats = formats;
	t->opts = *opts;
	return t;
}

void tp_text_free(struct tp_text *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->parsed.n; i++)
		print_release(&t->parsed.at[i]->print);
	vec_release(&t->parsed);
	idmap_release(&t->by_id);
	arena_release(&t->arena);
	free(t);
}

static struct parsed *get(struct tp_text *t, uint32_t id)
{
	uint32_t *index = idmap_put(&t->by_id, id);

	if (*index == HASH_NONE) {
		*index = (uint32_t)t->parsed.n;
		vec_add(&t->parsed, arena_alloc(&t->arena, sizeof(struct parsed)));
	}
	return t->parsed.at[*index];
}

static bool shows_numbers(const struct print *p)
{
	for (size_t i = 0; i < p->pieces.n; i++) {
		const struct print_piece *piece = &p->pieces.at[i];

		if (piece->show == SHOW_STRING ||
		    (piece->show == SHOW_OTHER && !strchr("diux", piece->conversion)) ||
		    !text_is_safe(piece->text, piece->text_len))
			return false;
	}
	return true;
}

static const struct parsed *parsed(struct tp_text *t, uint32_t id)
{
	struct recent *recent = &t->recent[id % RECENT];
	const struct tp_format *fmt;
	struct parsed *p;

	if (recent->parsed && recent->id == id && t->changes == t->formats->changes)
		return recent->parsed;
	fmt = tp_formats_find(t->formats, id);
	if (!fmt)
		return NULL;
	if (t->changes != t->formats->changes)
		memset(t->recent, 0, sizeof(t->recent));
	t->changes = t->formats->changes;
	p = get(t, id);
	if (p->format != fmt) {
		print_release(&p->print);
		p->format = fmt;
		p->understood = print_parse(&p->print, fmt, &t->arena);
		p->numbers = p->understood && shows_numbers(&p->print);
		p->lines = !strcmp(fmt->system, "ftrace");
	}
	*recent = (struct recent){id, p};
	return p;
}

bool tp_text_show(struct tp_text *t, uint32_t id, const void *raw, size_t size, uint32_t cpu,
		  struct buf *out)
{
	const struct parsed *p = parsed(t, id);
	const size_t start = out->n;
	struct print_sample s = {
		.formats = t->formats, .opts = &t->opts, .raw = raw, .size = size, .out = out};

	(void)cpu;
	if (!p)
		return false;
	s.lines = p->lines;
	if (p->understood) {
		print_show(&p->print, &s);
	} else {
		buf_str(out, "[FAILED TO PARSE]");
		tp_fields_show(t->formats, p->format, raw, size, out);
	}
	/* newlines of the format itself stay */
	if (!p->numbers)
		buf_make_lines_safe(out, start);
	return true;
}
