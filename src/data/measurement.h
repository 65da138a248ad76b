/* SPDX-License-Identifier: MIT */
/*
 * A measurement: events, how their records are decoded, and what was lost. It is true of records
 * wherever they come from: a recording has a measurement, and so has a live session. The world,
 * unwinders, profiles and analyses need no more than this.
 */
#ifndef DATA_MEASUREMENT_H
#define DATA_MEASUREMENT_H

#include "data/losses.h"
#include "data/record/record.h"
#include "event/format/format.h"

/* All zero is valid: no events, this machine's byte order, nothing lost. */
struct measurement {
	struct event_set events;
	struct tp_formats formats;
	struct losses losses;
	bool swap;	    /* records are in the other byte order */
	bool sample_id_all; /* all records have their time and thread, not only samples */
	bool chains_made;   /* the recorder unwound the user part of call chains */
	/* Strings and the array belong to the recording or session. NULL: not known. */
	const char *arch;	  /* of the machine, "x86_64" */
	const char *osrelease;	  /* of its kernel, "6.1.0-13-amd64" */
	const int *socket_of_cpu; /* n_sockets of them */
	uint32_t n_sockets;
	struct measurement_clock {
		uint32_t id;	 /* CLOCK_* */
		uint32_t res_ns; /* its resolution; 0: not known */
		/* The same moment in ns since the epoch (0: not known) and in ns by that clock. */
		uint64_t wall_ns, clock_ns;
	} clock;
};

void measurement_release(struct measurement *m);

/* True when an event has one of these sample_type bits. */
bool measurement_samples_any(const struct measurement *m, uint64_t sample_bits);
/* True when an event has context switches recorded (RECORD_SWITCH, RECORD_SWITCH_CPU_WIDE). */
bool measurement_has_switches(const struct measurement *m);
/* True when the kernel made the user part of call chains, by frame pointers. */
bool measurement_follows_frame_pointers(const struct measurement *m);
/* True when an event defers the user part of its call chains (Linux 6.19). */
bool measurement_defers_chains(const struct measurement *m);
/* True when all samples have their thread, followed by their time, at the same offset. Sets
 * *thread_at to it, in bytes from the start of the record. */
bool measurement_samples_alike(const struct measurement *m, size_t *thread_at);
/* How to decode its records, with a scratch buffer of the caller's. */
struct record_decode measurement_decode(const struct measurement *m, struct buf *scratch);

#endif
