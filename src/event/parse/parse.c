// SPDX-License-Identifier: MIT
#include "event/parse/parse_state.h"

#include "base/options.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

/* The line of the text that is shown: cut at the front when the place is far in, as perf does. */
#define SHOWN_BEFORE 40
#define SHOWN	     70

int parse_fail(struct parser *ps, const char *at, const char *fmt, ...)
{
	size_t place = (size_t)(at - ps->text),
	       cut = place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	err_set(ps->err, ERR_USAGE, "event '%.200s': %s", ps->text, what);
	return err_hint(ps->err,
			"event syntax error: '%s%.*s'\n%*s\\___ %.200s\n\n"
			"Run 'perf list' for a list of valid events",
			cut ? ".." : "", SHOWN, ps->text + cut,
			(int)(21 + (cut ? 2 : 0) + place - cut), "", what);
}

int parse_suggest(struct parser *ps, const char *word, const char *const *names, size_t n)
{
	const char *near = nearest_name(word, names, n);
	char old[sizeof(ps->err->text)];

	if (!near || !ps->err)
		return -1;
	memcpy(old, ps->err->text, sizeof(old));
	snprintf(ps->err->text, sizeof(ps->err->text), "%.600s; did you mean '%.100s'?", old, near);
	return -1;
}

bool span_is(struct span_of s, const char *word)
{
	return strlen(word) == s.n && !memcmp(s.p, word, s.n);
}

const char *span_text(struct parser *ps, struct span_of s)
{
	return arena_strndup(&ps->arena, s.p, s.n);
}

bool span_number(struct span_of s, uint64_t *v)
{
	char copy[32];

	if (!s.n || s.n >= sizeof(copy))
		return false;
	memcpy(copy, s.p, s.n);
	copy[s.n] = 0;
	return !parse_u64(copy, v);
}

