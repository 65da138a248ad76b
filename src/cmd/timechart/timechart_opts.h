/* SPDX-License-Identifier: MIT */
/* timechart's options, as typed. */
#ifndef CMD_TIMECHART_OPTS_H
#define CMD_TIMECHART_OPTS_H

#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "view/timechart/timechart.h"

struct timechart_opts {
	struct input_opts input;
	struct symbol_options symbols;
	struct timechart_view view;
	const char *output;		     /* "-": standard output */
	const char *time;		     /* the part of the time that is drawn; NULL: all */
	uint64_t io_min_time, io_merge_dist; /* ns */
	bool topology, strict;
	bool io, chains; /* of record */
};

extern const struct cmd cmd_timechart_record;

/* 0, or -1 with *err when -P and -T were both given. */
int timechart_check_sections(const struct timechart_opts *o, struct err *err);

/* Draws the recording. Returns an exit status, or -1 with *err. */
int timechart_draw(struct env *env, struct timechart_opts *o, struct err *err);

#endif
