/* SPDX-License-Identifier: MIT */
/*
 * A count from start to end, for one or more runs, with its command, intervals, delays and
 * time-outs. The counts are handed over at each interval and end; nothing is printed here.
 */
#ifndef CAPTURE_COUNT_RUN_H
#define CAPTURE_COUNT_RUN_H

#include "capture/count/count.h"
#include "capture/open/option_values.h"

struct count_run_options {
	struct count_options count;
	struct target_options target;
	char *const *command; /* or NULL */
	uint64_t interval_ms; /* 0: only at the end */
	uint64_t intervals;   /* no more than so many (the command runs on); 0: no limit */
	uint64_t timeout_ms;  /* end after that; 0: no limit */
	int64_t delay_ms;     /* -D; -1: until --control enables events; 0: none */
	struct control_path control;
	uint64_t runs;	      /* -r; 0: for ever */
	bool nothing;	      /* -n: measures only the elapsed time */
	bool sync;	      /* -S: syncs dirty pages to disk before each run */
	const char *pre, *post; /* shell commands around each run */
	void (*tell)(const char *text); /* whole lines for the user; may be NULL */
};

enum count_moment {
	COUNT_START,	/* counters are open and about to start; counts has their shape only */
	COUNT_INTERVAL, /* an interval has ended, or the run has ended within one */
	COUNT_END,	/* a run has ended */
};

/* What is known at a moment. */
struct count_tick {
	enum count_moment moment;
	uint64_t run;		    /* from 0 */
	bool last;		    /* of COUNT_END: no run follows */
	const struct counts *counts; /* cumulative since the start of this run */
	const struct counting *counting;
	const struct target *target;
	uint64_t elapsed_ns;	    /* since the start of this run (since enabling, with a delay) */
	bool times; /* the command has ended; it and the children that it waited for used: */
	uint64_t user_ns, system_ns;
};

struct count_run_result {
	uint64_t runs;	  /* runs done, the last perhaps interrupted */
	int exit_status;  /* the last command's: 128 + signal when one killed it, but 0 when the
			   * time-out did */
	int signal;	  /* the signal that ended the counting, or 0 */
};

/* take returns 0, or -1 with *err, which ends the run. */
int count_run(const struct count_run_options *opts, struct event_set *events,
	      int (*take)(void *ctx, const struct count_tick *tick, struct err *err), void *ctx,
	      struct count_run_result *result, struct err *err);

#endif
