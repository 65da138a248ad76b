/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the event language's parser share. Private to event/parse*.c.
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
	struct err *err;
	struct arena arena; /* for the time of parsing */
};

struct term {
	struct span_of name, value;
	bool has_value;
};
struct terms {
	VEC(struct term);
};

/* Sets the error, with the place in the text, and returns -1. near: names of which the nearest to
 * word is suggested; NULL: none. */
int parse_fail(struct parser *ps, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int parse_suggest(struct parser *ps, const char *word, const char *const *names, size_t n);
bool span_is(struct span_of s, const char *word);
const char *span_text(struct parser *ps, struct span_of s); /* terminated copy, parser's arena */
bool span_number(struct span_of s, uint64_t *v);	    /* decimal, 0x hex, 0 octal */

/* parse_base.c: adds the events of a base without terms; *first is set to the first one's index.
 * 1, 0 when it is no such base, -1. */
int parse_base(struct parser *ps, struct span_of base, const char *name, uint32_t *first);
int parse_unknown(struct parser *ps, struct span_of base);
/* parse_tracepoint.c */
int parse_tracepoint(struct parser *ps, struct span_of system, struct span_of name);
int parse_breakpoint(struct parser *ps);
/* parse_term.c: the text between slashes, which are passed over; and what the terms do. */
int parse_terms(struct parser *ps, struct terms *out);
int parse_terms_apply(struct parser *ps, struct event *ev, const struct terms *terms);
/* A term that every event takes: 1, 0 when it isn't one, -1. */
int parse_generic_term(struct parser *ps, struct event *ev, const struct term *t);
int parse_unknown_term(struct parser *ps, const struct term *t, const struct pmu *pmu);
/* parse_pmu.c: PMU "/" terms "/". 1, 0 when there is no such PMU, -1. */
int parse_pmu(struct parser *ps, struct span_of pmu, const char *name, const struct terms *terms);
/* An event by a PMU's name for it, whichever PMU: 1, 0, -1. */
int parse_alias(struct parser *ps, struct span_of alias, const char *name);

/* Is that PMU meant? "uncore_imc" and "imc" mean uncore_imc_0, uncore_imc_1, ...; globs do, too. */
bool parse_pmu_is(const char *pmu, const char *wanted);
/* parse_elsewhere.c: a PMU's event of that name, from sysfs or else from the vendor's lists. */
bool parse_find_alias(struct parser *ps, const char *pmu, const char *name, struct pmu_alias *out);
/*
 * An event that neither the kernel's names nor sysfs have: base, or, with terms, what
 * the first of them calls it of a device called base; that term is then taken out of them. terms
 * may be NULL. Adds the events: 1, 0 when nobody knows it, -1.
 */
int parse_elsewhere(struct parser *ps, struct span_of base, struct terms *terms, const char *name);
/* The whole of an event that nobody else knows, as libpfm4 has it, modifiers included: 1, 0. */
int parse_pfm(struct parser *ps, struct span_of whole);
/* Adds the names that it knows, for suggestions. */
void parse_elsewhere_names(struct parser *ps, struct names *out);

#endif
