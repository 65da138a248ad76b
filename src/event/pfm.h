/* SPDX-License-Identifier: MIT */
/*
 * Events by the names that libpfm4 has for them: "INST_RETIRED:ANY_P:u", "perf::CYCLES". The
 * library (libpfm.so.4) is loaded when it is first needed and is not needed otherwise.
 *
 * The library has process-wide state: only one may be open at a time.
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

/* Sets *a to the attribute of an event. 0, or -1 with *err: the library's message. */
int pfm_encode(const struct pfm *pfm, const char *name, struct attr *a, struct err *err);

/* Appends the event of that name; NULL with *err. */
struct event *event_add_pfm(struct event_set *set, const struct pfm *pfm, const char *name,
			    struct err *err);

/*
 * Appends the events of a list as --pfm-events takes it: NAME{,NAME}, braces around groups.
 * Commands call it and event_parse() in the order of the options on the command line. 0, or -1 with
 * *err; events before the mistake are then in the set.
 */
int event_parse_pfm(struct event_set *set, const char *text, struct err *err);

/* An event of this machine's PMUs, as the library describes it. */
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
