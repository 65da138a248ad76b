/* SPDX-License-Identifier: MIT */
/*
 * Functions of the kernel traced as they run, by ftrace: the tracer is set up for a target, its
 * text is read until the target ends, and everything is put back as it was.
 */
#ifndef CAPTURE_FUNCTIONS_H
#define CAPTURE_FUNCTIONS_H

#include "capture/open/target.h"

#include <stdint.h>

struct function_names {
	VEC(const char *);
};

struct functions_options {
	const char *root; /* of tracefs */
	struct target_options target;
	char *const *command; /* ends with NULL; NULL: none */
	const char *tracer;   /* "function_graph", "function" */
	/* globs. Empty: all functions (only, graph), or none (without, graph_without) */
	struct function_names only, without, graph, graph_without;
	bool inherit;
	unsigned int delay_ms;
	uint64_t buffer_bytes; /* of each CPU; 0: as it is */
	/* tracefs' options/NAME, set to a value ("0", "1") */
	VEC(struct function_option { const char *name, *value; })
	options;
	unsigned int depth, thresh_us; /* of function_graph; 0: no limit */
};

struct functions_listener {
	/* Some text, whole lines or not; false ends the trace. */
	bool (*text)(void *ctx, const char *p, size_t n);
	void *ctx;
};

struct functions_result {
	int exit_status; /* the command's, as a shell gives it */
	int signal;	 /* that ended it; 0: none */
	uint64_t lost;	 /* events that the buffers had no room for */
};

/* 0, or -1 with *err. The settings are put back in both cases. */
int functions_trace(const struct functions_options *o, const struct functions_listener *to,
		    struct functions_result *result, struct err *err);

#endif
