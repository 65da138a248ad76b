/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the event language's parser share. Private to event/parse/.
 *
 * Functions that add events return 1, 0 when what they were given is none of theirs, or -1 with the
 * error set. name is how the events are called unless a term says otherwise: the user's words.
 */
#ifndef EVENT_PARSE_STATE_H
#define EVENT_PARSE_STATE_H

#include "event/parse.h"
#include "os/machine/pmu.h"

/* A stretch of the text. */
struct span_of {
	const char *p;
	size_t n;
};

struct parser {
	struct event_set *set;
	const struct event_host *host;
	const char *text; /* the whole, for messages */
	const char *p;	  /* where we are */
	uint32_t asked;	  /* the highest .asked of the set's events */
	struct err *err;
	const char *wrong_at, *wrong; /* what parse_fail() was told last */
	struct arena arena;	      /* for the time of parsing */
};

struct term {
	struct span_of name, value;
	bool has_value;
};
struct terms {
	VEC(struct term);
};

/* parse_text.c */

/* Sets the error, with the place in the text, and returns -1. */
int parse_fail(struct parser *ps, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds to the error which of the names is meant, if one is near to word. Returns -1. */
int parse_suggest(struct parser *ps, const char *word, const char *const *names, size_t n);
/* Puts another hint in the place of the caret. Returns -1. */
int parse_advise(struct parser *ps, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool span_is(struct span_of s, const char *word);
struct span_of span_trim(struct span_of s);
const char *span_text(struct parser *ps, struct span_of s); /* terminated copy, parser's arena */
bool span_number(struct span_of s, uint64_t *v);	    /* decimal, 0x hex, 0 octal */
bool span_hex(struct span_of s, uint64_t *v);		    /* 1 to 16 digits without 0x */
void parse_blanks(struct parser *ps);			    /* passes over them */
/* Passes over what can be part of a name: to the next of , { } / or the end. */
struct span_of parse_head(struct parser *ps);

/* parse_modifiers.c: to all events from first on. 0 or -1. */
int parse_modifiers(struct parser *ps, struct span_of mods, uint32_t first, bool of_group);

/* parse_group.c: what stands between { and }, and behind it. 0 or -1. */
int parse_group(struct parser *ps, struct span_of name);
/* Do those who ask for a ratio stand behind another event? Puts the masks of both. 0 or -1. */
int parse_check_ratios(struct parser *ps, const char *at, uint32_t first);
int parse_one(struct parser *ps); /* parse.c: an event, with all that belongs to it */

/* parse_base.c: an event that needs neither a PMU nor tracefs. */
int parse_base(struct parser *ps, struct span_of base, const char *name);
/* Type and config of "cycles" or "LLC-loads" as they stand in an attribute. 1, 0, -1. */
int parse_legacy(struct parser *ps, struct span_of base, uint32_t *type, uint64_t *config);
/* An event of a type and a config: one for each kind of cores, where it is theirs. */
void parse_numeric(struct parser *ps, const char *name, uint64_t type, uint64_t config);
/* One that the tool answers. young: also by the names that perf 6.1 has not. */
int parse_tool(struct parser *ps, struct span_of base, const char *name, bool young);
/* The error for a name that nobody has. */
int parse_unknown(struct parser *ps, struct span_of base);
/* Is the PMU one of two kinds of cores? */
bool parse_is_hybrid(const char *pmu);
/* Not one of the kinds of cores that the host is to do without. */
bool parse_is_wanted(const struct parser *ps, const char *pmu);

/* parse_tracepoint.c: 0 or -1 */
int parse_tracepoint(struct parser *ps, struct span_of system, struct span_of name);
int parse_breakpoint(struct parser *ps);
/* To one that was asked for by its number, says which it is: recordings hold its format. */
void parse_name_tracepoint(struct parser *ps, struct event *ev);
/* Suggests where a tracepoint of this name is. True when there is one. */
bool parse_suggest_tracepoint(struct parser *ps, const char *name);

/* parse_probe.c: a probe of a program or the kernel that is made for the command; 0 or -1. */
bool parse_is_probe(const char *p);
int parse_probe(struct parser *ps);

/* parse_term.c: the text between slashes, which are passed over; and what the terms do. 0 or -1. */
int parse_terms(struct parser *ps, struct terms *out);
int parse_terms_apply(struct parser *ps, struct event *ev, const struct terms *terms);
/* A term that every event takes: 1, 0 when it isn't one, -1. */
int parse_generic_term(struct parser *ps, struct event *ev, const struct term *t);
int parse_unknown_term(struct parser *ps, const struct term *t, const struct pmu *pmu);

/* parse_pmu.c: PMU "/" terms "/", and events by a PMU's name for them, whichever PMU; terms may be
 * NULL then. */
int parse_pmu(struct parser *ps, struct span_of pmu, const char *name, const struct terms *terms);
int parse_alias(struct parser *ps, struct span_of alias, const char *name,
		const struct terms *terms);
/* Is that PMU meant? "uncore_imc" and "imc" mean uncore_imc_0, uncore_imc_1, ...; globs do, too. */
bool parse_pmu_is(const char *pmu, const char *wanted);

/* parse_pmu_default.c: what the tracers of processors are set to before any term. */
void parse_pmu_default(struct parser *ps, const struct pmu *pmu, struct attr *a);

/* parse_elsewhere.c: a PMU's event of that name, from sysfs or else from the vendor's lists. */
bool parse_find_alias(struct parser *ps, const char *pmu, const char *name, struct pmu_alias *out);
/*
 * An event that neither the kernel's names nor sysfs have: base, or, with terms, what the first of
 * them calls it of a device called base; that term is then taken out of them. terms may be NULL.
 * Adds the events: 1, 0 when nobody knows it, -1.
 */
int parse_elsewhere(struct parser *ps, struct span_of base, struct terms *terms, const char *name);
/* The whole of an event that nobody else knows, as libpfm4 has it, modifiers included: 1, 0. */
int parse_pfm(struct parser *ps, struct span_of whole);
/* Adds the names that it knows, for suggestions. */
void parse_elsewhere_names(struct parser *ps, struct names *out);

#endif
