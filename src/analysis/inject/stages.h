/* SPDX-License-Identifier: MIT */
/* The state and functions of inject's stages; inject.c shows their order. */
#ifndef ANALYSIS_INJECT_STAGES_H
#define ANALYSIS_INJECT_STAGES_H

#include "analysis/inject/inject.h"
#include "capture/record/build_ids.h"
#include "world/unwound.h"

/* Where records go. The first error stays; nothing is written after it. */
struct output {
	struct recording *rec;
	struct sink *sink;
	const struct known_ids *known;
	struct err *err;
	struct event_set
		converted; /* the events with other attributes; empty: the recording's hold */
	const struct event_set *events; /* as they are written */
	struct buf gathered;		/* waits to be written in one piece */
	struct buf encoded;
	struct build_ids table; /* for the BUILD_ID feature */
	bool new_table;		/* it differs from what the recording had */
	bool begun, failed, pipe;
	uint64_t put[4]; /* features that were written */
	VEC(struct trace_place { uint64_t offset, size; })
	traces; /* AUXTRACE records in the file */
};
void output_init(struct output *o, struct recording *rec, struct sink *sink,
		 const struct known_ids *known, struct err *err);
void output_release(struct output *o);
/* Does nothing when the output has begun. Header records of a pipe that come later stay among its
 * records. */
void output_begin(struct output *o);
/* Writes a record with the bytes that follow it: as in the input when it has .bytes, else
 * encoded. */
void output_put(struct output *o, const struct record *r);
/* Adds a file's build-id to those that the recording's header has. */
void output_build_id(struct output *o, uint8_t cpumode, const struct build_id *id,
		     const char *filename);
/* Adds the ends of the chains that were unwound from stack dumps. */
void output_chains(struct output *o, const uint64_t ends[UNWIND_ENDS]);
void output_end(struct output *o);
int output_fail(struct output *o); /* *err is set: notes it; -1 */

struct inject {
	struct recording *rec;
	const struct inject_options *opts;
	struct inject_totals *totals;
	struct output out;
	struct world *world; /* NULL: not needed */
	struct err *err;
	struct ids *ids;
	struct sleeps *sleeps;
	struct jits *jits;
	struct unwound unwound;
	bool deferred; /* deferred chains are joined with their samples */
};
/* From a stage to those after it: the world learns of it, and it gets its build-ids. */
void inject_pass(struct inject *in, struct record *r);

/* ids.c */
struct ids *ids_new(void);
void ids_free(struct ids *ids);
/* Of a record that the world knows already. False: it is not to be written. */
bool ids_take(struct inject *in, struct record *r);

/* sleeps.c: false: the record is not to be written; else it may be another one now. */
struct sleeps *sleeps_new(void);
void sleeps_free(struct sleeps *s);
bool sleeps_take(struct inject *in, struct record *r);

/* jit.c: puts what is due before the record; false: the record is not to be written. */
struct jits *jits_new(void);
void jits_free(struct jits *j);
bool jits_take(struct inject *in, const struct record *r);
void jits_end(struct inject *in);

/* chains.c */
void chains_events(const struct event_set *from, struct event_set *to);
void chains_convert(struct inject *in, struct record *r);

#endif
