/* SPDX-License-Identifier: MIT */
/*
 * Samples of where threads wait, from /proc (os/proc/wait_place.h), for recordings that have the
 * event "wait-states": at most one for each wait, and another one at the end of the recording. The
 * threads are those of the target's processes, and of processes that descend from these, as long as
 * their parents live.
 *
 * Looks are at least 2 ms apart, and so far apart that they take at most 2 % of a CPU's time. Where
 * the scheduler's events are recorded, too, these tell of all waits but those that began before the
 * recording: only the beginning and the end have a look.
 */
#ifndef CAPTURE_WAIT_STATES_H
#define CAPTURE_WAIT_STATES_H

#include "base/buf.h"
#include "base/hash.h"
#include "capture/open/target.h"
#include "event/event.h"
#include "os/proc/proc.h"

struct wait_states {
	const struct event *event; /* NULL: there is none */
	const char *proc_root;
	int abi;	/* enum call_abi of this machine's programs; -1: not known */
	size_t targets; /* of .pids, the first ones */
	bool once;	/* the first look is the only one but that at the end */
	struct proc_ids pids, tasks;
	struct idmap told; /* tid -> low bits of how often it had run at its last sample */
	uint64_t due_ns, processes_ns; /* CLOCK_MONOTONIC: the next look, at all, at processes */
	uint64_t samples;
};

/* All zero is valid: no thread is looked at. proc_root must outlive it. */
void wait_states_begin(struct wait_states *w, const struct event_set *events,
		       const struct target *target, const char *proc_root);
void wait_states_release(struct wait_states *w);
/* When to look next, in ms from now; INT32_MAX: never. */
int wait_states_due(const struct wait_states *w);
/* Looks, when it is time. Appends samples to out, and returns how many. */
uint64_t wait_states_look(struct wait_states *w, struct buf *out);
/* The look at the end of the recording: appends a sample for each thread that is still in the wait
 * that it had its last sample in, and returns how many. */
uint64_t wait_states_end(struct wait_states *w, struct buf *out);

#endif
