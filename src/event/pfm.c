// SPDX-License-Identifier: MIT
#include "event/pfm.h"

#include "base/options/options.h"
#include "os/library.h"
#include "os/files/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The library's binary interface, version 4 (pfmlib.h). Each structure has a field with its own
 * size: the library uses no more than that. */
struct pfm_encoding {
	void *attr;
	char **full_name;
	size_t size;
	int index, cpu, flags, pad;
};
struct pfm_pmu {
	const char *name, *desc;
	size_t size;
	int pmu, type, events, first, encodings, counters, fixed;
	unsigned int flags; /* 1: present */
};
struct pfm_event {
	const char *name, *desc, *equiv;
	size_t size;
	uint64_t code;
	int pmu, type, index, parts, reserved;
	unsigned int flags;
};
struct pfm_part {
	const char *name, *desc, *equiv;
	size_t size;
	uint64_t code;
	int type, index, control;
	unsigned int flags;
	uint64_t usual;
};

#define PFM_USER_AND_KERNEL 0x9 /* privilege levels 0 and 3 */
#define PFM_PERF_ATTRIBUTES 2	/* encode for perf_event_open, with all its modifiers */
#define PFM_UNIT_MASK	    1	/* a part's type; others are modifiers */
#define PFM_PMUS_MOST	    1024
#define ATTR_ROOM	    512 /* the library's perf_event_attr may be longer than ours */

struct pfm {
	void *library;
	int (*initialize)(void);
	void (*terminate)(void);
	const char *(*strerror)(int);
	int (*encode)(const char *, int, int, void *);
	int (*pmu_info)(int, struct pfm_pmu *);
	int (*event_info)(int, int, struct pfm_event *);
	int (*part_info)(int, int, int, struct pfm_part *);
	int (*next_event)(int);
};

struct pfm *pfm_open(struct err *err)
{
	struct pfm *p = NEW(struct pfm);
	const struct library_function functions[] = {
		{"pfm_initialize", &p->initialize},
		{"pfm_terminate", &p->terminate},
		{"pfm_strerror", &p->strerror},
		{"pfm_get_os_event_encoding", &p->encode},
		{"pfm_get_pmu_info", &p->pmu_info},
		{"pfm_get_event_info", &p->event_info},
		{"pfm_get_event_attr_info", &p->part_info},
		{"pfm_get_event_next", &p->next_event},
	};
	int got;

	p->library = library_open("libpfm.so.4", functions, ARRAY_SIZE(functions));
	if (!p->library) {
		err_set(err, ERR_UNSUPPORTED, "libpfm4, which knows such events, %s",
			library_possible() ? "is not installed" : "is not part of this program");
		err_hint(err, library_possible()
				      ? "the package is called libpfm4 (libpfm.so.4)"
				      : "a perf that is not linked statically can load it");
		goto fail;
	}
	got = p->initialize();
	if (!got)
		return p;
	err_set(err, ERR_UNSUPPORTED, "libpfm4 cannot be used: %s", p->strerror(got));
fail:
	library_close(p->library);
	free(p);
	return NULL;
}

void pfm_close(struct pfm *p)
{
	if (!p)
		return;
	p->terminate();
	library_close(p->library);
	free(p);
}

int pfm_encode(const struct pfm *p, const char *name, struct attr *a, struct err *err)
{
	uint64_t room[ATTR_ROOM / sizeof(uint64_t)] = {0};
	struct pfm_encoding e = {.attr = room, .size = sizeof(e)};
	int got = p->encode(name, PFM_USER_AND_KERNEL, PFM_PERF_ATTRIBUTES, &e);

	if (got)
		return err_set(err, ERR_USAGE, "event '%s': libpfm4 says: %s", name,
			       p->strerror(got));
	attr_decode(a, room, ATTR_SIZE_6_1, false);
	a->size = ATTR_SIZE_6_1;
	return 0;
}

struct list {
	const struct pfm *pfm;
	struct event_set *set;
	const char *text, *p;
	struct err *err;
};

struct event *event_add_pfm(struct event_set *set, const struct pfm *pfm, const char *name,
			    struct err *err)
{
	struct event *ev;
	struct attr a;

	if (pfm_encode(pfm, name, &a, err))
		return NULL;
	ev = event_set_add(set, name);
	ev->attr = a;
	if (a.sample_period)
		ev->fixed |= a.flags & ATTR_FREQ ? FIXED_FREQ : FIXED_PERIOD;
	ev->excludes_given = a.flags & (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV);
	return ev;
}

static int pfm_fail(const struct list *l, const char *why)
{
	err_set(l->err, ERR_USAGE, "'%s': %s", l->text, why);
	return err_draw(l->err, "event syntax error: '%s'\n%*s\\___ %s", l->text,
			(int)(21 + (l->p - l->text)), "", why);
}

