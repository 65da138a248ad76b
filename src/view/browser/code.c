// SPDX-License-Identifier: MIT
#include "view/browser/code.h"

#include "symbol/disasm/simplify.h"
#include "view/annotate/stdio2.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct code {
	struct browse browse;
	const struct code_options *options;
	struct annotate_view view;
	const struct annotate *a;
	struct annotate_symbol empty; /* .s of a function without samples */
	const struct annotate_symbol *s;
	struct disasm disasm;
	struct annotate_lines lines;
	struct annotate_sheet sheet;
	VEC(uint32_t) shown; /* indices of lines */
	VEC(uint32_t) hot;   /* lines with samples, hottest first */
	size_t hot_at;	     /* 1 + index in hot of the line visited last; 0: none */
	bool without_source;
	bool followed; /* another function's call led here */
	int end; /* the key that left the browser; 0: not left */
};

/* -- lines -- */

static double line_percent(const struct code *c, uint32_t line)
{
	const struct annotate_weight *of = c->lines.of[line];
	double most = 0;

	for (uint32_t e = 0; of && e < c->a->n_events; e++)
		most = MAX(most, annotate_percent(c->a, c->s, c->view.percent_type, &of[e], e));
	return most;
}

static bool is_instruction(const struct code *c, uint32_t line)
{
	return c->disasm.lines.at[line].vaddr != DISASM_NO_ADDRESS;
}

static void collect_lines(struct code *c)
{
	c->shown.n = 0;
	for (size_t i = 0; i < c->disasm.lines.n; i++)
		if (!c->without_source || is_instruction(c, (uint32_t)i))
			vec_add(&c->shown, (uint32_t)i);
	c->browse.n = c->shown.n;
}

