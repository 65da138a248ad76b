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
#include "view/out/out.h"

/* A fact about the recording: "kernel", "6.1.0". Borrowed. */
struct export_fact {
	const char *name, *value;
};

struct export_input {
	const struct stacks *stacks;	/* sorted */
	const struct event_set *events; /* stack_sample.event is an index of it */
	const char *title;
	const char *losses; /* a line of text; "" when nothing was lost */
	const char *sides[STACK_SIDES]; /* names of the recordings that are compared; [1] NULL:
					   there is one */
	const struct export_fact *facts;
	size_t n_facts;
	uint64_t start_ns;    /* of the first sample, since the epoch; 0: not known */
	uint64_t duration_ns; /* from the first sample to the last; 0: not known */
	const struct moments *moments; /* for exporters with .moments; NULL: not known */
	/* of a wall-clock profile, or made of context switches; else NULL */
	const struct wait_lanes *lanes;
	const struct measurement_clock *clock; /* the clock of all times */
	const struct excerpts *code;	       /* for exporters with .code; NULL: not known */
};

struct exporter {
	const char *name; /* the option's name */
	/* 0, or -1 with *err. Failed writes are reported by out, not here. */
	int (*show)(const struct export_input *in, struct out *out, struct err *err);
	struct stacks_how how; /* what stacks must have; without times if the samples have none */
	bool exact_times;	/* times are never rounded, even with many moments */
	bool moments;		/* it also shows moments (moments.h) */
	bool switches;		/* it shows lanes that are made of context switches */
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

/* The facts of a recording's header. The array lies in the arena, the values in rec or the
 * arena. */
const struct export_fact *export_facts(const struct recording *rec, struct arena *arena, size_t *n);
/* Sets .start_ns and .duration_ns: by the samples and moments of in, else by the recording's head,
 * unless the filter (or NULL) drops some times. */
void export_set_times(struct export_input *in, const struct recording *rec,
		      const struct filter *filter);
/* The number of rows of samples, from that index on, that are of the same event. */
size_t export_event_rows(const struct stacks *s, size_t from);
/* The first row, and the number of rows (0: there are no samples), of the event with the most
 * samples: for formats that hold one event. */
size_t export_busiest_event(const struct stacks *s, size_t *n);
/* The samples of one thread and event, in the order of time. */
struct export_rows {
	uint32_t event, thread;
	const uint32_t *at; /* indices of stacks.samples */
	size_t n;
};
/* Calls take for each pair of event and thread that has samples. */
void export_each_thread(const struct export_input *in,
			void (*take)(void *ctx, const struct export_rows *rows), void *ctx);
/* The line in "file.c:12"; 0 for NULL. */
uint32_t export_line(const char *line);
/* The earliest time of samples and moments, as recorded. */
uint64_t export_first(const struct export_input *in);

#endif
