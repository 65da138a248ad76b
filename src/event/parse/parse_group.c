// SPDX-License-Identifier: MIT
/*
 * Groups. The kernel counts a group on one PMU: a user's group over several PMUs is split into one
 * for each.
 */
#include "event/parse/parse_state.h"

#include "event/names.h"

#include <ctype.h>

/* The PMU whose group an event must be in; NULL: it can be in any group. */
static const char *parse_group_place_of(const struct parser *ps, const struct event *ev)
{
	if (ev->pmu && parse_is_hybrid(ev->pmu))
		return ev->pmu;
	if (ev->tool || ev->readout.kind)
		return NULL;
	if (ev->pmu && ev->of_machine && !pmu_is_tracer(ev->pmu))
		return ev->pmu;
	if (ev->pmu && pmu_is_core(ps->host->pmu_root, ev->pmu))
		return "cpu";
	return ev->attr.type == TYPE_HARDWARE || ev->attr.type == TYPE_HW_CACHE ||
			       ev->attr.type == TYPE_RAW
		       ? "cpu"
		       : NULL;
}

static bool as_written(const struct event_set *set, uint32_t first, struct span_of mods)
{
	if (memchr(mods.p, 'X', mods.n))
		return true;
	for (size_t i = first; i < set->events.n; i++)
		if (set->events.at[i]->no_regroup)
			return true;
	return false;
}

static void lead(struct event_set *set, uint32_t first, uint32_t end, const char *group_name)
{
	for (uint32_t i = first; i < end; i++) {
		set->events.at[i]->index = i;
		set->events.at[i]->leader = first;
		set->events.at[i]->members = 1;
	}
	set->events.at[first]->members = end - first;
	set->events.at[first]->group_name = group_name;
}

/* Sorts the events by PMU, in the order in which the PMUs first appear. Events that can be in any
 * group stay with the first PMU. */
static void regroup(const struct parser *ps, uint32_t first, const char *group_name, bool whole)
{
	struct event_set *set = ps->set;
	struct event **at = set->events.at;
	const char *home = NULL;
	uint32_t end = (uint32_t)set->events.n;

	for (uint32_t i = first; i < end && !home; i++)
		home = parse_group_place_of(ps, at[i]);
	while (first < end) {
		const char *place = parse_group_place_of(ps, at[first]), *other;
		uint32_t to = first;

		place = place ? place : home;
		for (uint32_t i = first; i < end; i++) {
			struct event *ev = at[i];

			other = parse_group_place_of(ps, ev);
			other = other ? other : home;
			if (!whole && place && strcmp(place, other))
				continue;
			memmove(at + to + 1, at + to, (i - to) * sizeof(*at));
			at[to++] = ev;
		}
		lead(set, first, to, group_name);
		first = to;
	}
}

/* Checks events with a ratio: each needs an event before it in its group, on a PMU that can reload
 * counters. */
int parse_check_ratios(struct parser *ps, const char *at, uint32_t first)
{
	for (uint32_t i = first; i < ps->set->events.n; i++) {
		struct event *ev = ps->set->events.at[i], *before;
		const struct pmu_format *mask;
		struct pmu pmu;

		if (!ev->ratio)
			continue;
		before = ev->leader < i ? ps->set->events.at[i - 1] : NULL;
		if (!before)
			return parse_fail(ps, at,
					  "ratio-to-prev of '%s' needs one before it on the "
					  "same PMU",
					  ev->name);
		if (!ps->host->pmu_root ||
		    !pmu_read(ps->host->pmu_root, ev->pmu ? ev->pmu : "cpu", &ps->arena, &pmu))
			return parse_fail(ps, at, "no PMU reloads counters, for ratio-to-prev");
		mask = pmu_format_find(&pmu, "acr_mask");
		if (mask && mask->word == 2) {
			uint64_t own = 1ull << (i - ev->leader);

			before->attr.config2 |= own;
			ev->attr.config2 |= own | own >> 1;
		}
		pmu_release(&pmu);
		if (!mask)
			return parse_fail(ps, at, "PMU '%s' doesn't reload counters",
					  ev->pmu ? ev->pmu : "cpu");
	}
	return 0;
}

static int check_name(struct parser *ps, struct span_of name)
{
	uint64_t config;
	uint32_t type;

	for (size_t i = 0; i < name.n; i++)
		if (!isalnum((unsigned char)name.p[i]) && !strchr("_*?.[]!-", name.p[i]))
			return parse_fail(ps, name.p + i, "the name of a group has no '%c'",
					  name.p[i]);
	if (name.n && parse_legacy(ps, name, &type, &config) > 0)
		return parse_fail(ps, name.p + name.n, "',' should stand before this");
	return 0;
}

int parse_group(struct parser *ps, struct span_of name)
{
	uint32_t first = (uint32_t)ps->set->events.n;
	const char *group_name = NULL;
	struct span_of mods;

	name = span_trim(name);
	if (check_name(ps, name))
		return -1;
	for (ps->p++;; ps->p++) {
		const char *next = ps->p + strspn(ps->p, " \t\n");

		if (*next == '{')
			return parse_fail(ps, next, "groups don't nest");
		if (parse_one(ps))
			return -1;
		if (*ps->p == '}')
			break;
		if (!*ps->p)
			return parse_fail(ps, ps->p, "the group is not closed by '}'");
		if (*ps->p != ',')
			return parse_fail(ps, ps->p, "',' or '}' should stand here");
	}
	ps->p++;
	if (name.n)
		group_name = arena_strndup(&ps->set->arena, name.p, name.n);
	mods = span_trim(parse_head(ps));
	if (mods.n && mods.p[0] != ':')
		return parse_fail(ps, mods.p, "',' or ':' should stand here");
	if (mods.n == 1)
		return parse_fail(ps, mods.p + 1, "modifiers should stand here");
	regroup(ps, first, group_name, as_written(ps->set, first, mods));
	if (mods.n && parse_modifiers(ps, (struct span_of){mods.p + 1, mods.n - 1}, first, true))
		return -1;
	return 0;
}
