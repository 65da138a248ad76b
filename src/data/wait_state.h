/* SPDX-License-Identifier: MIT */
/*
 * Raw data of a sample of the event "wait-states", which `record --wall=switches` writes, and other
 * sources of --wall with -p: a thread was off the CPUs at the sample's time, and /proc said where.
 * The wait that this time lies in has no other sample but one at the end of the recording.
 */
#ifndef DATA_WAIT_STATE_H
#define DATA_WAIT_STATE_H

#include "event/event.h"

#include <stdint.h>

#define WAIT_STATES_EVENT  "wait-states"
#define WAIT_STATE_VERSION 0x57540001u

struct wait_state_raw {
	uint32_t version;
	char function[40]; /* of the kernel (/proc/TID/wchan); "": not known. Ends with a zero */
	char call[24];	   /* name of the system call; "": none, or not known. Ends with a zero */
};

/* Bytes on the wire: a multiple of 8, less the 4 that tell the size. */
#define WAIT_STATE_RAW_SIZE 68

/* True for the event of such samples: a dummy with raw data. Its name does not last: modifiers
 * change it, and a pipe does not tell it. */
static inline bool wait_states_is_event(const struct event *ev)
{
	/* perf_sw_ids: PERF_COUNT_SW_DUMMY */
	return ev->attr.type == TYPE_SOFTWARE && ev->attr.config == 9 && !ev->side_band &&
	       ev->attr.sample_type & SAMPLE_RAW && ev->attr.flags & ATTR_USE_CLOCKID;
}

_Static_assert(sizeof(struct wait_state_raw) == WAIT_STATE_RAW_SIZE, "no padding");

#endif
