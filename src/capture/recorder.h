/* SPDX-License-Identifier: MIT */
/*
 * The recorder: one recording from the first open to the last feature. record's options say what;
 * nothing is printed here: notices and results are left for the command to show.
 */
#ifndef CAPTURE_RECORDER_H
#define CAPTURE_RECORDER_H

#include "capture/capture.h"
#include "capture/features.h"
#include "capture/synth.h"

struct recorder_options {
	struct sampling sampling;
	struct target_options target;
	struct capture_options rings;
	struct synth_options synth;
	const char *path;
	int compress;
	uint64_t max_size;
	bool as_pipe;
	bool no_build_ids; /* -B */
	bool tail_synth;
	int argc; /* the whole command line, for the CMDLINE feature */
	char *const *argv;
	const char *version;
	char *const *command; /* ends with NULL; NULL: none */
};

struct recorder_result {
	int exit_status; /* the command's, as a shell gives it */
	int signal;	 /* that ended the recording or its command; 0: none */
	uint64_t bytes, bytes_in;
	uint64_t samples, wakeups;
	uint64_t lost_events, lost_samples;
	uint64_t late_maps;
	struct buf notices; /* whole lines, shown before the result */
};

/* Runs to the end. 0; -1 with *err when nothing (more) could be recorded: what had been is kept. */
int recorder_run(const struct recorder_options *opts, struct event_set *events,
		 struct recorder_result *result, struct err *err);

#endif
