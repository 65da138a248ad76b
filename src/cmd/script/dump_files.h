/* SPDX-License-Identifier: MIT */
/* --per-event-dump: a file for each event, beside the recording. */
#ifndef CMD_SCRIPT_DUMP_FILES_H
#define CMD_SCRIPT_DUMP_FILES_H

#include "view/script/script.h"

struct dump_file {
	struct out out;
	char *path;
};
/* All zero is valid: there are none. */
struct dump_files {
	VEC(struct dump_file *) files;
};

/* Files for the events that there are by now: a pipe tells of them one by one. 0, or -1
 * with *err. */
int dumps_open(struct script *s, struct dump_files *d, struct err *err);
/* False: whoever reads one of them has gone. */
bool dumps_ready(struct dump_files *d);
/* Says what was written. 0, or -1 with *err (which may be NULL). */
int dumps_close(struct script *s, struct dump_files *d, struct buf *out, struct err *err);

#endif
