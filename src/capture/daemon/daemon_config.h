/* SPDX-License-Identifier: MIT */
/* What the configuration wants of a daemon: daemon.base, and a session for each session-NAME.run.
 */
#ifndef CAPTURE_DAEMON_CONFIG_H
#define CAPTURE_DAEMON_CONFIG_H

#include "base/config/config.h"

struct daemon_wanted {
	const char *name; /* of the session; can be a part of a file's name */
	const char *run;  /* options of perf record */
};
struct daemon_config {
	struct arena arena;
	const char *base;		    /* NULL: not set */
	VEC(struct daemon_wanted) sessions; /* each name once, in the order of the configuration */
};

/* Takes it from the configuration. 0, or -1 with *err for a name that no session can have and for
 * options that are no words. */
int daemon_config_take(struct daemon_config *c, const struct config *from, struct err *err);
void daemon_config_release(struct daemon_config *c);

struct daemon_words {
	VEC(char *);
};
/* Appends the words of a line, in the arena. Blanks separate words; '' and "" quote; a backslash
 * quotes the next character, but not within ''. */
int daemon_words_split(const char *line, struct arena *arena, struct daemon_words *out,
		       struct err *err);

#endif
