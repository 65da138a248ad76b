/* SPDX-License-Identifier: MIT */
/* What bpf/kwork.bpf.c keeps, as user space reads it. Private to os/bpf/. */
#ifndef OS_BPF_KWORK_STATE_H
#define OS_BPF_KWORK_STATE_H

#include <stdint.h>

#define KWORK_CPUS 4096

/* Numbers of classes are those of enum kwork_class. */
enum { KWORK_OF_IRQ, KWORK_OF_SOFTIRQ, KWORK_OF_WORKQUEUE, KWORK_OF_CLASSES };

struct kwork_slot {
	uint32_t class, cpu;
	uint64_t id; /* number of the interrupt or the vector, address of the work item */
};

struct kwork_sum {
	uint64_t begun; /* ns; 0: nothing has begun */
	uint64_t count, total_ns, max_ns, max_start, max_end;
	uint64_t function; /* of a work item; 0: not known */
	char name[32];	   /* of an interrupt's handler */
};

#endif
