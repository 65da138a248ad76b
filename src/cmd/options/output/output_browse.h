/* SPDX-License-Identifier: MIT */
/* The output of a process in the browser, shown while it is being written. */
#ifndef CMD_OUTPUT_BROWSE_H
#define CMD_OUTPUT_BROWSE_H

#include "os/process/output.h"
#include "view/browser/browse.h"

/* Shows the output, and ends the process. sought: the line to start at, or NULL. *status: its exit
 * status; a process that was ended early has none: 0. Returns the key that ended the browser. */
int output_browse(struct screen *s, const char *title, struct child_output *o, const char *sought,
		  int *status);
/* Starts a command and shows its output. Returns the key, or -1 with *err. */
int output_browse_command(struct screen *s, const char *title, char *const *argv,
			  const char *sought, struct err *err);

#endif
