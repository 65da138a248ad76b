// SPDX-License-Identifier: MIT
#include "view/memory_lines.h"

#include "data/record/data_src.h"

void memory_lines_header(const struct memory_lines *l)
{
	struct buf *out = &l->out->buf;

	buf_str(out, "# PID, TID, IP, ADDR, ");
	if (l->physical)
		buf_str(out, "PHYS ADDR, ");
	if (l->page_size)
		buf_str(out, "DATA PAGE SIZE, ");
	buf_str(out, "LOCAL WEIGHT, DSRC, SYMBOL\n");
}

static void show_hex(struct buf *out, uint64_t v, const char *separator)
{
	buf_str(out, "0x");
	buf_hex(out, v);
	buf_str(out, separator);
}

static unsigned long long memory_weight(const struct sample *s)
{
	return s->type & SAMPLE_WEIGHT_STRUCT ? s->weight1 : s->weight;
}

bool memory_line_show(const struct memory_lines *l, const struct sample *s,
		      const struct place *place)
{
	const char *separator = l->separator ? l->separator : " ";
	const struct symbol *symbol = place_symbol(place);
	struct buf *out = &l->out->buf;

	if (l->hide_unresolved && !symbol)
		return out_ready(l->out);
	buf_printf(out, "%d%s%d%s", (int)s->pid, separator, (int)s->tid, separator);
	show_hex(out, s->ip, separator);
	show_hex(out, s->addr, separator);
	if (l->physical) {
		buf_str(out, "0x");
		buf_hex_zero(out, s->phys_addr, 16);
		buf_str(out, separator);
	}
	if (l->page_size) {
		data_page_size_text(s->data_page_size, out);
		buf_str(out, separator);
	}
	buf_printf(out, "%llu%s", memory_weight(s), separator);
	show_hex(out, s->data_src, separator);
	buf_safe(out, place->dso ? place->dso->long_name : "???");
	buf_char(out, ':');
	buf_safe(out, symbol ? dso_symbol_name(place->dso, symbol) : "???");
	buf_char(out, '\n');
	return out_ready(l->out);
}
