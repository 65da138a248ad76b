/* SPDX-License-Identifier: MIT */
/*
 * Replay: the records of a recording in the order of time, each with the world at its moment.
 *
 * An analysis is a const table of handlers, and a struct of its own (.ctx) that the handlers fill:
 *
 *   struct switch_args { int64_t prev_pid, next_pid; };
 *   static const struct replay_field switch_fields[] = {
 *           {"prev_pid", REPLAY_S64, offsetof(struct switch_args, prev_pid)},
 *           {"next_pid", REPLAY_S64, offsetof(struct switch_args, next_pid)}, {0}};
 *   static const struct replay_tracepoint tracepoints[] = {
 *           {"sched:sched_switch", switch_fields, sizeof(struct switch_args), take_switch}, {0}};
 *   static const struct replay_analysis analysis = {.tracepoints = tracepoints};
 *
 *   struct replay rp;
 *   replay_init(&rp, rec, world, &analysis, &my);
 *   failed = replay_run(&rp, &err);
 *   replay_release(&rp);
 *
 * For each record, replay updates the world first, then calls one handler: for a sample, that of
 * its tracepoint; else that of the record's type; else .any. Samples that the filter or the
 * switches exclude reach no handler. Records are valid during the call; texts and bytes point into
 * them.
 */
#ifndef WORLD_REPLAY_REPLAY_H
#define WORLD_REPLAY_REPLAY_H

#include "data/recording.h"
#include "data/source/source_ops.h"
#include "world/filter.h"
#include "world/world.h"

struct replay;

/* What a handler returns; or -1 with *rp->err set, which ends the replay. */
enum { REPLAY_GO = 0, REPLAY_STOP = 1 /* no more records; no error */ };

typedef int (*replay_record_fn)(struct replay *rp, const struct record *r);
/* args: the struct that the row's fields describe. */
typedef int (*replay_sample_fn)(struct replay *rp, const struct record *r, const void *args);

/* By the type of a record. A table ends with an all-zero row. */
struct replay_handler {
	uint32_t type; /* RECORD_* */
	replay_record_fn take;
};

/* The type of the member that a field's value is written to. */
enum replay_value {
	REPLAY_U64,  /* uint64_t: an integer of 1, 2, 4 or 8 bytes, widened as the format says
			(signed or not) */
	REPLAY_S64,  /* int64_t: an integer, as above */
	REPLAY_TEXT, /* struct replay_bytes: up to the terminator, which .n does not count and which
			may be missing */
	REPLAY_BYTES, /* struct replay_bytes: an array as it stands, its numbers in the recording's
			 byte order */
	REPLAY_WORDS, /* uint64_t[.words]: the elements of an array of integers, widened; missing
			 ones are 0 */
};
struct replay_bytes {
	const char *at; /* NULL with .n 0: the field is absent or reaches beyond the sample */
	size_t n;
};

struct replay_field {
	const char *name; /* in the format */
	enum replay_value value;
	size_t at;	/* offsetof the member of the row's struct */
	uint32_t words; /* of REPLAY_WORDS */
	bool optional; /* the format may lack the field, which is an error for other fields */
	int64_t missing; /* the value of an optional number that the format lacks */
};

/* What of a sample its handler reads. */
enum replay_brief {
	REPLAY_WHOLE,
	/* Of a sample without a call chain: .offset of the record, .time, .cpu, .pid, .tid and
	 * .callchain_nr of the sample, and args alone. All other members may be those of an
	 * earlier record. */
	REPLAY_BRIEF,
	/* Of a sample with a call chain .header and .callchain, too. */
	REPLAY_BRIEF_CHAINS
};

/* A table ends with an all-zero row. The first row that names a tracepoint takes its samples. */
struct replay_tracepoint {
	const char *name;		   /* "sched:sched_switch" */
	const struct replay_field *fields; /* NULL: none */
	size_t args_size;
	replay_sample_fn take;
	const char *unless; /* an event: this row names nothing in recordings that have it */
	enum replay_brief brief;
};

