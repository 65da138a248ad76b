/* SPDX-License-Identifier: MIT */
/*
 * What works on this machine for this user, tried by opening events, not derived from settings; the
 * smallest change for each thing that doesn't; and what is set up that costs time while nobody
 * measures.
 */
#ifndef SELFTEST_DOCTOR_H
#define SELFTEST_DOCTOR_H

#include "base/buf.h"
#include "base/mem.h"

struct finding {
	const char *what; /* "own programs" */
	enum { FINDING_WORKS, FINDING_LACKS, FINDING_COSTS } state;
	char why[200];	  /* of FINDING_LACKS and FINDING_COSTS: one line */
	char change[200]; /* what a user can do about it, one line; "": nothing */
};

struct findings {
	VEC(struct finding);
};

/* proc_root is for settings; events are asked of the kernel itself. */
void doctor_find(struct findings *f, const char *proc_root);

#endif
