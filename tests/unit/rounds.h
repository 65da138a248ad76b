/* SPDX-License-Identifier: MIT */
/* Rounds of counts pulled one by one from a recording. */
#ifndef TESTS_UNIT_ROUNDS_H
#define TESTS_UNIT_ROUNDS_H

#include "data/stat_rounds.h"

static inline struct source *rounds_open(struct stat_rounds *rounds, struct recording *rec)
{
	stat_rounds_init(rounds, rec);
	return source_open(rec, &(struct source_options){0}, NULL);
}

/* 1: *round is the next one; 0: there are no more; -1: *err says why. */
static inline int rounds_next(struct stat_rounds *rounds, struct source *src,
			      struct stat_round *round, struct err *err)
{
	struct record r;
	int got;

	while ((got = source_next(src, &r, err)) > 0) {
		got = stat_rounds_take(rounds, &r, round, err);
		if (got)
			break;
	}
	return got;
}

#endif
