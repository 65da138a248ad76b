/* SPDX-License-Identifier: MIT */
/*
 * Expressions over counts: the value of a metric, and the condition that it is bad.
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
 * Operators of one line have the same precedence, those of later lines a higher one. They associate
 * to the left, the first line to the right. Keywords and names of functions are no events.
 *
 * An unknown value is NaN, and so is the result of an operation on it. Exceptions: as a condition
 * NaN is true, every comparison with it is 0, and d_ratio(NaN, 0) is 0. An & or | whose known side
 * decides has that side's number.
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

/* A cache of facts. All zero: none was read yet. */
struct metric_known {
	bool read[FACT_COUNT];
	double value[FACT_COUNT];
};

/* The values of literals: #NAME for each enum fact, and those below. With a NULL root its facts are
 * not known. */
struct metric_facts {
	const char *sys_root, *proc_root;
	const char *cpuid; /* in the form that lists of events use: "GenuineIntel-6-55-4",
			    * "0x410fd0c0"; or NULL */
	bool target_cpu;   /* CPUs are counted, not tasks: -a, -C */
	bool core_wide;	   /* all threads of each counted core are counted */
	struct metric_known *known; /* caches the facts that were read; or NULL */
};

struct metric_expr {
	const struct metric_node *root;
	/* the events and metrics that it needs, each once, in the order of the text, without
	 * escapes: "cpu/event=0x3c/" */
	const char *const *ids;
	uint32_t n_ids;
};

/* The longest text in bytes, and the deepest nesting, that are accepted: no metric comes near. */
#define METRIC_TEXT_MOST  (64 * 1024)
#define METRIC_DEPTH_MOST 1000

/* Parses an expression into the arena. NULL with *err, whose hint shows the place of the
 * mistake. */
const struct metric_expr *metric_parse(const char *text, struct arena *arena, struct err *err);

/*
 * The expression for one machine: literals, has_event and strcmp_cpuid_str are replaced by their
 * values. Branches that these values rule out are removed, so that their events are not needed.
 * has_event tells if the machine has an event.
 */
const struct metric_expr *metric_fold(const struct metric_expr *e, const struct metric_facts *facts,
				      bool (*has_event)(void *ctx, const char *event), void *ctx,
				      struct arena *arena);

/*
 * The value of an expression. counts: the count of each id, NaN when not known. sources: how many
 * counters each count is the sum of; NULL: one. Literals and functions that metric_fold should have
 * replaced are NaN.
 */
double metric_eval(const struct metric_expr *e, const double *counts, const uint32_t *sources);

/* "100%": the number in front, 1 when there is none (any locale), and where the rest begins. */
double metric_scale(const char *text, const char **unit);

#endif
