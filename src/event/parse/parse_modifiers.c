// SPDX-License-Identifier: MIT
/* Parses modifiers, behind the colon: the modes that an event counts in, and how. */
#include "event/parse/parse_state.h"

#include <ctype.h>

#define MODIFIERS "ukhIGHpPSDWebRX"

static int parse_modifiers_unknown(struct parser *ps, const char *at)
{
	int other = isupper((unsigned char)*at) ? tolower((unsigned char)*at)
						: toupper((unsigned char)*at);

	if (isalpha((unsigned char)*at) && strchr(MODIFIERS, other))
		return parse_fail(ps, at, "unknown modifier '%c'; did you mean '%c'?", *at, other);
	if (isspace((unsigned char)*at))
		return parse_fail(ps, at, "modifiers stand together");
	return parse_fail(ps, at, "unknown modifier '%c'; there are %s", *at, MODIFIERS);
}

static int parse_modifiers_check(struct parser *ps, struct span_of mods)
{
	unsigned int precise = 0;

	for (size_t i = 0; i < mods.n; i++) {
		char c = mods.p[i];

		if (!c || !strchr(MODIFIERS, c))
			return parse_modifiers_unknown(ps, mods.p + i);
		if (c == 'p' ? ++precise > 3 : memchr(mods.p, c, i) != NULL)
			return parse_fail(ps, mods.p + i, "modifier '%c' is given too often", c);
	}
	return 0;
}

static void exclude(struct attr *a, uint64_t all, uint64_t but, bool first)
{
	if (first)
		a->flags |= all;
	a->flags &= ~but;
}

/* Applies a modifier of the attribute: excluded modes and precision. */
static void to_attr(struct event *ev, char c)
{
	static const uint64_t privileges =
		ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	struct attr *a = &ev->attr;

	switch (c) {
	case 'u':
	case 'k':
	case 'h':
		exclude(a, privileges,
			c == 'u'   ? ATTR_EXCLUDE_USER
			: c == 'k' ? ATTR_EXCLUDE_KERNEL
				   : ATTR_EXCLUDE_HV,
			!(a->flags & privileges));
		ev->excludes_given = true;
		if (c == 'u' && !ev->guest_given)
			a->flags |= ATTR_EXCLUDE_GUEST;
		break;
	case 'G':
	case 'H':
		exclude(a, ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST,
			c == 'G' ? ATTR_EXCLUDE_GUEST : ATTR_EXCLUDE_HOST, !ev->guest_given);
		ev->guest_given = true;
		break;
	case 'I':
		a->flags |= ATTR_EXCLUDE_IDLE;
		break;
	case 'p':
		a->flags += 1ull << ATTR_PRECISE_SHIFT;
		if (!ev->guest_given)
			a->flags |= ATTR_EXCLUDE_GUEST;
		break;
	case 'D':
		a->flags |= event_is_leader(ev) ? ATTR_PINNED : 0;
		break;
	case 'e':
		a->flags |= event_is_leader(ev) ? ATTR_EXCLUSIVE : 0;
		break;
	}
}

/* Applies modifiers. Those of the event itself replace its exclusions; those of its group add to
 * them. */
static int parse_modifiers_apply(struct parser *ps, struct event *ev, struct span_of mods,
				 bool of_group)
{
	const struct {
		char c;
		bool *wish;
	} wishes[] = {
		{'P', &ev->precise_max},
		{'S', &ev->leader_sampling},
		{'W', &ev->weak_group},
		{'b', &ev->bpf_counter},
	};
	unsigned int precise = 0;

	if (!of_group)
		ev->attr.flags &= ~(ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV |
				    ATTR_EXCLUDE_IDLE | ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST |
				    ATTR_PRECISE_MASK);
	for (size_t i = 0; i < mods.n; i++)
		precise += mods.p[i] == 'p';
	if (attr_precise(&ev->attr) + precise > 3)
		return parse_fail(ps, mods.p, "'%s' is then more precise than ppp", ev->name);
	for (size_t i = 0; i < mods.n; i++)
		to_attr(ev, mods.p[i]);
	for (size_t i = 0; i < ARRAY_SIZE(wishes); i++)
		*wishes[i].wish = memchr(mods.p, wishes[i].c, mods.n) != NULL;
	ev->retire_latency |= memchr(mods.p, 'R', mods.n) != NULL;
	ev->no_regroup |= memchr(mods.p, 'X', mods.n) != NULL;
	return 0;
}

int parse_modifiers(struct parser *ps, struct span_of mods, uint32_t first, bool of_group)
{
	mods = span_trim(mods);
	if (!mods.n)
		return 0;
	if (parse_modifiers_check(ps, mods))
		return -1;
	for (size_t i = first; i < ps->set->events.n; i++)
		if (parse_modifiers_apply(ps, ps->set->events.at[i], mods, of_group))
			return -1;
	return 0;
}
