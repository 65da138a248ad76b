/* SPDX-License-Identifier: MIT */
/*
 * Access to JSON files, read by jansson, as far as the vendor's files need it. Private to
 * event/vendor.
 */
#ifndef EVENT_VENDOR_JSON_H
#define EVENT_VENDOR_JSON_H

#include "event/vendor/vendor.h"

#include <jansson.h>

/* Reads a whole file, at most JSON_FILE_MOST bytes; the caller calls json_decref. NULL with
 * *err. */
#define JSON_FILE_MOST (64u << 20)
json_t *json_file(const char *path, struct err *err);

/* The text of a member, "" when it isn't there, null, "null" or anything but a text or a number;
 * without blanks around it, blanks for control characters but newlines; in the arena. */
const char *json_text(const json_t *object, const char *key, struct arena *arena);
/* As json_text(), but NULL instead of "". */
const char *json_text_or_null(const json_t *object, const char *key, struct arena *arena);
/* The number that the text of a member begins with, 0x included; 0 without one. */
uint64_t json_number(const json_t *object, const char *key);

/* Adds a row of a file of events, when it is an event. std: the rows that it may refer to by
 * ArchStdEvent, by their names in lower case. pmu: the PMU that the file is about, or NULL. */
void vendor_add_event(struct vendor *v, json_t *row, const char *topic, const char *pmu,
		      const json_t *std);
/* Adds the metrics of a file: rows with a MetricExpr, or Intel's with a Formula. */
void vendor_add_metrics(struct vendor *v, const json_t *rows, const char *pmu);

/* A file that is about this CPU. */
struct vendor_file {
	const char *path;
	const char *topic; /* NULL: taken from the file's name */
	const char
		*pmu; /* "cpu_core" or "cpu_atom" when it is about one kind of cores, else NULL */
	bool metrics; /* add only the metrics of the file */
};
/* Adds the contents of a file: rows, or descriptions of groups. The lists are not sorted yet. */
void vendor_add_root(struct vendor *v, json_t *root, const struct vendor_file *file,
		     const json_t *std);

struct vendor_files {
	VEC(struct vendor_file);
	const char *std_dir; /* a folder with rows that other rows refer to, or NULL */
};
/* Lists the files for a CPU; the strings live in the arena. 0, or -1 with *err. */
int vendor_list_files(const char *dir, const char *cpuid, struct arena *arena,
		      struct vendor_files *out, struct err *err);

#endif