/* Suggests the nearest name, with or without the PMU's name in front. */
static int suggest(const struct list *l, const char *name)
{
	bool with_pmu = strstr(name, "::") != NULL;
	struct pfm_names all = {0};
	struct names names = {0};
	const char *near;

	if (!l->err)
		return -1;
	pfm_list(l->pfm, &all);
	for (size_t i = 0; i < all.n; i++)
		vec_add(&names,
			with_pmu ? arena_printf(&all.arena, "%s::%s", all.at[i].pmu, all.at[i].name)
				 : all.at[i].name);
	near = nearest_name(name, names.at, names.n);
	if (near)
		err_hint(l->err, "did you mean '%s'? perf list pfm shows all", near);
	else
		err_hint(l->err, "perf list pfm shows what it knows here");
	vec_release(&names);
	pfm_names_release(&all);
	return -1;
}

static int one_event(struct list *l)
{
	size_t n = strcspn(l->p, ",{}");
	const char *name;

	while (n && isspace((unsigned char)*l->p)) {
		l->p++;
		n--;
	}
	while (n && isspace((unsigned char)l->p[n - 1]))
		n--;
	if (!n)
		return pfm_fail(l, "an event is missing here");
	name = arena_strndup(&l->set->arena, l->p, n);
	if (!event_add_pfm(l->set, l->pfm, name, l->err))
		return suggest(l, name);
	l->p += strcspn(l->p, ",{}");
	return 0;
}

static int group(struct list *l)
{
	uint32_t first = (uint32_t)l->set->events.n;

	do {
		l->p++;
		if (one_event(l))
			return -1;
	} while (*l->p == ',');
	if (*l->p != '}')
		return pfm_fail(l, *l->p ? "groups don't nest" : "the group is not closed by '}'");
	l->p++;
	for (uint32_t i = first; i < l->set->events.n; i++)
		l->set->events.at[i]->leader = first;
	l->set->events.at[first]->members = (uint32_t)l->set->events.n - first;
	return 0;
}

int event_parse_pfm(struct event_set *set, const char *text, struct err *err)
{
	AUTO(pfm) *pfm = pfm_open(err);
	struct list l = {pfm, set, text, text, err};

	if (!pfm)
		return -1;
	for (;; l.p++) {
		l.p += strspn(l.p, " \t\n");
		if (*l.p == '{' ? group(&l) : one_event(&l))
			return -1;
		l.p += strspn(l.p, " \t\n");
		if (!*l.p)
			return 0;
		if (*l.p != ',')
			return pfm_fail(&l, "',' should stand here");
	}
}

static const char *pfm_text_of(struct arena *a, const char *s)
{
	return s ? arena_strdup(a, s) : NULL;
}

static void list_event(const struct pfm *p, const char *pmu, int index, struct pfm_names *out)
{
	struct pfm_event e = {.size = sizeof(e)};
	bool parts = false;

	if (p->event_info(index, PFM_PERF_ATTRIBUTES, &e))
		return;
	for (int i = 0; i < e.parts; i++) {
		struct pfm_part part = {.size = sizeof(part)};
		struct arena *a = &out->arena;

		if (p->part_info(index, i, PFM_PERF_ATTRIBUTES, &part) ||
		    part.type != PFM_UNIT_MASK)
			continue;
		parts = true;
		vec_add(out,
			(struct pfm_name){.pmu = pmu,
					  .name = arena_printf(a, "%s:%s", e.name, part.name),
					  .desc = arena_printf(a, "%s: %s", e.desc ? e.desc : "",
							       part.desc ? part.desc : ""),
					  .equiv = pfm_text_of(a, part.equiv)});
	}
	if (!parts)
		vec_add(out, (struct pfm_name){.pmu = pmu,
					       .name = arena_strdup(&out->arena, e.name),
					       .desc = pfm_text_of(&out->arena, e.desc),
					       .equiv = pfm_text_of(&out->arena, e.equiv)});
}

void pfm_list(const struct pfm *p, struct pfm_names *out)
{
	for (int i = 0; i < PFM_PMUS_MOST; i++) {
		struct pfm_pmu pmu = {.size = sizeof(pmu)};
		const char *name;

		if (p->pmu_info(i, &pmu) || !(pmu.flags & 1))
			continue;
		name = arena_strdup(&out->arena, pmu.name);
		for (int e = pmu.first; e != -1; e = p->next_event(e))
			list_event(p, name, e, out);
	}
}

void pfm_names_release(struct pfm_names *names)
{
	vec_release(names);
	arena_release(&names->arena);
}
