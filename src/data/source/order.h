/* SPDX-License-Identifier: MIT */
/*
 * Putting records in order of time, in the way of perf's rounds.
 *
 * The recorder empties its rings one after the other and then writes FINISHED_ROUND: whatever comes
 * later is younger than all that came before the round before. So at the end of a round, everything
 * up to the greatest time known at the end of the round before can go, oldest first; among equals,
 * the first in the file.
 *
 * What waits is held not as records but as runs: records that stand side by side and
 * are in order already, which is what a ring's contents are. A file without rounds then costs
 * memory by the number of its runs, not of its records.
 */
#ifndef DATA_ORDER_H
#define DATA_ORDER_H

#include "data/source/reader.h"

struct order_run {
	uint64_t time, seq; /* of its first record */
	uint64_t last_time;
	uint64_t offset;
	uint32_t part;
	const uint8_t *p, *end;
	struct shared_bytes *owner;
	bool expanded; /* all records have the offset of their COMPRESSED record */
};

struct order {
	VEC(struct order_run) runs;
	VEC(uint32_t) heap; /* indices of runs, the smallest (time, seq) first */
	VEC(uint32_t) free;
	uint32_t open;	  /* the run that the next record may join; valid when has_open */
	bool has_open;
	uint64_t max_time, next_flush, last_flush;
	uint64_t bytes; /* of the records that wait in memory */
	struct shared_bytes *taken; /* of the record taken last, when its run is gone */
};

void order_release(struct order *o);
void order_put(struct order *o, const struct raw_record *raw, uint64_t time);
/* So many bytes of samples stand behind the record that was put last, in order among themselves and
 * with it; the last one is of that time. Not of expanded or owned bytes. */
void order_extend(struct order *o, size_t bytes, uint64_t time);
/* A record of that time came that need not be delivered. */
void order_pass(struct order *o, uint64_t time);
/* Several did; none of them came too late. */
void order_pass_run(struct order *o, const struct time_run *run);
/* A round has ended: sets up to which time order_take may now go. False: nothing may yet. */
bool order_round(struct order *o, uint64_t *limit);
/* The limit's round is done. */
void order_round_done(struct order *o);
/* With too much waiting: the middle between the oldest and the youngest. */
uint64_t order_middle(const struct order *o);
/* The oldest record that is not younger than limit: its bytes are valid until the next call.
 * layout: of all samples; NULL: they differ. */
bool order_take(struct order *o, const struct record_decode *how,
		const struct sample_layout *layout, uint64_t limit, struct raw_record *raw);

#endif
