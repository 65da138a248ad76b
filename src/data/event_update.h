/* SPDX-License-Identifier: MIT */
/*
 * EVENT_UPDATE records: what is to be known of an event that its attribute does not say. In a file
 * the name stands in a header feature; unit, scale and CPUs do so nowhere.
 */
#ifndef DATA_EVENT_UPDATE_H
#define DATA_EVENT_UPDATE_H

#include "event/event.h"

/* Appends those that the event needs. One without any id gets none: they could not name it. */
void event_updates_encode(const struct event *ev, bool with_name, struct buf *out);
/* That it is counted on these CPUs only, in ascending order. */
void event_update_encode_cpus(const struct event *ev, const int *cpus, size_t n, struct buf *out);

#endif
