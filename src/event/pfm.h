/* SPDX-License-Identifier: MIT */
/*
 * Events by the names that libpfm4 has for them: "INST_RETIRED:ANY_P:u", "perf::CYCLES". The
 * library (libpfm.so.4) is loaded when it is first needed and is not needed otherwise.
 *
 * It keeps what it is told in the process: open it once at a time.
 */
#ifndef EVENT_PFM_H
#define EVENT_PFM_H

#include "base/err.h"
#include "event/event.h"

struct pfm; /* opaque */

/* NULL with *err (ERR_UNSUPPORTED) when there is no such library, or it cannot be used. */
struct pfm *pfm_open(struct err *err);
void pfm_close(struct pfm *pfm);
DEFINE_AUTO(pfm, pfm_close)

/* What attribute an event is opened with; *a is filled anew. 0, or -1 with *err: the library's
 * words. */
int pfm_encode(const struct pfm *pfm, const char *name, struct attr *a, struct err *err);

/* Appends the event of that name; NULL with *err. */
struct event *event_add_pfm(struct event_set *set, const struct pfm *pfm, const char *name,
			    struct err *err);

/*
 * Appends the events of a list as --pfm-events takes it: NAME{,NAME}, braces around groups. Options
 * of commands hand what was typed to it in the same order as what goes to event_parse(). 0, or -1
 * with *err; what came before the mistake is then in the set.
 */
int event_parse_pfm(struct event_set *set, const char *text, struct err *err);

/* What this machine's PMUs can count, in the library's words. */
struct pfm_name {
	const char *pmu;   /* "skl", "perf" */
	const char *name;  /* "INST_RETIRED:ANY_P", or without a part behind the colon */
	const char *desc;  /* of the event, and of the part */
	const char *equiv; /* another name for the same, or NULL */
};
struct pfm_names {
	struct arena arena;
	VEC(struct pfm_name);
};
void pfm_list(const struct pfm *pfm, struct pfm_names *out);
void pfm_names_release(struct pfm_names *names);

#endif
