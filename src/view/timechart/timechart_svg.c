// SPDX-License-Identifier: MIT
/* The pieces of a time chart's picture. */
#include "view/html/markup.h"
#include "view/timechart/timechart.h"

#include <string.h>

#define MIN_TEXT_SIZE 0.01
#define GRID_MAX      1000000 /* lines */

double svg_x(const struct timechart_svg *s, uint64_t time)
{
	return 1.0 * s->width * (double)(time - s->first) / (double)MAX(s->span, 1);
}

static double svg_w(const struct timechart_svg *s, uint64_t start, uint64_t end)
{
	return svg_x(s, end) - svg_x(s, start);
}

double svg_cpu_y(const struct timechart_svg *s, uint32_t cpu)
{
	int place = (int)cpu;

	if (s->cpu_place.n)
		place = cpu < s->cpu_place.n ? s->cpu_place.at[cpu] : -1;
	return (2.0 * place + 1) * SVG_SLOT;
}

/* Rounds a font size: viewers render a font for each size. */
static double text_size(double size, double most)
{
	double rounded = 10.0;

	size = MIN(size, most);
	if (size >= rounded)
		return size;
	for (int i = 0; i < 100; i++, rounded /= 2)
		if (size >= rounded)
			return rounded;
	return size;
}

void svg_number(struct buf *b, double v, size_t decimals)
{
	if (!buf_fixed(b, v, decimals))
		buf_printf(b, "%.*f", (int)decimals, v);
}

void svg_attribute(struct buf *b, const char *name, double v, size_t decimals)
{
	buf_char(b, ' ');
	buf_str(b, name);
	buf_str(b, "=\"");
	svg_number(b, v, decimals);
	buf_char(b, '"');
}

void svg_translated(struct buf *b, double x, double y)
{
	buf_str(b, "<g transform=\"translate(");
	svg_number(b, x, 8);
	buf_char(b, ',');
	svg_number(b, y, 8);
	buf_str(b, ")\">");
}

static void svg_duration(struct buf *b, uint64_t ns)
{
	if (ns < 1000)
		return;
	svg_number(b, ns >= 1000000 ? (double)ns / 1000.0 / 1000 : (double)ns / 1000.0, 1);
	buf_str(b, ns >= 1000000 ? " ms" : " us");
}

static void svg_described(struct buf *b, const char *what, const char *chain)
{
	if (!chain)
		return;
	buf_str(b, "<desc>");
	buf_str(b, what);
	put_markup(chain, b);
	buf_str(b, "</desc>\n");
}

static const struct {
	const char *name, *fill, *opacity, *stroke;
} styles[] = {
#define BLACK "   stroke:rgb(  0,  0,  0);"
	{"process", "180,180,180", "0.9", "1;" BLACK},
	{"process2", "180,180,180", "0.9", "0;" BLACK},
	{"process3", "180,180,180", "0.5", "0;" BLACK},
	{"sample", "  0,  0,255", "0.8", "0;" BLACK},
	{"sample_hi", "255,128,  0", "0.8", "0;" BLACK},
	{"error", "255,  0,  0", "0.5", "0;" BLACK},
	{"net", "  0,128,  0", "0.5", "0;" BLACK},
	{"disk", "  0,  0,255", "0.5", "0;" BLACK},
	{"sync", "128,128,  0", "0.5", "0;" BLACK},
	{"poll", "  0,128,128", "0.2", "0;" BLACK},
	{"blocked", "255,  0,  0", "0.5", "0;" BLACK},
	{"waiting", "224,214,  0", "0.8", "0;" BLACK},
	{"WAITING", "255,214, 48", "0.6", "0;" BLACK},
	{"cpu", "192,192,192", "0.2", "0.5; stroke:rgb(128,128,128);"},
	{"pstate", "128,128,128", "0.8", "0;"},
	{"c1", "255,214,214", "0.5", "0;"},
	{"c2", "255,172,172", "0.5", "0;"},
	{"c3", "255,130,130", "0.5", "0;"},
	{"c4", "255, 88, 88", "0.5", "0;"},
	{"c5", "255, 44, 44", "0.5", "0;"},
	{"c6", "255,  0,  0", "0.5", "0;"},
#undef BLACK
};

