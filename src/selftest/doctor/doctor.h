/* SPDX-License-Identifier: MIT */
/*
 * What perf can measure on this machine with this user's rights, tried by opening events; the
 * smallest change for each thing that cannot be measured; limits that cut recordings short; and
 * what is set up that costs time while nobody measures.
 */
#ifndef SELFTEST_DOCTOR_H
#define SELFTEST_DOCTOR_H

#include "base/buf.h"
#include "base/mem.h"

#include <stdbool.h>

struct finding {
	const char *name;  /* for programs: "own-user" */
	const char *what;  /* for people: "own programs, in user space" */
	const char *needs; /* the rights that it takes; NULL: none, or it is no matter of rights */
	enum { FINDING_WORKS, FINDING_LACKS, FINDING_LIMITS, FINDING_COSTS } state;
	char why[200];	  /* one line; of FINDING_WORKS: how far, or "" */
	char change[200]; /* what a user can do about it, one line; "": nothing */
};

struct findings {
	VEC(struct finding);
};

/* Where settings are read. Events are asked of the running kernel, whatever these say. */
struct doctor_roots {
	const char *proc, *sys; /* "/proc", "/sys", or folders of text files */
	const char *tracefs;	/* NULL: none is mounted */
};

/* Appends all findings, those of costs last. The first one is what every recording needs. */
void doctor_find(struct findings *f, const struct doctor_roots *roots);

/* Its parts, in this order. */
void doctor_events(struct findings *f, const struct doctor_roots *roots); /* perf events */
void doctor_kernel(struct findings *f,
		   const struct doctor_roots *roots); /* tracing, symbols, BPF */
void doctor_limits(struct findings *f, const struct doctor_roots *roots);
void doctor_costs(struct findings *f, const struct doctor_roots *roots);

/* Adds lines about what must be known of every report of a fault: perf, kernel, machine, rights. */
void doctor_show_machine(struct buf *out);

/* Appends a finding; the caller fills in the rest. Valid until the next one is added. */
struct finding *doctor_add(struct findings *f, const char *name, const char *what, int state);
/* Fills .why or .change, cut to its size. */
void doctor_say(char text[200], const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* True for the errno of a refusal for want of rights. */
bool doctor_is_refusal(int error);

#endif
