/* SPDX-License-Identifier: MIT */
/*
 * Expressions over counts: what a metric is, and when its value is bad.
 *
 *   a if c else b                 c is false when it is 0, else true
 *   a | b   a ^ b   a & b         of whole numbers: fractions are cut off
 *   a < b   a > b   a <= b   a >= b   a == b   a != b      1 or 0
 *   a + b   a - b
 *   a * b   a / b   a % b         NaN when b is 0; % is of whole numbers
 *   -a   (a)
 *   min(a, b)   max(a, b)   d_ratio(a, b)     d_ratio is a / b, but 0 when b is 0
 *   source_count(event)           how many counters were summed to that count
 *   has_event(event)              1 when this machine has the event, else 0
 *   strcmp_cpuid_str(pattern)     1 when the CPU is of that kind, else 0
 *   1  .5  2.  1e9  #name         numbers, and what they are on this machine: literals
 *   event  metric                 \ in front of , - = * and the like makes them a part of a name,
 * and @ stands for /: cpu@event\=0x3c@ is cpu/event=0x3c/
 *
 * Operators of one line bind alike, from left to right, those of later lines stronger; the first
 * goes from right to left. The words and the names of functions are no events.
 *
 * What isn't known is NaN, and so is what is made of it; but as a condition NaN is true, every
 * comparison with it is 0, and d_ratio(NaN, 0) is 0. An & or | that its known side decides takes
 * that side's number.
 *
 * An expression has no state: once parsed, any thread may evaluate it. It is the language of the
 * kernel's JSON files, and <= >= == != which Intel's have, too.
 */
#ifndef EVENT_METRIC_EXPR_H
#define EVENT_METRIC_EXPR_H

#include "base/err.h"
#include "base/mem.h"
#include "os/machine/facts.h"

#include <stdbool.h>

/* Facts that were read: all zero at first. */
struct metric_known {
	bool read[FACT_COUNT];
	double value[FACT_COUNT];
};

/* What literals stand for: #NAME for each enum fact, and those below. A root that is NULL: its
 * facts are not known. */
struct metric_facts {
	const char *sys_root, *proc_root;
	const char *cpuid; /* as lists of events call it: "GenuineIntel-6-55-4", "0x410fd0c0"; or
			      NULL */
	bool target_cpu;   /* CPUs are counted, not tasks: -a, -C */
	bool core_wide;	   /* of each core that is counted all threads are */
	struct metric_known *known; /* keeps what was read for the next time; or NULL */
};

struct metric_expr {
	const struct metric_node *root;
	/* what it needs, each once, in the order of the text, without escapes: "cpu/event=0x3c/" */
	const char *const *ids;
	uint32_t n_ids;
};

/* The longest text that is taken, and how deep it may nest: no metric comes near. */
#define METRIC_TEXT_MOST  (64 * 1024)
#define METRIC_DEPTH_MOST 1000

/* In the arena. NULL with *err: the hint shows the place. */
const struct metric_expr *metric_parse(const char *text, struct arena *arena, struct err *err);

/*
 * The same for one machine: with literals, has_event and strcmp_cpuid_str replaced by their values,
 * and what they decide left out, so that events are not needed that cannot matter. has_event says
 * if the machine has an event.
 */
const struct metric_expr *metric_fold(const struct metric_expr *e, const struct metric_facts *facts,
				      bool (*has_event)(void *ctx, const char *event), void *ctx,
				      struct arena *arena);

/*
 * Its value. counts: one for each of its ids, NaN when not known; sources: how many counters each
 * of them is the sum of, NULL: one. What only metric_fold replaces is NaN.
 */
double metric_eval(const struct metric_expr *e, const double *counts, const uint32_t *sources);

/* "100%": the number in front, 1 when there is none (any locale), and where the rest begins. */
double metric_scale(const char *text, const char **unit);

#endif
