/* SPDX-License-Identifier: MIT */
/*
 * Probes in tracefs that go with the command that made them. Their group is "perf_PID_COMMAND" of
 * this process ("perf_1234_record"); the next command removes those of a perf that was killed.
 */
#ifndef PROBE_MADE_PROBES_H
#define PROBE_MADE_PROBES_H

#include "probe/definition.h"

struct made_probes;

/* Also removes what killed ones have left. */
struct made_probes *made_probes_new(const char *tracefs);
/* Removes the probes, once their events are closed, and frees. v: a struct made_probes, or NULL. */
void made_probes_remove(void *v);
/* "perf_PID_COMMAND"; borrowed. */
const char *made_probes_group(const struct made_probes *m);
/* Writes a definition, whose .group is made_probes_group(). One whose event was written before is
 * another place of that event (Linux 5.5 and later). 0, or -1 with *err. */
int made_probes_write(struct made_probes *m, const struct probe_def *d, struct err *err);

/* The process that made the probes of a group. */
struct made_owner {
	int pid;
	const char *command; /* of perf: "record", within the group's name; "": unknown */
	bool is_gone;
};
/* False: it is no group of made probes. */
bool made_probes_owner(const char *group, struct made_owner *out);

#endif