static int compare_heat(const void *a, const void *b, void *ctx)
{
	const double x = line_percent(ctx, *(const uint32_t *)a);
	const double y = line_percent(ctx, *(const uint32_t *)b);

	if (x != y)
		return x > y ? -1 : 1;
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static void collect_hot(struct code *c)
{
	c->hot.n = 0;
	c->hot_at = 0;
	for (size_t i = 0; i < c->disasm.lines.n; i++)
		if (line_percent(c, (uint32_t)i) > 0)
			vec_add(&c->hot, (uint32_t)i);
	if (c->hot.n)
		qsort_r(c->hot.at, c->hot.n, sizeof(*c->hot.at), compare_heat, c);
}

/* The row of a line; of a hidden line, the row of the next shown one. */
static size_t row_of(const struct code *c, uint32_t line)
{
	size_t row = 0;

	while (row + 1 < c->shown.n && c->shown.at[row] < line)
		row++;
	return row;
}

static uint32_t selected_line(const struct code *c)
{
	return c->browse.at < c->shown.n ? c->shown.at[c->browse.at] : 0;
}

/* The target line of a jump within the function; DISASM_NO_LINE: the line is no such jump. */
static size_t jump_target(const struct code *c, uint32_t line)
{
	const struct insn *insn = &c->sheet.flow.insns[line];

	if (!is_instruction(c, line) || !disasm_jumps_inside(&c->disasm, insn))
		return DISASM_NO_LINE;
	for (size_t i = 0; i < c->disasm.lines.n; i++)
		if (c->disasm.lines.at[i].vaddr == insn->target)
			return i;
	return DISASM_NO_LINE;
}

/* The function that an instruction calls or jumps to. NULL: it does neither, or its target is not
 * known. */
static const struct symbol *called_symbol(const struct code *c, uint32_t line)
{
	return is_instruction(c, line) ? annotate_sheet_target(&c->sheet, line) : NULL;
}

/* -- what is seen -- */

/* The character of the selected jump's arrow in this line, in the blank behind the shares. */
static char arrow_at(const struct code *c, uint32_t line)
{
	const uint32_t from = selected_line(c);
	const size_t to = c->sheet.look.no_arrows ? DISASM_NO_LINE : jump_target(c, from);

	if (to == DISASM_NO_LINE || line < MIN(from, to) || line > MAX(from, to))
		return ' ';
	return line == to ? '>' : line == from ? '+' : '|';
}

static void code_row(void *ctx, size_t row, struct screen_line *out)
{
	const struct code *c = ctx;
	const uint32_t line = c->shown.at[row];
	const double percent = line_percent(c, line);
	const size_t start = out->text.n;

	screen_line_style(out, percent >= 5 ? STYLE_HOT : percent > 0.5 ? STYLE_WARM : STYLE_TEXT);
	/* columns of branch stacks have names, in the first line as in perf */
	annotate_sheet_line(&c->sheet, line, c->lines.branches.has_cycles, &out->text);
	if (out->text.n <= start + c->sheet.shares)
		return;
	if (out->text.at[start + c->sheet.shares] == ' ')
		out->text.at[start + c->sheet.shares] = arrow_at(c, line);
	/* a style of its own for the text behind the shares */
	if (out->n_marks < ARRAY_SIZE(out->marks)) {
		out->marks[out->n_marks].from = start + c->sheet.shares;
		out->marks[out->n_marks++].style = is_instruction(c, line) ? STYLE_TEXT : STYLE_DIM;
	}
}

static void code_title(void *ctx, struct buf *out)
{
	const struct code *c = ctx;

	buf_safe(out, c->s->name);
	if (c->s->sums[0].samples)
		buf_printf(out, "  %llu samples", (unsigned long long)c->s->sums[0].samples);
	buf_str(out, "  ");
	buf_safe(out, c->s->dso->long_name);
	buf_printf(out, "  [%s: %s]",
		   c->view.period    ? "period"
		   : c->view.samples ? "samples"
				     : "percent",
		   percent_type_text(c->view.percent_type));
	buf_str(out, "  ");
	annotate_event_name(&c->view, c->a, out);
}

static void code_status(void *ctx, struct buf *out)
{
	const struct code *c = ctx;
	const struct disasm_line *line;

	if (!c->shown.n)
		return;
	line = &c->disasm.lines.at[selected_line(c)];
	buf_printf(out, "%zu/%zu", c->browse.at + 1, c->browse.n);
	if (line->vaddr != DISASM_NO_ADDRESS)
		buf_printf(out, "  %llx", (unsigned long long)line->vaddr);
	if (line->file) {
		buf_str(out, "  ");
		buf_safe(out, line->file);
		buf_printf(out, ":%u", line->line);
	}
	if (c->hot_at)
		buf_printf(out, "  hot %zu of %zu", c->hot_at, c->hot.n);
	else if (!c->hot.n)
		buf_str(out, "  no samples in this function");
}

static const char code_help[] =
	"ENTER, RIGHT\tfollow the jump, or the call into its function\n"
	"RIGHT\tfrom other lines: scroll to the side\n"
	"LEFT\tscroll back; then back to the rows, or to where the call was followed\n"
	"H\tthe hottest line\n"
	"TAB, SHIFT-TAB\tthe next hot line, the one before\n"
	"s\tsource on or off\n"
	"k, l\tnumbers of lines of source, their files too\n"
	"o\tinstructions as the disassembler writes them\n"
	"O\toffsets of jumps' targets, of calls too, of all\n"
	"f\taddresses in place of offsets\n"
	"J\thow many jumps lead to a line\n"
	"j\tthe arrow of the selected jump on or off\n"
	"c\twith branch stacks: the least and the most cycles, too\n"
	"t\tpercent, periods or samples\n"
	"p\tpercent of the function, or of everything\n"
	"b\tpercent of periods, or of samples\n"
	"<, >\t(perf annotate) the function before, the next one\n"
	"P\twrite it to SYMBOL.annotation\n"
	"r\t(of a recording) the samples, as perf script or a script of yours prints them\n"
	"ESC\tback to where the call was followed, or leave\n";

static const struct browse_ops ops = {.row = code_row,
				      .title = code_title,
				      .status = code_status,
				      .help = code_help,
				      .owns_sides = true,
				      .searches_back = true};

/* -- life -- */

static const struct annotate_symbol *find_symbol(struct code *c, struct dso *dso,
						 const struct symbol *sym)
{
	for (size_t i = 0; i < c->a->symbols.n; i++)
		if (c->a->symbols.at[i].dso == dso && c->a->symbols.at[i].sym == sym)
			return &c->a->symbols.at[i];
	c->empty = (struct annotate_symbol){
		.dso = dso,
		.sym = sym,
		.name = dso_symbol_name(dso, sym),
		.sums = mem_zero((c->a->n_events + 1) * sizeof(*c->empty.sums))};
	return &c->empty;
}

static int code_init(struct code *c, struct screen *screen, const struct code_options *o,
		     const struct annotate *a, struct dso *dso, const struct symbol *sym,
		     struct err *err)
{
	*c = (struct code){.options = o, .view = o->view, .a = a};
	c->view.last_path = (struct buf){0};
	if (disasm_symbol(&c->disasm, dso, sym, &o->disasm, err)) {
		disasm_release(&c->disasm);
		return -1;
	}
	c->s = find_symbol(c, dso, sym);
	annotate_lines_init(&c->lines, a, c->s, &c->disasm, o->skid);
	annotate_sheet_init(&c->sheet, &c->view, a, c->s, &c->lines);
	c->browse = (struct browse){.screen = screen, .ops = &ops, .ctx = c};
	collect_lines(c);
	collect_hot(c);
	return 0;
}

static void code_release(struct code *c)
{
	browse_release(&c->browse);
	annotate_sheet_release(&c->sheet);
	annotate_lines_release(&c->lines);
	disasm_release(&c->disasm);
	annotate_view_release(&c->view);
	free(c->empty.sums);
	vec_release(&c->shown);
	vec_release(&c->hot);
}

/* -- keys -- */

static int code_show(struct screen *screen, const struct code_options *o, const struct annotate *a,
		     struct dso *dso, const struct symbol *sym, bool followed, struct err *err);

static void go_to_hot(struct code *c, long step)
{
	if (!c->hot.n) {
		browse_say(&c->browse, "no samples in this function");
		return;
	}
	if (!step || !c->hot_at)
		c->hot_at = step < 0 ? c->hot.n : 1;
	else
		c->hot_at = (c->hot_at - 1 + c->hot.n + (size_t)step) % c->hot.n + 1;
	browse_select(&c->browse, row_of(c, c->hot.at[c->hot_at - 1]));
}

static void code_follow(struct code *c)
{
	const uint32_t line = selected_line(c);
	const size_t to = jump_target(c, line);
	const struct symbol *sym = called_symbol(c, line);
	struct err err = {0};
	int key;

	if (to != DISASM_NO_LINE) {
		browse_select(&c->browse, row_of(c, (uint32_t)to));
		return;
	}
	if (!sym) {
		browse_say(&c->browse,
			   "the line neither jumps nor calls, or nobody knows where to");
		return;
	}
	key = code_show(c->browse.screen, c->options, c->a, c->s->dso, sym, true, &err);
	if (!key)
		browse_say_error(&c->browse, &err);
	else if (browse_leaves(key))
		c->end = key;
}

/* RIGHT and LEFT: as in perf they follow and go back, where there is nothing to be scrolled to. */
static void code_take_side(struct code *c, bool right)
{
	const uint32_t line = selected_line(c);

	if (right && (jump_target(c, line) != DISASM_NO_LINE || called_symbol(c, line)))
		code_follow(c);
	else if (right || c->browse.shift)
		browse_scroll(&c->browse, right);
	else if (c->followed || !c->options->functions)
		c->end = SCREEN_ESCAPE;
}

static void change_view(struct code *c, int key)
{
	struct annotate_view *v = &c->view;

	if (key == 't') {
		const bool percent = !v->samples && !v->period;

		v->samples = v->period;
		v->period = percent;
	} else if (key == 'p') {
		v->percent_type ^= PERCENT_GLOBAL_PERIOD;
	} else {
		v->percent_type ^= PERCENT_LOCAL_HITS;
	}
	annotate_sheet_measure(&c->sheet);
	collect_hot(c);
}

static bool change_look(struct code *c, int key)
{
	struct annotate_look *look = &c->sheet.look;

	switch (key) {
	case 'k':
		look->line_numbers = !look->line_numbers;
		break;
	case 'l':
		look->places = !look->places;
		break;
	case 'o':
		look->disassembler = !look->disassembler;
		break;
	case 'O':
		look->offsets = (look->offsets + 1) % OFFSETS_LEVELS;
		break;
	case 'f':
		look->addresses = !look->addresses;
		break;
	case 'c':
		if (!c->lines.branches.has_cycles)
			browse_say(&c->browse, "no branch stack with cycles led through here");
		look->cycles_range = c->lines.branches.has_cycles && !look->cycles_range;
		break;
	case 'J':
		look->jump_counts = !look->jump_counts;
		break;
	default:
		return false;
	}
	annotate_sheet_measure(&c->sheet);
	return true;
}

static void toggle_source(struct code *c)
{
	const uint32_t line = selected_line(c);

	c->without_source = !c->without_source;
	collect_lines(c);
	browse_select(&c->browse, row_of(c, line));
}

static void write_code(struct code *c)
{
	AUTO_CHAR *name = mem_printf("%.200s.annotation", c->s->name);
	struct err err = {0};
	struct out out;
	int fd;

	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '_';
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0) {
		browse_say(&c->browse, "cannot write '%s': %s", name, strerror(errno));
		return;
	}
	out_init(&out, fd);
	annotate_show_stdio2(&c->view, c->a, c->s, &c->lines, &out);
	if (out_end(&out, &err))
		browse_say_error(&c->browse, &err);
	else
		browse_say(&c->browse, "%s written", name);
	out_release(&out);
	close(fd);
}

