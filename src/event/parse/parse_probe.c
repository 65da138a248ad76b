// SPDX-License-Identifier: MIT
/*
 * Parses probes that exist as long as the command: "uprobe:./prog:parse(line:string)". They stay
 * text here; probe/event_probes.h finds their place and makes the event.
 */
#include "event/parse/parse_state.h"
#include "os/tracing/tracefs.h"

#include <ctype.h>

#define SOFTWARE_DUMMY 9

struct kind {
	const char *name;
	bool user, returns;
};
static const struct kind kinds[] = {
	{"uprobe", true, false},
	{"uretprobe", true, true},
	{"kprobe", false, false},
	{"kretprobe", false, true},
};

static const struct kind *parse_probe_kind_of(const char *p)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i].name);

		if (!strncmp(p, kinds[i].name, n) && p[n] == ':')
			return &kinds[i];
	}
	return NULL;
}

/* True for "%sdt_PROVIDER:NAME" unless `perf probe` has defined that event. */
static bool is_marker_alone(const struct parser *ps, const char *p)
{
	const char *colon = strchr(p, ':');
	AUTO_CHAR *system = NULL, *name = NULL;
	uint64_t id;

	if (strncmp(p, "%sdt_", 5) || !colon)
		return false;
	system = mem_printf("%.*s", (int)(colon - p - 1), p + 1);
	name = mem_printf("%.*s", (int)strcspn(colon + 1, ":,{}/ \t"), colon + 1);
	return !strpbrk(name, "*?[") && !strpbrk(system, "*?[/,") &&
	       !(ps->host->tracefs_root &&
		 !tracefs_id(ps->host->tracefs_root, system, name, &id, NULL));
}

bool parse_is_probe(const struct parser *ps, const char *p)
{
	return parse_probe_kind_of(p) || is_marker_alone(ps, p);
}

/* Takes text up to one of ends: a file's name or a point. A backslash escapes the next
 * character. */
static struct span_of take_until(struct parser *ps, const char *ends)
{
	const char *start = ps->p;

	while (*ps->p && !strchr(ends, *ps->p) && !isspace((unsigned char)*ps->p))
		ps->p += ps->p[0] == '\\' && ps->p[1] ? 2 : 1;
	return (struct span_of){start, (size_t)(ps->p - start)};
}

/* Parses "(a b:string, +0(%di):u8)": arguments separated by blanks or commas. */
static int take_arguments(struct parser *ps, struct buf *out)
{
	const char *open = ps->p++;
	unsigned int depth = 1;

	for (; *ps->p; ps->p++) {
		depth += *ps->p == '(';
		depth -= *ps->p == ')';
		if (!depth)
			break;
		buf_char(out, depth == 1 && *ps->p == ',' ? ' ' : *ps->p);
	}
	if (!depth) {
		ps->p++;
		return 0;
	}
	return parse_fail(ps, open, "no ')' closes the arguments");
}

/* Takes the file, or the module where one is named, up to the next colon. */
static int take_file(struct parser *ps, const struct kind *k, struct span_of *file)
{
	const char *start = ps->p;

	*file = take_until(ps, k->user ? ":,{}(" : ":,{}(+;");
	if (*ps->p == ':' && file->n && (k->user || !isdigit((unsigned char)ps->p[1]))) {
		ps->p++;
		return 0;
	}
	ps->p = start;
	if (k->user)
		return parse_fail(ps, start, "a program's probe is %s:PROGRAM:FUNCTION", k->name);
	*file = (struct span_of){start, 0};
	return 0;
}

static const char *parse_probe_name_of(struct parser *ps, const struct kind *k, struct span_of file,
				       struct span_of point)
{
	struct arena *a = &ps->set->arena;
	const char *path = span_text(ps, file), *base = strrchr(path, '/');

	return arena_printf(a, "%s:%s%s%s", k->name, base ? base + 1 : path, file.n ? ":" : "",
			    span_text(ps, point));
}

/* The event is a placeholder until its probe is made. */
static void add_placeholder(struct parser *ps, const char *name, const struct event_probe *probe)
{
	struct event *ev = event_set_add(ps->set, name);

	ev->probe = probe;
	ev->attr.type = TYPE_SOFTWARE;
	ev->attr.config = SOFTWARE_DUMMY;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	ev->attr.sample_period = 1;
	ev->attr.sample_type = SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD;
}

/* "%sdt_PROVIDER:NAME": a marker of the files in the build-id store. */
static int parse_marker_probe(struct parser *ps)
{
	struct arena *a = &ps->set->arena;
	struct event_probe *probe = arena_alloc(a, sizeof(*probe));
	const struct span_of name = take_until(ps, ",{}/");

	probe->user = true;
	probe->spec = arena_strndup(a, name.p, name.n);
	add_placeholder(ps, probe->spec + 1, probe);
	return 0;
}

int parse_probe(struct parser *ps)
{
	const struct kind *k = parse_probe_kind_of(ps->p);
	struct arena *a = &ps->set->arena;
	struct event_probe *probe;
	struct span_of file, point;
	AUTO_BUF spec = {0};
	bool returns;

	if (!k)
		return parse_marker_probe(ps);

	ps->p += strlen(k->name) + 1;
	if (take_file(ps, k, &file))
		return -1;
	point = take_until(ps, ",{}(");
	if (!point.n)
		return parse_fail(ps, point.p, "a function or a line should stand here");
	buf_add(&spec, point.p, point.n);
	returns = point.n > 7 && !memcmp(point.p + point.n - 7, "%return", 7);
	if (k->returns && !returns)
		buf_str(&spec, "%return");
	buf_char(&spec, ' ');
	if (*ps->p == '(' && take_arguments(ps, &spec))
		return -1;
	parse_blanks(ps);
	probe = arena_alloc(a, sizeof(*probe));
	probe->user = k->user;
	probe->file = file.n ? arena_strndup(a, file.p, file.n) : NULL;
	probe->spec = arena_strdup(a, buf_text(&spec));
	add_placeholder(ps, parse_probe_name_of(ps, k, file, point), probe);
	return 0;
}
