// SPDX-License-Identifier: MIT
#include "view/export/export.h"
#include "view/html/markup.h"
#include "view/out/short_name.h"

#include <string.h>

#define WIDTH	    1200.0
#define ROW	    17
#define TOP	    54
#define MARGIN	    10
#define TITLE_MOST  140 /* characters of the title */
#define LEAST_WIDTH 0.4 /* px: boxes that are narrower are left out */
#define LETTER	    6.6 /* px: average width of a character in 11 px monospace */

struct picture {
	const struct stacks *stacks;
	uint64_t *total;   /* by node */
	uint32_t *from;	   /* the children of node i: child[from[i]] up to child[from[i + 1]] */
	uint32_t *child;   /* in the order of their names */
	struct buf unit;
	int height;
	struct out *out;
};

void put_markup(const char *text, struct buf *out)
{
	for (; *text; text++) {
		switch (*text) {
		case '<': buf_str(out, "&lt;"); break;
		case '>': buf_str(out, "&gt;"); break;
		case '&': buf_str(out, "&amp;"); break;
		case '"': buf_str(out, "&quot;"); break;
		default:
			/* XML allows no other control characters. */
			if ((unsigned char)*text >= ' ' || *text == '\t' || *text == '\n')
				buf_char(out, *text);
		}
	}
}

static const struct stack_function *svg_function_of(const struct stacks *s, uint32_t node)
{
	return &s->functions.at[s->frames.at[s->nodes.at[node].frame].function];
}

static int svg_by_name(const void *a, const void *b, void *ctx)
{
	const struct stacks *s = ctx;

	return strcmp(svg_function_of(s, *(const uint32_t *)a)->name,
		      svg_function_of(s, *(const uint32_t *)b)->name);
}

static void picture_init(struct picture *p, const struct stacks *s, uint32_t event)
{
	size_t n = s->nodes.n;
	uint32_t *next = mem_zero((n + 1) * sizeof(*next));

	p->stacks = s;
	p->total = mem_zero((n + 1) * sizeof(*p->total));
	p->from = mem_zero((n + 2) * sizeof(*p->from));
	p->child = mem_zero((n + 1) * sizeof(*p->child));
	for (size_t i = 0; i < s->samples.n; i++)
		if (s->samples.at[i].event == event)
			p->total[s->samples.at[i].node] += s->samples.at[i].weight;
	for (size_t i = n; i-- > 1;) {
		p->total[s->nodes.at[i].parent] += p->total[i];
		p->from[s->nodes.at[i].parent + 1]++;
	}
	for (size_t i = 0; i < n; i++) {
		p->from[i + 1] += p->from[i];
		next[i] = p->from[i];
	}
	for (uint32_t i = 1; i < n; i++)
		p->child[next[s->nodes.at[i].parent]++] = i;
	for (size_t i = 0; i < n; i++)
		qsort_r(p->child + p->from[i], p->from[i + 1] - p->from[i], sizeof(*p->child),
			svg_by_name, (void *)s);
	free(next);
}

static void picture_release(struct picture *p)
{
	free(p->total);
	free(p->from);
	free(p->child);
	buf_release(&p->unit);
}

static double width_of(const struct picture *p, uint32_t node)
{
	return (WIDTH - 2 * MARGIN) * (double)p->total[node] / (double)MAX(p->total[0], 1);
}

static int depth_of(const struct picture *p, uint32_t node)
{
	int deepest = 0;

	if (width_of(p, node) < LEAST_WIDTH)
		return 0;
	for (uint32_t i = p->from[node]; i < p->from[node + 1]; i++)
		deepest = MAX(deepest, depth_of(p, p->child[i]));
	return deepest + 1;
}

/* Lightened hues of Okabe and Ito's palette, as on the page. */
static void put_colour(const struct stack_function *f, struct buf *out)
{
	static const uint8_t hues[STACK_KINDS][3] = {
		{230, 159, 0},	{86, 180, 233}, {204, 121, 167},
		{240, 228, 66}, {0, 178, 128},	{170, 174, 180},
	};
	unsigned int light = 22 + (unsigned int)(hash_bytes(f->name, strlen(f->name), 0) % 34);

	buf_char(out, '#');
	for (int i = 0; i < 3; i++)
		buf_hex_zero(out, hues[f->kind][i] + (255u - hues[f->kind][i]) * light / 100, 2);
}

/* Writes as many characters of a text as there is room for. */
static void svg_put_text(const char *text, size_t room, struct buf *out)
{
	AUTO_BUF cut = {0};
	size_t n;

	if (name_length(text) <= room) {
		put_markup(text, out);
		return;
	}
	/* Do not cut within a UTF-8 character. */
	for (n = MIN(room - 1, strlen(text)); n && ((unsigned char)text[n] & 0xc0) == 0x80;)
		n--;
	buf_add(&cut, text, n);
	buf_str(&cut, "\xe2\x80\xa6");
	put_markup(buf_text(&cut), out);
}

