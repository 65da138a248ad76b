/* SPDX-License-Identifier: MIT */
/* The options that a recording was made with, as its command line tells. */
#ifndef CMD_OPTS_RECORDED_H
#define CMD_OPTS_RECORDED_H

#include "data/recording.h"

/* True when the option ("--latency") was given to perf. The same word behind the name of the
 * recorded program is the program's. False without a command line (a pipe). */
bool recorded_with(const struct recording *rec, const char *option);

#endif
