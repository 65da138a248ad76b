// SPDX-License-Identifier: MIT
/*
 * Parses probes that exist as long as the command: "uprobe:./prog:parse(line:string)". They stay
 * text here; probe/event_probes.h finds their place and makes the event.
 */
#include "event/parse/parse_state.h"

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

bool parse_is_probe(const char *p)
{
	return parse_probe_kind_of(p) != NULL;
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

int parse_probe(struct parser *ps)
{
	const struct kind *k = parse_probe_kind_of(ps->p);
	struct arena *a = &ps->set->arena;
	struct event_probe *probe;
	struct span_of file, point;
	AUTO_BUF spec = {0};
	struct event *ev;
	bool returns;

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
	ev = event_set_add(ps->set, parse_probe_name_of(ps, k, file, point));
	ev->probe = probe;
	ev->attr.type = TYPE_SOFTWARE;
	ev->attr.config = SOFTWARE_DUMMY;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	ev->attr.sample_period = 1;
	ev->attr.sample_type = SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD;
	return 0;
}