static void put_label(const char *name, double width, struct buf *out)
{
	const size_t room = (size_t)((width - 6) / LETTER);
	AUTO_BUF text = {0};

	short_name(name, room, &text);
	svg_put_text(buf_text(&text), room, out);
}

/* What the colours mean, from the right to the left. */
static void put_legend(const struct picture *p)
{
	static const char *const names[STACK_KINDS] = {"program",  "library", "kernel",
						       "JIT code", "inlined", "without a name"};
	struct buf *b = &p->out->buf;
	double x = WIDTH - MARGIN;

	for (int kind = STACK_KINDS - 1; kind >= 0; kind--) {
		const struct stack_function f = {.name = "", .kind = (uint8_t)kind};
		bool used = false;

		for (uint32_t i = 1; i < p->stacks->nodes.n && !used; i++)
			used = p->total[i] && (int)svg_function_of(p->stacks, i)->kind == kind;
		if (!used)
			continue;
		x -= LETTER * (double)strlen(names[kind]);
		buf_printf(b, "<text x=\"%.1f\" y=\"42\">%s</text>", x, names[kind]);
		x -= 15;
		buf_printf(b, "<rect x=\"%.1f\" y=\"33\" width=\"11\" height=\"11\" fill=\"", x);
		put_colour(&f, b);
		buf_str(b, "\"/>\n");
		x -= 14;
	}
}

static void put_box(struct picture *p, uint32_t node, double x, int depth)
{
	const struct stack_function *f = node ? svg_function_of(p->stacks, node) : NULL;
	const char *dso = f ? p->stacks->dsos.at[f->dso].name : "";
	struct buf *b = &p->out->buf;
	AUTO_BUF name = {0};
	double width = width_of(p, node);
	int y = p->height - MARGIN - (depth + 1) * ROW;

	if (width < LEAST_WIDTH)
		return;
	/* all code of a file that has no names is one function, which is called by its file */
	if (f && !strcmp(f->name, "[unknown]") && *dso != '[')
		buf_printf(&name, "[%s]", dso);
	else
		buf_str(&name, f ? f->name : "all");
	buf_str(b, "<g><title>");
	put_markup(buf_text(&name), b);
	if (f)
		buf_str(b, " \xc2\xb7 "), put_markup(dso, b);
	buf_printf(b, " \xc2\xb7 %.2f %% (%llu ",
		   100.0 * (double)p->total[node] / (double)MAX(p->total[0], 1),
		   (unsigned long long)p->total[node]);
	put_markup(buf_text(&p->unit), b);
	buf_printf(b, ")</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"", x,
		   y, MAX(width - 0.3, 0.1), ROW - 1);
	if (f)
		put_colour(f, b);
	else
		buf_str(b, "#c9cdd4");
	buf_str(b, "\"/>");
	if (width >= 6 + 3 * LETTER) {
		buf_printf(b, "<text x=\"%.1f\" y=\"%d\">", x + 3, y + ROW - 5);
		put_label(buf_text(&name), width, b);
		buf_str(b, "</text>");
	}
	buf_str(b, "</g>\n");
	out_ready(p->out);
	for (uint32_t i = p->from[node]; i < p->from[node + 1]; i++) {
		put_box(p, p->child[i], x, depth + 1);
		x += width_of(p, p->child[i]);
	}
}

int export_svg(const struct export_input *in, struct out *out, struct err *err)
{
	const struct stacks *s = in->stacks;
	size_t n, from = export_busiest_event(s, &n);
	const uint32_t index = n ? s->samples.at[from].event : 0;
	const struct event *event = n ? in->events->events.at[index] : NULL;
	uint64_t samples = 0;
	struct picture p = {.out = out};

	if (!event)
		return err_set(err, ERR_INPUT, "there are no samples to draw");
	picture_init(&p, s, index);
	stacks_unit(event, &p.unit);
	p.height = TOP + 2 * MARGIN + MAX(depth_of(&p, 0), 1) * ROW;
	buf_printf(&out->buf,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		   "viewBox=\"0 0 %d %d\" font-size=\"11\" "
		   "font-family=\"ui-monospace, DejaVu Sans Mono, Consolas, monospace\">\n"
		   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		   "<text x=\"%d\" y=\"22\" font-size=\"14\" font-family=\"sans-serif\">",
		   (int)WIDTH, p.height, (int)WIDTH, p.height, MARGIN);
	svg_put_text(in->title, TITLE_MOST, &out->buf);
	for (size_t i = from; i < from + n; i++)
		samples += s->samples.at[i].samples;
	buf_printf(&out->buf, "</text>\n<text x=\"%d\" y=\"42\">", MARGIN);
	put_markup(event->name, &out->buf);
	buf_printf(&out->buf,
		   " \xc2\xb7 %llu samples \xc2\xb7 callers below, callees above</text>\n",
		   (unsigned long long)samples);
	put_legend(&p);
	put_box(&p, 0, MARGIN, 0);
	buf_str(&out->buf, "</svg>\n");
	picture_release(&p);
	return 0;
}
