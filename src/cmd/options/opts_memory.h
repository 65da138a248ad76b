/* SPDX-License-Identifier: MIT */
/* The events of perf mem and perf c2c, selected by -e, -t and --ldlat, and perf record with them.
 */
#ifndef CMD_OPTS_MEMORY_H
#define CMD_OPTS_MEMORY_H

#include "cmd/cmd.h"
#include "event/memory.h"

struct memory_opts {
	const char *events;   /* -e: tags, or "list"; NULL: by -t */
	bool loads, stores;   /* -t; both false: loads and stores */
	unsigned int latency; /* --ldlat, cycles, or MEMORY_LATENCY_USUAL */
	bool all_user, all_kernel, physical, page_size;
	int verbose;
};

extern const struct opt memory_opts[];	    /* -e --ldlat -v, for both commands */
extern const struct opt memory_type_opts[]; /* -t -p --data-page-size */

/* Runs `perf record` with the chosen events and the options of mem or c2c, followed by argv.
 * all_fields: with CPUs and physical addresses. -e list is answered on standard error instead.
 * Returns the exit status, or -1 with *err. */
int memory_record(struct env *env, const struct memory_opts *o, bool all_fields, int argc,
		  char **argv, struct err *err);

#endif
