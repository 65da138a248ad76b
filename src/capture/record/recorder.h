/* SPDX-License-Identifier: MIT */
/*
 * The recorder: a session whose records go into a file, or into as many files as its options say,
 * with the header features. Nothing is printed here: what the user should know is told through a
 * callback, or left in the result.
 */
#ifndef CAPTURE_RECORDER_H
#define CAPTURE_RECORDER_H

#include "capture/record/features.h"
#include "capture/session/session.h"
#include "symbol/unwind/unwind.h"

struct recorder_options {
	struct session_options session;
	struct rotation rotation;
	unsigned int rotation_keep; /* --switch-max-files; 0: all */
	bool timestamp_filename;
	const char *path;
	int compress;
	uint64_t max_size;
	bool as_pipe;
	bool kcore; /* path becomes a directory, with a copy of the kernel's code */
	bool no_build_ids; /* -B */
	bool wait_states;  /* the set's event of data/wait_state.h gets its samples */
	double probe_budget; /* the share of time that probes in programs may cost; 0: any */
	int argc; /* the whole command line, for the CMDLINE feature */
	char *const *argv;
	const char *version;
	/* Shows whole lines to the user at once. */
	void (*tell)(void *ctx, const char *text);
	void *tell_ctx;
};

struct recorder_result {
	int exit_status; /* the command's, as a shell gives it */
	int signal;	 /* that ended the recording; 0: none */
	bool killed;	 /* the command was ended by a signal: exit_status - 128 */
	uint64_t bytes; /* size of the last file */
	uint64_t plain, packed; /* with compression: its records before and after */
	uint64_t samples, wakeups; /* samples: in the files */
	uint64_t cut_samples;	   /* samples that had no room in the files */
	uint64_t lost_samples, lost_side, throttles; /* lost_side: names, maps, ... */
	uint64_t late_maps;
	uint64_t stack_cuts; /* stack dumps that were shortened, for nothing else was fast enough */
	uint32_t stack_size;   /* to which stack dumps were raised; 0: they were not */
	uint64_t stack_after;  /* number of samples before that */
	uint64_t chain_ends[UNWIND_ENDS]; /* how the chains that were made here end */
	/* BPF programs, and types of such, that had no room in a file, of the one where most had
	 * none */
	uint32_t bpf_programs_left_out, bpf_types_left_out;
	struct unsampled unsampled;	  /* share of the count that new tasks have no sample for */
	bool size_reached; /* max_size ended it */
	bool written;	   /* there is a file */
	/* when names change at the end: what the files are called that were kept, the oldest first.
	 * The caller releases it. */
	struct recorder_files {
		VEC(char *);
	} files;
};

void recorder_files_release(struct recorder_files *files);
/* Runs to the end. 0; -1 with *err when nothing (more) could be recorded: what had been is kept. */
int recorder_run(const struct recorder_options *opts, struct event_set *events,
		 struct recorder_result *result, struct err *err);

#endif
