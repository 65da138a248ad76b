// SPDX-License-Identifier: MIT
#include "view/convert/ctf.h"

#include <ctype.h>

static const char types[] =
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"typealias integer { size = 8; align = 8; signed = true; } := s8;\n"
	"typealias integer { size = 16; align = 8; signed = true; } := s16;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := s32;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := s64;\n"
	"typealias integer { size = 32; align = 8; signed = false; base = 16; } := x32;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = 16; } := x64;\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock." CTF_CLOCK
	".value; } := t64;\n\n";

static const char stream[] = "stream {\n"
			     "\tid = 0;\n"
			     "\tevent.header := struct { u32 id; t64 timestamp; };\n"
			     "\tpacket.context := struct {\n"
			     "\t\tt64 timestamp_begin;\n"
			     "\t\tt64 timestamp_end;\n"
			     "\t\tu64 content_size;\n"
			     "\t\tu64 packet_size;\n"
			     "\t\tu64 events_discarded;\n"
			     "\t\tu32 cpu_id;\n"
			     "\t};\n"
			     "};\n\n";

static const struct {
	const char *name, *fields;
} others[CTF_OTHERS] = {
	[CTF_COMM] = {"perf_comm", "\t\tu32 pid;\n\t\tu32 tid;\n\t\tstring comm;\n"},
	[CTF_FORK] = {"perf_fork", "\t\tu32 pid;\n\t\tu32 ppid;\n\t\tu32 tid;\n\t\tu32 ptid;\n"
				   "\t\tu64 time;\n"},
	[CTF_EXIT] = {"perf_exit", "\t\tu32 pid;\n\t\tu32 ppid;\n\t\tu32 tid;\n\t\tu32 ptid;\n"
				   "\t\tu64 time;\n"},
	[CTF_MMAP] = {"perf_mmap",
		      "\t\tu32 pid;\n\t\tu32 tid;\n\t\tx64 start;\n\t\tstring filename;\n"},
	[CTF_MMAP2] = {"perf_mmap2",
		       "\t\tu32 pid;\n\t\tu32 tid;\n\t\tx64 start;\n\t\tstring filename;\n"},
};

/* Appends text as a string literal of the metadata language, which quotes as C does. */
static void ctf_quote(struct buf *out, const char *text)
{
	buf_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_char(out, '\\');
		buf_char(out, (uint8_t)*text < 0x20 || *text == 0x7f ? '?' : *text);
	}
	buf_char(out, '"');
}

static void ctf_env(struct buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(out, "\t%s = ", name);
	ctf_quote(out, value);
	buf_str(out, ";\n");
}

static void ctf_trace(const struct recording *rec, const uint8_t uuid[16], struct buf *out)
{
	buf_str(out, "/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"");
	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			buf_char(out, '-');
		buf_hex_zero(out, uuid[i], 2);
	}
	buf_str(out, "\";\n\tbyte_order = le;\n"
		     "\tpacket.header := struct {\n"
		     "\t\tinteger { size = 32; align = 8; signed = false; } magic;\n"
		     "\t\tinteger { size = 8; align = 8; signed = false; } uuid[16];\n"
		     "\t\tinteger { size = 32; align = 8; signed = false; } stream_id;\n"
		     "\t};\n};\n\nenv {\n");
	ctf_env(out, "host", rec->hostname);
	ctf_env(out, "sysname", "Linux");
	ctf_env(out, "release", rec->m.osrelease);
	ctf_env(out, "version", rec->version);
	ctf_env(out, "machine", rec->m.arch);
	ctf_env(out, "domain", "kernel");
	ctf_env(out, "tracer_name", "perf");
	buf_str(out, "};\n\n");
}

static void ctf_clock(const struct convert *c, struct buf *out)
{
	const bool tod = c->tod && c->rec->m.clock.wall_ns;
	int64_t ns = 0;

	if (tod)
		convert_wall_offset(c->rec, &ns);
	buf_str(out, "clock {\n\tname = " CTF_CLOCK ";\n\tdescription = \"perf clock\";\n"
		     "\tfreq = 1000000000;\n\tprecision = 10;\n");
	buf_printf(out, "\toffset_s = %lld;\n\toffset = %lld;\n\tabsolute = %s;\n};\n\n",
		   (long long)(ns / 1000000000), (long long)(ns % 1000000000),
		   tod ? "TRUE" : "FALSE");
}

/* -- tracepoints -- */

uint32_t ctf_field_size(const struct tp_field *f)
{
	const uint32_t size = f->elements ? f->size / f->elements : f->size;

	return size == 2 || size == 4 || size == 8 ? size : 1;
}

