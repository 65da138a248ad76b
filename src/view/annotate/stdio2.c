// SPDX-License-Identifier: MIT
#include "view/annotate/stdio2.h"

#include "symbol/disasm/flow.h"
#include "symbol/disasm/simplify.h"
#include "view/report/report.h"

#include <stdio.h>

/* Widths to which perf pads lines, behind the columns of shares. */
#define INSTRUCTION_FILL 3
#define TEXT_FILL	 -1

/* Widths of the columns of branch stacks. */
#define IPC_WIDTH	   6
#define CYCLES_WIDTH	   6
#define CYCLES_RANGE_WIDTH 19
#define AVERAGE_IPC_WIDTH  36

#define UP    "\xe2\x86\x91"
#define DOWN  "\xe2\x86\x93"
#define RIGHT "\xe2\x86\x92"
#define LEFT  "\xe2\x86\x90"

static size_t hex_width(uint64_t v)
{
	size_t n = 1;

	while (v >>= 4)
		n++;
	return n;
}

static size_t shares_width(const struct annotate_sheet *sh)
{
	return (sh->v->period ? 12 : 7) * sh->a->n_events;
}

static size_t cycles_width(const struct annotate_sheet *sh)
{
	return sh->look.cycles_range ? CYCLES_RANGE_WIDTH : CYCLES_WIDTH;
}

static size_t branches_width(const struct annotate_sheet *sh)
{
	return sh->l->branches.has_cycles ? IPC_WIDTH + cycles_width(sh) : 0;
}

void annotate_sheet_measure(struct annotate_sheet *sh)
{
	const bool addresses = sh->look.addresses || sh->look.disassembler;
	const struct disasm *d = sh->l->disasm;
	uint32_t most = 0;

	sh->shares = shares_width(sh) + branches_width(sh);
	sh->address = hex_width(addresses ? d->end : d->end - d->start);
	for (size_t i = 0; i < d->lines.n; i++)
		most = MAX(most, sh->flow.jumps[i]);
	sh->jumps = sh->look.jump_counts ? (size_t)snprintf(NULL, 0, "%u ", most) : 0;
	for (size_t i = 0; i < d->lines.n; i++)
		if (d->lines.at[i].vaddr != DISASM_NO_ADDRESS)
			sh->name = MAX(sh->name, disasm_name_width(&d->lines.at[i]));
}

static void add_filled(struct buf *b, const char *text, size_t width)
{
	buf_left(b, text, width);
}

static void add_shares(const struct annotate_sheet *sh, const struct annotate_weight *of,
		       bool first, struct buf *b)
{
	double most = 0;

	for (uint32_t e = 0; of && e < sh->a->n_events; e++)
		most = MAX(most, annotate_percent(sh->a, sh->s, sh->v->percent_type, &of[e], e));
	if (most == 0) {
		add_filled(b,
			   !first	    ? ""
			   : sh->v->period  ? "Period"
			   : sh->v->samples ? "Samples"
					    : "Percent",
			   shares_width(sh));
		return;
	}
	for (uint32_t e = 0; e < sh->a->n_events; e++) {
		if (sh->v->period)
			buf_printf(b, "%11llu ", (unsigned long long)of[e].period);
		else if (sh->v->samples)
			buf_printf(b, "%6llu ", (unsigned long long)of[e].samples);
		else
			buf_printf(b, "%6.2f ",
				   annotate_percent(sh->a, sh->s, sh->v->percent_type, &of[e], e));
	}
}

/* Appends a text to the right, and a blank. */
static void add_right(struct buf *b, const char *text, size_t width)
{
	const size_t n = strlen(text);

	buf_fill(b, ' ', n + 1 < width ? width - n - 1 : 0);
	buf_str(b, text);
	buf_char(b, ' ');
}

