// SPDX-License-Identifier: MIT
#include "view/trace/event_line.h"

#include "view/script/script_fields.h"

#include <ctype.h>
#include <inttypes.h>

#define CONFIG_PAGE_FAULTS     2
#define CONFIG_PAGE_FAULTS_MIN 5
#define CONFIG_PAGE_FAULTS_MAJ 6

#define CHAIN_INDENT 39
#define ARRAY_MOST   32 /* elements of an array that are shown */

bool event_is_fault(const struct event *ev)
{
	const struct attr *a = &ev->attr;

	return a->type == TYPE_SOFTWARE &&
	       (a->config == CONFIG_PAGE_FAULTS || a->config == CONFIG_PAGE_FAULTS_MIN ||
		a->config == CONFIG_PAGE_FAULTS_MAJ);
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static void array_show(const struct event_lines *l, const struct tp_field *f,
		       const struct sample *s, struct buf *out)
{
	size_t n = 0, each = f->elements ? f->size / f->elements : 1;
	const uint8_t *p = tp_field_bytes(l->formats, f, s->raw, s->raw_size, &n);

	if (f->is_string) {
		const size_t from = out->n + 1;

		buf_char(out, '"');
		buf_add(out, p ? p : (const uint8_t *)"", p ? strnlen((const char *)p, n) : 0);
		buf_make_safe(out, from);
		buf_char(out, '"');
		return;
	}
	if (strstr(f->type, "long"))
		each = l->formats->long_size ? l->formats->long_size : 8;
	each = each == 1 || each == 2 || each == 4 || each == 8 ? each : 1;
	buf_char(out, '{');
	for (size_t i = 0; p && i < n / each && i < ARRAY_MOST; i++)
		buf_printf(
			out, "%s%" PRId64, i ? ", " : "",
			(int64_t)tp_raw_number(p + i * each, each, l->formats->swap, f->is_signed));
	buf_str(out, n / each > ARRAY_MOST ? ", ...}" : "}");
}

static void number_show(const struct event_lines *l, const struct tp_field *f, uint64_t v,
			uint32_t pid, struct buf *out)
{
	const struct call_style *style = &l->lines->style;
	const char *text = NULL;

	if (f->is_pointer || strstr(f->name, "addr")) {
		buf_printf(out, "%#" PRIx64, v);
		return;
	}
	if (!strcmp(f->type, "umode_t")) {
		buf_printf(out, "%#" PRIo64, v);
		return;
	}
	buf_printf(out, "%" PRId64, (int64_t)v);
	if (!strcmp(f->type, "pid_t")) {
		text = style->comm ? style->comm(style->ctx, (uint32_t)v) : NULL;
		if (text && *text != ':') {
			buf_str(out, " (");
			buf_safe(out, text);
			buf_char(out, ')');
		}
	} else if (ends_with(f->name, "fd") && style->path && (int64_t)v >= 0) {
		text = style->path(style->ctx, pid, (int)v);
		if (text) {
			buf_char(out, '<');
			buf_safe(out, text);
			buf_char(out, '>');
		}
	}
}

/* Begins a field and gets its value *v; false: the field is left out. */
static bool field_begin(const struct event_lines *l, const struct tp_field *f,
			const struct sample *s, bool zeros, uint64_t *v)
{
	*v = f->is_array ? 1 : tp_field_u64(l->formats, f, s->raw, s->raw_size);
	return !f->is_common && (*v || zeros);
}

static void field_show(const struct event_lines *l, const struct tp_field *f,
		       const struct sample *s, uint64_t v, struct buf *out)
{
	if (f->is_array)
		array_show(l, f, s, out);
	else
		number_show(l, f, v, s->pid, out);
}

static void fields_show(const struct event_lines *l, const struct tp_format *fmt,
			const struct sample *s, struct buf *out)
{
	bool first = true;
	uint64_t v;

	for (size_t i = 0; i < fmt->fields.n; i++) {
		const struct tp_field *f = &fmt->fields.at[i];

		if (!field_begin(l, f, s, l->lines->style.zeros, &v))
			continue;
		buf_str(out, first ? "" : ", ");
		first = false;
		if (!l->lines->style.no_names)
			buf_printf(out, "%s: ", f->name);
		field_show(l, f, s, v, out);
	}
}

static void location_show(const struct script_frame *f, uint64_t address, bool with_dso,
			  bool with_symbol, struct buf *out)
{
	if (with_dso && f->place.map) {
		buf_safe(out, f->place.dso->long_name);
		buf_char(out, '@');
	}
	if (with_symbol && f->sym) {
		script_symbol_text(f, true, out);
		return;
	}
	buf_str(out, "0x");
	buf_hex(out, f->place.map ? place_rva(&f->place) : address);
}

/* "minfault [memset+0x10] => /usr/lib/libc.so.6@0x1000 (d.)": code, and the data that it touched.
 */
static void fault_show(struct event_lines *l, const struct record *r, uint32_t epoch,
		       struct buf *out)
{
	const struct sample *s = &r->sample;
	const uint8_t mode = r->header.misc & MISC_CPUMODE_MASK;
	const uint64_t config = r->event->attr.config;
	const struct script_frame *at =
		script_frame(&l->frames, epoch, mode, s->ip, FIELD_SYM | SCRIPT_FRAME_SYMBOL);
	struct place data = world_place_data(l->world, epoch, mode, s->addr);
	const struct script_frame *to;

	buf_str(out, config == CONFIG_PAGE_FAULTS_MAJ	? "majfault ["
		     : config == CONFIG_PAGE_FAULTS_MIN ? "minfault ["
							: "fault [");
	location_show(at, s->ip, false, true, out);
	buf_str(out, "] => ");
	to = script_frame(&l->frames, epoch, data.cpumode, s->addr, SCRIPT_FRAME_SYMBOL);
	location_show(to, s->addr, true, false, out);
	buf_printf(out, " (%c%c)\n", to->place.map ? 'd' : '?', to->place.level);
}

/* A line of script's chain, "  7f12 sym (dso)", as trace has it: an address without a symbol stands
 * in the symbol's place. */
static void frame_show(const char *line, size_t n, struct buf *out)
{
	static const char unknown[] = "[unknown]";
	const char *end = line + n, *ip;

	while (line < end && isspace((unsigned char)*line))
		line++;
	for (ip = line; line < end && *line != ' ';)
		line++;
	n = (size_t)(line - ip);
	line += line < end;
	buf_fill(out, ' ', CHAIN_INDENT);
	if ((size_t)(end - line) > strlen(unknown) && !memcmp(line, unknown, strlen(unknown))) {
		buf_str(out, n == 1 && *ip == '0' ? "[" : "[0x");
		buf_add(out, ip, n);
		buf_char(out, ']');
		line += strlen(unknown);
	}
	buf_add(out, line, (size_t)(end - line));
	buf_char(out, '\n');
}

/* The sample's chain below its line. Returns how many frames it has. */
static unsigned int chain_show(struct event_lines *l, const struct record *r, uint32_t epoch,
			       struct buf *out)
{
	AUTO_BUF text = {0};
	unsigned int n = 0;

	script_chain(&l->frames, epoch, r->event, &r->sample, FIELD_IP | FIELD_SYM | FIELD_DSO,
		     &text);
	for (const char *p = buf_text(&text), *end; *p; p = end + (*end == '\n')) {
		end = p + strcspn(p, "\n");
		if (end == p)
			continue;
		frame_show(p, (size_t)(end - p), out);
		n++;
	}
	return n;
}

static void head_show(const struct event_lines *l, const struct record *r, const char *comm,
		      struct buf *out)
{
	const struct call_lines *c = l->lines;

	if (!c->no_duration && event_is_fault(r->event))
		buf_str(out, "( 0.000 ms): ");
	else if (!c->no_duration && l->calls)
		buf_str(out, "(         ): ");
	if (c->cpu)
		buf_printf(out, "[%03u] ", r->sample.cpu);
	if (!c->no_comm) {
		buf_safe(out, comm);
		buf_char(out, '/');
	}
	buf_dec(out, r->sample.tid);
	buf_char(out, ' ');
}

/* Shows an event as CSV or JSON. A page fault, or a tracepoint by its own print format, is one
 * text. */
static void event_row_show(struct event_lines *l, const struct record *r, const char *comm,
		     uint32_t epoch, const struct tp_format *fmt, struct buf *out)
{
	const struct sample *s = &r->sample;
	const bool json = l->lines->rows.form == CALL_ROWS_JSON;
	struct event_row row = {&l->lines->rows, out,	  {0},	  false,  comm,
				r->event->name,	 s->time, s->pid, s->tid, s->cpu};
	AUTO_BUF text = {0};
	uint64_t v;

	event_row_begin(&row);
	if (event_is_fault(r->event)) {
		fault_show(l, r, epoch, &text);
		text.n -= text.n > 0; /* the end of the line */
		event_row_field(&row, NULL, buf_text(&text));
	} else if (fmt && l->texts) {
		tp_text_show(l->texts, fmt->id, s->raw, s->raw_size, s->cpu, &text);
		event_row_field(&row, NULL, buf_text(&text));
	}
	for (size_t i = 0; fmt && !l->texts && i < fmt->fields.n; i++) {
		const struct tp_field *f = &fmt->fields.at[i];

		if (!field_begin(l, f, s, json || l->lines->style.zeros, &v))
			continue;
		buf_clear(&text);
		field_show(l, f, s, v, &text);
		event_row_field(&row, f->name, buf_text(&text));
	}
	event_row_end(&row);
}

/* The epoch of the process's maps now: the first thread has the maps. */
static uint32_t sample_epoch(const struct event_lines *l, const struct sample *s)
{
	return world_epoch(l->world, world_thread(l->world, s->pid, s->pid, WORLD_NOW), WORLD_NOW);
}

unsigned int event_chain_show(struct event_lines *l, const struct record *r, struct buf *out)
{
	if (!(r->sample.type & SAMPLE_CALLCHAIN))
		return 0;
	script_frames_bound(&l->frames);
	return chain_show(l, r, sample_epoch(l, &r->sample), out);
}

bool event_line_show(struct event_lines *l, const struct record *r, struct buf *out)
{
	const struct sample *s = &r->sample;
	struct thread *t = world_thread(l->world, s->pid, s->tid, WORLD_NOW);
	const uint32_t epoch = sample_epoch(l, s);
	const struct tp_format *fmt =
		r->event->attr.type == TYPE_TRACEPOINT
			? tp_formats_find(l->formats, (uint32_t)r->event->attr.config)
			: NULL;
	const size_t from = out->n;

	script_frames_bound(&l->frames);
	if (l->lines->rows.form) {
		event_row_show(l, r, world_comm(l->world, t, WORLD_NOW), epoch, fmt, out);
		return true;
	}
	head_show(l, r, world_comm(l->world, t, WORLD_NOW), out);
	if (event_is_fault(r->event)) {
		fault_show(l, r, epoch, out);
	} else {
		buf_safe(out, r->event->name);
		buf_char(out, '(');
		if (fmt && l->texts)
			tp_text_show(l->texts, fmt->id, s->raw, s->raw_size, s->cpu, out);
		else if (fmt)
			fields_show(l, fmt, s, out);
		buf_str(out, ")\n");
	}
	if (l->chains && s->type & SAMPLE_CALLCHAIN &&
	    chain_show(l, r, epoch, out) < l->min_stack) {
		out->n = from;
		return false;
	}
	return true;
}

void event_line_time(struct call_lines *l, uint64_t ns, struct buf *out)
{
	if (!l->base_ns)
		l->base_ns = ns;
	if (!l->no_time && !l->rows.form) /* a CSV or JSON row has a time of its own */
		call_time_show(l, ns, out);
}
