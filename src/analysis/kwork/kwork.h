/* SPDX-License-Identifier: MIT */
/*
 * Work of the kernel: handlers of interrupts, soft interrupts and work queues, how long they ran,
 * and how long they waited to run after they were raised.
 *
 *   raise -------- entry -------- exit
 *         | delay |      | runtime |
 *
 *   struct kwork k;
 *   kwork_init(&k, &opts);
 *   failed = kwork_read(&k, rec, world, &err);
 *   kwork_sort(&k);
 *   ... k.order
 *   kwork_release(&k);
 */
#ifndef ANALYSIS_KWORK_KWORK_H
#define ANALYSIS_KWORK_KWORK_H

#include "base/hash.h"
#include "world/filter.h"
#include "world/world.h"

struct record;
struct recording;
struct replay;

enum kwork_class { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_WORKQUEUE, KWORK_SCHED, KWORK_CLASSES };

/* The classes that were asked for, each once, in that order. */
struct kwork_classes {
	uint32_t n;
	enum kwork_class at[KWORK_CLASSES];
};
/* "irq, softirq": 0, or -1 with *err. */
int kwork_classes_parse(struct kwork_classes *c, const char *text, struct err *err);
bool kwork_classes_have(const struct kwork_classes *c, enum kwork_class class);
/* The class's tracepoints, up to NULL: what is raised (if anything), the entry, the exit. */
const char *const *kwork_class_events(enum kwork_class class);

/* What is measured: from entry to exit, or from raise to entry; or each work as it ends. */
enum kwork_question { KWORK_RUNTIME, KWORK_DELAY, KWORK_HISTORY };

enum kwork_key { KWORK_BY_RUNTIME, KWORK_BY_MAX, KWORK_BY_COUNT, KWORK_BY_AVG, KWORK_BY_ID };

struct kwork_options {
	enum kwork_question question;
	struct kwork_classes classes;
	VEC(enum kwork_key) sort; /* owned by whoever made it */
	const char *name;	  /* only works of this name and those without one; NULL: all */
	struct filter filter;	  /* CPUs and times; the same owner */
};
/* "runtime, max": 0, or -1 with *err. */
int kwork_sort_parse(struct kwork_options *o, const char *text, struct err *err);

/* One piece of work on one CPU: an interrupt, a vector of soft interrupts, a work item. */
struct kwork_work {
	enum kwork_class class;
	uint32_t cpu;
	uint64_t id;   /* number of the interrupt or the vector, address of the work item */
	uint32_t name; /* in kwork.names, or HASH_NONE */
	/* of what is measured: */
	uint64_t count, total_ns, max_ns, max_start, max_end;
	/* private */
	uint64_t raises[2];	  /* ns: those that no entry has taken, the newest last */
	uint64_t entered, raised; /* ns: of the work that runs, .raised when .was_raised */
	uint32_t n_raises, text, losses;
	bool is_entered, was_raised;
	bool is_left_over; /* the only raise was there before the last entry */
};

/* Events whose counterpart is missing, by kind. */
enum kwork_event { KWORK_RAISE, KWORK_ENTRY, KWORK_EXIT, KWORK_EVENTS };

#define KWORK_RECENT 256
struct kwork {
	const struct kwork_options *opts;
	VEC(struct kwork_work) works;
	VEC(uint32_t) order; /* of works that were measured; after kwork_sort() */
	struct intern names;
	uint64_t records, lost_events, lost_records;
	uint64_t skipped[KWORK_EVENTS];
	uint64_t first, last;		  /* times of the events that count */
	uint64_t uncertain, uncertain_ns; /* measured while records were lost, and how long */
	/* Of KWORK_HISTORY, set by the caller; each may be NULL. .on_entry returns what the work
	 * keeps in .text until its exit, .on_exit 0 or what a handler returns. */
	uint32_t (*on_entry)(void *ctx, const struct record *r);
	int (*on_exit)(void *ctx, const struct kwork *k, const struct kwork_work *w, uint64_t end);
	void *ctx;
	/* private */
	struct intern keys; /* of works, in their order */
	/* Some of the works, by their ids and CPUs: where it is one of them, no hash lookup is
	 * needed. */
	uint32_t recent[KWORK_RECENT];
	struct idmap functions; /* address -> id in names */
	uint32_t losses;
};

/* opts must outlive k. */
void kwork_init(struct kwork *k, const struct kwork_options *opts);
void kwork_release(struct kwork *k);
/* 0, or -1 with *err. */
int kwork_read(struct kwork *k, struct recording *rec, struct world *world, struct err *err);
/* After kwork_read: measured works in the order of the sort keys, and what is left over. */
void kwork_sort(struct kwork *k);

/* The work with this key; made when it is new. Valid until the next call. */
struct kwork_work *kwork_get(struct kwork *k, enum kwork_class class, uint32_t cpu, uint64_t id);
/* "virtio0-input.0:25", "(s)RCU:9", "(w)vmstat_update": as perf names it. */
void kwork_name(const struct kwork *k, const struct kwork_work *w, struct buf *out);
/* Of soft interrupts; NULL: no such vector. */
const char *kwork_vector_name(uint64_t vector);
/* The name of the function at a kernel address, as an id in k->names; HASH_NONE without one. */
uint32_t kwork_function(struct kwork *k, struct world *world, uint64_t address);

#endif