static void run_script(struct code *c)
{
	int key;

	if (!c->options->run_script) {
		browse_say_unknown(&c->browse);
		return;
	}
	key = c->options->run_script(c->options->ctx, &c->browse, c->s->name);
	if (browse_leaves(key))
		c->end = key;
}

static void code_take(struct code *c, int key)
{
	switch (key) {
	case SCREEN_ENTER:
		code_follow(c);
		break;
	case SCREEN_LEFT:
	case SCREEN_RIGHT:
		code_take_side(c, key == SCREEN_RIGHT);
		break;
	case 'H':
		go_to_hot(c, 0);
		break;
	case SCREEN_TAB:
	case SCREEN_BACK_TAB:
		go_to_hot(c, key == SCREEN_TAB ? 1 : -1);
		break;
	case 's':
		toggle_source(c);
		break;
	case 'j':
		c->sheet.look.no_arrows = !c->sheet.look.no_arrows;
		break;
	case 't':
	case 'p':
	case 'b':
		change_view(c, key);
		break;
	case 'P':
		write_code(c);
		break;
	case '<':
	case '>':
		if (c->options->functions)
			c->end = key;
		break;
	case 'r':
		run_script(c);
		break;
	default:
		if (change_look(c, key))
			break;
		if (key == SCREEN_ESCAPE || browse_leaves(key))
			c->end = key;
		else
			browse_say_unknown(&c->browse);
	}
}

static int code_show(struct screen *screen, const struct code_options *o, const struct annotate *a,
		     struct dso *dso, const struct symbol *sym, bool followed, struct err *err)
{
	struct code c;

	if (code_init(&c, screen, o, a, dso, sym, err))
		return 0;
	c.followed = followed;
	/* draw once to get the height, so that the hottest line can be shown in the middle */
	browse_show(&c.browse);
	if (c.hot.n)
		go_to_hot(&c, 0);
	while (!c.end)
		code_take(&c, browse_key(&c.browse));
	code_release(&c);
	return c.end;
}

int code_browse(struct screen *screen, const struct code_options *o, const struct annotate *a,
		struct dso *dso, const struct symbol *sym, struct err *err)
{
	return code_show(screen, o, a, dso, sym, false, err);
}