/* Appends the instructions per cycle of the block, and the cycles of the block that ends here. */
static void add_branches(const struct annotate_sheet *sh, size_t i, bool first, struct buf *b)
{
	const struct line_branches *branches = &sh->l->branches;
	const struct line_cycles *c = &branches->cycles[i];
	char text[80] = "";

	if (c->ipc != 0)
		snprintf(text, sizeof(text), "%.2f", (double)c->ipc);
	add_right(b, c->ipc == 0 && first ? "IPC" : text, IPC_WIDTH);
	text[0] = 0;
	if (c->cycles && sh->look.cycles_range)
		snprintf(text, sizeof(text), "%llu(%llu/%llu)", (unsigned long long)c->cycles,
			 (unsigned long long)c->least, (unsigned long long)c->most);
	else if (c->cycles)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)c->cycles);
	else if (first)
		snprintf(text, sizeof(text), "%s",
			 sh->look.cycles_range ? "Cycle(min/max)" : "Cycle");
	add_right(b, text, cycles_width(sh));
	if (!first || *sh->l->disasm->lines.at[i].text)
		return;
	snprintf(text, sizeof(text), "(Average IPC: %.2f, IPC Coverage: %.1f%%)", branches->ipc,
		 branches->ipc_coverage);
	buf_fill(b, ' ', AVERAGE_IPC_WIDTH - MIN(strlen(text), (size_t)AVERAGE_IPC_WIDTH));
	buf_str(b, text);
}

static const char *arrow_of(const struct annotate_sheet *sh, size_t i)
{
	const struct insn *insn = &sh->flow.insns[i];

	switch (insn->kind) {
	case INSN_JUMP:
		/* a jump that leaves the function, or may leave it, is shown like a call */
		if (!disasm_jumps_inside(sh->l->disasm, insn))
			return RIGHT " ";
		return insn->target > sh->l->disasm->lines.at[i].vaddr ? DOWN " " : UP " ";
	case INSN_CALL:
		return RIGHT " ";
	case INSN_RETURN:
		return LEFT " ";
	default:
		return "  ";
	}
}

const struct symbol *annotate_sheet_target(const struct annotate_sheet *sh, size_t i)
{
	const struct insn *insn = &sh->flow.insns[i];
	struct dso *dso = sh->s->dso;

	if (!insn->has_target)
		return NULL;
	if (dso->kind == DSO_FILE)
		return dso_find(dso, dso_rva_of_vaddr(dso, insn->target));
	/* the kernel may have been moved since it was linked, all of it by the same distance */
	if (dso->kind == DSO_KERNEL)
		return dso_find(dso, sh->s->sym->start + insn->target - sh->l->disasm->start);
	return NULL;
}

static const char *target_name(const struct annotate_sheet *sh, size_t i)
{
	const struct symbol *sym = annotate_sheet_target(sh, i);

	return sym ? dso_symbol_name(sh->s->dso, sym) : NULL;
}

static bool has_offset(const struct annotate_sheet *sh, size_t i)
{
	return sh->flow.jumps[i] || sh->look.offsets == OFFSETS_ALL ||
	       (sh->look.offsets == OFFSETS_CALLS && sh->flow.insns[i].kind == INSN_CALL);
}

static void add_address(const struct annotate_sheet *sh, size_t i, struct buf *b)
{
	const struct disasm *d = sh->l->disasm;
	const bool address = sh->look.addresses || sh->look.disassembler;

	if (!address && !has_offset(sh, i)) {
		buf_fill(b, ' ', sh->address + 2);
		return;
	}
	buf_hex_right(b, d->lines.at[i].vaddr - (address ? 0 : d->start), sh->address);
	buf_str(b, ": ");
}

/* Appends a source line, with its file and number where they are known and wanted. */
static void add_source(const struct annotate_sheet *sh, const struct disasm_line *line,
		       struct buf *b)
{
	const size_t column = sh->jumps + sh->address + 2;
	AUTO_BUF text = {0};

	if (sh->look.places && line->file) {
		buf_safe(&text, line->file);
		buf_printf(&text, ":%u ", line->line);
	}
	if (!text.n && sh->look.line_numbers && line->file)
		buf_printf(&text, "%u ", line->line);
	buf_left(b, buf_text(&text), column);
	if (text.n > column)
		buf_char(b, ' ');
	add_filled(b, line->text, sh->shares + sh->address + 2 + TEXT_FILL);
}

