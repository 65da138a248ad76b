/* SPDX-License-Identifier: MIT */
/* Private to balance/. */
#ifndef ANALYSIS_BALANCE_PRIVATE_H
#define ANALYSIS_BALANCE_PRIVATE_H

#include "analysis/balance/balance.h"

enum balance_doing {
	BALANCE_BUSY,
	BALANCE_WAITS, /* for a thread of the recording */
	BALANCE_IDLE,  /* waits for no thread of the recording */
	BALANCE_UNKNOWN,
};

enum balance_doing balance_doing_of(struct waits *w, const struct waits_interval *i);
bool balance_spins(const struct waits *w, const struct waits_interval *i);
/* "running", "ready", or why it is blocked. */
const char *balance_doing_text(const struct waits *w, const struct waits_interval *i);

/* A thread begins its next interval, or ends. */
struct balance_change {
	uint64_t time;
	uint32_t thread;   /* place in .waits.threads */
	uint32_t interval; /* place in its intervals; their number: it ends */
};
struct balance_changes {
	VEC(struct balance_change);
};
/* All of them, in the order of time. */
void balance_list_changes(const struct waits *w, struct balance_changes *changes);

/* balance_spins.c: sets the waker of spinning intervals. */
void balance_find_releasers(struct balance *b, const struct balance_changes *changes);
/* balance_phases.c: fills .phases with their times. */
void balance_find_phases(struct balance *b);
/* balance_parts.c: fills .parts, .threads and the sums. */
void balance_add_parts(struct balance *b, const struct balance_changes *changes);
/* balance_guess.c: fills .guesses. 0, or -1 with *err: no stack has such a function. */
int balance_guess(struct balance *b, const struct balance_less *less, size_t n, struct err *err);

#endif