void svg_begin(const struct timechart_svg *s)
{
	struct buf *b = &s->out->buf;

	buf_str(b, "<?xml version=\"1.0\" standalone=\"no\"?> \n"
		   "<!DOCTYPE svg SYSTEM \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n");
	buf_printf(b,
		   "<svg width=\"%i\" height=\"%llu\" version=\"1.1\" "
		   "xmlns=\"http://www.w3.org/2000/svg\">\n",
		   s->width, (unsigned long long)s->height);
	buf_str(b, "<defs>\n  <style type=\"text/css\">\n    <![CDATA[\n"
		   "      rect          { stroke-width: 1; }\n");
	for (size_t i = 0; i < ARRAY_SIZE(styles); i++)
		buf_printf(b,
			   "      rect.%-9s{ fill:rgb(%s); fill-opacity:%s; stroke-width:%s } \n",
			   styles[i].name, styles[i].fill, styles[i].opacity, styles[i].stroke);
	buf_str(b, "      line.pstate   { stroke:rgb(255,255,  0); stroke-opacity:0.8; "
		   "stroke-width:2; } \n"
		   "    ]]>\n   </style>\n</defs>\n");
}

void svg_grid(const struct timechart_svg *s, double thinnest)
{
	uint64_t step = 10000000;

	while (s->span / step > GRID_MAX)
		step *= 10;
	for (uint64_t after = (step - s->first % step) % step; after < s->span && out_ready(s->out);
	     after += step) {
		const uint64_t at = s->first + after;
		const int shade = at % 1000000000 == 0 ? 128 : at % 100000000 == 0 ? 192 : 220;
		const double thick = shade == 128 ? 2.0 : shade == 192 ? 0.5 : 0.075;

		if (thick < thinnest)
			continue;
		buf_printf(&s->out->buf,
			   "<line x1=\"%.8f\" y1=\"%.2f\" x2=\"%.8f\" y2=\"%llu\" "
			   "style=\"stroke:rgb(%i,%i,%i);stroke-width:%.3f\"/>\n",
			   svg_x(s, at), SVG_SLOT / 2, svg_x(s, at), (unsigned long long)s->height,
			   shade, shade, shade, thick);
	}
}

struct legend {
	int x;
	const char *text, *style;
};

static void svg_legend_boxes(const struct timechart_svg *s, const struct legend *boxes, size_t n)
{
	const double size = SVG_HEIGHT / 2;
	struct buf *b = &s->out->buf;

	buf_str(b, "<g>\n");
	for (size_t i = 0; i < n; i++) {
		buf_printf(b,
			   "<rect x=\"%i\" width=\"%.8f\" y=\"0\" height=\"%.1f\" class=\"%s\"/>\n",
			   boxes[i].x, size, size, boxes[i].style);
		buf_printf(b,
			   "<text transform=\"translate(%.8f, %.8f)\" font-size=\"%.8fpt\">%s"
			   "</text>\n",
			   boxes[i].x + size + 5, size, 0.8 * size, boxes[i].text);
	}
	buf_str(b, "</g>\n");
}

void svg_legend(const struct timechart_svg *s)
{
	static const struct legend boxes[] = {
		{0, "Running", "sample"},	   {100, "Idle", "c1"},
		{200, "Deeper Idle", "c3"},	   {350, "Deepest Idle", "c6"},
		{550, "Sleeping", "process2"},	   {650, "Waiting for cpu", "waiting"},
		{800, "Blocked on IO", "blocked"},
	};

	svg_legend_boxes(s, boxes, ARRAY_SIZE(boxes));
}

void svg_io_legend(const struct timechart_svg *s)
{
	static const struct legend boxes[] = {{0, "Disk", "disk"},
					      {100, "Network", "net"},
					      {200, "Sync", "sync"},
					      {300, "Poll", "poll"},
					      {400, "Error", "error"}};

	svg_legend_boxes(s, boxes, ARRAY_SIZE(boxes));
}

/* How much of its place a box takes, in quarters. perf draws those from three quarters on with a
 * tenth. */
static double io_height(double share)
{
	return share < 0.25 ? 0.25 : share < 0.50 ? 0.50 : share < 0.75 ? 0.75 : 1;
}

void svg_io(const struct timechart_svg *s, uint32_t row, const struct timechart_io *io,
	    uint64_t most)
{
	static const char *const classes[] = {
		[TIMECHART_READ] = "disk",   [TIMECHART_WRITE] = "disk", [TIMECHART_SYNC] = "sync",
		[TIMECHART_RECEIVE] = "net", [TIMECHART_SEND] = "net",	 [TIMECHART_POLL] = "poll"};
	const bool whole = io->kind == TIMECHART_SYNC || io->kind == TIMECHART_POLL;
	const bool above = io->kind == TIMECHART_READ || io->kind == TIMECHART_RECEIVE;
	const double share = io->error || whole ? 1 : most ? (double)io->bytes / (double)most : 0;
	const double height = io_height(share) * (whole ? SVG_HEIGHT : SVG_HEIGHT / 2);
	const double y = row * SVG_SLOT + (above ? 0 : SVG_HEIGHT - height);
	struct buf *b = &s->out->buf;

	buf_printf(b, "<g>\n<title>fd=%d error=%d merges=%u</title>\n", io->fd, io->error,
		   io->merges);
	/* behind a call that failed and is drawn longer, one may begin after its own end */
	buf_printf(b,
		   "<rect x=\"%.8f\" width=\"%.8f\" y=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n"
		   "</g>\n",
		   svg_x(s, io->start), svg_w(s, io->start, MAX(io->start, io->end)), y, height,
		   io->error ? "error" : classes[io->kind]);
	out_ready(s->out);
}

