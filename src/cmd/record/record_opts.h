/* SPDX-License-Identifier: MIT */
/* record's options as typed, and their translation to the recorder's options. */
#ifndef CMD_RECORD_OPTS_H
#define CMD_RECORD_OPTS_H

#include "capture/record/recorder.h"
#include "cmd/cmd.h"
#include "cmd/options/opts_select.h"

#define WALL_ANY ""

struct record_opts {
	struct event_selects selects;
	struct target_options target;
	struct sampling sampling;
	const char *usual_chains; /* the mode of -g from the configuration, or NULL */
	char usual_dwarf[40];	  /* "dwarf,SIZE", to which it may point */
	const char *output, *frequency, *ring, *events_dir;
	const char *trigger, *probe_budget;
	uint64_t period, max_size;
	struct delay delay;
	struct rotation rotation;
	struct control_path control;
	unsigned int synth, rotation_keep, map_timeout, synth_threads;
	int compress, realtime, verbose, aio;
	bool callgraph, quiet, no_inherit, inherit, data, no_timestamp;
	bool no_build_id, no_build_id_cache, build_id_cache, build_id_all, build_id_mmap,
		no_bpf_event;
	bool timestamp_filename, timestamp_boundary, dry_run, tail_synthesize, branch_any;
	bool timestamp, sample_period, timestamp_given, sample_period_given;
	bool kcore, off_cpu, contained, latency;
	const char *wall; /* the source that --wall names, or WALL_ANY; NULL without --wall */
	struct opt_strings pairs; /* events that are recorded beside those of --wall */
	char *const *command;	  /* what is run; NULL: nothing. Borrowed */
	const char *affinity, *threads, *flush, *vmlinux, *debuginfod, *snapshot, *aux_sample;
};

extern const struct opt_group record_opt_groups[];
void record_defaults(void *opts, const struct env *env);
/* Sets the mode of -g to that of the command's own variable, where it is not NULL, else to
 * call-graph.record-mode with call-graph.dump-size. */
void record_usual_chains(struct record_opts *o, const struct env *env, const char *own);

/* Fills events with the selected events, or the default ones, with their filters. 0, or -1 with
 * *err. */
int record_events(const struct record_opts *opts, const struct event_selects *selects,
		  bool system_wide, const struct env *env, struct event_set *events,
		  struct err *err);
/* --wall (record_wall.c). record_wall_check() refuses options that would remove its events.
 * record_wall_sampling() sets the sample fields that it needs, before other options apply.
 * record_wall_events() adds its events. */
int record_wall_check(const struct record_opts *o, struct err *err);
void record_wall_sampling(const struct record_opts *o, const struct target_options *target,
			  struct sampling *s);
int record_wall_events(const struct record_opts *o, const struct event_host *host,
		       struct event_set *events, struct err *err);
/* Translates opts. argv is the command to run, or empty; it is borrowed. 0, or -1 with *err. */
int record_plan(struct record_opts *opts, const struct env *env, char **argv,
		struct recorder_options *out, struct event_set *events, struct event_set *trigger,
		struct err *err);

#endif
