/* SPDX-License-Identifier: MIT */
/* Private to waits/. */
#ifndef ANALYSIS_WAITS_PRIVATE_H
#define ANALYSIS_WAITS_PRIVATE_H

#include "analysis/waits/waits.h"

/* waits_parallel.c: fills .running. */
void waits_count_running(struct waits *w);
/* waits_path.c: marks what delayed the program, and fills .steps. */
void waits_find_path(struct waits *w);

#endif
