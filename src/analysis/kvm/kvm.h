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
 */
#ifndef ANALYSIS_KVM_H
#define ANALYSIS_KVM_H

#include "analysis/kvm/kvm_exits.h"
#include "world/filter.h"
#include "world/world.h"

enum kvm_event { KVM_EXITS, KVM_MMIO, KVM_PORTS };
enum kvm_key { KVM_BY_SAMPLES, KVM_BY_TIME };

struct kvm_options {
	enum kvm_event event;
	enum kvm_key key;
	int vcpu;		     /* only this one; -1: all */
	const struct filter *filter; /* may be NULL */
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
	VEC(struct kvm_row) rows; /* sorted, those that were seen */
	uint64_t count, time_ns;  /* of all rows */
	uint64_t lost;		  /* LOST records */
	uint64_t uncertain;	  /* times during which records were lost */
	/* private */
	struct intern keys;
	uint64_t losses;
};

/* The tracepoints of exits, entries and accesses to devices, of all processors. Ends with a row of
 * NULL. */
extern const struct kvm_tracepoint {
	const char *system, *name;
	bool is_exit;
} kvm_tracepoints[];

/* 0, or -1 with *err; release in both cases. */
int kvm_read(struct kvm *k, const struct kvm_options *opts, struct recording *rec,
	     struct world *world, struct err *err);
void kvm_release(struct kvm *k);
/* The standard deviation of the row's mean, in percent of it. */
double kvm_row_spread(const struct kvm_row *row);

#endif
