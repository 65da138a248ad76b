/* SPDX-License-Identifier: MIT */
/* The two halves of profile_fold: entries out of cells, and their order. */
#ifndef PROFILE_FOLD_H
#define PROFILE_FOLD_H

#include "profile/profile.h"

/* Makes p->all and fills p->events, in order of first sight. */
void profile_make_entries(struct profile *p);
/* Sorts entries[0..n) as they are shown; ties stand in the order of the keys' own values. */
void profile_sort(const struct profile *p, const struct event *ev, struct entry **entries,
		  size_t n);
/* Sorts by the keys' own values only. */
void profile_sort_by_keys(const struct profile *p, struct entry **entries, size_t n);
/* -H: fills ev->roots and what is below them. */
void profile_make_hierarchy(struct profile *p, struct event_entries *ev);
/* < 0: a is shown before b. */
int profile_order(const struct profile *p, const struct event *ev, const struct entry *a,
		  const struct entry *b);

#endif
