/* SPDX-License-Identifier: MIT */
/* What a command writes to its standard output. */
#ifndef OS_OUTPUT_H
#define OS_OUTPUT_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Runs a command, found in PATH, until it ends, and appends its standard output to out: max bytes
 * at most, more ends the command. Its standard input is empty, its standard error is dropped. argv
 * ends with NULL. Returns its exit status (128 + signal when a signal ended it), or -1 with *err
 * when it could not be run.
 */
int command_output(char *const *argv, struct buf *out, size_t max, struct err *err);

#endif
