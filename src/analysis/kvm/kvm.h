/* SPDX-License-Identifier: MIT */
/*
 * Reasons of guests' exits, and how long the host takes until they run again: from the tracepoints
 * kvm:kvm_exit, kvm_entry, and on x86 kvm_mmio and kvm_pio; on ppc64 and s390 the others of
 * kvm_tracepoints.
 *
 *   struct kvm k;
 *   failed = kvm_read(&k, &opts, rec, world, &err);
 *   ... k.rows
 *   kvm_release(&k);
 *
 * Live, kvm_init(), then records go to a replay of kvm_analysis, whose context is the struct kvm;
 * kvm_sum() makes .rows of what came so far, and kvm_zero() begins the sums anew.
 */
#ifndef ANALYSIS_KVM_H
#define ANALYSIS_KVM_H

#include "analysis/kvm/kvm_exits.h"
#include "world/replay/replay.h"

enum kvm_event { KVM_EXITS, KVM_MMIO, KVM_PORTS };
/* What rows are sorted by, the greatest first. Times: sum, shortest, longest, average. */
enum kvm_key { KVM_BY_SAMPLES, KVM_BY_TIME, KVM_BY_LEAST, KVM_BY_MOST, KVM_BY_MEAN };

/* A time that was longer than was asked for. */
struct kvm_slow {
	uint64_t time, ns; /* its end; how long it was */
	uint32_t pid;
	uint64_t vcpu, key, info; /* as in struct kvm_row */
};

struct kvm_options {
	enum kvm_event event;
	enum kvm_key key;
	int vcpu;		     /* only this one; -1: all */
	/* May be NULL. What ends on its CPUs and in its times counts, of its processes and threads.
	 */
	const struct filter *filter;
	/* Called for each time that is longer than slow_ns. NULL: not called. */
	void (*slow)(void *ctx, const struct kvm_slow *slow);
	void *slow_ctx;
	uint64_t slow_ns;
};

struct kvm_row {
	uint64_t key,
		info;  /* the code of an exit; an address, a port, and whether it was written */
	uint32_t made; /* its place in the order in which keys were met */
	uint64_t count, time_ns, min_ns, max_ns;
	double mean, squares; /* of the times; the sum of squared distances from the mean */
};

struct kvm {
	struct kvm_options opts;
	enum kvm_isa isa;
	VEC(struct kvm_row) rows; /* sorted, those that were seen: of the last kvm_sum() */
	uint64_t count, time_ns;  /* of all rows */
	uint64_t lost;		  /* LOST records */
	uint64_t uncertain;	  /* times during which records were lost */
	/* private */
	struct intern keys;
	VEC(struct kvm_row) sums; /* by id in keys */
	uint64_t losses;
};

/* The tracepoints of exits, entries and accesses to devices, of all processors. Ends with a row of
 * NULL. */
extern const struct kvm_tracepoint {
	const char *system, *name;
	bool is_exit;
} kvm_tracepoints[];

extern const struct replay_analysis kvm_analysis;

/* arch and cpuid as kvm_isa_find() takes them. 0, or -1 with *err: exits of that processor have no
 * names here. */
int kvm_init(struct kvm *k, const struct kvm_options *opts, const char *arch, const char *cpuid,
	     struct err *err);
void kvm_sum(struct kvm *k);
void kvm_zero(struct kvm *k); /* what has begun goes on */
/* Reads a whole recording and sums. 0, or -1 with *err; release in both cases. */
int kvm_read(struct kvm *k, const struct kvm_options *opts, struct recording *rec,
	     struct world *world, struct err *err);
void kvm_release(struct kvm *k);
/* The standard deviation of the row's mean, in percent of it. */
double kvm_row_spread(const struct kvm_row *row);

#endif
