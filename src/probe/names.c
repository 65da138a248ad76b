// SPDX-License-Identifier: MIT
#include "probe/names.h"

#include "os/tracing/probe_events.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define SUFFIX_MOST 1024
#define EVENT_MOST  64 /* characters of a name, the kernel's limit (MAX_EVENT_NAME_LEN) */

void probe_names_release(struct probe_names *n)
{
	vec_release(&n->taken);
	arena_release(&n->arena);
}

void probe_names_add(struct probe_names *n, const char *group, const char *event)
{
	vec_add(&n->taken, arena_printf(&n->arena, "%s:%s", group, event));
}

bool probe_names_has(const struct probe_names *n, const char *group, const char *event)
{
	const size_t length = strlen(group);

	for (size_t i = 0; i < n->taken.n; i++)
		if (!strncmp(n->taken.at[i], group, length) && n->taken.at[i][length] == ':' &&
		    !strcmp(n->taken.at[i] + length + 1, event))
			return true;
	return false;
}

int probe_names_read(struct probe_names *names, const char *tracefs, struct err *err)
{
	for (enum probe_events which = PROBES_OF_KERNEL; which <= PROBES_OF_USER; which++) {
		AUTO_BUF text = {0};
		char *line, *rest;

		if (probe_events_read(tracefs, which, &text, err))
			return -1;
		rest = (char *)buf_text(&text);
		while ((line = strsep(&rest, "\n"))) {
			struct probe_def d;

			if (!*line)
				continue;
			if (probe_def_parse(line, strlen(line), which == PROBES_OF_USER,
					    &names->arena, &d))
				probe_names_add(names, d.group, d.event);
			probe_def_release(&d);
		}
	}
	return 0;
}

const char *probe_group_of_file(const char *path, struct arena *arena)
{
	const char *base = strrchr(path, '/');
	size_t n = 0;

	base = base ? base + 1 : path;
	while (isalnum((unsigned char)base[n]) || base[n] == '_')
		n++;
	return arena_printf(arena, "probe_%.*s", (int)n, base);
}

/* A function's name as an event's: "foo.isra.0" and "foo@@V1" are foo, what no name of C has
 * becomes '_'. */
static char *event_of_function(const char *function, struct arena *arena)
{
	char *name = arena_strdup(arena, function + (function[0] == '.')), *to = name;
	size_t n = strcspn(name, ".@");

	if (n)
		name[n] = 0;
	for (const char *p = name; *p; p++) {
		const bool fits = isalnum((unsigned char)*p) || *p == '_';

		if (fits)
			*to++ = *p;
		else if (to > name && to[-1] != '_')
			*to++ = '_';
	}
	*to = 0;
	return name;
}

static const char *base_name(const struct probe_def *d, const struct probe_spec *s,
			     struct arena *arena)
{
	const char *name;

	if (s->event)
		return s->event;
	if (s->has_address)
		return arena_printf(arena, "abs_%" PRIx64, s->address);
	name = s->function && !s->sdt && !probe_spec_needs_dwarf(s) && !probe_is_glob(s->function)
		       ? s->function
		       : d->function;
	if (s->function && s->line && !s->pattern)
		return arena_printf(arena, "%s_L%u", event_of_function(s->function, arena),
				    s->line);
	return event_of_function(name ? name : d->symbol, arena);
}

int probe_name_def(struct probe_def *d, const struct probe_spec *s, enum probe_naming how,
		   const struct probe_names *names, struct arena *arena, struct err *err)
{
	const char *base = base_name(d, s, arena), *returns = d->retprobe ? "__return" : "";

	d->group = s->group ? s->group : d->file ? probe_group_of_file(d->file, arena) : "probe";
	d->event = arena_printf(arena, "%s%s", base, returns);
	for (int i = 1; how == PROBE_NAME_SUFFIX && i <= SUFFIX_MOST &&
			probe_names_has(names, d->group, d->event);
	     i++)
		d->event = arena_printf(arena, "%s_%d", base, i);
	if (how != PROBE_NAME_FREE && probe_names_has(names, d->group, d->event)) {
		err_set(err, ERR_INPUT, "event \"%s\" already exists.", d->event);
		return err_hint(
			err,
			"remove it by 'perf probe -d %s:%s', give the new one a name (NAME=%s),\n"
			"or let -f number them",
			d->group, d->event, s->function ? s->function : "...");
	}
	if (!probe_is_name(d->event) || strlen(d->event) >= EVENT_MOST) {
		err_set(err, ERR_INPUT, "'%s' cannot be an event's name", d->event);
		return err_hint(err, "give the event a name: 'NAME=%s'", s->text);
	}
	return 0;
}
