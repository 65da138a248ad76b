// SPDX-License-Identifier: MIT
/* Parses a list, and finds the kind of event of each item. */
#include "event/parse/parse_state.h"

#include "event/names.h"
#include "os/machine/cpus.h"

#include <ctype.h>
#include <stdio.h>

/* Splits "a:b:c" at the first colon. False when there is none. */
static bool parse_split(struct span_of s, struct span_of *before, struct span_of *behind)
{
	const char *colon = memchr(s.p, ':', s.n);

	*before = s;
	*behind = (struct span_of){s.p + s.n, 0};
	if (!colon)
		return false;
	*behind = span_trim((struct span_of){colon + 1, (size_t)(s.p + s.n - colon - 1)});
	*before = span_trim((struct span_of){s.p, (size_t)(colon - s.p)});
	return true;
}

/* TYPE:CONFIG or SYSTEM:NAME */
static int of_two_parts(struct parser *ps, struct span_of first, struct span_of second,
			const char *name)
{
	uint64_t type, config;

	if (!span_number(first, &type) || !span_number(second, &config))
		return parse_tracepoint(ps, first, second);
	if (type > UINT32_MAX)
		return parse_fail(ps, first.p, "a type has 32 bits");
	parse_numeric(ps, name, type, config);
	return 0;
}

/* True for the name of a BPF source or object, which perf 6.1 built and loaded by itself. */
static bool is_program(struct span_of s)
{
	return s.n > 2 && s.p[s.n - 2] == '.' && (s.p[s.n - 1] == 'c' || s.p[s.n - 1] == 'o');
}

/* "base:mods" without terms; a base may hold a colon itself. */
static int plain_event(struct parser *ps, struct span_of head, uint32_t first)
{
	const char *name = span_text(ps, head);
	struct span_of whole = span_trim(head), base, rest, second, mods;
	bool colon = parse_split(whole, &base, &rest);
	int got;

	if (!whole.n)
		return parse_fail(ps, head.p, "an event is missing here");
	if (is_program(whole))
		return parse_fail(ps, whole.p, "a BPF program is no event any more");
	got = parse_base(ps, base, name);
	if (!got)
		got = parse_tool(ps, base, name, false);
	if (!got)
		got = parse_alias(ps, base, name, NULL);
	if (!got)
		got = parse_tool(ps, base, name, true);
	if (!got)
		got = parse_elsewhere(ps, base, NULL, name);
	if (got < 0)
		return -1;
	if (got)
		return parse_modifiers(ps, rest, first, false);
	if (!colon)
		return parse_pfm(ps, whole) ? 0 : parse_unknown(ps, base);
	parse_split(rest, &second, &mods);
	if (of_two_parts(ps, base, second, name))
		return parse_pfm(ps, whole) ? 0 : -1;
	return parse_modifiers(ps, mods, first, false);
}

/* Adds the events of base. Sets *done when the terms are applied already. */
static int events_of(struct parser *ps, struct span_of base, struct terms *terms, const char *name,
		     bool *done)
{
	struct span_of before, behind;
	int got;

	if (parse_split(base, &before, &behind))
		return of_two_parts(ps, before, behind, name) ? -1 : 1;
	got = parse_base(ps, base, name);
	if (!got)
		got = parse_tool(ps, base, name, false);
	if (got)
		return got;
	*done = true;
	got = parse_pmu(ps, base, name, terms);
	if (!got)
		got = parse_alias(ps, base, name, terms);
	if (got)
		return got;
	*done = false;
	got = parse_tool(ps, base, name, true);
	if (!got && span_is(base, "tool") && terms->n) {
		got = parse_tool(ps, terms->at[0].name, name, true);
		if (!got)
			got = parse_fail(ps, terms->at[0].name.p, "no tool event is called '%s'",
					 span_text(ps, terms->at[0].name));
		memmove(terms->at, terms->at + 1, --terms->n * sizeof(*terms->at));
	}
	if (!got)
		got = parse_elsewhere(ps, base, terms, name);
	return got ? got : parse_unknown(ps, base);
}

/* base "/" terms "/" mods */
static int event_with_terms(struct parser *ps, struct span_of head, uint32_t first)
{
	struct span_of mods, none;
	struct terms terms = {0};
	bool done = false;
	const char *name;
	int got = parse_terms(ps, &terms);

	if (got)
		goto out;
	mods = span_trim(parse_head(ps));
	if (mods.n && *mods.p == ':')
		parse_split(mods, &none, &mods);
	name = span_text(ps, (struct span_of){head.p, (size_t)(ps->p - head.p)});
	got = events_of(ps, span_trim(head), &terms, name, &done) < 0 ? -1 : 0;
	for (size_t i = first; !got && !done && i < ps->set->events.n; i++)
		got = parse_terms_apply(ps, ps->set->events.at[i], &terms);
	if (!got)
		got = parse_modifiers(ps, mods, first, false);
out:
	vec_release(&terms);
	return got;
}