/*
 * What an analysis keeps of each thread, CPU or process. State is made, zeroed, when a handler
 * first asks for it. It stays through exec and exit (the last switch away from a task comes after
 * its exit) and ends when a fork gives the tid to another task, or with the replay. Callbacks may
 * be NULL.
 */
struct replay_state {
	size_t size; /* bytes; 0: none is kept */
	bool keep;   /* ended state stays readable after the replay; else its memory is reused */
	/* of: for a thread's state, the thread; for a process's, the thread that a handler first
	 * asked with; for a CPU's, NULL. */
	void (*init)(struct replay *rp, void *state, struct thread *of);
	void (*end)(struct replay *rp, void *state);
	void (*release)(void *state); /* frees what the state owns, not the state */
};

/* Records are missing before .time: sums of that CPU (REPLAY_ALL_CPUS: of any CPU) may be wrong. */
#define REPLAY_ALL_CPUS UINT32_MAX
struct replay_loss {
	uint64_t time; /* ns; 0: not known */
	uint32_t cpu;
	uint64_t events; /* 0: how many is not known (damage) */
};

struct replay_analysis {
	const struct replay_handler *handlers;	     /* may be NULL */
	const struct replay_tracepoint *tracepoints; /* may be NULL */
	replay_record_fn any;			     /* all other records; may be NULL */
	void (*lost)(struct replay *rp, const struct replay_loss *loss); /* may be NULL */
	/* Replaces all other handlers, for analyses that only count. Gets all records undecoded, in
	 * file order, as spans to walk with span_step(). There is no world and no filter. May be
	 * NULL. */
	void (*raw)(struct replay *rp, const struct span *span);
	struct replay_state thread, cpu, process;
};

/*
 * --switch-on and --switch-off: samples count from the first event on, up to the second. All zero:
 * no switches. Without .on it is as in perf: the sample of .off does not count, and those after it
 * do.
 */
struct replay_switches {
	const struct event *on, *off;
	bool discarding; /* set it with .on */
	bool show;	 /* the samples that switch count, too */
};
/* True when a sample of this event does not count. Call it once for each sample, in order. */
bool replay_switched_off(struct replay_switches *s, const struct event *ev);
/* Finds the events by name (NULL: none). 0, or -1 with *err. */
int replay_switches_find(struct replay_switches *s, const struct event_set *set, const char *on,
			 const char *off, struct err *err);

/* CPUs with a greater number have no state. */
#define REPLAY_CPUS_MAX 65536

/* Private: the state of the latest thread of a tid. */
#define REPLAY_TASKS 512
struct replay_task {
	uint32_t tid;
	bool has_pid; /* the thread's pid is known */
	void *state;  /* NULL: free */
};

struct replay_states { /* private */
	const struct replay_state *how;
	VEC(void *) at; /* by index of the thread, the CPU, the process */
	struct arena arena;
	VEC(void *) unused;
};

struct replay {
	/* for handlers */
	struct recording *rec; /* NULL: live */
	struct measurement *m;
	struct world *world;
	void *ctx;
	struct err *err;
	uint64_t time;	    /* ns: of the record at hand, see record_time() */
	uint64_t records;   /* so far, of all kinds */
	struct source *src; /* from replay_open() on; for batches */
	/* set by the caller between replay_init and replay_run */
	/* .mode is SOURCE_ORDERED. .times may drop samples that handlers need not see;
	 * replay_open() sets it where the filter has times and nothing switches. */
	struct source_options reading;
	const struct filter *filter; /* samples outside its times, CPUs, pids, tids and comms reach
				      * no handler; NULL: no filter */
	struct replay_switches switches;
	/* private */
	const struct replay_analysis *how;
	struct thread *const *recent; /* world_recent() */
	replay_record_fn by_type[RECORD_TOOL_MAX];
	struct replay_states threads, cpus, processes;
	struct replay_task tasks[REPLAY_TASKS]; /* some of .threads, by the low bits of the tid */
	VEC(struct replay_bound *) bound; /* by index of the event */
	uint32_t formats;		  /* .changes of the recording's when those were bound */
	struct record sample;		  /* the last one that was decoded by its layout */
	size_t laid_out;		  /* events that the layout was of */
	uint64_t damage;
};