static void add_instruction(const struct annotate_sheet *sh, size_t i, struct buf *b)
{
	const struct disasm *d = sh->l->disasm;
	AUTO_BUF text = {0};

	if (!sh->flow.jumps[i])
		buf_fill(b, ' ', sh->jumps);
	else if (sh->jumps)
		buf_printf(b, "%*u ", (int)sh->jumps - 1, sh->flow.jumps[i]);
	add_address(sh, i, b);
	buf_str(b, arrow_of(sh, i));
	if (sh->look.disassembler)
		buf_str(&text, d->lines.at[i].text);
	else
		disasm_simplify(d, &d->lines.at[i], &sh->flow.insns[i], target_name(sh, i),
				sh->name, &text);
	add_filled(b, buf_text(&text), sh->shares + sh->address + 2 + INSTRUCTION_FILL);
}

void annotate_sheet_line(const struct annotate_sheet *sh, size_t i, bool headed, struct buf *b)
{
	const struct disasm_line *line = &sh->l->disasm->lines.at[i];

	add_shares(sh, sh->l->of[i], headed && i == 0, b);
	if (sh->l->branches.has_cycles)
		add_branches(sh, i, headed && i == 0, b);
	buf_char(b, ' ');
	if (line->vaddr != DISASM_NO_ADDRESS) {
		add_instruction(sh, i, b);
	} else if (!*line->text) {
		buf_fill(b, ' ', sh->shares);
	} else {
		add_source(sh, line, b);
	}
}

void annotate_sheet_init(struct annotate_sheet *sh, const struct annotate_view *v,
			 const struct annotate *a, const struct annotate_symbol *s,
			 const struct annotate_lines *l)
{
	*sh = (struct annotate_sheet){.v = v, .a = a, .s = s, .l = l, .look = v->look};
	disasm_flow_init(&sh->flow, l->disasm, &sh->arena);
	annotate_sheet_measure(sh);
}

void annotate_sheet_release(struct annotate_sheet *sh)
{
	arena_release(&sh->arena);
}

/* As in perf: the samples of all events, but the period of the first event only. */
static void stdio2_show_title(const struct annotate_view *v, const struct annotate *a,
			      const struct annotate_symbol *s, struct buf *b)
{
	uint64_t samples = 0;
	AUTO_BUF name = {0};
	char unit;

	for (uint32_t e = 0; e < a->n_events; e++)
		samples += a->totals[e].samples;
	samples = report_unit(samples, &unit);
	annotate_event_name(v, a, &name);
	buf_printf(b, "Samples: %llu%c of event%s '%s',", (unsigned long long)samples, unit,
		   a->n_events > 1 ? "s" : "", buf_text(&name));
	if (a->event->attr.flags & ATTR_FREQ)
		buf_printf(b, " %llu Hz,", (unsigned long long)a->event->attr.sample_period);
	buf_printf(b, " Event count (approx.): %llu, [percent: %s]\n%s() %s\n",
		   (unsigned long long)a->totals[0].period, percent_type_text(v->percent_type),
		   s->name, s->dso->long_name);
}

bool annotate_show_stdio2(struct annotate_view *v, const struct annotate *a,
			  const struct annotate_symbol *s, struct annotate_lines *l,
			  struct out *out)
{
	struct annotate_sheet sh;
	bool more = true;

	annotate_sheet_init(&sh, v, a, s, l);
	if (v->print_lines)
		annotate_show_summary(v, a, s, l, out);
	stdio2_show_title(v, a, s, &out->buf);
	annotate_show_skid(l, out);
	for (size_t i = 0; i < l->disasm->lines.n && more; i++) {
		annotate_sheet_line(&sh, i, true, &out->buf);
		buf_char(&out->buf, '\n');
		more = out_ready(out);
	}
	annotate_sheet_release(&sh);
	return more;
}
