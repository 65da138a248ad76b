/* SPDX-License-Identifier: MIT */
/*
 * perf data convert: a recording sample by sample, in formats of other programs.
 *
 * A format is a struct convert_format: its functions are called for each record in the order of
 * time, with the world of that moment. convert_run() pulls the records.
 */
#ifndef VIEW_CONVERT_H
#define VIEW_CONVERT_H

#include "view/out.h"
#include "view/script/script_frames.h"
#include "world/replay/replay.h"

struct convert {
	/* set by the caller of convert_run() */
	struct recording *rec;
	struct world *world; /* new */
	bool all;	     /* other records than samples, too */
	bool tod;	     /* times are those of the day */
	int64_t captured;    /* seconds since the epoch when the recording was made; 0: not known */
	/* what came of it */
	uint64_t samples, others; /* records that were written */
	uint64_t bytes;		  /* of those records, or of the file */
	/* for formats */
	struct script_frames frames;
	void *ctx;
	struct err *err;
};

struct convert_format {
	/* Of a sample: its thread at that moment, and the epoch of its process. Returns as a
	 * handler of a replay does. */
	int (*sample)(struct convert *c, const struct record *r, const struct thread *t,
		      uint32_t epoch);
	/* Of any other record; may be NULL. */
	int (*other)(struct convert *c, const struct record *r);
};

/* 0, or -1 with *err. */
int convert_run(struct convert *c, const struct convert_format *format, struct err *err);

/* The recording as one JSON text, as perf writes it (linux-perf-json-version 1). */
int convert_json(struct convert *c, struct out *out, struct err *err);
/* A CTF 1.8 trace in a folder, which is made. */
int convert_ctf(struct convert *c, const char *folder, struct err *err);
/* A new SQLite database with the tables of perf's exported SQL. */
int convert_sqlite(struct convert *c, const char *path, struct err *err);

/* ns to add to recorded times for those since the epoch; false: the recorder did not tell. */
bool convert_wall_offset(const struct recording *rec, int64_t *ns);

#endif
