/* SPDX-License-Identifier: MIT */
/*
 * Puts records in the order of time, by perf's rounds.
 *
 * The recorder empties its rings one after the other and then writes FINISHED_ROUND: every record
 * after it is younger than all records before the previous FINISHED_ROUND. So at the end of a
 * round, all records up to the greatest time known at the end of the round before can be delivered:
 * the oldest first, and among equal times the first in the file.
 *
 * Waiting records are held as runs: neighbouring records that are in order already, as the contents
 * of a ring are. So the memory for a file without rounds grows with the number of its runs, not of
 * its records.
 */
#ifndef DATA_ORDER_H
#define DATA_ORDER_H

#include "data/source/reader.h"

struct order_run {
	uint64_t time, seq; /* of its first record */
	uint64_t last_time;
	uint64_t offset;
	uint64_t passed; /* offset up to which its bytes were told as passed */
	uint32_t part;
	const uint8_t *p, *end;
	struct shared_bytes *owner;
	bool expanded; /* its records all have the offset of their COMPRESSED record */
};

struct order {
	VEC(struct order_run) runs;
	VEC(uint32_t) heap; /* indices of runs, the smallest (time, seq) first */
	VEC(uint32_t) free;
	uint32_t open;	  /* the run that the next record may join; valid when has_open */
	bool has_open;
	uint64_t max_time, next_flush, last_flush;
	/* The first run stays the first while its time is less than this, that of the next one; 0:
	 * not known. */
	uint64_t until;
	uint64_t bytes; /* of the waiting records that a buffer holds, not the file */
	struct shared_bytes *taken; /* holds the record taken last, when its run is gone */
	uint64_t passed_from, passed_to; /* of a file: set by order_take(), for order_passed() */
};

void order_release(struct order *o);
void order_put(struct order *o, const struct raw_record *raw, uint64_t time);
/* Appends so many bytes of samples, which stand behind the record that was put last, are in order
 * after it, and end at that time. Not for expanded or owned bytes. */
void order_extend(struct order *o, size_t bytes, uint64_t time);
/* Notes the time of a record that need not be delivered. */
void order_pass(struct order *o, uint64_t time);
/* Notes the times of a run of such records, none of which came too late. */
void order_pass_run(struct order *o, const struct time_run *run);
/* A round has ended: *limit is now the time for order_take. False: no record can be taken yet. */
bool order_round(struct order *o, uint64_t *limit);
/* To be called when order_take has no more records up to the limit of order_round. */
void order_round_done(struct order *o);
/* A limit for when too many bytes wait: the middle between the oldest and the youngest time. */
uint64_t order_middle(const struct order *o);
/* Takes the oldest record, if it is not younger than limit. Its bytes are valid until the next
 * call. layout: that of all samples; NULL: their layouts differ. False: there is none. */
bool order_take(struct order *o, const struct record_decode *how,
		const struct sample_layout *layout, uint64_t limit, struct raw_record *raw);

/* The oldest record and its neighbours, without taking them; its members are those of
 * source_ops.stretch. False: there is none up to the limit. */
bool order_stretch(const struct order *o, uint64_t limit, struct record_stretch *s);
/* Takes n records, at least one, up to these bytes of the stretch; time: that of the last one. */
void order_take_stretch(struct order *o, const struct record_decode *how,
			const struct sample_layout *layout, const uint8_t *to, size_t n,
			uint64_t time);

/* The bytes of a mapped file (not of a directory's other parts) whose records were taken since the
 * last call. False: too few to give their memory back. */
bool order_passed(struct order *o, uint64_t *from, uint64_t *to);

#endif
