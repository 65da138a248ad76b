/* SPDX-License-Identifier: MIT */
/*
 * Records as bytes and text: `report -D`, `diff -D` and `script -D`.
 */
#ifndef VIEW_DUMP_H
#define VIEW_DUMP_H

#include "view/out/out.h"
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

/* Shows the text before the first record. */
void dump_begin(const struct recording *rec, struct out *out);
/*
 * Shows one record: an empty line, its offset, its bytes, and its decoded fields. Records come in
 * the order of a SOURCE_ORDERED source. The command itself adds a sample's thread and dso, with
 * dump_sample_place(). who: the texts for records that a command ignores differ between commands.
 */
void dump_record(const struct recording *rec, const struct record *r, enum dump_for who,
		 struct out *out);
/* " ... thread: COMM:TID" and " ...... dso: DSO"; NULL for one of them leaves its line out. */
void dump_sample_place(const char *comm, uint32_t tid, const char *dso, struct out *out);
struct dump_how {
	bool empty;	 /* show the counts of record types without records, too */
	bool file_order; /* records in file order, not in the order of time */
	bool for_diff;	 /* as `diff -D`: records without their counts */
};
/* All of `report -D`: every record, then the counts by type. The world begins empty, and takes in
 * each record. 0, or -1 with *err. */
int dump_all(struct recording *rec, struct world *w, const struct dump_how *how, struct out *out,
	     struct err *err);

#endif
