/* SPDX-License-Identifier: MIT */
/*
 * Lock statistics: a row for each lock, caller or task, with the number and duration of waits.
 *
 *   struct locks l;
 *   locks_init(&l, &opts);
 *   failed = locks_read(&l, rec, world, &err);      (lock_events.c)
 *   locks_sort(&l);
 *   ... l.order
 *   locks_release(&l);
 *
 * Rows have the order of perf: by value, rows of equal value by the bucket of their key in its hash
 * table.
 */
#ifndef ANALYSIS_LOCK_LOCKS_H
#define ANALYSIS_LOCK_LOCKS_H

#include "base/hash.h"
#include "world/filter.h"
#include "world/world.h"

struct replay;
struct record;

/* What a row stands for. */
enum locks_by { LOCKS_BY_CALLER, LOCKS_BY_TASK, LOCKS_BY_ADDRESS, LOCKS_BY_CGROUP };

enum locks_value {
	LOCKS_ACQUIRED,
	LOCKS_CONTENDED,
	LOCKS_AVG_WAIT,
	LOCKS_WAIT_TOTAL,
	LOCKS_WAIT_MAX,
	LOCKS_WAIT_MIN,
	LOCKS_VALUES
};

/* Flags of the kernel's contention_begin tracepoint (include/trace/events/lock.h). */
enum {
	LOCK_F_SPIN = 1,
	LOCK_F_READ = 2,
	LOCK_F_WRITE = 4,
	LOCK_F_RT = 8,
	LOCK_F_PERCPU = 16,
	LOCK_F_MUTEX = 32,
	LOCK_F_ALL = 63
};
/* "rwsem:R"; "unknown" of flags that no lock has. */
const char *lock_type_name(uint64_t flags);

struct lock_filter {
	uint64_t types; /* a bit for each value of the flags (1 << flags); 0: all */
	VEC(uint64_t) addresses;
	VEC(char *) symbols; /* locks of these names; owned */
	VEC(char *) callers; /* parts of function names, of which one must be in the call chain;
				owned */
};
/* "mutex,rwsem:R": 0, or -1 with *err. A name without ":R" stands for both. */
int lock_filter_add_types(struct lock_filter *f, const char *text, struct err *err);
void lock_filter_add_locks(struct lock_filter *f, const char *text); /* addresses, or names */
void lock_filter_add_callers(struct lock_filter *f, const char *text);
void lock_filter_release(struct lock_filter *f);

struct locks_options {
	enum locks_by by;
	enum locks_value sort;
	bool combine;	    /* rows of one name become one */
	bool names_of_lock; /* rows by address: named by the lock's own symbol, not by a caller's */
	uint32_t max_stack; /* frames of a chain that count */
	uint32_t skip;	    /* the innermost ones that are no caller */
	struct lock_filter filter;
};

struct locks_row {
	uint64_t key; /* address, tid, or the hash of a call chain */
	uint64_t address;
	uint64_t flags;
	uint32_t name;	/* in locks.names */
	uint32_t chain; /* in locks.chains, or HASH_NONE */
	uint64_t value[LOCKS_VALUES]; /* counts, and ns; LOCKS_WAIT_MIN is UINT64_MAX before the
					 first wait */
	bool broken;			/* records came in an impossible order */
	bool combined;			/* it has become part of another row */
};

/* Records that cannot follow the previous one, by kind. */
enum locks_bad { LOCKS_BAD_ACQUIRE, LOCKS_BAD_ACQUIRED, LOCKS_BAD_CONTENDED, LOCKS_BAD_RELEASE,
		 LOCKS_BAD_KINDS };

struct locks_chain {
	uint64_t key;
	uint32_t name; /* of the caller: in locks.names */
	uint32_t row;  /* or HASH_NONE */
	bool wanted;   /* by .callers of the filter */
};

/* The state of a task with one lock. */
struct locks_sequence {
	uint64_t address, since; /* ns */
	uint32_t tid, row, losses;
	uint32_t readers : 24, state : 7;
	bool waited : 1; /* .row is known */
};

/* Tasks whose sequence that was used last is found without a hash lookup. */
#define LOCKS_RECENT 1024

struct locks {
	const struct locks_options *opts;
	VEC(struct locks_row) rows;
	VEC(uint32_t) order; /* rows as they are shown; after locks_sort() */
	struct intern names;
	struct intern chains; /* raw words of chains */
	struct idmap tasks; /* tids of which there are events */
	VEC(struct locks_chain) of_chain;
	uint32_t bad[LOCKS_BAD_KINDS];
	uint64_t uncertain, uncertain_ns; /* waits during which records were lost, and how long they
					     are in all */
	/* private */
	struct idmap by_key;
	struct id_slots sequence_slots;
	VEC(struct locks_sequence) sequences;
	uint32_t recent[LOCKS_RECENT]; /* in .sequences, by tid; the entry may be another task's, or
					  lie behind the last one */
	uint32_t losses; /* moments at which records were lost, so far */
	uint64_t sched_text[2], lock_text[2]; /* of the kernel: [start, end) */
	bool texts_known;
};

void locks_init(struct locks *l, const struct locks_options *opts);
void locks_release(struct locks *l);

/* lock_events.c. Takes lock:contention_* and lock:lock_*. 0, or -1 with *err. */
int locks_read(struct locks *l, struct recording *rec, struct world *world,
	       const struct filter *filter, struct err *err);

/* A sum of waits that belong to one row. */
struct lock_sum {
	uint64_t address, cgroup;
	int32_t tid; /* -1: not known */
	uint32_t flags;
	uint64_t count, total_ns, max_ns, min_ns;
	const uint64_t *frames; /* of the kernel, innermost first */
	uint64_t n_frames;
	const char *part_of; /* name of a lock without a symbol of its own; NULL: none */
};
/* lock_sums.c. Adds a sum to its row, when the filter of callers wants it. The producer of the sums
 * applies the other filters. */
void locks_add_sum(struct locks *l, struct world *world, const struct lock_sum *s);

/* The row of a key, or HASH_NONE; and added. */
uint32_t locks_find(const struct locks *l, uint64_t key);
uint32_t locks_add(struct locks *l, uint64_t key, const char *name);
void locks_add_wait(struct locks_row *row, uint64_t ns);
static inline const char *locks_name(const struct locks *l, const struct locks_row *row)
{
	return intern_text(&l->names, row->name);
}
void locks_sort(struct locks *l);
/* The row's place in the order of perf's hash table: lower ones first. */
uint64_t locks_bucket(uint64_t key);

/* lock_chains.c: the chain's id; words as in a sample (contexts included). */
uint32_t locks_chain(struct locks *l, struct world *world, uint8_t cpumode, const uint64_t *words,
		     uint64_t n);
/* "function+0x12" of the kernel's address, or "". */
void locks_kernel_symbol(struct world *world, uint64_t address, char *text, size_t size);
/* The symbol at an address of data in the kernel, or "". */
const char *locks_symbol_of_lock(struct world *world, uint64_t address);
/* True when the filter wants locks at this address. part_of: as in struct lock_sum. */
bool locks_wants_address(struct locks *l, struct world *world, uint64_t address,
			 const char *part_of);

#endif
