// SPDX-License-Identifier: MIT
/* Parses tracepoints and breakpoints. */
#include "event/parse/parse_state.h"

#include "base/options/options.h"
#include "os/tracing/tracefs.h"

#include <ctype.h>

static bool has_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

static int parse_tracepoint_add(struct parser *ps, const char *system, const char *name,
				struct err *err)
{
	struct event *ev;
	uint64_t id;

	if (tracefs_id(ps->host->tracefs_root, system, name, &id, err))
		return -1;
	ev = event_set_add(ps->set, "");
	ev->name = arena_printf(&ps->set->arena, "%s:%s", system, name);
	ev->system = arena_strdup(&ps->set->arena, system);
	ev->tracepoint = arena_strdup(&ps->set->arena, name);
	ev->attr.type = TYPE_TRACEPOINT;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.config = id;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	ev->attr.sample_period = 1;
	ev->attr.sample_type = SAMPLE_RAW | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD;
	return 0;
}

/* Adds the matching tracepoints of a system, in the order of its folder, as perf does. Folders
 * without an id are no events. */
static int add_matching(struct parser *ps, const char *system, const char *pattern, size_t *found)
{
	struct names names = {0};
	int ret =
		tracefs_events(ps->host->tracefs_root, system, false, &ps->arena, &names, ps->err);

	for (size_t i = 0; i < names.n && !ret; i++) {
		struct err err = {0};

		if (!glob_match(pattern, names.at[i]))
			continue;
		if (!parse_tracepoint_add(ps, system, names.at[i], &err)) {
			++*found;
		} else if (err.code == ERR_RIGHTS) {
			ret = -1;
			if (ps->err)
				*ps->err = err;
		}
	}
	vec_release(&names);
	return ret;
}

/* The nearest name, or one that has the word in it, as sys_enter_openat has openat. */
static const char *nearest_event(const char *word, const struct names *names)
{
	const char *near = nearest_name(word, names->at, names->n);

	for (size_t i = 0; i < names->n && !near && strlen(word) > 2; i++)
		if (strstr(names->at[i], word))
			near = names->at[i];
	return near;
}

static bool exists(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->at[i], name))
			return true;
	return false;
}

void parse_name_tracepoint(struct parser *ps, struct event *ev)
{
	struct names systems = {0}, events = {0};
	const char *root = ps->host->tracefs_root;
	uint64_t id;

	if (!root || tracefs_systems(root, false, &ps->arena, &systems, NULL))
		return;
	for (size_t i = 0; i < systems.n && !ev->system; i++) {
		vec_clear(&events);
		tracefs_events(root, systems.at[i], false, &ps->arena, &events, NULL);
		for (size_t j = 0; j < events.n && !ev->system; j++) {
			if (tracefs_id(root, systems.at[i], events.at[j], &id, NULL) ||
			    id != ev->attr.config)
				continue;
			ev->system = arena_strdup(&ps->set->arena, systems.at[i]);
			ev->tracepoint = arena_strdup(&ps->set->arena, events.at[j]);
		}
	}
	vec_release(&systems);
	vec_release(&events);
}

/* Hints how to make a probe. */
static int advise_probe(struct parser *ps, const char *system)
{
	bool marker = !strncmp(system, "sdt_", 4);

	return parse_advise(ps, "a %s is an event once it is defined: 'perf probe %s'%s",
			    marker ? "marker in a program" : "probe",
			    marker	? "-x PROGRAM %sdt_PROVIDER:NAME"
			    : system[5] ? "-x PROGRAM FUNCTION"
					: "FUNCTION",
			    marker ? "\n'perf list sdt' shows the markers that are known" : "");
}

static int parse_tracepoint_unknown(struct parser *ps, struct span_of system_at,
				    struct span_of name_at)
{
	const char *system = span_text(ps, system_at), *name = span_text(ps, name_at), *near;
	struct names systems = {0}, events = {0};
	bool probe = !strncmp(system, "sdt_", 4) || !strcmp(system, "probe") ||
		     !strncmp(system, "probe_", 6);
	bool known;

	if (tracefs_systems(ps->host->tracefs_root, true, &ps->arena, &systems, ps->err))
		return -1;
	known = exists(&systems, system);
	if (known)
		tracefs_events(ps->host->tracefs_root, system, true, &ps->arena, &events, NULL);
	parse_fail(ps, known ? name_at.p : system_at.p, "%s '%s:%s'",
		   probe ? "nobody has defined" : "there is no tracepoint", system, name);
	near = nearest_event(known ? name : system, known ? &events : &systems);
	if (near && strcmp(near, known ? name : system)) {
		near = known ? arena_printf(&ps->arena, "%s:%s", system, near)
			     : arena_printf(&ps->arena, "%s:%s", near, name);
		parse_suggest(ps, near, &near, 1);
	} else if (probe && !has_glob(name)) {
		advise_probe(ps, system);
	}
	vec_release(&systems);
	vec_release(&events);
	return -1;
}

bool parse_suggest_tracepoint(struct parser *ps, const char *name)
{
	const char *root = ps->host->tracefs_root, *full = NULL;
	struct names systems = {0};
	uint64_t id;

	if (!root || strchr(name, '/') || tracefs_systems(root, true, &ps->arena, &systems, NULL))
		return false;
	for (size_t i = 0; i < systems.n && !full; i++)
		if (!tracefs_id(root, systems.at[i], name, &id, NULL))
			full = arena_printf(&ps->arena, "%s:%s", systems.at[i], name);
	vec_release(&systems);
	if (full)
		parse_suggest(ps, full, &full, 1);
	return full != NULL;
}

