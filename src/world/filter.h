/* SPDX-License-Identifier: MIT */
/*
 * Which samples a report is about. Some filters drop samples (CPUs, times, switched-off spans);
 * others mark entries as filtered, so that percentages can stay those of the whole.
 */
#ifndef WORLD_FILTER_H
#define WORLD_FILTER_H

#include "base/err.h"
#include "base/hash.h"
#include "data/source.h"

#include <stdbool.h>

struct name_list {
	struct intern names;
	bool given;
};
struct number_list {
	VEC(struct number_range { uint64_t first, last; }) ranges;
	bool given;
};
struct time_range {
	uint64_t start, end; /* both included */
};

struct filter {
	struct name_list comms, dsos, symbols;
	struct number_list pids, tids, cpus, parallelism;
	VEC(struct time_range) times;
	bool times_given;
	const char *symbol_part; /* --symbol-filter, or NULL */
	int socket;		 /* --socket-filter, or -1 */
};

void filter_release(struct filter *f);
/* Adds the names of "a,b,c", which any character of separators divides, and sets .given. */
void name_list_add(struct name_list *l, const char *text, const char *separators);
bool name_list_has(const struct name_list *l, const char *name);
/* Parses "1,3-5" (also "0x.."). what: the word for the numbers in the error message. 0, or -1 with
 * *err. */
int number_list_parse(struct number_list *l, const char *text, const char *what, struct err *err);
bool number_list_has(const struct number_list *l, uint64_t n);
/*
 * --time: "start,stop" in seconds (either may be missing), several separated by blanks; or parts of
 * first..last: "10%/2" (the 2nd 10 %), "0%-10%,30%-40%", "10%". Times in nanoseconds.
 */
int filter_times_parse(struct filter *f, const char *text, uint64_t first, uint64_t last,
		       struct err *err);
/* Writes the names of the sort keys that the filter limits to one value: up to three, then NULL. */
void filter_elided(const struct filter *f, const char *names[4]);
bool filter_has_time(const struct filter *f, uint64_t time);
/* True when the filter limits neither times nor CPUs, processes, threads and comms. */
static inline bool filter_wants_all_tasks(const struct filter *f)
{
	return !f->times_given && !f->cpus.given && !f->pids.given && !f->tids.given &&
	       !f->comms.given;
}
/* True when the filter wants any time of from..to (both included, ns). filter: a struct filter. */
bool filter_has_span(const void *filter, uint64_t from, uint64_t to);
/* The filter's times as an option of a source; all times where none were given. The filter must
 * outlive the source. */
struct source_times filter_source_times(const struct filter *f);

#endif
