/* SPDX-License-Identifier: MIT */
/*
 * A capture: events opened on a target, with their rings.
 *
 *   capture_open()    opens everything, disabled
 *   capture_enable()  starts counting
 *   capture_wait()    until there is something to read, or time is up
 *   capture_pass()    hands out what the rings hold
 *   capture_finish()  hands out all that they held when it was called
 *   capture_lost()    what the kernel could not deliver, exactly
 *   capture_release()
 *
 * Each CPU (or thread, with per_thread) has two rings: one for samples and a small one for
 * side-band records, so that a flood of samples never costs a name or a map. Records without times
 * have one ring: nothing else tells which came first.
 *
 * One pass empties all rings up to where they stood when it began: everything older than the
 * beginning of a pass has been handed out when it ends. That is what makes FINISHED_ROUND true.
 *
 * A callback may meet a record that needs slow work (opening a file). It returns CAPTURE_COLD, and
 * gets the record again when the spill thread empties the rings (spill.h).
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "base/err.h"
#include "capture/rings/sample_coverage.h"
#include "capture/open/sampling.h"
#include "capture/open/target.h"
#include "event/event.h"
#include "os/ring.h"

struct counter {
	struct event *event;
	int fd, cpu, tid; /* fd -1: it was closed */
	uint32_t slot;
	uint64_t id;
	bool side; /* writes to the side-band ring */
	uint64_t lost; /* told by capture_lost so far */
	bool on_exec; /* starts when its task does an exec */
	bool on;      /* was started */
	bool gone;    /* its CPU went offline, and another one took its place; or it was closed */
	unsigned int level; /* of STACK_LEVELS: the size of stack dumps */
};

/* The rings of one CPU (or thread). */
struct slot {
	int cpu, tid;
	struct ring data, side;
	int data_fd, side_fd; /* the descriptors that own the rings; -1: none */
	uint64_t data_end, side_end; /* heads seen at the beginning of a pass */
};

/* Receiver of debug output, whole lines; put is NULL: none. */
struct debug_lines {
	void (*put)(void *ctx, const char *text);
	void *ctx;
};

/* Debug lines about opened events, and the event whose attribute was written last. */
struct open_trace {
	struct debug_lines lines;
	const struct event *event;
	struct attr attr;
};

struct spill;
struct bpf_scheduler;

struct capture_options {
	size_t ring_size;	 /* bytes; 0: what suits the user's rights */
	bool ring_size_given;
	uint32_t wakeup;	 /* watermark in bytes; 0: a quarter of the ring */
	bool build_ids;		 /* the kernel puts them into MMAP2 records, where it can */
	bool restricted;	 /* where it makes a difference, events are
				  * system-wide, and the callback keeps the
				  * records of one process tree */
	struct debug_lines opens; /* gets a line for each perf_event_open, with its attribute */
	bool lends; /* capture_lend() will be called */
};

enum capture_verdict {
	CAPTURE_DROP, /* the record is not wanted */
	CAPTURE_KEEP,
	CAPTURE_TAKEN, /* the callback has already put the record */
	CAPTURE_COLD,  /* the record needs slow work; not with may_wait */
};

/* Callbacks that records go to. put gets several whole records at once, in two pieces at most. */
struct capture_take {
	int (*put)(void *ctx, const struct ring_bytes *bytes, struct err *err);
	/* May be NULL. Sees each record of the side-band rings in one piece before it is handed
	 * out; with filter also each record of the sample rings. */
	enum capture_verdict (*keep)(void *ctx, const uint8_t *record, bool side, bool may_wait);
	bool filter;
	/* May be NULL. Both are called before any record of a pass is handed out: peek for each
	 * side-band record of the pass, ring after ring; then settle. */
	void (*peek)(void *ctx, const uint8_t *record);
	void (*settle)(void *ctx);
	void *ctx;
};

/*
 * Events whose stack dumps may grow (unwind_auto) are opened once for each size, into the same
 * rings. One of these counters is on at a time. Their samples have one layout, and belong to the
 * same event.
 */
#define STACK_LEVELS 3

struct capture {
	struct event_set *events;
	const struct target *target;
	struct capture_options opts;
	struct event_set own; /* the side-band event when it isn't one of the set */
	VEC(struct counter) counters;
	VEC(struct slot) slots;
	int epoll;
	struct spill *spill; /* NULL: no callback returns CAPTURE_COLD, and rings are never lent */
	bool makes_chains;   /* stack dumps are unwound while the rings are drained */
	bool spilled;	     /* the rings are the spill thread's */
	struct buf cold;     /* the record that was cold */
	VEC(struct spill_chunk *)
	ahead; /* side-band chunks of a pass whose chunks have not all come */
	unsigned int level, level_most; /* of stack dumps: now, and opened */
	uint32_t watched; /* descriptors that may still hang up */
	uint64_t samples, lost_events, throttles; /* seen in the rings */
	uint64_t filtered; /* not kept */
	uint64_t looked_ns; /* when capture_look was called last */
	uint64_t handed_ns; /* everything in the rings at that time was handed out */
	struct sampled sampled; /* periods of the samples of inherited events */
	size_t time_at; /* where samples hold their time; 0: not all have one */
	uint64_t first_time, last_time; /* of samples */
	struct buf notices;   /* whole lines for the user */
	struct buf scratch;
	uint64_t side_lost;   /* side-band records that were lost */
	bool one_ring;	   /* some slot has side-band records among the samples */
	bool user_only;	   /* the kernel may not be measured: events exclude it */
	uint64_t missing;  /* attribute features this kernel lacks */
	struct open_trace trace;
	VEC(struct event_program {
		const struct event *event;
		int fd;
	}) programs; /* that filter samples */
	struct bpf_scheduler *scheduler; /* of the events with .by_program; or NULL */
	struct bpf_wall *wall;		 /* of the event with .sums_wall; or NULL */
	bool wall_refused;		 /* which could not be made */
};

