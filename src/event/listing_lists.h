/* SPDX-License-Identifier: MIT */
/* The parts of a listing that are not the kernel's own names. Private to event/listing*.c. */
#ifndef EVENT_LISTING_LISTS_H
#define EVENT_LISTING_LISTS_H

#include "event/listing.h"
#include "os/machine/pmu.h"

bool listing_matches(const char *pattern, const char *name); /* in any case; NULL: all do */

/* Unsorted rows. The vendor's: those events whose PMU is among these. */
void listing_add_vendor(struct listing *l, const struct event_host *host, const struct names *pmus,
			const char *pattern);
/* gpus: also what clients use of GPUs, which may have to be woken to say so. */
void listing_add_sensors(struct listing *l, const struct event_host *host, bool gpus,
			 const char *pattern);
void listing_add_pfm(struct listing *l, const char *pattern); /* sorted by PMU, then name */
/* Metrics, groups, or groups with their metrics: what of LIST_METRIC and LIST_METRIC_GROUP kinds
 * has. The pattern is for metrics, or for groups when they are asked for. */
void listing_add_metrics(struct listing *l, const struct event_host *host, unsigned int kinds,
			 const char *pattern);

#endif