static struct span_of trimmed(struct span_of s)
{
	while (s.n && isspace((unsigned char)*s.p)) {
		s.p++;
		s.n--;
	}
	while (s.n && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	return s;
}

static int check_modifiers(struct parser *ps, struct span_of mods)
{
	unsigned int precise = 0;

	for (size_t i = 0; i < mods.n; i++) {
		char c = mods.p[i];

		if (!strchr("ukhpPGHSDIWeb", c))
			return parse_fail(ps, mods.p + i, "unknown modifier '%c'", c);
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

/* Modifiers of the event itself decide anew whom to leave out; those of its group add to them. */
static void apply_modifiers(struct event *ev, struct span_of mods, bool of_group)
{
	static const uint64_t privileges =
		ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	struct attr *a = &ev->attr;
	unsigned int precise = of_group ? attr_precise(a) : 0;

	if (!of_group)
		a->flags &=
			~(privileges | ATTR_EXCLUDE_IDLE | ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST);
	ev->precise_max = ev->leader_sampling = ev->weak_group = ev->bpf_counter = false;
	for (size_t i = 0; i < mods.n; i++) {
		char c = mods.p[i];

		if (c == 'u' || c == 'k' || c == 'h') {
			exclude(a, privileges,
				c == 'u'   ? ATTR_EXCLUDE_USER
				: c == 'k' ? ATTR_EXCLUDE_KERNEL
					   : ATTR_EXCLUDE_HV,
				!(a->flags & privileges));
			ev->excludes_given = true;
			if (c == 'u' && !ev->guest_given)
				a->flags |= ATTR_EXCLUDE_GUEST;
		} else if (c == 'G' || c == 'H') {
			exclude(a, ATTR_EXCLUDE_HOST | ATTR_EXCLUDE_GUEST,
				c == 'G' ? ATTR_EXCLUDE_GUEST : ATTR_EXCLUDE_HOST,
				!ev->guest_given);
			ev->guest_given = true;
		} else if (c == 'I') {
			a->flags |= ATTR_EXCLUDE_IDLE;
		} else if (c == 'p') {
			precise = MIN(precise + 1, 3u);
			if (!ev->guest_given)
				a->flags |= ATTR_EXCLUDE_GUEST;
		}
		ev->precise_max |= c == 'P';
		ev->leader_sampling |= c == 'S';
		ev->weak_group |= c == 'W';
		ev->bpf_counter |= c == 'b';
		if (event_is_leader(ev))
			a->flags |= c == 'D' ? ATTR_PINNED : c == 'e' ? ATTR_EXCLUSIVE : 0;
	}
	a->flags &= ~ATTR_PRECISE_MASK;
	a->flags |= (uint64_t)precise << ATTR_PRECISE_SHIFT;
}

static int modifiers(struct parser *ps, struct span_of mods, uint32_t first, bool of_group)
{
	if (!mods.n)
		return 0;
	if (check_modifiers(ps, mods))
		return -1;
	for (size_t i = first; i < ps->set->events.n; i++)
		apply_modifiers(ps->set->events.at[i], mods, of_group);
	return 0;
}

/* Passes over what cannot be part of a name: to the next of , { } / or the end. */
static struct span_of take_head(struct parser *ps)
{
	struct span_of head = {ps->p, strcspn(ps->p, ",{}/")};

	ps->p += head.n;
	return head;
}

static void add_numeric(struct parser *ps, const char *name, uint64_t type, uint64_t config)
{
	struct event *ev = event_set_add(ps->set, name);

	ev->attr.type = (uint32_t)type;
	ev->attr.config = config;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
}

/* "base:mods" without terms; a base may hold a colon itself. */
static int plain_event(struct parser *ps, struct span_of head, uint32_t first)
{
	const char *name = span_text(ps, head);
	struct span_of whole = trimmed(head), base = whole, mods = {0}, second = {0};
	const char *colon = memchr(whole.p, ':', whole.n);
	uint64_t type, config;
	uint32_t index;
	int got;

	if (!whole.n)
		return parse_fail(ps, head.p, "an event is missing here");
	if (colon) {
		base.n = (size_t)(colon - whole.p);
		second = (struct span_of){colon + 1, whole.n - base.n - 1};
	}
	got = parse_base(ps, base, name, &index);
	if (!got)
		got = parse_alias(ps, base, name);
	if (!got)
		got = parse_elsewhere(ps, base, NULL, name);
	if (got < 0)
		return -1;
	if (got)
		return modifiers(ps, second, first, false);
	if (!colon)
		return parse_pfm(ps, whole) ? 0 : parse_unknown(ps, base);
	/* two parts: TYPE:CONFIG or SYSTEM:NAME, modifiers after a second colon */
	colon = memchr(second.p, ':', second.n);
	if (colon) {
		mods = (struct span_of){colon + 1, (size_t)(second.p + second.n - colon - 1)};
		second.n = (size_t)(colon - second.p);
	}
	if (span_number(base, &type) && span_number(second, &config)) {
		add_numeric(ps, name, type, config);
	} else if (parse_tracepoint(ps, base, second)) {
		return parse_pfm(ps, whole) ? 0 : -1;
	}
	return modifiers(ps, mods, first, false);
}

/* base "/" terms "/" mods */
static int event_with_terms(struct parser *ps, struct span_of head, uint32_t first)
{
	struct span_of base = trimmed(head), mods, second;
	const char *colon = memchr(base.p, ':', base.n), *name;
	struct terms terms = {0};
	uint64_t type, config;
	uint32_t index;
	int got = parse_terms(ps, &terms);

	if (got)
		goto out;
	mods = take_head(ps);
	name = span_text(ps, (struct span_of){head.p, (size_t)(ps->p - head.p)});
	got = colon ? 0 : parse_base(ps, base, name, &index);
	if (!got && !colon) {
		got = parse_pmu(ps, base, name, &terms);
		if (got > 0) {
			got = modifiers(ps, trimmed(mods), first, false);
			goto out;
		}
		if (!got)
			got = parse_alias(ps, base, name);
		if (!got)
			got = parse_elsewhere(ps, base, &terms, name);
	}
	if (!got && colon) {
		second = (struct span_of){colon + 1, base.n - (size_t)(colon + 1 - base.p)};
		base.n = (size_t)(colon - base.p);
		got = 1;
		if (span_number(base, &type) && span_number(second, &config)) {
			add_numeric(ps, name, type, config);
		} else if (parse_tracepoint(ps, base, second)) {
			got = -1;
		}
	}
	if (!got)
		got = parse_unknown(ps, base);
	for (size_t i = first; got > 0 && i < ps->set->events.n; i++)
		got = parse_terms_apply(ps, ps->set->events.at[i], &terms) ? -1 : 1;
	if (got > 0)
		got = modifiers(ps, trimmed(mods), first, false);
out:
	vec_release(&terms);
	return got;
}

static int one_event(struct parser *ps)
{
	uint32_t first = (uint32_t)ps->set->events.n;
	struct span_of head;
	const char *start = ps->p + strspn(ps->p, " \t\n");

	if (!strncmp(start, "mem:", 4)) {
		struct span_of mods;

		ps->p = start;
		if (parse_breakpoint(ps))
			return -1;
		mods = take_head(ps);
		if (mods.n && mods.p[0] == ':') {
			mods.p++;
			mods.n--;
		}
		return modifiers(ps, trimmed(mods), first, false);
	}
	head = take_head(ps);
	return *ps->p == '/' ? event_with_terms(ps, head, first) : plain_event(ps, head, first);
}

/* Moves the events of the second kind of cores behind the others; returns where they begin. The
 * kernel takes no group that is about both. */
static uint32_t split_by_cores(struct event_set *set, uint32_t first)
{
	struct event **at = set->events.at;
	uint32_t to = first;

	for (uint32_t i = first; i < set->events.n; i++) {
		struct event *ev = at[i];

		if (ev->pmu && !strcmp(ev->pmu, "cpu_atom"))
			continue;
		memmove(at + to + 1, at + to, (i - to) * sizeof(*at));
		at[to++] = ev;
	}
	for (uint32_t i = first; i < set->events.n; i++)
		at[i]->index = i;
	return to;
}

static void lead(struct event_set *set, uint32_t first, uint32_t end, const char *group_name)
{
	if (first == end)
		return;
	for (uint32_t i = first; i < end; i++)
		set->events.at[i]->leader = first;
	set->events.at[first]->members = end - first;
	set->events.at[first]->group_name = group_name;
}

static int group(struct parser *ps, struct span_of name)
{
	uint32_t first = (uint32_t)ps->set->events.n, second;
	const char *group_name = NULL;
	struct span_of mods;

	ps->p++;
	for (;; ps->p++) {
		if (one_event(ps))
			return -1;
		if (*ps->p == '}')
			break;
		if (!*ps->p)
			return parse_fail(ps, ps->p, "the group is not closed by '}'");
		if (*ps->p == '{')
			return parse_fail(ps, ps->p, "groups don't nest");
		if (*ps->p != ',')
			return parse_fail(ps, ps->p, "',' or '}' should stand here");
	}
	ps->p++;
	name = trimmed(name);
	if (name.n)
		group_name = arena_strndup(&ps->set->arena, name.p, name.n);
	second = split_by_cores(ps->set, first);
	lead(ps->set, first, second, group_name);
	lead(ps->set, second, (uint32_t)ps->set->events.n, group_name);
	mods = trimmed(take_head(ps));
	if (!mods.n)
		return 0;
	if (mods.p[0] != ':')
		return parse_fail(ps, mods.p, "',' or ':' should stand here");
	return modifiers(ps, (struct span_of){mods.p + 1, mods.n - 1}, first, true);
}

static int list(struct parser *ps)
{
	for (;;) {
		size_t n = strcspn(ps->p, ",{}/");
		struct span_of name = {ps->p, n};

		if (ps->p[n] == '{') {
			ps->p += n;
			if (group(ps, name))
				return -1;
		} else if (one_event(ps)) {
			return -1;
		}
		if (!*ps->p)
			return 0;
		if (*ps->p != ',')
			return parse_fail(ps, ps->p, "',' should stand before this");
		ps->p++;
	}
}

int event_parse(struct event_set *set, const char *text, const struct event_host *host,
		struct err *err)
{
	struct parser ps = {.set = set, .host = host, .text = text, .p = text, .err = err};
	int ret = list(&ps);

	arena_release(&ps.arena);
	return ret;
}
