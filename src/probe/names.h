/* SPDX-License-Identifier: MIT */
/* How the events of probes are called. */
#ifndef PROBE_NAMES_H
#define PROBE_NAMES_H

#include "probe/definition.h"
#include "probe/spec.h"

/* "GROUP:EVENT" of probes that exist, and of those that were just named. All zero is valid and
 * empty. */
struct probe_names {
	struct arena arena;
	VEC(const char *) taken;
};
void probe_names_release(struct probe_names *n);
void probe_names_add(struct probe_names *n, const char *group, const char *event);
/* Adds the probes that the kernel has, by its files below tracefs. 0, or -1 with *err. */
int probe_names_read(struct probe_names *n, const char *tracefs, struct err *err);
bool probe_names_has(const struct probe_names *n, const char *group, const char *event);

/* The group of probes in a program: "probe_libc" for "/lib/libc.so.6". In the arena. */
const char *probe_group_of_file(const char *path, struct arena *arena);

enum probe_naming {
	PROBE_NAME_FREE,   /* whatever exists */
	PROBE_NAME_NEW,	   /* a name that is taken is an error */
	PROBE_NAME_SUFFIX, /* a name that is taken gets a number: "parse_1" */
};
/* Names a definition after its spec, else after its function. 0, or -1 with *err. */
int probe_name_def(struct probe_def *d, const struct probe_spec *s, enum probe_naming how,
		   const struct probe_names *names, struct arena *arena, struct err *err);

#endif
