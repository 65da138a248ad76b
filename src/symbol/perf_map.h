/* SPDX-License-Identifier: MIT */
/*
 * /tmp/perf-PID.map: lines "START SIZE NAME", both in hex, that a JIT appends while it runs.
 * Source: tools/perf/Documentation/jit-interface.txt.
 */
#ifndef SYMBOL_PERF_MAP_H
#define SYMBOL_PERF_MAP_H

#include "symbol/table/symbol_table.h"

/* Adds the symbols of the text. Names point into the text, which is changed and must stay; text[n]
 * is 0. Where later lines moved or replaced code, the last line that covers an address is used. */
void perf_map_parse(char *text, size_t n, struct symbol_table *t);

#endif
