/* SPDX-License-Identifier: MIT */
/*
 * Profiles as files for other programs. An exporter is a row of `exporters` and a function that
 * writes stacks (analysis/stacks.h): doc/how-to-add-an-exporter.md.
 */
#ifndef VIEW_EXPORT_H
#define VIEW_EXPORT_H

#include "analysis/annotate/excerpts.h"
#include "analysis/moments.h"
#include "analysis/stacks.h"
#include "analysis/waits/wait_lanes.h"
#include "view/out.h"

/* A line about the recording: "kernel", "6.1.0". Borrowed. */
struct export_fact {
	const char *name, *value;
};

struct export_input {
	const struct stacks *stacks;	/* sorted */
	const struct event_set *events; /* what stack_sample.event counts in */
	const char *title;
	const char *losses; /* a line; "" when nothing is to be said */
	const char *sides[STACK_SIDES]; /* names of the recordings that are compared; [1] NULL:
					   there is one */
	const struct export_fact *facts;
	size_t n_facts;
	uint64_t start_ns; /* of the first sample, since the epoch; 0: not known */
	const struct moments *moments; /* for exporters that want them; NULL: none are known */
	const struct wait_lanes *lanes;	       /* of a wall-clock profile; NULL: it is none */
	const struct measurement_clock *clock; /* that times are of */
	const struct excerpts *code;	       /* for exporters that want it; NULL: none is known */
};

struct exporter {
	const char *name; /* of the option */
	/* 0, or -1 with *err. What the output itself refuses is said by out. */
	int (*show)(const struct export_input *in, struct out *out, struct err *err);
	struct stacks_how how; /* what it wants of stacks; times are left out when there are none */
	bool exact_times;	/* times are not rounded, however many moments there are */
	bool moments;		/* it shows what moments.h tells, too */
	bool code;		/* it shows the hottest functions' code */
};

enum {
	EXPORT_HTML,
	EXPORT_SVG,
	EXPORT_SPEEDSCOPE,
	EXPORT_PPROF,
	EXPORT_CALLGRIND,
	EXPORT_FIREFOX,
	EXPORT_CHROME,
	EXPORT_PERFETTO,
	EXPORT_JSON,
	EXPORT_SUMMARY,
	EXPORTERS
};
extern const struct exporter exporters[EXPORTERS];

int export_html(const struct export_input *in, struct out *out, struct err *err);
int export_svg(const struct export_input *in, struct out *out, struct err *err);
int export_speedscope(const struct export_input *in, struct out *out, struct err *err);
int export_pprof(const struct export_input *in, struct out *out, struct err *err);
int export_callgrind(const struct export_input *in, struct out *out, struct err *err);
int export_firefox(const struct export_input *in, struct out *out, struct err *err);
int export_chrome(const struct export_input *in, struct out *out, struct err *err);
int export_perfetto(const struct export_input *in, struct out *out, struct err *err);
int export_json(const struct export_input *in, struct out *out, struct err *err);
int export_summary(const struct export_input *in, struct out *out, struct err *err);

/* What a recording's header says. The values are rec's or the arena's; the array is the arena's. */
const struct export_fact *export_facts(const struct recording *rec, struct arena *arena, size_t *n);
/* The samples from that one on that are of one event: how many. */
size_t export_event_rows(const struct stacks *s, size_t from);
/* The samples of one thread and event, in the order of time. */
struct export_rows {
	uint32_t event, thread;
	const uint32_t *at; /* indices of stacks.samples */
	size_t n;
};
/* Calls take for each event and each of its threads that has samples. */
void export_each_thread(const struct export_input *in,
			void (*take)(void *ctx, const struct export_rows *rows), void *ctx);
/* The line in "file.c:12"; 0 for NULL. */
uint32_t export_line(const char *line);
/* The earliest time of samples and moments, as recorded. */
uint64_t export_first(const struct export_input *in);

#endif
