/* SPDX-License-Identifier: MIT */
/* Memory that tasks of a run share or have alone, and what they do with it. */
#ifndef BENCH_NUMA_NUMA_WORK_H
#define BENCH_NUMA_NUMA_WORK_H

#include "bench/numa/numa.h"

/* Bytes of new memory, with or without huge pages, filled as the options say; NULL: there is none.
 * 0 bytes are one page that nobody uses. */
void *numa_memory(const struct numa_opts *o, uint64_t bytes, bool shared);
void numa_memory_free(void *p, uint64_t bytes);
/* Goes once over all the words, in an order that differs by task and loop. */
void numa_work(const struct numa_opts *o, uint64_t *words, uint64_t bytes, unsigned int task,
	       unsigned int tasks, uint32_t loop);
/* Binds the calling thread; to nothing where it is -1. */
void numa_bind_thread(const struct numa_binding *to);

#endif
