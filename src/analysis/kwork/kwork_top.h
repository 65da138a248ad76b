/* SPDX-License-Identifier: MIT */
/*
 * How much of each CPU's time tasks, interrupts and soft interrupts took. Time in interrupts counts
 * for them only, not for the task or soft interrupt that they interrupt.
 */
#ifndef ANALYSIS_KWORK_TOP_H
#define ANALYSIS_KWORK_TOP_H

#include "base/hash.h"
#include "world/filter.h"
#include "world/world.h"

struct recording;

enum kwork_top_key { KWORK_TOP_RATE, KWORK_TOP_RUNTIME, KWORK_TOP_TID };

struct kwork_top_options {
	VEC(enum kwork_top_key) sort; /* owned by whoever made it */
	const char *name;	      /* only tasks of this name; NULL: all */
	struct filter filter;	      /* CPUs and times; the same owner */
	bool irqs, softirqs;	      /* count their time */
};
/* "rate, tid": 0, or -1 with *err. */
int kwork_top_sort_parse(struct kwork_top_options *o, const char *text, struct err *err);

/* A task; on the idle tasks' CPUs one each. */
struct kwork_task {
	uint32_t tid, cpu; /* cpu: of the idle task; of another, where it was seen first */
	uint32_t comm;	   /* in kwork_top.names */
	/* Of the process; only where it is known (kwork_top.knows_processes). */
	uint32_t tgid;
	bool is_kthread;
	uint64_t ns;
	uint64_t rate; /* of one CPU's time, in units of 0.01 % */
};

struct kwork_cpu {
	uint64_t total, idle, irq, softirq, load; /* ns; load: of the tasks that are shown */
	/* private */
	bool is_known, in_irq, in_softirq;
	uint32_t tid, losses;
	uint64_t since, irq_since, softirq_since;
	uint64_t irq_ns, softirq_ns, nested_ns; /* since the switch; nested: interrupts of the soft
						   interrupt */
};

struct kwork_top {
	const struct kwork_top_options *opts;
	VEC(struct kwork_task) tasks; /* sorted; that ran */
	VEC(struct kwork_cpu) cpus;   /* by number; .total 0: not seen */
	struct kwork_cpu all;	      /* the sums */
	uint32_t n_cpus;	      /* that were seen */
	bool knows_processes;	      /* set by the caller */
	struct intern names;
	uint64_t uncertain, uncertain_ns; /* times between switches with losses, and how long */
	/* private */
	VEC(struct kwork_part {
		uint32_t tid, cpu, comm, tgid;
		bool is_kthread;
		uint64_t ns;
	})
	parts;		      /* a task on a CPU */
	struct idmap part_of; /* cpu << 32 | tid */
	uint32_t losses;
};

/* opts must outlive t. Release in any case. */
void kwork_top_init(struct kwork_top *t, const struct kwork_top_options *opts);
void kwork_top_release(struct kwork_top *t);
/* 0, or -1 with *err. */
int kwork_top_read(struct kwork_top *t, struct recording *rec, struct world *world,
		   struct err *err);
/* A CPU's sums; NULL: its number is too great. */
struct kwork_cpu *kwork_top_cpu(struct kwork_top *t, uint32_t cpu);
/* Sets the process of a task that was added. */
void kwork_top_set_process(struct kwork_top *t, uint32_t cpu, uint32_t tid, uint32_t tgid,
			   bool is_kthread);
/* What a task ran on a CPU; and after the last one: the sums, and the order. */
void kwork_top_add(struct kwork_top *t, uint32_t cpu, uint32_t tid, const char *comm, size_t n,
		   uint64_t ns);
void kwork_top_sort(struct kwork_top *t);

#endif
