// SPDX-License-Identifier: MIT
#include "event/print/print.h"

struct parsed {
	const struct tp_format *format; /* what it was made from: a format may be replaced */
	bool understood;
	struct print print;
};

struct tp_text {
	const struct tp_formats *formats;
	struct tp_text_options opts;
	struct arena arena;
	struct idmap by_id; /* tracepoint id -> index in parsed */
	VEC(struct parsed) parsed;
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
		print_release(&t->parsed.at[i].print);
	vec_release(&t->parsed);
	idmap_release(&t->by_id);
	arena_release(&t->arena);
	free(t);
}

static const struct parsed *parsed(struct tp_text *t, const struct tp_format *fmt)
{
	uint32_t *index = idmap_put(&t->by_id, fmt->id);
	struct parsed *p;

	if (*index == HASH_NONE) {
		*index = (uint32_t)t->parsed.n;
		(void)vec_extend(&t->parsed, 1);
	}
	p = &t->parsed.at[*index];
	if (p->format != fmt) {
		print_release(&p->print);
		p->format = fmt;
		p->understood = print_parse(&p->print, fmt, &t->arena);
	}
	return p;
}

bool tp_text_show(struct tp_text *t, uint32_t id, const void *raw, size_t size, uint32_t cpu,
		  struct buf *out)
{
	const struct tp_format *fmt = tp_formats_find(t->formats, id);
	const struct parsed *p;

	(void)cpu;
	if (!fmt)
		return false;
	p = parsed(t, fmt);
	if (p->understood) {
		print_show(&p->print, &(struct print_sample){.formats = t->formats,
							     .format = fmt,
							     .opts = &t->opts,
							     .raw = raw,
							     .size = size,
							     .out = out});
	} else {
		buf_str(out, "[FAILED TO PARSE]");
		tp_fields_show(t->formats, fmt, raw, size, out);
	}
	return true;
}
