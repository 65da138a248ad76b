/* SPDX-License-Identifier: MIT */
/*
 * The recorder: one recording from the first open to the last feature, over as many files as it is
 * told to write. record's options say what; nothing is printed here: what the user should know is
 * told through a call, or left in the result.
 */
#ifndef CAPTURE_RECORDER_H
#define CAPTURE_RECORDER_H

#include "capture/rings/capture.h"
#include "capture/record/features.h"
#include "capture/synth/synth.h"
#include "capture/open/option_values.h"
#include "symbol/unwind/unwind.h"

struct recorder_options {
	struct sampling sampling;
	struct target_options target;
	struct capture_options rings;
	struct synth_options synth;
	struct delay delay;
	struct rotation rotation;
	unsigned int rotation_keep; /* --switch-max-files; 0: all */
	bool timestamp_filename;
	struct control_path control;
	int realtime; /* SCHED_FIFO priority; 0: none */
	const char *path;
	int compress;
	uint64_t max_size;
	bool as_pipe;
	bool kcore; /* path becomes a directory, with a copy of the kernel's code */
	bool no_build_ids; /* -B */
	struct debug_lines debug; /* told what was opened, and how */
	bool per_task;	   /* never stand in for inherited events with system-wide ones */
	int argc; /* the whole command line, for the CMDLINE feature */
	char *const *argv;
	const char *version;
	char *const *command; /* ends with NULL; NULL: none */
	struct event_set *trigger; /* --switch-output-event; NULL: none */
	/* Something to show at once: whole lines. */
	void (*tell)(const char *text);
};

struct recorder_result {
	int exit_status; /* the command's, as a shell gives it */
	int signal;	 /* that ended the recording; 0: none */
	bool killed;	 /* the command was ended by a signal: exit_status - 128 */
	uint64_t bytes; /* of the last file */
	uint64_t plain, packed; /* with compression: its records before and after */
	uint64_t samples, wakeups; /* samples: in the files */
	uint64_t cut_samples;	   /* that had no room there */
	uint64_t lost_samples, lost_side, throttles; /* lost_side: names, maps, ... */
	uint64_t late_maps;
	uint64_t stack_cuts; /* copies of stacks that were shortened, for nothing else was fast enough */
	uint32_t stack_size;   /* to which copies of stacks were raised; 0: they were not */
	uint64_t stack_after;  /* how many samples */
	uint64_t chain_ends[UNWIND_ENDS]; /* how the chains that were made here end */
	struct unsampled unsampled;	  /* what new tasks were without a sample for */
	bool size_reached; /* max_size ended it */
	bool written;	   /* there is a file */
	char *last_file;   /* what the last one is called when names change at the end; the caller frees it */
};

/* Runs to the end. 0; -1 with *err when nothing (more) could be recorded: what had been is kept. */
int recorder_run(const struct recorder_options *opts, struct event_set *events,
		 struct recorder_result *result, struct err *err);

#endif
