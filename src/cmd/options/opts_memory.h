/* SPDX-License-Identifier: MIT */
/* The events of perf mem and perf c2c, as -e, -t and --ldlat choose them, and the command lines for
 * perf record that come of them. */
#ifndef CMD_OPTS_MEMORY_H
#define CMD_OPTS_MEMORY_H

#include "cmd/options/command_words.h"
#include "event/memory.h"

struct memory_opts {
	const char *events; /* -e: tags, or "list"; NULL: those of the types */
	bool loads, stores; /* -t; neither: both */
	unsigned int latency;
	bool all_user, all_kernel, physical, page_size;
	int verbose;
};

#define MEMORY_LATENCY 30 /* --ldlat, cycles */

extern const struct opt memory_opts[];	    /* -e --ldlat -v, both commands */
extern const struct opt memory_type_opts[]; /* -t -p --data-page-size */

/* A command line under construction, and the events to choose from. */
struct memory_words {
	struct command_words words;
	struct memory_event events[MEMORY_KINDS];
};

/* Adds "-e EVENT" for each event, after the options that it needs. first: "record" and what else
 * precedes. 1: -e list was asked for and answered on standard error; 0, or -1 with *err. */
int memory_record_words(struct memory_words *w, const struct memory_opts *o, bool all_fields,
			struct err *err);
/* Runs `perf record` with these words and the ones that follow. Returns the exit status. */
int memory_record_run(struct memory_words *w, struct env *env, const struct memory_opts *o,
		      int argc, char **argv);
void memory_words_release(struct memory_words *w);

#endif
