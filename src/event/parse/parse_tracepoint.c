// SPDX-License-Identifier: MIT
/* Tracepoints and breakpoints. */
#include "event/parse/parse_state.h"

#include "base/options.h"
#include "os/tracefs.h"

static bool has_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

static int add(struct parser *ps, const char *system, const char *name)
{
	struct event *ev;
	uint64_t id;

	if (tracefs_id(ps->host->tracefs_root, system, name, &id, ps->err))
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

/* In the order of the folder, which is that of perf. Folders that name no event have no id. */
static int add_matching(struct parser *ps, const char *system, const char *pattern, size_t *found)
{
	struct names names = {0};
	int ret =
		tracefs_events(ps->host->tracefs_root, system, false, &ps->arena, &names, ps->err);

	for (size_t i = 0; i < names.n && !ret; i++) {
		if (!glob_match(pattern, names.at[i]))
			continue;
		ret = add(ps, system, names.at[i]);
		++*found;
	}
	vec_release(&names);
	return ret;
}

static int unknown(struct parser *ps, struct span_of at, const char *system, const char *name)
{
	struct names names = {0};
	bool known_system = false;

	if (tracefs_systems(ps->host->tracefs_root, false, &ps->arena, &names, ps->err))
		return -1;
	for (size_t i = 0; i < names.n; i++)
		known_system |= !strcmp(names.at[i], system);
	if (known_system) {
		vec_clear(&names);
		tracefs_events(ps->host->tracefs_root, system, false, &ps->arena, &names, NULL);
	}
	parse_fail(ps, at.p, "there is no tracepoint '%s:%s'", system, name);
	parse_suggest(ps, known_system ? name : system, names.at, names.n);
	vec_release(&names);
	return -1;
}

int parse_tracepoint(struct parser *ps, struct span_of system_span, struct span_of name_span)
{
	const char *system = span_text(ps, system_span), *name = span_text(ps, name_span);
	const char *root = ps->host->tracefs_root;
	struct names systems = {0};
	size_t found = 0;
	uint64_t id;
	int ret = 0;

	if (!*system || !*name || strchr(name, ' ') || strchr(system, ' '))
		return parse_fail(ps, system_span.p, "a tracepoint is SYSTEM:NAME");
	if (!root) {
		parse_fail(ps, system_span.p, "tracefs isn't mounted, so there are no tracepoints");
		return err_hint(ps->err, "mount -t tracefs tracefs /sys/kernel/tracing");
	}
	if (!has_glob(system) && !has_glob(name)) {
		if (!tracefs_id(root, system, name, &id, ps->err))
			return add(ps, system, name);
		return ps->err && ps->err->code == ERR_RIGHTS
			       ? -1
			       : unknown(ps, system_span, system, name);
	}
	if (has_glob(system))
		ret = tracefs_systems(root, false, &ps->arena, &systems, ps->err);
	else
		vec_add(&systems, system);
	for (size_t i = 0; i < systems.n && !ret; i++)
		if (glob_match(system, systems.at[i]))
			ret = add_matching(ps, systems.at[i], name, &found);
	vec_release(&systems);
	if (!ret && found)
		return 0;
	return ps->err && ps->err->code == ERR_RIGHTS ? -1 : unknown(ps, system_span, system, name);
}

static struct span_of take_number(struct parser *ps)
{
	struct span_of s = {ps->p, strcspn(ps->p, ":/,{}")};

	ps->p += s.n;
	return s;
}

/* Only r, w and x, each once: else it is a modifier. */
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
	*access = bits;
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
	number = take_number(ps);
	if (!span_number(number, &address))
		return parse_fail(ps, number.p,
				  "a breakpoint needs an address, as in mem:0x1000:rw");
	name = (struct span_of){start, (size_t)(ps->p - start)};
	if (*ps->p == '/') {
		ps->p++;
		number = take_number(ps);
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
