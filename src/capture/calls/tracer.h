/* SPDX-License-Identifier: MIT */
/*
 * System calls traced as they happen: of a command, of tasks, or of the machine. Needs BPF
 * (os/bpf/trace.h).
 */
#ifndef CAPTURE_CALLS_TRACER_H
#define CAPTURE_CALLS_TRACER_H

#include "capture/open/target.h"
#include "event/calls/calls.h"
#include "os/bpf/state/trace_record.h"

/* Which calls. */
struct call_selection {
	bool on[CALL_ABIS][CALL_NUMBERS];
};

struct tracer_options {
	struct target_options target;
	char *const *command; /* ends with NULL; NULL: none */
	const struct call_selection *calls;
	const char *cgroup;    /* only tasks in it; NULL: any */
	bool no_inherit;       /* children of the traced tasks are not traced */
	bool sums, sum_errors; /* no records: sums only, at the end */
	bool sum_cgroups;      /* of each control group apart */
	bool failures;
	uint64_t least_ns;
	uint32_t string_size;
	size_t ring_bytes;
	const uint8_t *dump_fds; /* TRACE_FDS: descriptors whose bytes are sent whole; NULL: none */
	bool dump_others;	 /* and those of descriptors above */
	unsigned int delay_ms; /* the command's beginning is not traced */
};

struct tracer_listener {
	/* The targets were found, and tracing is about to begin. 0, or -1 with *err. */
	int (*begin)(void *ctx, const struct target *t, int command_pid, struct err *err);
	void (*record)(void *ctx, const struct trace_record *r);
	/* Calls had no room since the last time; the last 1024 records at most were made later. */
	void (*lost)(void *ctx);
	void (*sum)(void *ctx, const struct trace_sum *sum); /* of .sums, at the end */
	/* Called after a batch of records, and from time to time without any (idle). False ends the
	 * trace. */
	bool (*pause)(void *ctx, bool idle);
	/* No more records come. Called only if begin was called. The signals that end a trace are
	 * still blocked. */
	void (*end)(void *ctx, bool failed);
	void *ctx;
};

struct tracer_result {
	uint64_t lost;	 /* calls, or sums, that there was no room for */
	uint64_t lost_parts; /* of dumps (TRACE_DATA) */
	int exit_status; /* the command's, as a shell gives it */
	int signal;	 /* that ended the trace; 0: none */
};

/* Traces until the command or all tasks have ended, a signal comes, or the listener ends the trace.
 * 0, or -1 with *err. */
int tracer_run(const struct tracer_options *opts, const struct tracer_listener *to,
	       struct tracer_result *result, struct err *err);

#endif
