/* SPDX-License-Identifier: MIT */
/* Adds the rows of a listing that are not names of the kernel. Private to event/listing*.c. */
#ifndef EVENT_LISTING_LISTS_H
#define EVENT_LISTING_LISTS_H

#include "event/listing/listing.h"
#include "os/machine/pmu.h"

bool listing_matches(const char *pattern, const char *name); /* in any case; NULL: all do */

/* These add unsorted rows. Vendor events: those whose PMU is in pmus. */
void listing_add_vendor(struct listing *l, const struct event_host *host, const struct names *pmus,
			const char *pattern);
/* gpus: also events of GPU clients; listing them may wake the GPUs. */
void listing_add_sensors(struct listing *l, const struct event_host *host, bool gpus,
			 const char *pattern);
void listing_add_pfm(struct listing *l, const char *pattern); /* sorted by PMU, then name */
/* Adds metrics, groups, or groups with their metrics, as kinds has LIST_METRIC and
 * LIST_METRIC_GROUP. The pattern is for groups when kinds has them, else for metrics. */
void listing_add_metrics(struct listing *l, const struct event_host *host, unsigned int kinds,
			 const char *pattern);

#endif
