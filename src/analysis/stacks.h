/* SPDX-License-Identifier: MIT */
/*
 * Samples in the form that other programs draw: functions, frames, a tree of stacks, and samples by
 * thread and time. Pages and exporters are written from it.
 *
 *   stacks_ask(&wanted, how)    what samples must keep
 *   stacks_init(&s, how)
 *   stacks_add(&s, samples, filter, side)    once for each recording, after samples_resolve()
 *   stacks_sort(&s)
 *
 * A stack is built once for each call chain that differs, not once a sample. Names are borrowed
 * from the samples and their world, which must outlive it.
 */
#ifndef ANALYSIS_STACKS_H
#define ANALYSIS_STACKS_H

#include "profile/samples/samples.h"

/* What kind of code a function is. */
enum stack_kind {
	STACK_PROGRAM,
	STACK_LIBRARY,
	STACK_KERNEL,
	STACK_JIT,
	STACK_INLINED,
	STACK_UNKNOWN, /* it has no name */
	STACK_KINDS
};

struct stack_function {
	const char *name; /* "[unknown]" stands for all of a dso that has no name */
	uint32_t dso;	  /* in stacks.dsos */
	enum stack_kind kind;
	const char *file; /* source file, where frames know their lines; or NULL */
};

struct stack_dso {
	const char *name; /* as reports show it; "[unknown]": none */
	const struct dso *dso; /* or NULL */
};

/* A place in a function: an address of it where stacks_how asks for addresses, else
 * the function. */
struct stack_frame {
	uint32_t function;
	uint64_t address; /* in the dso's symbol address space; 0 without addresses */
	const char *line; /* "file.c:12"; NULL: not known */
	bool inlined;	  /* the frame that called it is the same address */
};

/* Node 0 is the root, which has no frame. A parent stands before its children. */
struct stack_node {
	uint32_t parent, frame;
};

struct stack_thread {
	uint32_t pid, tid;
	const char *comm; /* a thread that changed its name is there once for each */
};

#define STACK_SIDES 2 /* recordings that are compared, at most */

/* Equal samples of one moment. */
struct stack_sample {
	/* ns, as recorded; after stacks_sort() since the first sample of its side. 0
	 * without times */
	uint64_t time;
	uint64_t weight; /* sum of periods */
	uint32_t node, thread, samples;
	int32_t cpu;	/* -1: not recorded, or not asked for */
	uint32_t event; /* index in the event set */
	uint8_t side; /* < STACK_SIDES, as given to stacks_add() */
};

struct stacks_how {
	bool times;	/* samples keep their times */
	bool addresses; /* frames are addresses */
	bool lines;	/* functions know their files, frames their lines */
	bool no_cpus;	/* samples of all CPUs are added up */
	uint64_t time_quantum; /* ns that times are rounded down to; 0: none */
};

struct stacks {
	struct stacks_how how;
	VEC(struct stack_function) functions;
	VEC(struct stack_dso) dsos;
	VEC(struct stack_frame) frames;
	VEC(struct stack_node) nodes;
	VEC(struct stack_thread) threads;
	VEC(struct stack_sample) samples; /* stacks_sort(): by event, then by time */
	/* stacks_sort(): of each side the time of its first sample, and how much later the last one
	 * was */
	uint64_t first[STACK_SIDES], duration[STACK_SIDES];
	/* private */
	struct intern function_keys, dso_keys, frame_keys, thread_keys;
	struct idmap children; /* parent << 32 | frame -> node */
};

enum stack_kind stack_kind_of(const struct frame *f);
/* True for a file of user space that is no library by its name, be it read or missing. */
bool stack_dso_is_program(const struct stack_dso *d);

void stacks_ask(struct samples_options *wanted, const struct stacks_how *how);
/* All zero is valid and empty. */
void stacks_init(struct stacks *s, const struct stacks_how *how);
void stacks_release(struct stacks *s);
/* Adds the samples that the filter's names and numbers of processes and threads leave; filter may
 * be NULL. Times are kept as recorded. events: what stack_sample.event counts in; samples of
 * events that it has none of that name for are left out, unless each has one event only. */
void stacks_add(struct stacks *s, const struct samples *samples, const struct filter *filter,
		const struct event_set *events, uint8_t side);
/* Once, after all were added. */
void stacks_sort(struct stacks *s);
/* "ns" for clocks, "events" for tracepoints, else the event's name without its modifiers. Appended
 * to out. */
void stacks_unit(const struct event *ev, struct buf *out);

#endif
