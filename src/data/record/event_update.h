/* SPDX-License-Identifier: MIT */
/*
 * EVENT_UPDATE records: properties of an event that its attribute does not hold. In a file the name
 * is also in a header feature; unit, scale and CPUs are only in these records.
 */
#ifndef DATA_EVENT_UPDATE_H
#define DATA_EVENT_UPDATE_H

#include "event/event.h"

/* Appends the records that the event needs. An event without an id gets none, since a record names
 * its event by an id. */
void event_updates_encode(const struct event *ev, bool with_name, struct buf *out);
/* Appends a record that says that the event is counted on these CPUs only. cpus is in ascending
 * order. */
void event_update_encode_cpus(const struct event *ev, const int *cpus, size_t n, struct buf *out);

#endif
