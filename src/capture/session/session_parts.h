/* SPDX-License-Identifier: MIT */
/* What the files of a session share. Private to session*.c. */
#ifndef CAPTURE_SESSION_PARTS_H
#define CAPTURE_SESSION_PARTS_H

#include "capture/session/session.h"

/* Tells the user of the session the lines in b, and empties it. */
void session_tell_buf(struct session *s, struct buf *b);
/* Adds the known processes of the tree to what session_step() waits for. False: none of them
 * lives. */
bool session_watch_tree(struct session *s);

#endif
