/* SPDX-License-Identifier: MIT */
/*
 * A limit for the cost of probes in programs while they are recorded.
 *
 * The cost of a probe's event is the number of its hits times what a hit costs
 * (probe/probe_cost.h). All of them together may cost a share of the time that has passed. Where
 * they cost more, the event with the most hits is closed, and its probe is taken out of programs;
 * then the next one. Events of one part of function_probes.h are closed together.
 */
#ifndef CAPTURE_PROBE_BUDGET_H
#define CAPTURE_PROBE_BUDGET_H

#include "capture/rings/capture.h"

struct probe_budget {
	double share;	 /* of the elapsed time; 0: there is no limit */
	uint64_t hit_ns; /* what a hit costs */
	VEC(struct budget_event {
		struct event *event;
		uint64_t hits, recent; /* so far; since the last look but one */
		bool closed;
	})
	events;
	uint64_t begun_ns, looked_ns; /* CLOCK_MONOTONIC */
	double left_ns;		      /* what probes may cost until the next look */
};

/* Finds the events of probes in programs, and measures what a hit costs. 0, or -1 with *err: there
 * are none, or it cannot be measured. Release it in both cases. */
int probe_budget_begin(struct probe_budget *b, double share, struct event_set *events,
		       struct err *err);
void probe_budget_release(struct probe_budget *b);
/* When to look next, in ms from now; INT32_MAX: never. */
int probe_budget_due(const struct probe_budget *b);
/* Looks, when it is time. Calls close for events that cost too much; one that it cannot close
 * returns false. */
void probe_budget_look(struct probe_budget *b, const struct capture *c,
		       bool (*close)(void *ctx, const struct budget_event *e), void *ctx);

#endif
