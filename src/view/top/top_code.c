// SPDX-License-Identifier: MIT
#include "view/top/top_code.h"

#include "view/annotate/annotate.h"

#define HEAD_LINES 4 /* between the screen's head and the instructions */

void top_code_release(struct top_code *c)
{
	disasm_release(&c->disasm);
	free(c->symbol);
	*c = (struct top_code){0};
}

void top_code_choose(struct top_code *c, const char *symbol)
{
	free(c->symbol);
	c->symbol = symbol ? mem_strdup(symbol) : NULL;
	c->of = NULL;
}

/* 0, or -1 with *err. */
static int disassemble(struct top_code *c, const struct annotate_symbol *s, unsigned int renewals,
		       struct err *err)
{
	struct disasm_options how = c->how;

	how.source = false; /* there is room for the hottest instructions alone */
	if (c->of == s->sym && c->renewals == renewals)
		return 0;
	disasm_release(&c->disasm);
	c->disasm = (struct disasm){0};
	c->of = NULL;
	if (disasm_symbol(&c->disasm, s->dso, s->sym, &how, err))
		return -1;
	c->of = s->sym;
	c->renewals = renewals;
	return 0;
}

static void show_function(struct top_code *c, const struct top_screen *s,
			  const struct live_profile *p, const struct annotate *a,
			  unsigned int min_percent, struct out *out)
{
	const struct annotate_symbol *symbol = &a->symbols.at[0];
	const unsigned int entries = top_screen_entries(s);
	struct annotate_view view = {.percent_type = c->percent_type};
	struct annotate_lines lines;
	struct err err = {0};
	unsigned int rest;

	if (disassemble(c, symbol, p->renewals, &err)) {
		buf_printf(&out->buf, "Couldn't annotate %s: %s\n", symbol->name, err.text);
		return;
	}
	annotate_lines_init(&lines, a, symbol, &c->disasm, false);
	rest = annotate_show_hot(&view, a, symbol, &lines, min_percent,
				 entries > HEAD_LINES ? entries - HEAD_LINES : 1, out);
	annotate_lines_release(&lines);
	annotate_view_release(&view);
	if (rest)
		buf_printf(&out->buf,
			   "%u lines not displayed, maybe increase display entries [e]\n", rest);
}

void top_code_show(struct top_code *c, const struct top_screen *s, const struct live_profile *p,
		   unsigned int min_percent, struct out *out)
{
	struct annotate a;

	top_screen_begin(s, p, out);
	buf_printf(&out->buf, "Showing %s for %s\n  Events  Pcnt (>=%u%%)\n", s->event->name,
		   c->symbol, min_percent);
	annotate_init(&a, p->code, &p->code->events.at[s->event->index]);
	if (a.symbols.n)
		show_function(c, s, p, &a, min_percent, out);
	annotate_release(&a);
}