void svg_cpu(const struct timechart_svg *s, uint32_t cpu)
{
	const double y = svg_cpu_y(s, cpu), x = 10 + svg_x(s, s->first);
	struct buf *b = &s->out->buf;

	buf_printf(b,
		   "<g>\n<rect x=\"%.8f\" width=\"%.8f\" y=\"%.1f\" height=\"%.1f\" "
		   "class=\"cpu\"/>\n",
		   svg_x(s, s->first), svg_w(s, s->first, s->first + s->span), y,
		   SVG_SLOT + SVG_HEIGHT);
	buf_printf(b, "<text x=\"%.8f\" y=\"%.8f\">CPU %u</text>\n", x, y + SVG_HEIGHT / 2, cpu);
	buf_printf(b, "<text transform=\"translate(%.8f,%.8f)\" font-size=\"1.25pt\">", x,
		   y + SVG_SLOT + SVG_HEIGHT - 4);
	if (s->view->cpu_name) {
		put_markup(s->view->cpu_name, b);
		buf_char(b, '\n');
	}
	buf_str(b, "</text>\n</g>\n");
	out_ready(s->out);
}

static void svg_class(struct buf *b, const char *style)
{
	buf_str(b, " class=\"");
	buf_str(b, style);
	buf_str(b, "\"/>\n");
}

/* A rectangle from the origin of its group on. */
static void svg_upright(struct buf *b, double width, double height, const char *style)
{
	buf_str(b, "<rect x=\"0\"");
	svg_attribute(b, "width", width, 8);
	buf_str(b, " y=\"0\"");
	svg_attribute(b, "height", height, 1);
	svg_class(b, style);
}

static void svg_turned_text(struct buf *b, double size)
{
	buf_str(b, "<text transform=\"rotate(90)\" font-size=\"");
	svg_number(b, size, 8);
	buf_str(b, "pt\">");
}

void svg_cpu_span(const struct timechart_svg *s, const struct timechart_span *span, uint32_t tid,
		  const char *name, const char *chain)
{
	const struct timechart_view *v = s->view;
	const bool stands_out = (v->highlight && span->end - span->start >= v->highlight) ||
				(v->highlight_name && strstr(name, v->highlight_name));
	const double width = svg_w(s, span->start, span->end), size = text_size(width, 6);
	struct buf *b = &s->out->buf;

	svg_translated(b, svg_x(s, span->start), svg_cpu_y(s, span->cpu));
	buf_str(b, "\n<title>");
	buf_sdec(b, (int32_t)tid);
	buf_char(b, ' ');
	put_markup(name, b);
	buf_str(b, " running ");
	svg_duration(b, span->end - span->start);
	buf_str(b, "</title>\n");
	svg_described(b, "Switched because:\n", chain);
	svg_upright(b, width, SVG_SLOT + SVG_HEIGHT, stands_out ? "sample_hi" : "sample");
	if (size > MIN_TEXT_SIZE) {
		svg_turned_text(b, size);
		put_markup(name, b);
		buf_str(b, "</text>\n");
	}
	buf_str(b, "</g>\n");
	out_ready(s->out);
}

void svg_box(const struct timechart_svg *s, uint32_t row, uint64_t start, uint64_t end,
	     const char *style)
{
	struct buf *b = &s->out->buf;

	buf_str(b, "<rect");
	svg_attribute(b, "x", svg_x(s, start), 8);
	svg_attribute(b, "width", svg_w(s, start, end), 8);
	svg_attribute(b, "y", row * SVG_SLOT, 1);
	svg_attribute(b, "height", SVG_HEIGHT, 1);
	svg_class(b, style);
}

static void svg_title(const struct timechart_svg *s, const struct timechart_span *span,
		      const char *what)
{
	struct buf *b = &s->out->buf;

	buf_str(b, "<title>#");
	buf_dec(b, span->cpu);
	buf_char(b, ' ');
	buf_str(b, what);
	buf_char(b, ' ');
	svg_duration(b, span->end - span->start);
	buf_str(b, "</title>\n");
}