enum ctf_field_kind ctf_field_kind(const struct tp_field *f)
{
	if (f->is_string)
		return CTF_STRING;
	if (f->is_dynamic)
		return CTF_SEQUENCE;
	return f->is_array || ctf_field_size(f) != f->size ? CTF_ARRAY : CTF_NUMBER;
}

/* True for names that are keywords or empty, or begin with an underscore or a digit. Readers drop
 * one leading underscore. */
static bool ctf_needs_underscore(const char *name)
{
	static const char *const words[] = {
		"align",  "callsite",	"char",	     "clock",	 "const",   "double",
		"enum",	  "env",	"event",     "float",	 "int",	    "integer",
		"long",	  "map",	"short",     "signed",	 "stream",  "string",
		"struct", "trace",	"typealias", "void",	 "typedef", "variant",
		"base",	  "byte_order", "unsigned",  "encoding", "size",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], name))
			return true;
	return *name == '_' || isdigit((uint8_t)*name) || !*name;
}

/* Appends a field's name; with its index when another field has the same name. */
static void ctf_field_name(const struct tp_format *format, size_t number, struct buf *out)
{
	const char *name = format->fields.at[number].name;

	if (ctf_needs_underscore(name))
		buf_char(out, '_');
	for (const char *p = name; *p; p++)
		buf_char(out, isalnum((uint8_t)*p) ? *p : '_');
	for (size_t i = 0; i < number; i++) {
		if (strcmp(format->fields.at[i].name, name))
			continue;
		buf_printf(out, "_dupl_%zu", number);
		return;
	}
}

static void ctf_field(const struct tp_format *format, size_t number, struct buf *out)
{
	const struct tp_field *f = &format->fields.at[number];
	const uint32_t size = ctf_field_size(f);
	AUTO_BUF name = {0};

	ctf_field_name(format, number, &name);
	switch (ctf_field_kind(f)) {
	case CTF_STRING:
		buf_printf(out, "\t\tstring %s;\n", buf_text(&name));
		break;
	case CTF_SEQUENCE:
		buf_printf(out, "\t\tu32 %s_size;\n\t\tu8 %s[%s_size];\n", buf_text(&name),
			   buf_text(&name), buf_text(&name));
		break;
	case CTF_ARRAY:
		buf_printf(out, "\t\t%c%u %s[%u];\n", f->is_signed ? 's' : 'u', size * 8,
			   buf_text(&name), f->size / size);
		break;
	default:
		buf_printf(out, "\t\t%s%u %s;\n",
			   f->is_signed				      ? "s"
			   : f->is_pointer || strstr(f->type, "long") ? "x"
								      : "u",
			   size * 8, buf_text(&name));
	}
}

/* -- events -- */

static void ctf_begin_event(struct buf *out, size_t id, const char *name)
{
	buf_printf(out, "event {\n\tid = %zu;\n\tname = ", id);
	ctf_quote(out, name);
	buf_str(out, ";\n\tstream_id = 0;\n\tfields := struct {\n");
}

static void ctf_event(const struct convert *c, const struct event *ev, size_t id, struct buf *out)
{
	const struct tp_format *format =
		ev->attr.type == TYPE_TRACEPOINT
			? tp_formats_find(&c->rec->m.formats, (uint32_t)ev->attr.config)
			: NULL;

	ctf_begin_event(out, id, ev->name);
	for (const struct ctf_generic *g = ctf_generics; g->name; g++)
		if (ev->attr.sample_type & g->type)
			buf_printf(out, "\t\t%s %s;\n", g->ctf_type, g->name);
	if (ev->attr.sample_type & SAMPLE_CALLCHAIN)
		buf_str(out, "\t\tu32 perf_callchain_size;\n"
			     "\t\tx64 perf_callchain[perf_callchain_size];\n");
	for (size_t i = 0; format && ev->attr.sample_type & SAMPLE_RAW && i < format->fields.n; i++)
		ctf_field(format, i, out);
	buf_str(out, "\t};\n};\n\n");
}

void ctf_metadata(const struct convert *c, const uint8_t uuid[16], struct buf *out)
{
	const struct event_set *set = &c->rec->m.events;

	ctf_trace(c->rec, uuid, out);
	ctf_clock(c, out);
	buf_str(out, types);
	buf_str(out, stream);
	for (size_t i = 0; i < set->events.n; i++)
		ctf_event(c, set->events.at[i], i, out);
	for (size_t i = 0; c->all && i < CTF_OTHERS; i++) {
		ctf_begin_event(out, set->events.n + i, others[i].name);
		buf_str(out, others[i].fields);
		buf_str(out, "\t};\n};\n\n");
	}
}
