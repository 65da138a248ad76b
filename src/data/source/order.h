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
 * of a ring are. Of the records of the last two rounds a queue is kept, as long as they are few;
 * others are queued from their runs as their turn comes. So the memory for a file without rounds
 * grows with the number of its runs, not of its records. What comes next is merged from the queues
 * in batches.
 */
#ifndef DATA_ORDER_H
#define DATA_ORDER_H

#include "data/source/reader.h"

struct order_passed {
	uint64_t from, to; /* offsets */
};

struct queued_vec {
	VEC(struct queued);
};

struct queued_part {
	const struct queued *at;
	size_t n;
};

struct order {
	VEC(struct queued_run *) slots; /* all; of those that are not used, in .unused */
	VEC(struct queued_run *) runs;	/* with records that wait, in the order of the file */
	VEC(struct queued_run *) unused;
	bool has_open; /* the next record may join the last run */
	struct queued_vec queues[2];
	unsigned int round; /* the queue that new records join */
	struct queued_vec batch, merged;
	VEC(struct queued_part) parts; /* of the batch, each in order */
	size_t taken;		       /* records of the batch */
	uint64_t max_time, next_flush, last_flush;
	uint64_t bytes;		    /* of the waiting records that a buffer holds, not the file */
	uint64_t ended, given_back; /* offsets: where runs ended; up to where all was passed */
	/* Bytes of a mapped file (not of a directory's other parts) whose records were taken, and
	 * whose memory is worth giving back. The caller does, and clears it. */
	VEC(struct order_passed) passed;
};

void order_release(struct order *o);
void order_put(struct order *o, const struct raw_record *raw, uint64_t time);
/* Prepares *a for the samples that stand behind the record that was put last. */
void order_begin_ascending(struct order *o, struct ascending *a);
/* Appends the samples that were passed, so many bytes. Not for expanded or owned bytes. */
void order_extend(struct order *o, size_t bytes, const struct ascending *a);
/* Notes the time of a record that need not be delivered. */
void order_pass(struct order *o, uint64_t time);
/* Notes the times of a run of such records, none of which came too late. */
void order_pass_run(struct order *o, const struct time_run *run);
/* True while records wait. */
bool order_waits(const struct order *o);
/* A round has ended: *limit is now the time for order_take. False: no record can be taken yet. */
bool order_round(struct order *o, uint64_t *limit);
/* To be called when order_take has no more records up to the limit of order_round. */
void order_round_done(struct order *o);
/* A limit for when too many bytes wait: the middle between the oldest and the youngest time. */
uint64_t order_middle(const struct order *o);

/* How times are read, and how far. */
struct order_how {
	struct record_decode decode;
	const struct sample_layout *layout; /* of all samples; NULL: their layouts differ */
	uint64_t limit;
};
/* Takes the oldest record, if it is not younger than the limit. Its bytes are valid until the next
 * call. False: there is none. */
bool order_take(struct order *o, const struct order_how *how, struct raw_record *raw);
/* The oldest records, without taking them: all but .layout of a batch. False: there are none up to
 * the limit. */
bool order_batch(struct order *o, const struct order_how *how, struct queued_batch *b);
/* Takes the first n records of that batch. */
void order_take_batch(struct order *o, size_t n);

/* Private: the size in the header of the record there. */
static inline uint16_t record_size_at(const uint8_t *p, bool swap)
{
	uint16_t size;

	memcpy(&size, p + offsetof(struct record_header, size), sizeof(size));
	return swap ? __builtin_bswap16(size) : size;
}
/* Private: sets the batch to the records that come next. False: there are none up to the limit. */
bool order_merge(struct order *o, const struct order_how *how);

#endif