/* True when opts->restricted changes how one of the (configured) events is opened. */
bool capture_gains_by_sharing(const struct event_set *events);
/* The attribute with which an event is opened: that of the file, without the side-band work where
 * another event does it. */
void capture_attr(const struct capture *c, const struct event *ev, struct attr *out);
int capture_open(struct capture *c, struct event_set *events, const struct target *target,
		 const struct capture_options *opts, struct err *err);
/* Reopens the counters of a CPU that was offline and is back. Counters that were open there, not
 * for tasks, never count again. */
int capture_reopen(struct capture *c, int cpu, struct err *err);
void capture_release(struct capture *c);
/* Starts everything that doesn't start by itself with an exec: the side-band first, since samples
 * need its records; then, with events, the events. */
int capture_start(struct capture *c, bool events, struct err *err);
/* Starts the side-band, or the events. */
int capture_enable(struct capture *c, bool side, struct err *err);
/* Starts or stops one event with the members of its group. */
int capture_switch(struct capture *c, const struct event *ev, bool on, struct err *err);
/* How often an event has occurred, in all tasks and on all CPUs; UINT64_MAX: it cannot be read. */
uint64_t capture_hits(const struct capture *c, const struct event *ev);
/* Closes an event for good: a probe that no other event uses is then taken out of programs. Samples
 * that it has put into the rings stay. False: it owns a ring, or leads a group, and goes on. */
bool capture_close_event(struct capture *c, const struct event *ev);
/* Bytes of the stack dump in a sample of this level. */
uint32_t capture_stack_size(const struct event *ev, unsigned int level);
/* True when stack dumps may grow. */
static inline bool capture_grows(const struct capture *c)
{
	return c->level < c->level_most;
}
/* Switches to the next size of stack dumps. */
int capture_grow(struct capture *c, struct err *err);
/* Stops the events; the side-band goes on. */
void capture_disable(struct capture *c);
void capture_disable_all(struct capture *c);
/* Also waits for fd: 1 when it became readable first, else 0; -1 on failure. */
int capture_watch(struct capture *c, int fd);
void capture_unwatch(struct capture *c, int fd);
struct capture_ready {
	bool records;
	int fds[8]; /* of capture_watch, readable */
	int n_fds;
};
int capture_wait(struct capture *c, int timeout_ms, struct capture_ready *ready, struct err *err);
/* Hands out a pass over the rings. 1: a whole pass, 0: nothing, or a part of it, -1: *err, set by
 * put. */
int capture_pass(struct capture *c, const struct capture_take *take, struct err *err);
/* As capture_pass(), until everything that the rings held at the call has been handed out. */
int capture_finish(struct capture *c, const struct capture_take *take, struct err *err);
/* The caller is busy for a while: the spill thread empties the rings, once one is half full, until
 * a pass has caught up. Only with .lends. */
void capture_lend(struct capture *c);
/* Notes the heads of the rings. True when there are records in them. */
bool capture_look(struct capture *c);
/* The events with the attributes that the kernel got, and their ids. */
void capture_seen(const struct capture *c, struct event_set *out);
/* Hands out what backward rings hold at this moment, newest first, and resumes them. With news,
 * only records since the last call. */
int capture_snapshot(struct capture *c, bool news, const struct capture_take *take,
		     struct err *err);
/* Calls each for every counter that lost samples since the last call (PERF_FORMAT_LOST). */
void capture_lost(struct capture *c,
		  void (*each)(void *ctx, const struct counter *k, uint64_t lost), void *ctx);
/* With opts.restricted: programs that write samples (event.by_program) or sum up time
 * (event.sums_wall) do so for the threads of this process and what they start. on_exec: time counts
 * from its exec on. 0, or -1 with *err. */
int capture_follow(struct capture *c, const char *proc_root, int pid, bool on_exec,
		   struct err *err);
/* Samples that such programs could not write. */
uint64_t capture_missed(const struct capture *c);
/* Ends sums of waiting (event.sums_wall). Appends a sample for each to out, and a line to
 * c->notices when some had no room. 0, or -1 with *err. */
int capture_write_sums(struct capture *c, struct buf *out, struct err *err);
/* True when all tasks that were measured have ended. */
bool capture_over(const struct capture *c);

#endif
