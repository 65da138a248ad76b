/* SPDX-License-Identifier: MIT */
/* From a sample to its cell: all that is done once a sample. */
#ifndef PROFILE_GATHER_H
#define PROFILE_GATHER_H

#include "profile/profile.h"

/* One worker's. Several work at once for one profile when its world is sealed. */
struct gatherer {
	const struct profile *profile;
	struct cells *cells;
	struct chain_words *words;
};

void gather_sample(struct gatherer *g, const struct record *r);

#endif
