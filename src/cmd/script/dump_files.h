/* SPDX-License-Identifier: MIT */
/* --per-event-dump: a file for each event, beside the recording. */
#ifndef CMD_SCRIPT_DUMP_FILES_H
#define CMD_SCRIPT_DUMP_FILES_H

#include "view/script/script.h"

struct dump_file {
	struct out out;
	char *path;
};
/* All zero is valid: no files. */
struct dump_files {
	VEC(struct dump_file *) files;
};

/* Opens files for the events known so far: a pipe defines events on the way. 0, or -1 with *err. */
int dumps_open(struct script *s, struct dump_files *d, struct err *err);
/* False when the reader of a file has gone. */
bool dumps_ready(struct dump_files *d);
/* Closes the files, and appends what was written to out. 0, or -1 with *err (which may be NULL). */
int dumps_close(struct script *s, struct dump_files *d, struct buf *out, struct err *err);

#endif
