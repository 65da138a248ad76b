/* SPDX-License-Identifier: MIT */
/* The events of perf mem and perf c2c, selected by -e, -t and --ldlat, and the command lines of
 * perf record for them. */
#ifndef CMD_OPTS_MEMORY_H
#define CMD_OPTS_MEMORY_H

#include "cmd/options/words/command_words.h"
#include "event/memory.h"

struct memory_opts {
	const char *events; /* -e: tags, or "list"; NULL: by -t */
	bool loads, stores; /* -t; both false: loads and stores */
	unsigned int latency;
	bool all_user, all_kernel, physical, page_size;
	int verbose;
};

#define MEMORY_LATENCY 30 /* --ldlat, cycles */

extern const struct opt memory_opts[];	    /* -e --ldlat -v, for both commands */
extern const struct opt memory_type_opts[]; /* -t -p --data-page-size */

/* A command line under construction, and the events of this machine. */
struct memory_words {
	struct command_words words;
	struct memory_event events[MEMORY_KINDS];
};

/* Starts the line with "record" and its options, then adds "-e EVENT" for each event. 1: -e list
 * was answered on standard error. 0, or -1 with *err. */
int memory_record_words(struct memory_words *w, const struct memory_opts *o, bool all_fields,
			struct err *err);
/* Runs `perf record` with these words, followed by argv. Returns the exit status. */
int memory_record_run(struct memory_words *w, struct env *env, const struct memory_opts *o,
		      int argc, char **argv);
void memory_words_release(struct memory_words *w);

#endif
