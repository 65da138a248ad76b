/* SPDX-License-Identifier: MIT */
/*
 * Records as bytes and text: `report -D` and `script -D`.
 */
#ifndef VIEW_DUMP_H
#define VIEW_DUMP_H

#include "data/recording.h"
#include "view/out.h"

enum dump_for { DUMP_REPORT, DUMP_SCRIPT, DUMP_UNSORTED /* script's, in file order */ };

/*
 * One record: where it is, its bytes, and what they mean, between an empty line and the end of a
 * line. Records are given in the order of a SOURCE_ORDERED source. What follows a sample (its thread
 * and dso) is the command's to add, with dump_sample_place. The two commands differ in what they say
 * of records that they do nothing with.
 */
void dump_record(const struct recording *rec, const struct record *r, enum dump_for who,
		 struct out *out);
/* " ... thread: COMM:TID" and " ...... dso: DSO"; NULL for one of them leaves its line out. */
void dump_sample_place(const char *comm, uint32_t tid, const char *dso, struct out *out);

#endif
