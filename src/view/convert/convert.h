/* SPDX-License-Identifier: MIT */
/*
 * perf data convert: writes a recording sample by sample in formats of other programs.
 *
 * A format is a struct convert_format: its functions are called for each record in the order of
 * time, with the world of that moment. convert_run() pulls the records.
 */
#ifndef VIEW_CONVERT_H
#define VIEW_CONVERT_H

#include "view/out/out.h"
#include "view/script/script_frames.h"
#include "world/filter.h"
#include "world/replay/replay.h"

struct convert {
	/* set by the caller of convert_run() */
	struct recording *rec;
	struct world *world;	     /* new */
	bool all;		     /* also convert records that are no samples */
	bool tod;		     /* times are wall-clock times */
	const struct filter *filter; /* samples outside its times are not written; NULL: all are */
	int64_t captured; /* seconds since the epoch when the recording was made; 0: not known */
	/* results */
	uint64_t samples, others; /* records that were written */
	uint64_t bytes;		  /* size of these records, or of the file */
	/* for use by the formats */
	struct script_frames frames;
	void *ctx;
	struct err *err;
};

struct convert_format {
	/* Writes a sample; with its thread at that time, and its process's epoch. Returns as a
	 * handler of a replay does. */
	int (*sample)(struct convert *c, const struct record *r, const struct thread *t,
		      uint32_t epoch);
	/* Writes any other record; may be NULL. */
	int (*other)(struct convert *c, const struct record *r);
};

/* 0, or -1 with *err. */
int convert_run(struct convert *c, const struct convert_format *format, struct err *err);

/* Writes one JSON text, as perf does (linux-perf-json-version 1). */
int convert_json(struct convert *c, struct out *out, struct err *err);
/* Writes a CTF 1.8 trace into a folder, which it creates. */
int convert_ctf(struct convert *c, const char *folder, struct err *err);
/* Writes a SQLite database with the tables of perf's export-to-sqlite.py into an empty file. */
int convert_sqlite(struct convert *c, int fd, const char *path, struct err *err);

/* *ns: added to a recorded time, gives ns since the epoch. False: the recording has no such
 * offset. */
bool convert_wall_offset(const struct recording *rec, int64_t *ns);

#endif
