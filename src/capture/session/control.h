/* SPDX-License-Identifier: MIT */
/*
 * --control: one-line commands from a descriptor or named pipe, each answered with "ack\n".
 */
#ifndef CAPTURE_CONTROL_H
#define CAPTURE_CONTROL_H

#include "base/buf.h"
#include "base/err.h"
#include "capture/open/option_values.h"
#include "event/event.h"

struct control {
	int fd, ack; /* -1: none */
	bool open, owned;
	bool ended; /* its writer has gone */
	struct buf line; /* the part of the next line that has come */
};

enum control_verb { CONTROL_NONE, CONTROL_ENABLE, CONTROL_DISABLE, CONTROL_SNAPSHOT, CONTROL_STOP,
		    CONTROL_PING, CONTROL_EVLIST, CONTROL_UNKNOWN };
struct control_command {
	enum control_verb verb;
	char argument[256]; /* "" when there is none */
};

int control_open(struct control *c, const struct control_path *path, struct err *err);
void control_close(struct control *c);
/* The next whole command that has come, or CONTROL_NONE. Never waits. */
enum control_verb control_next(struct control *c, struct control_command *out);
void control_ack(struct control *c);
/* What "evlist" answers, a line for each event: its name; with 'v' in how its attribute, with 'F'
 * its rate. */
void control_events(const struct event_set *events, const char *how, struct buf *out);
/* A command as it is typed: for tests. */
void control_parse(const char *line, struct control_command *out);

#endif
