/* SPDX-License-Identifier: MIT */
/*
 * A session: all of a live measurement by samples, except the use of its records. It finds the
 * target, makes the command, opens the events with their rings, follows the tree of processes where
 * system-wide events stand in for inherited ones, unwinds stack dumps, reopens events when a CPU
 * comes back online, and obeys signals, --control and -D.
 *
 *   session_prepare()  target, command, attributes, signals
 *   session_open()     events and rings, disabled
 *   session_start()    events count, the command runs
 *   session_synth_first(), session_synth_step()
 *                      records of what already runs
 *   session_step()     waits, obeys, drains the rings once: until session.stop
 *   session_stop()     events are disabled
 *   session_finish()   drains the rings to their end
 *   session_close()    any time after session_prepare(), also when that failed
 *
 * Records reach the user of the session through its callbacks, in batches of whole records as they
 * stand in the rings. One thread calls all of this.
 */
#ifndef CAPTURE_SESSION_H
#define CAPTURE_SESSION_H

#include "capture/open/option_values.h"
#include "capture/rings/capture.h"
#include "capture/session/chains.h"
#include "capture/session/control.h"
#include "capture/session/process_tree.h"
#include "capture/synth/synth.h"
#include "os/machine/hotplug.h"
#include "os/process/signals.h"
#include "os/process/spawn.h"

struct session_options {
	struct sampling sampling;
	struct target_options target;
	struct capture_options rings;
	struct synth_options synth;
	struct delay delay;
	struct control_path control;
	int realtime; /* SCHED_FIFO priority; 0: none */
	bool per_task; /* never replace inherited events by system-wide ones */
	bool command_to_stderr; /* the command's standard output goes to standard error */
	struct debug_lines debug; /* gets lines about what was opened, and how */
	char *const *command; /* ends with NULL; NULL: none */
	struct event_set *trigger; /* each of its samples sets session.snapshot_asked; NULL: none */
};

/* Callbacks of a session's user. Only put must be set. */
struct session_user {
	/* Several whole records, in two pieces at most, borrowed for the call. */
	int (*put)(void *ctx, const struct ring_bytes *bytes, struct err *err);
	/* Sees each side-band record that is kept, before put has it. */
	void (*side)(void *ctx, const uint8_t *record);
	/* Called at the end of a pass: put has had everything that was in the rings when the pass
	 * began. */
	int (*passed)(void *ctx, struct err *err);
	/* A CPU is back online, and its events need n new ids. Called again with n 0 when they are
	 * open: the event set then has the ids. False: there is no room for them. NULL: there
	 * always is. */
	bool (*new_ids)(void *ctx, unsigned int n);
	/* Shows whole lines to the user at once. */
	void (*tell)(void *ctx, const char *text);
	void *ctx;
};

struct session {
	const struct session_options *opts;
	struct session_user user;
	struct event_set *events;
	struct target target;
	struct capture_options rings;
	struct capture capture;
	struct capture trigger;	/* of opts->trigger */
	struct target trigger_target;
	struct spawn command;
	struct signals signals;
	struct control control;
	int input_fd;	 /* of session_watch_input(); -1: none */
	bool input_ready; /* it had something to read at the last wait */
	struct hotplug hotplug; /* open where events are bound to CPUs, not to tasks */
	struct synth synth;	/* its records go to .synthesized */
	struct buf synthesized; /* records made here, until session_put_synthesized */
	struct process_tree tree;
	VEC(int) living; /* pidfds of the tree's processes, when there is no command to wait for */
	struct chains chains;
	bool unwinds;	 /* call chains are made here */
	struct buf made; /* samples with unwound chains, until they are put */
	bool restricted; /* system-wide events stand in for inherited ones */
	uint64_t side_lost; /* capture.side_lost when the tree was last scanned */

	bool stop;	     /* the session shall end; the user may set it, too */
	bool snapshot_asked; /* by SIGUSR2, --control or the trigger; the user resets it */
	int signal;	     /* that asked for the end; 0: none */
	uint64_t wakeups;
	uint64_t start_ms; /* CLOCK_MONOTONIC */
	size_t span;	   /* of opts->delay: the next change */
	bool on;	   /* events count */
	uint32_t stack_size;  /* to which stack dumps were raised; 0: they were not */
	uint64_t stack_after; /* number of samples before that */
};

/* opts, its strings and the set must outlive the session. The set's events get their attributes. */
int session_prepare(struct session *s, const struct session_options *opts,
		    const struct session_user *user, struct event_set *events, struct err *err);
int session_open(struct session *s, struct err *err);
int session_start(struct session *s, struct err *err);
/* Starts or stops the events. 0, or -1 with *err. */
int session_switch(struct session *s, bool on, struct err *err);
void session_stop(struct session *s);
void session_close(struct session *s);
/* As a shell gives it, once the session is closed. */
int session_exit_status(const struct session *s);
void session_tell(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Now, in ms of CLOCK_MONOTONIC. */
uint64_t session_now_ms(void);

/* Waits of session_step() also end when fd becomes readable. False: it cannot be waited for (a
 * regular file). */
bool session_watch_input(struct session *s, int fd);
void session_unwatch_input(struct session *s);
/* Waits at most that long for records, signals or commands, obeys them, and drains the rings once.
 * -1: *err. */
int session_step(struct session *s, int timeout_ms, struct err *err);
/* Drains the rings once: 1 a whole pass, 0 nothing or not all of it, -1: *err. */
int session_pass(struct session *s, struct err *err);
/* Puts the records that came into backward rings since the last call, as far as they are not
 * overwritten, newest first. */
int session_snapshot(struct session *s, struct err *err);
/* Puts the records of backward rings, newest first; then drains the other rings until everything
 * that was in them at the call has been put; then puts samples made of sums. */
int session_finish(struct session *s, struct err *err);

/* Appends records of the present state to .synthesized: kernel, BPF programs, cgroups, the command
 * or the processes of the target. first: tells the user what cannot be read. Processes of the whole
 * machine come in steps. */
void session_synth_first(struct session *s, bool first);
/* Begins the walk over all processes, if the target is the whole machine. True: there are some. */
bool session_synth_begin(struct session *s);
/* Appends the records of some more processes. False: these were the last. */
bool session_synth_step(struct session *s);
/* Hands .synthesized to put. */
int session_put_synthesized(struct session *s, struct err *err);

/* How many ids an event may get when a CPU is back: for each size of stack dumps, and the
 * side-band's. */
static inline unsigned int session_ids_a_cpu(const struct session *s)
{
	return s->capture.level_most + 2;
}

#endif
