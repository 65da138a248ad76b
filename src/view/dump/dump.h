/* SPDX-License-Identifier: MIT */
/*
 * Records as bytes and text: `report -D`, `diff -D` and `script -D`.
 */
#ifndef VIEW_DUMP_H
#define VIEW_DUMP_H

#include "view/out.h"
#include "world/world.h"

enum dump_for {
	DUMP_REPORT,
	DUMP_REPORT_UNSORTED, /* report's, in file order */
	DUMP_DIFF,
	DUMP_SCRIPT,
	DUMP_UNSORTED /* script's, in file order */
};
static inline bool dump_is_for_report(enum dump_for who)
{
	return who <= DUMP_DIFF;
}

/* What comes before all else. */
void dump_begin(const struct recording *rec, struct out *out);
/*
 * One record: where it is, its bytes, and what they mean, between an empty line and the end of a
 * line. Records are given in the order of a SOURCE_ORDERED source. What follows a sample (its
 * thread and dso) is the command's to add, with dump_sample_place. The commands differ in what
 * they say of records that they do nothing with.
 */
void dump_record(const struct recording *rec, const struct record *r, enum dump_for who,
		 struct out *out);
/* " ... thread: COMM:TID" and " ...... dso: DSO"; NULL for one of them leaves its line out. */
void dump_sample_place(const char *comm, uint32_t tid, const char *dso, struct out *out);
struct dump_how {
	bool empty;	 /* kinds without records have their numbers, too */
	bool file_order; /* records stand as in the file, not in the order of time */
	bool for_diff;	 /* as `diff -D`: records, and no numbers of them */
};
/* All of `report -D`: every record, then how many there were. The world begins empty and takes the
 * records as they come. 0, or -1 with *err. */
int dump_all(struct recording *rec, struct world *w, const struct dump_how *how, struct out *out,
	     struct err *err);

#endif