static void svg_running(const struct timechart_svg *s, uint32_t row,
			const struct timechart_span *span, const char *chain)
{
	const bool stands_out = s->view->highlight && span->end - span->start > s->view->highlight;
	const double width = svg_w(s, span->start, span->end),
		     size = text_size(span->cpu > 9 ? width / 2 : width, 1.25);
	struct buf *b = &s->out->buf;

	buf_str(b, "<g>\n");
	svg_title(s, span, "running");
	svg_described(b, "Switched because:\n", chain);
	svg_box(s, row, span->start, span->end, stands_out ? "sample_hi" : "sample");
	if (size > MIN_TEXT_SIZE)
		buf_printf(b, "<text x=\"%.8f\" y=\"%.8f\" font-size=\"%.8fpt\">%i</text>\n",
			   svg_x(s, span->start), row * SVG_SLOT + SVG_HEIGHT - 1, size,
			   (int)span->cpu + 1);
}

static void svg_waiting(const struct timechart_svg *s, uint32_t row,
			const struct timechart_span *span, const char *chain)
{
	const uint64_t ns = span->end - span->start;
	const double width = svg_w(s, span->start, span->end), size = text_size(width, 3);
	struct buf *b = &s->out->buf;

	svg_translated(b, svg_x(s, span->start), row * SVG_SLOT);
	buf_char(b, '\n');
	svg_title(s, span, "waiting");
	svg_described(b, "Waiting on:\n", chain);
	svg_upright(b, width, SVG_HEIGHT, ns > 10000000 ? "WAITING" : "waiting");
	if (size > MIN_TEXT_SIZE) {
		svg_turned_text(b, size);
		buf_char(b, ' ');
		svg_duration(b, ns);
		buf_str(b, "</text>\n");
	}
}

void svg_span(const struct timechart_svg *s, uint32_t row, const struct timechart_span *span,
	      const char *chain)
{
	struct buf *b = &s->out->buf;

	if (span->state == TIMECHART_RUNNING) {
		svg_running(s, row, span, chain);
	} else if (span->state == TIMECHART_WAITING) {
		svg_waiting(s, row, span, chain);
	} else {
		buf_str(b, "<g>\n");
		svg_title(s, span, "blocked");
		svg_described(b, "Blocked on:\n", chain);
		svg_box(s, row, span->start, span->end, "blocked");
	}
	buf_str(b, "</g>\n");
	out_ready(s->out);
}

static void svg_idle(const struct timechart_svg *s, const struct timechart_power *p)
{
	const int state = (int)MIN(p->value, 6);
	const double width = svg_w(s, p->start, p->end), size = text_size(width / 2, 6),
		     y = svg_cpu_y(s, p->cpu);
	struct buf *b = &s->out->buf;

	buf_printf(b,
		   "<g>\n<rect class=\"c%i\" x=\"%.8f\" width=\"%.8f\" y=\"%.1f\" "
		   "height=\"%.1f\"/>\n",
		   state, svg_x(s, p->start), width, y, SVG_SLOT + SVG_HEIGHT);
	if (size > MIN_TEXT_SIZE)
		buf_printf(b, "<text x=\"%.8f\" y=\"%.8f\" font-size=\"%.8fpt\">C%i</text>\n",
			   svg_x(s, p->start), y + size, size, state);
	buf_str(b, "</g>\n");
}

static void svg_frequency_text(const struct timechart_svg *s, uint64_t khz)
{
	struct buf *b = &s->out->buf;

	if (khz == s->turbo_frequency)
		buf_str(b, "Turbo");
	else if (khz > 1500000)
		buf_printf(b, " %6.2f Ghz", ((double)khz + 5000.0) / 1000000);
	else if (khz > 1000)
		buf_printf(b, " %6llu Mhz", (unsigned long long)(khz + 500) / 1000);
	else
		buf_printf(b, "%9llu", (unsigned long long)khz);
}

void svg_power(const struct timechart_svg *s, const struct timechart_power *p)
{
	const double most = SVG_HEIGHT + SVG_SLOT,
		     share = s->max_frequency ? (double)p->value / (double)s->max_frequency : 0,
		     y = 1 + svg_cpu_y(s, p->cpu) + most - share * most;
	struct buf *b = &s->out->buf;

	if (p->idle) {
		svg_idle(s, p);
	} else {
		buf_printf(b,
			   "<g>\n<line x1=\"%.8f\" x2=\"%.8f\" y1=\"%.1f\" y2=\"%.1f\" "
			   "class=\"pstate\"/>\n",
			   svg_x(s, p->start), svg_x(s, p->end), y, y);
		buf_printf(b, "<text x=\"%.8f\" y=\"%.8f\" font-size=\"0.25pt\">",
			   svg_x(s, p->start), y + 0.9);
		svg_frequency_text(s, p->value);
		buf_str(b, "</text>\n</g>\n");
	}
	out_ready(s->out);
}
