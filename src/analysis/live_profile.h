/* SPDX-License-Identifier: MIT */
/*
 * A live profile: the samples of a live source in the world that its side-band tells of, and a
 * table made of them at each refresh: what perf top shows.
 *
 *   live_profile_new()
 *   live_profile_pull()     until the next refresh is due
 *   live_profile_refresh()  makes the table
 *   live_profile_fade()     once the table was shown
 *
 * Its memory follows what is sampled now. Cells fade at each refresh (by an eighth, as in perf top)
 * and go when nothing of them is left. The world only grows: when it and the dictionaries exceed
 * LIVE_PROFILE_MOST, they are dropped, processes are read again from /proc, and the table begins
 * anew.
 */
#ifndef ANALYSIS_LIVE_PROFILE_H
#define ANALYSIS_LIVE_PROFILE_H

#include "capture/session/source_live.h"
#include "data/source/read_split.h"
#include "profile/table/table.h"
#include "world/replay/replay.h"

/* Bytes that a world may take by its own count; the process grows by 3.7 times as much (measured
 * with short processes). */
#define LIVE_PROFILE_MOST (16u << 20)

struct live_profile_options {
	struct samples_options samples;
	struct table_options table;
	struct symbol_options symbols;
	const char *switch_on, *switch_off; /* names of events, or NULL */
	bool show_switches;
	bool code;   /* live_profile_find_code() will be called */
	bool keeps_table; /* the table is good until the next refresh, when samples fade, too */
	size_t most; /* bytes that may be known of processes; 0: LIVE_PROFILE_MOST */
};

/* Samples since the last refresh, by mode. Those that are hidden count, too. */
struct live_counts {
	uint64_t samples, kernel, exact;
	uint64_t lost;	/* samples that the kernel had no room for */
	uint64_t chunks; /* LOST records, each of a ring that was full for a while */
};

struct live_profile {
	struct live_profile_options opts;
	struct live_source *source;
	struct world *world;
	struct samples *samples;
	struct table *code; /* with the option: what live_profile_find_code() made */
	struct samples *fresh; /* with keeps_table: samples since the last refresh; else NULL */
	struct table *table; /* another one of the same samples may take its place */
	struct live_counts counts; /* since the last refresh */
	struct live_counts all;	   /* since the beginning */
	uint32_t hidden_modes;	   /* 1 << cpumode: samples of it are not taken */
	bool zero;		   /* samples are forgotten at each refresh instead of fading */
	unsigned int renewals;	   /* how often what is known of processes was read anew */
	/* private */
	struct replay_switches switches;
	struct read_split split;
	struct live_counts before; /* .all at the last refresh */
};

/* For a source that is open, and must outlive it. The options' texts and lists are borrowed. NULL:
 * *err. */
struct live_profile *live_profile_new(struct live_source *source,
				      const struct live_profile_options *opts, struct err *err);
void live_profile_free(struct live_profile *p);
DEFINE_AUTO(live_profile, live_profile_free)
/* Takes records until until_ms, as live_source_next(), or session.stop. 0, or -1 with *err. */
int live_profile_pull(struct live_profile *p, uint64_t until_ms, struct err *err);
/* Makes .table of all samples, and .counts. With keeps_table the samples of before fade first; when
 * what is known of processes is read anew, the table's zoom is given up with it. */
int live_profile_refresh(struct live_profile *p, struct err *err);
/* After a refresh: makes .code, in the way of annotate.h, of the samples in functions of that name.
 * 0, or -1 with *err. */
int live_profile_find_code(struct live_profile *p, const char *symbol, struct err *err);
/* The table was shown, and must not be used any more: samples fade, or are forgotten. Not with
 * keeps_table. */
int live_profile_fade(struct live_profile *p, struct err *err);

#endif
