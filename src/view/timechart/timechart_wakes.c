// SPDX-License-Identifier: MIT
/* Wakeups in a time chart: lines between the rows of tasks. */
#include "view/html/markup.h"
#include "view/timechart/timechart.h"

static void svg_wake_line(const struct timechart_svg *s, double x, double from, double to)
{
	struct buf *b = &s->out->buf;

	buf_str(b, "<line");
	svg_attribute(b, "x1", x, 8);
	svg_attribute(b, "y1", from, 2);
	svg_attribute(b, "x2", x, 8);
	svg_attribute(b, "y2", to, 2);
	buf_str(b, " style=\"stroke:rgb(32,255,32);stroke-width:0.009\"/>\n");
}

static void svg_wake_name(const struct timechart_svg *s, double x, double y, const char *name,
			  const char *arrow)
{
	struct buf *b = &s->out->buf;

	svg_translated(b, x, y);
	buf_str(b, "<text transform=\"rotate(90)\" font-size=\"0.02pt\">");
	put_markup(name, b);
	buf_char(b, ' ');
	buf_str(b, arrow);
	buf_str(b, "</text></g>\n");
}

static void svg_dot(const struct timechart_svg *s, double x, double y, const char *colour)
{
	struct buf *b = &s->out->buf;

	buf_str(b, "<circle ");
	svg_attribute(b, "cx", x, 8);
	svg_attribute(b, "cy", y, 2);
	buf_str(b, " r = \"0.01\"  style=\"fill:rgb(");
	buf_str(b, colour);
	buf_str(b, ")\"/>\n");
}

/* Draws a stub at both rows, each with the name of the other task. */
static void svg_wake_stubs(const struct timechart_svg *s, double x, uint32_t from,
			   const char *waker, uint32_t to, const char *wakee)
{
	const bool down = from < to;
	const uint32_t upper = down ? from : to, lower = down ? to : from;
	const char *arrow = down ? "&gt;" : "&lt;";
	const double below = upper * SVG_SLOT + SVG_HEIGHT, above = lower * SVG_SLOT;

	if (upper) {
		svg_wake_line(s, x, below, below + SVG_SLOT / 32);
		svg_wake_name(s, x, below + (down ? SVG_HEIGHT : SVG_SLOT) / 48,
			      down ? wakee : waker, arrow);
	}
	if (lower) {
		svg_wake_line(s, x, above - SVG_SLOT / 32, above);
		svg_wake_name(s, x, above - (down ? SVG_SLOT : SVG_HEIGHT) / 32,
			      down ? waker : wakee, arrow);
	}
}

void svg_wake(const struct timechart_svg *s, uint64_t time, uint32_t from, const char *waker,
	      uint32_t to, const char *wakee, const char *chain)
{
	const double x = svg_x(s, time), y = from * SVG_SLOT + (to > from ? SVG_HEIGHT : 0);
	const bool neighbours = from && to && (from + 1 == to || to + 1 == from);
	struct buf *b = &s->out->buf;

	buf_str(b, "<g>\n");
	if (!neighbours) {
		buf_str(b, "<title>");
		put_markup(waker, b);
		buf_str(b, " wakes up ");
		put_markup(wakee, b);
		buf_str(b, "</title>\n");
	}
	if (chain) {
		buf_str(b, "<desc>");
		put_markup(chain, b);
		buf_str(b, "</desc>\n");
	}
	if (neighbours)
		svg_wake_line(s, x, MIN(from, to) * SVG_SLOT + SVG_HEIGHT,
			      MAX(from, to) * SVG_SLOT);
	else
		svg_wake_stubs(s, x, from, waker, to, wakee);
	if (from)
		svg_dot(s, x, y, "32,255,32");
	buf_str(b, "</g>\n");
	out_ready(s->out);
}

void svg_interrupt(const struct timechart_svg *s, uint64_t time, uint32_t row, const char *chain)
{
	const double x = svg_x(s, time), y = row * SVG_SLOT;
	struct buf *b = &s->out->buf;

	buf_str(b, "<g>\n<title>Wakeup from interrupt</title>\n");
	if (chain) {
		buf_str(b, "<desc>");
		put_markup(chain, b);
		buf_str(b, "</desc>\n");
	}
	svg_dot(s, x, y, "255,128,128");
	svg_dot(s, x, y + SVG_HEIGHT, "255,128,128");
	buf_str(b, "</g>\n");
	out_ready(s->out);
}
