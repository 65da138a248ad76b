/* SPDX-License-Identifier: MIT */
/* A recorder at work. Private to recorder*.c. */
#ifndef CAPTURE_RECORDER_STATE_H
#define CAPTURE_RECORDER_STATE_H

#include "capture/record/build_ids.h"
#include "capture/record/probe_budget.h"
#include "capture/record/recorder.h"
#include "capture/record/wait_states.h"

/* The file holds everything that is older than a second. A flush that comes in the middle of a pass
 * is repeated soon. */
#define FLUSH_MS       900
#define FLUSH_AGAIN_MS 50

/* Bytes that may wait to be written: 1/QUEUE_SHARE of the memory, within these limits. During
 * write-back a disk accepts nothing for 0.2 s at a time, and system calls can be recorded at 300 MB
 * a second. */
#define QUEUE_MOST  (256u << 20)
#define QUEUE_SHARE 16
#define QUEUE_LEAST (16u << 20)

struct recorder {
	const struct recorder_options *opts;
	struct recorder_result *result;
	struct event_set *events;
	struct session session;
	struct sink *sink;
	struct sink_queue *queue; /* the sinks write through it */
	struct build_ids build_ids;
	struct bpf_seen programs; /* of the file */
	uint64_t ends_told[UNWIND_ENDS]; /* in files before this one */
	uint64_t file_samples,
		file_lost; /* of the file: capture.samples at its begin; lost by the kernel */
	bool synth_done; /* FINISHED_ROUND may be written */
	bool put_since_round; /* records were put since the last mark of a round */
	struct probe_budget budget;
	struct wait_states waits;
	uint64_t file_ms; /* when the file was begun */
	uint64_t synced_ms,
		safe_ms;       /* the last flush; it held everything older than safe_ms */
	struct recorder_files old_files; /* files that rotation finished */
};

/* recorder_file.c: the callbacks of the session, and the files. */
int recorder_put(void *recorder, const struct ring_bytes *b, struct err *err);
int recorder_mark_round(void *recorder, struct err *err);
int recorder_begin_file(struct recorder *r, bool first, struct err *err);
int recorder_end_file(struct recorder *r, struct err *err);
/* Forgets the BPF programs of a file, and counts in the result what had no room. */
void recorder_release_programs(struct recorder *r);
/* Writes records of the samples that the kernel has lost since the last call. */
void recorder_tell_lost(struct recorder *r);
int recorder_rotate(struct recorder *r, struct err *err);

/* recorder_loop.c */
int recorder_loop(struct recorder *r, struct err *err);

#endif