/* world: NULL where handlers need none; else a new one, which keeps only the present if
 * world_present_only() was called. All must outlive the replay. */
void replay_init(struct replay *rp, struct recording *rec, struct world *world,
		 const struct replay_analysis *how, void *ctx);
/* For records that do not come from a recording, but from a session: the caller gives them to
 * replay_add(). */
void replay_init_live(struct replay *rp, struct measurement *m, struct world *world,
		      const struct replay_analysis *how, void *ctx);
void replay_release(struct replay *rp);
/* Pulls all records, and opens the source unless replay_open() did. 0, also when a handler stopped
 * the replay; or -1 with *err. */
int replay_run(struct replay *rp, struct err *err);

/* For a caller that pulls records itself, in the order of time. The source that replay_run would
 * pull from; the replay owns it. NULL with *err. */
struct source *replay_open(struct replay *rp, struct err *err);
int replay_add(struct replay *rp, const struct record *r); /* one record; returns as a handler */
void replay_end(struct replay *rp); /* after the last one: ends the states that are left */

/* The thread that has the tid now; made where the tid is new. pid: (uint32_t)-1 when only the tid
 * is known. */
static inline struct thread *replay_thread(struct replay *rp, uint32_t pid, uint32_t tid)
{
	struct thread *t = rp->recent[tid % WORLD_RECENT];

	if (t && t->tid == tid && (t->pid != (uint32_t)-1 || pid == (uint32_t)-1))
		return t;
	return world_thread(rp->world, pid, tid, WORLD_NOW);
}
/* private: replay_states.c */
void *replay_find_task_state(struct replay *rp, uint32_t pid, uint32_t tid);
void *replay_make_state(struct replay *rp, struct replay_states *s, size_t index,
			struct thread *of);
static inline void *replay_state_of(struct replay *rp, struct replay_states *s, size_t index,
				    struct thread *of)
{
	void *state = index < s->at.n ? s->at.at[index] : NULL;

	return state ? state : replay_make_state(rp, s, index, of);
}
/* The state of a thread, process or CPU; made when it is new. The .size of its kind must not be
 * 0. */
static inline void *replay_thread_state(struct replay *rp, struct thread *t)
{
	return replay_state_of(rp, &rp->threads, t->index, t);
}
/* replay_thread_state() of replay_thread(), in one lookup. */
static inline void *replay_task_state(struct replay *rp, uint32_t pid, uint32_t tid)
{
	const struct replay_task *known = &rp->tasks[tid % REPLAY_TASKS];

	return known->state && known->tid == tid && (known->has_pid || pid == (uint32_t)-1)
		       ? known->state
		       : replay_find_task_state(rp, pid, tid);
}
void *replay_process_state(struct replay *rp, struct thread *t); /* of its process */
/* NULL: from REPLAY_CPUS_MAX on. */
static inline void *replay_cpu_state(struct replay *rp, uint32_t cpu)
{
	return cpu < REPLAY_CPUS_MAX ? replay_state_of(rp, &rp->cpus, cpu, NULL) : NULL;
}
/* The states made so far, by index of world_threads() or by CPU number, and how many. NULL in it:
 * no state was made. */
static inline size_t replay_thread_states(const struct replay *rp, void *const **at)
{
	*at = rp->threads.at.at;
	return rp->threads.at.n;
}
static inline size_t replay_cpu_states(const struct replay *rp, void *const **at)
{
	*at = rp->cpus.at.at;
	return rp->cpus.at.n;
}

/* private: replay_fields.c, replay_states.c */
void replay_bound_release(struct replay *rp);
void replay_states_end(struct replay *rp, struct replay_states *s);
void replay_states_release(struct replay_states *s);
void replay_end_state(struct replay *rp, struct replay_states *s, size_t index);

#endif