static int no_name(struct parser *ps, struct span_of system, struct span_of name)
{
	const char *all = arena_printf(&ps->arena, "%.*s:*", (int)system.n, system.p);

	parse_fail(ps, name.p, "a name should stand here");
	return parse_suggest(ps, all, &all, 1);
}

static int check_names(struct parser *ps, struct span_of system, struct span_of name)
{
	if (!system.n)
		return parse_fail(ps, system.p, "a tracepoint is SYSTEM:NAME");
	if (!name.n)
		return no_name(ps, system, name);
	for (const char *p = system.p; p < name.p + name.n; p++) {
		if (*p == '/')
			return parse_fail(ps, p, "a tracepoint is SYSTEM:NAME");
		if (isspace((unsigned char)*p) && (p < system.p + system.n || p >= name.p))
			return parse_fail(ps, p, "',' should stand before this");
	}
	return 0;
}

/* Adds the tracepoints of all matching systems. A pattern leaves out ftrace: its records of tracers
 * are no events. */
static int all_matching(struct parser *ps, const char *system, const char *name, size_t *found)
{
	const char *root = ps->host->tracefs_root;
	struct names systems = {0};
	int ret = 0;

	if (has_glob(system))
		ret = tracefs_systems(root, false, &ps->arena, &systems, ps->err);
	else
		vec_add(&systems, system);
	for (size_t i = 0; i < systems.n && !ret; i++)
		if (glob_match(system, systems.at[i]) &&
		    (!has_glob(system) || strcmp(systems.at[i], "ftrace")))
			ret = add_matching(ps, systems.at[i], name, found);
	vec_release(&systems);
	return ret;
}

int parse_tracepoint(struct parser *ps, struct span_of system_span, struct span_of name_span)
{
	const char *system, *name, *root = ps->host->tracefs_root;
	size_t found = 0;

	if (system_span.n && system_span.p[0] == '%') { /* a marker, as perf probe writes it */
		system_span.p++;
		system_span.n--;
	}
	if (check_names(ps, system_span, name_span))
		return -1;
	system = span_text(ps, system_span);
	name = span_text(ps, name_span);
	if (!root) {
		parse_fail(ps, system_span.p, "tracefs isn't mounted, so there are no tracepoints");
		return err_hint(ps->err, "mount -t tracefs tracefs /sys/kernel/tracing");
	}
	if (!has_glob(system) && !has_glob(name)) {
		if (!parse_tracepoint_add(ps, system, name, ps->err))
			return 0;
	} else if (!all_matching(ps, system, name, &found) && found) {
		return 0;
	}
	return ps->err && ps->err->code == ERR_RIGHTS
		       ? -1
		       : parse_tracepoint_unknown(ps, system_span, name_span);
}

static struct span_of parse_tracepoint_take_number(struct parser *ps)
{
	struct span_of s = {ps->p, strcspn(ps->p, ":/,{}")};

	ps->p += s.n;
	return s;
}

/* Takes r, w and x, each at most once. False for other text, which is a modifier. */
static bool take_access(struct parser *ps, uint32_t *access)
{
	const char *p = ps->p + 1;
	uint32_t bits = 0;

	if (*ps->p != ':')
		return false;
	for (; *p && !strchr(":,}", *p); p++) {
		uint32_t bit = *p == 'r' ? 1 : *p == 'w' ? 2 : *p == 'x' ? 4 : 0;

		if (!bit || bits & bit)
			return false;
		bits |= bit;
	}
	*access = bits ? bits : *access;
	ps->p = p;
	return bits != 0;
}

/* "mem:ADDR[/LEN][:rwx]"; modifiers may follow after another colon */
int parse_breakpoint(struct parser *ps)
{
	const char *start = ps->p;
	struct span_of number, name;
	uint64_t address, len = 0;
	uint32_t access = 3;
	struct event *ev;

	ps->p += 4;
	number = parse_tracepoint_take_number(ps);
	if (!span_number(number, &address))
		return parse_fail(ps, number.p,
				  "a breakpoint needs an address, as in mem:0x1000:rw");
	name = (struct span_of){start, (size_t)(ps->p - start)};
	if (*ps->p == '/') {
		ps->p++;
		number = parse_tracepoint_take_number(ps);
		if (!span_number(number, &len) || !len)
			return parse_fail(ps, number.p, "a length in bytes should stand here");
		if (take_access(ps, &access) && *ps->p == '/')
			return parse_fail(ps, ps->p, "breakpoints take no terms");
	} else {
		take_access(ps, &access);
		/* without a length, perf counts all up to the next event as the name */
		name.n = (size_t)(ps->p - start) + strcspn(ps->p, ",{}/");
	}
	ev = event_set_add(ps->set, span_text(ps, name));
	ev->attr.type = TYPE_BREAKPOINT;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	ev->attr.sample_period = 1;
	ev->attr.bp_type = access;
	ev->attr.config1 = address;
	ev->attr.config2 = len ? len : access == 4 ? sizeof(long) : 4;
	return 0;
}
