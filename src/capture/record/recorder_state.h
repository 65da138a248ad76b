/* SPDX-License-Identifier: MIT */
/* A recorder at work. Private to recorder*.c. */
#ifndef CAPTURE_RECORDER_STATE_H
#define CAPTURE_RECORDER_STATE_H

#include "capture/record/build_ids.h"
#include "capture/session/chains.h"
#include "capture/session/control.h"
#include "capture/record/recorder.h"
#include "capture/session/process_tree.h"
#include "os/machine/hotplug.h"
#include "os/process/signals.h"
#include "os/process/spawn.h"

/* The file holds everything that is older than a second. What a flush finds half handed out, because something had to be
 * waited for, is flushed again soon. */
#define FLUSH_MS       900
#define FLUSH_AGAIN_MS 50

/* What may wait to be written: as much, and this share of the memory. A disk that is written back to takes nothing for
 * 0.2 s at a time, and system calls can be recorded at 300 MB a second. */
#define QUEUE_MOST  (256u << 20)
#define QUEUE_SHARE 16
#define QUEUE_LEAST (16u << 20)

struct recorder {
	const struct recorder_options *opts;
	struct recorder_result *result;
	struct event_set *events;
	struct target target;
	struct capture_options rings;
	struct capture capture;
	struct capture trigger;	/* of --switch-output-event */
	struct target trigger_target;
	struct spawn command;
	struct signals signals;
	struct control control;
	struct hotplug hotplug; /* open where events are bound to CPUs, not to tasks */
	struct sink *sink;
	struct sink_queue *queue; /* what sinks write through */
	struct synth synth;
	struct build_ids build_ids;
	struct tree tree;
	VEC(int) living; /* processes of the tree whose end is waited for: where no command's is */
	struct chains chains;
	uint64_t ends_told[UNWIND_ENDS]; /* in files before this one */
	bool unwinds; /* call chains are made here */
	struct buf made; /* samples with their chains */
	bool restricted;
	uint64_t side_lost; /* when the tree was last scanned */
	struct buf synthesized;
	uint64_t file_samples, file_lost; /* of the file: capture.samples when it began; what the kernel lost */
	bool synth_done; /* rounds may be marked */
	bool put;	 /* something, since the last mark */
	bool stop;
	bool rotate; /* asked for */
	uint64_t start_ms, file_ms;
	uint64_t synced_ms, safe_ms; /* the last flush; what is older than safe_ms was handed out then */
	size_t span;	/* of opts->delay: the next change */
	bool on;	/* events count */
	VEC(char *) old_files; /* that rotation made */
};

uint64_t recorder_now_ms(void);
void recorder_tell(struct recorder *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* recorder_file.c */
int recorder_begin_file(struct recorder *r, bool first, struct err *err);
int recorder_end_file(struct recorder *r, struct err *err);
int recorder_rotate(struct recorder *r, struct err *err);
/* All rings into the file; then marks the round. -1 on failure. */
int recorder_pass(struct recorder *r, struct err *err);
int recorder_put_synthesized(struct recorder *r, struct err *err);

/* How many ids an event may get when a CPU is back: for each size of stacks, and the side-band's. */
static inline unsigned int recorder_ids_a_cpu(const struct recorder *r)
{
	return r->capture.level_most + 2;
}

/* recorder_loop.c */
/* Waits for the end of the tree's processes, as far as they are known. False: none of them lives. */
bool recorder_watch_tree(struct recorder *r);
int recorder_loop(struct recorder *r, struct err *err);

#endif
