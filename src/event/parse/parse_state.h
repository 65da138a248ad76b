/* SPDX-License-Identifier: MIT */
/*
 * The state and functions that the parts of the event parser share. Private to event/parse/.
 *
 * Functions that add events return 1, 0 when the text is no event of their kind, or -1 with the
 * error set. name, the user's words, becomes the events' name unless a term gives another.
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
	const char *text; /* the whole text, for messages */
	const char *p;	  /* the next character to parse */
	uint32_t asked;	  /* the highest .asked of the set's events */
	struct err *err;
	const char *wrong_at, *wrong; /* the place and sentence of the last parse_fail() */
	struct arena arena;	      /* freed after parsing */
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
/* Adds a suggestion to the error: the name that is near to word, if any. Returns -1. */
int parse_suggest(struct parser *ps, const char *word, const char *const *names, size_t n);
/* Replaces the hint with the caret by another one. Returns -1. */
int parse_advise(struct parser *ps, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool span_is(struct span_of s, const char *word);
struct span_of span_trim(struct span_of s);
const char *span_text(struct parser *ps, struct span_of s); /* terminated copy, parser's arena */
bool span_number(struct span_of s, uint64_t *v);	    /* decimal, 0x hex, 0 octal */
bool span_hex(struct span_of s, uint64_t *v);		    /* 1 to 16 digits without 0x */
void parse_blanks(struct parser *ps);			    /* passes over them */
/* Takes the characters that a name can have: up to the next of , { } / or the end. */
struct span_of parse_head(struct parser *ps);

/* parse_modifiers.c: applies mods to all events from first on. 0 or -1. */
int parse_modifiers(struct parser *ps, struct span_of mods, uint32_t first, bool of_group);

/* parse_group.c: parses a group from its { on, with the modifiers behind }. 0 or -1. */
int parse_group(struct parser *ps, struct span_of name);
/* Checks that each event with a ratio follows another one in its group, and sets the masks of both.
 * 0 or -1. */
int parse_check_ratios(struct parser *ps, const char *at, uint32_t first);
int parse_one(struct parser *ps); /* parse.c: parses an event with its terms and modifiers */

/* parse_base.c: an event that needs neither a PMU nor tracefs. */
int parse_base(struct parser *ps, struct span_of base, const char *name);
/* Type and config of "cycles" or "LLC-loads" as they stand in an attribute. 1, 0, -1. */
int parse_legacy(struct parser *ps, struct span_of base, uint32_t *type, uint64_t *config);
/* Adds an event of a type and a config; core events once for each kind of cores. */
void parse_numeric(struct parser *ps, const char *name, uint64_t type, uint64_t config);
/* Parses a tool event. young: also by names that perf 6.1 lacks. */
int parse_tool(struct parser *ps, struct span_of base, const char *name, bool young);
/* Fails with the error for an unknown name. */
int parse_unknown(struct parser *ps, struct span_of base);
/* True when the PMU is one of two kinds of cores. */
bool parse_is_hybrid(const char *pmu);
/* False for a kind of cores that host->cores leaves out. */
bool parse_is_wanted(const struct parser *ps, const char *pmu);

/* parse_tracepoint.c: 0 or -1 */
int parse_tracepoint(struct parser *ps, struct span_of system, struct span_of name);
int parse_breakpoint(struct parser *ps);
/* Sets system and name of a tracepoint that was asked for by its number: recordings hold its
 * format. */
void parse_name_tracepoint(struct parser *ps, struct event *ev);
/* Suggests the system that has a tracepoint of this name. True when there is one. */
bool parse_suggest_tracepoint(struct parser *ps, const char *name);

/* parse_probe.c: a probe of a program or the kernel that is made for the command; 0 or -1. */
bool parse_is_probe(const struct parser *ps, const char *p);
int parse_probe(struct parser *ps);

/* parse_term.c: parses the terms between slashes, and the slashes; applies them. 0 or -1. */
int parse_terms(struct parser *ps, struct terms *out);
int parse_terms_apply(struct parser *ps, struct event *ev, const struct terms *terms);
/* Applies a term that every event takes: 1, 0 when it isn't one, -1. */
int parse_generic_term(struct parser *ps, struct event *ev, const struct term *t);
int parse_unknown_term(struct parser *ps, const struct term *t, const struct pmu *pmu);

/* parse_pmu.c: parses PMU "/" terms "/", and an alias of any PMU; terms may be NULL for an
 * alias. */
int parse_pmu(struct parser *ps, struct span_of pmu, const char *name, const struct terms *terms);
int parse_alias(struct parser *ps, struct span_of alias, const char *name,
		const struct terms *terms);
/* True when wanted means that PMU. "uncore_imc" and "imc" mean uncore_imc_0, uncore_imc_1, ...;
 * globs work, too. */
bool parse_pmu_is(const char *pmu, const char *wanted);

/* parse_pmu_default.c: sets the defaults of a processor's tracer, before any term. */
void parse_pmu_default(struct parser *ps, const struct pmu *pmu, struct attr *a);

/* parse_elsewhere.c: finds a PMU's event by name, in sysfs or else in the vendor's lists. */
bool parse_find_alias(struct parser *ps, const char *pmu, const char *name, struct pmu_alias *out);
/*
 * Adds an event that neither the kernel's names nor sysfs have. Without terms (NULL) base is its
 * name. With terms, base is a device and the first term the event, which is then removed from them.
 * 1, 0 when it is unknown, -1.
 */
int parse_elsewhere(struct parser *ps, struct span_of base, struct terms *terms, const char *name);
/* Adds an event that is otherwise unknown, by libpfm4's name with modifiers: 1, 0. */
int parse_pfm(struct parser *ps, struct span_of whole);
/* Appends the names of parse_elsewhere.c, for suggestions. */
void parse_elsewhere_names(struct parser *ps, struct names *out);

#endif
