/* SPDX-License-Identifier: MIT */
/* The output of `perf sched`: the table of latencies, the map of CPUs, the history of tasks. */
#ifndef VIEW_SCHED_SCHED_H
#define VIEW_SCHED_SCHED_H

#include "analysis/sched/latency.h"
#include "analysis/sched/map.h"
#include "analysis/sched/timehist.h"
#include "analysis/sched/workload.h"
#include "base/digits.h"
#include "view/out/rows.h"
#include "view/script/script_frames.h"

void sched_latency_show(const struct sched_latency *l, struct out *out);
/* The same for programs and web browsers. */
void sched_latency_show_rows(const struct sched_latency *l, struct out *out,
			     const struct rows_form *form);
/* " INFO: 0.1% lost events (...)" when there were some. */
void sched_lost_show(uint64_t lost_events, uint64_t lost_records, uint64_t records,
		     struct buf *out);

struct sched_map_view {
	struct out *out;
	const struct world *world; /* that of the replay, which knows the present */
	bool compact;		   /* CPUs in the order of their first switch */
	bool verbose;		   /* each row explains the short name */
	uint32_t n_cpus;	   /* columns, at least */
	struct number_list cpus, colour_cpus,
		colour_tasks;	/* .given: others have no column; highlighted */
	struct name_list names; /* .given: only tasks of these names */
	bool parts;		/* .. or whose names contain these */
};
/* .show of sched_map_read, with a struct sched_map_view. */
enum sched_map_shown sched_map_show_row(void *view, const struct sched_map_row *row);

/* A name as its column has it, padded with blanks. It holds while the thread's comm and pid
 * stay. */
struct timehist_name {
	uint32_t comm, pid;
	uint32_t n; /* bytes; 0: not known */
	char text[32];
};

struct timehist_view {
	struct out *out;
	struct world *world;
	struct script_frames *frames; /* NULL: call chains are not shown */
	unsigned int max_stack;	      /* of them */
	bool cpu_visual, next, state, wakeups, prios, pre_migrations; /* columns and rows */
	uint32_t n_cpus;					      /* of the machine */
	size_t width;						      /* of names so far */
	VEC(struct timehist_name) names; /* private: by index of the thread */
	struct timehist_idle_chains *idle_chains; /* -I with call chains; else NULL */
};
void timehist_show_header(struct timehist_view *v, const struct timehist *t);
/* .show of struct timehist, with a struct timehist_view. */
int timehist_show_row(void *view, struct timehist *t, const struct timehist_row *row);
void timehist_show_summary(struct timehist_view *v, const struct timehist *t);

/* timehist_chains.c: appends a sample's call chain in one line, without the scheduler's own
 * functions: " a <- b <- c". */
void timehist_show_chain(struct timehist_view *v, const struct record *r, struct buf *out);
/* .idle_ended of struct timehist, with a struct timehist_view: sums up idle times by the call chain
 * that led to them. */
void timehist_count_idle(void *view, struct timehist *t, uint32_t cpu, uint64_t ns,
			 const struct record *began);
void timehist_show_idle_chains(struct timehist_view *v, const struct timehist *t);
struct timehist_idle_chains *timehist_idle_chains_new(void);
void timehist_idle_chains_free(struct timehist_idle_chains *c);

void workload_show_clock(const struct workload_clock *c, struct out *out);
void workload_show(const struct workload *w, struct out *out);
/* The number of runs of a workload, with their mean times in ns. */
struct workload_view {
	struct out *out;
	uint64_t times, mean_took, mean_cpu;
};
/* .done of workload_reenact, with a struct workload_view. */
int workload_show_time(void *view, uint64_t took, uint64_t cpu);

/* "1.234 ": ms with three digits, as perf's rows have them. Writes at p, which has room for
 * SCHED_MS_ROOM; returns the end. */
#define SCHED_MS_ROOM (DIGITS_POINT_ROOM(12) + 1)
static inline char *sched_put_ms(char *p, uint64_t ns, size_t width)
{
	p = digits_point(p, ns / 1000, 3, width + 4);
	*p = ' ';
	return p + 1;
}
static inline void sched_ms(struct buf *out, uint64_t ns, size_t width)
{
	buf_end(out, sched_put_ms(buf_room(out, SCHED_MS_ROOM), ns, width));
}
/* "12.345678", right-aligned in width: seconds. */
static inline void sched_seconds(struct buf *out, uint64_t ns, size_t width)
{
	char *p = buf_room(out, DIGITS_POINT_ROOM(width));

	buf_end(out, digits_point(p, ns / 1000, 6, width));
}

#endif
