/* SPDX-License-Identifier: MIT */
/*
 * Merges the text of the CPUs' trace pipes in the order of time, whole lines at a time. A line that
 * has no time of its own stays with its neighbour: a stack goes with the function before it
 * (tracer function), the remark that another task runs with the function behind it
 * (function_graph).
 *
 *   "  123.456789 |   0)   0.250 us    |  vfs_read();"            function_graph, funcgraph-abstime
 *   "      cat-77   [001] d..2.   123.456789: vfs_read <-ksys_read"                      function
 *
 * Source: the kernel's Documentation/trace/ftrace.rst.
 */
#ifndef CAPTURE_CPU_TEXTS_H
#define CAPTURE_CPU_TEXTS_H

#include "base/buf.h"
#include "base/mem.h"

#include <stdint.h>

struct cpu_text {
	struct buf text;
	size_t begin;	/* of the text that was not taken yet */
	size_t head_n;	/* bytes of the next piece, whole lines; 0: none is known */
	uint64_t head;	/* its time in us */
	uint64_t taken; /* the time of the last piece that was taken */
	uint64_t last;	/* the highest time that was added */
	bool exhausted; /* its pipe was read to its end in this round */
};

struct cpu_texts {
	VEC(struct cpu_text);
	bool graph;	 /* the tracer is function_graph */
	bool strip;	 /* leave the lines' column of times out (function_graph) */
	uint64_t newest; /* highest time of the rounds before this one */
};

void cpu_texts_init(struct cpu_texts *t, size_t cpus);
void cpu_texts_release(struct cpu_texts *t);
/* Adds a piece of a CPU's text, which may begin and end within a line. */
void cpu_texts_add(struct cpu_texts *t, size_t cpu, const char *text, size_t n);
/*
 * Ends a round of reading all pipes. Appends to out what no later text can come before: lines up to
 * the highest time of the round before, where a CPU is not exhausted only up to its own highest
 * time. at_end: everything.
 */
void cpu_texts_take(struct cpu_texts *t, bool at_end, struct buf *out);

#endif