static int breakpoint(struct parser *ps, uint32_t first)
{
	struct span_of mods, none;

	if (parse_breakpoint(ps))
		return -1;
	mods = span_trim(parse_head(ps));
	if (mods.n && *mods.p == ':')
		parse_split(mods, &none, &mods);
	return parse_modifiers(ps, mods, first, false);
}

/* Limits cpu= of an event for one kind of cores to CPUs of that kind. False: none is left. */
static bool keep_cpus(struct parser *ps, struct event *ev)
{
	struct cpu_list wanted = {0}, own = {0};
	struct buf both = {0};
	struct pmu pmu;
	bool kept = false;

	if (!pmu_read(ps->host->pmu_root, ev->pmu, &ps->arena, &pmu))
		return true;
	if (pmu.cpus && !cpus_parse(pmu.cpus, &own) && !cpus_parse(ev->cpus, &wanted)) {
		for (size_t i = 0; i < wanted.n; i++)
			if (cpus_has(&own, wanted.at[i]))
				buf_printf(&both, "%s%d", both.n ? "," : "", wanted.at[i]);
		kept = both.n != 0;
		if (kept)
			ev->cpus = arena_strdup(&ps->set->arena, buf_text(&both));
	}
	pmu_release(&pmu);
	buf_release(&both);
	vec_release(&own);
	vec_release(&wanted);
	return kept;
}

/* Finishes all events from first on, which one text has become. */
static int finish(struct parser *ps, const char *at, uint32_t first)
{
	struct event_set *set = ps->set;
	uint32_t to = first;

	for (uint32_t i = first; i < set->events.n; i++) {
		struct event *ev = set->events.at[i];
		bool hybrid = ev->pmu && parse_is_hybrid(ev->pmu);

		if (hybrid && ev->fixed & FIXED_CPUS && !keep_cpus(ps, ev))
			continue;
		if (ev->attr.type == TYPE_TRACEPOINT && !ev->system)
			parse_name_tracepoint(ps, ev);
		ev->asked = ps->asked + 1;
		ev->index = ev->leader = to;
		/* with the PMU in the name, as in perf 6.1 */
		if (hybrid && !strchr(ev->name, '/'))
			ev->name = arena_printf(&set->arena, "%s/%s/", ev->pmu, ev->name);
		set->events.at[to++] = ev;
	}
	if (to == first && first < set->events.n)
		return parse_fail(ps, at, "none of these CPUs counts it");
	set->events.n = to;
	ps->asked++;
	return 0;
}

int parse_one(struct parser *ps)
{
	uint32_t first = (uint32_t)ps->set->events.n;
	const char *start = ps->p + strspn(ps->p, " \t\n\r\f\v");
	struct span_of head;
	int got;

	if (!strncmp(start, "mem:", 4)) {
		ps->p = start;
		got = breakpoint(ps, first);
	} else if (parse_is_probe(ps, start)) {
		ps->p = start;
		got = parse_probe(ps);
	} else {
		head = parse_head(ps);
		got = *ps->p == '/' ? event_with_terms(ps, head, first)
				    : plain_event(ps, head, first);
	}
	return got < 0 ? -1 : finish(ps, start, first);
}

/* Checks events that need another one in their group: aux samples and ratios. */
static int check_together(struct parser *ps, const char *at, uint32_t first)
{
	const struct event_set *set = ps->set;

	for (size_t i = first; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];
		const char *leader = set->events.at[ev->leader]->pmu;

		if (ev->fixed & FIXED_AUX && (!leader || !pmu_is_tracer(leader)))
			return parse_fail(ps, at,
					  "'%s' needs a group that a tracer leads, as in "
					  "{intel_pt//,%s}",
					  ev->name, ev->name);
	}
	return parse_check_ratios(ps, at, first);
}

static int parse_list(struct parser *ps)
{
	for (;;) {
		size_t n = strcspn(ps->p, ",{}/");
		struct span_of name = {ps->p, n};
		uint32_t first = (uint32_t)ps->set->events.n;

		if (ps->p[n] == '{') {
			ps->p += n;
			if (parse_group(ps, name))
				return -1;
		} else if (parse_one(ps)) {
			return -1;
		}
		if (check_together(ps, name.p, first))
			return -1;
		if (!*ps->p)
			return 0;
		if (*ps->p == '}')
			return parse_fail(ps, ps->p, "this '}' closes no group");
		if (*ps->p != ',')
			return parse_fail(ps, ps->p, "',' should stand before this");
		ps->p++;
	}
}

int event_parse(struct event_set *set, const char *text, const struct event_host *host,
		struct err *err)
{
	struct parser ps = {.set = set, .host = host, .text = text, .p = text, .err = err};
	int ret;

	for (size_t i = 0; i < set->events.n; i++)
		ps.asked = MAX(ps.asked, set->events.at[i]->asked);
	ret = parse_list(&ps);
	arena_release(&ps.arena);
	return ret;
}
