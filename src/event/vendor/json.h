/* SPDX-License-Identifier: MIT */
/*
 * JSON files as jansson reads them, behind the little that the vendor's files need. Private to
 * event/vendor.
 */
#ifndef EVENT_VENDOR_JSON_H
#define EVENT_VENDOR_JSON_H

#include "event/vendor/vendor.h"

#include <jansson.h>

/* The whole file, at most JSON_FILE_MOST bytes; to be given back with json_decref. NULL with *err.
 */
#define JSON_FILE_MOST (64u << 20)
json_t *json_file(const char *path, struct err *err);

/* The text of a member, "" when it isn't there, null, "null" or anything but a text or a number;
 * without blanks around it, blanks for control characters but newlines; in the arena. */
const char *json_text(const json_t *object, const char *key, struct arena *arena);
/* The same, but NULL instead of "". */
const char *json_text_or_null(const json_t *object, const char *key, struct arena *arena);
/* The number that the text of a member begins with, 0x included; 0 without one. */
uint64_t json_number(const json_t *object, const char *key);

/* A row of a file of events: adds it, when it is one. std: rows that it may refer to by
 * ArchStdEvent, by their names in lower case. pmu: whose events the file holds, or NULL. */
void vendor_add_event(struct vendor *v, json_t *row, const char *topic, const char *pmu,
		      const json_t *std);
/* The metrics of a file: rows with a MetricExpr, or Intel's with a Formula. */
void vendor_add_metrics(struct vendor *v, const json_t *rows, const char *pmu);

/* A file that is about this CPU. */
struct vendor_file {
	const char *path;
	const char *topic; /* NULL: the file's name says it */
	const char
		*pmu; /* "cpu_core" or "cpu_atom" when it is about one kind of cores, else NULL */
	bool metrics; /* only them */
};
/* What a file holds: rows, or descriptions of groups. The lists are in no order yet. */
void vendor_add_root(struct vendor *v, json_t *root, const struct vendor_file *file,
		     const json_t *std);

struct vendor_files {
	VEC(struct vendor_file);
	const char *std_dir; /* where rows may be that others refer to, or NULL */
};
/* Which files those are; the strings are the arena's. 0, or -1 with *err. */
int vendor_list_files(const char *dir, const char *cpuid, struct arena *arena,
		      struct vendor_files *out, struct err *err);

#endif
