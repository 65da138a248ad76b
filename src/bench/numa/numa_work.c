// SPDX-License-Identifier: MIT
#include "bench/numa/numa_work.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MPOL_BIND 2 /* <linux/mempolicy.h> */

enum { RUN_WORDS = 1024 }; /* of a random walk: so many words lie beside each other */

static uint32_t numa_next_random(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

static void numa_fill(const struct numa_opts *o, uint64_t *words, uint64_t bytes)
{
	uint32_t x = 1;

	if (o->init_zero)
		memset(words, 0, bytes);
	else if (o->init_random)
		for (uint64_t i = 0; i < bytes / sizeof(*words); i++)
			words[i] = x = numa_next_random(x);
}

void *numa_memory(const struct numa_opts *o, uint64_t bytes, bool shared)
{
	const size_t n = MAX(bytes, (uint64_t)sysconf(_SC_PAGESIZE));
	cpu_set_t before, first;
	const bool moved = o->init_cpu0 && !sched_getaffinity(0, sizeof(before), &before);
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_ANONYMOUS | (shared ? MAP_SHARED : MAP_PRIVATE), -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	/* advice that the kernel does not take changes nothing else */
	if (o->thp)
		(void)madvise(p, n, o->thp > 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	if (moved) {
		CPU_ZERO(&first);
		CPU_SET(0, &first);
		(void)sched_setaffinity(0, sizeof(first), &first);
	}
	numa_fill(o, p, bytes);
	if (moved)
		(void)sched_setaffinity(0, sizeof(before), &before);
	return p;
}

void numa_memory_free(void *p, uint64_t bytes)
{
	if (p)
		munmap(p, MAX(bytes, (uint64_t)sysconf(_SC_PAGESIZE)));
}

static void numa_touch(const struct numa_opts *o, uint64_t *word)
{
	uint64_t v = 0;

	if (o->reads)
		v = *(volatile uint64_t *)word;
	if (o->writes)
		*(volatile uint64_t *)word = v + 1;
}

static void numa_run_of_words(const struct numa_opts *o, uint64_t *words, uint64_t from,
			      uint64_t to)
{
	if (o->zero_memory) {
		memset(words + from, 0, (to - from) * sizeof(*words));
		return;
	}
	for (uint64_t i = from; i < to; i++)
		numa_touch(o, words + i);
}

/* As many words as there are, in runs at random places. */
static void numa_walk(const struct numa_opts *o, uint64_t *words, uint64_t n, uint32_t seed)
{
	uint32_t x = seed ? seed : 1;

	for (uint64_t done = 0; done < n; done += RUN_WORDS) {
		uint64_t from;

		x = numa_next_random(x);
		from = x % n;
		numa_run_of_words(o, words, from, MIN(from + RUN_WORDS, n));
	}
}

void numa_work(const struct numa_opts *o, uint64_t *words, uint64_t bytes, unsigned int task,
	       unsigned int tasks, uint32_t loop)
{
	const uint64_t n = bytes / sizeof(*words), part = n / MAX(tasks, 1u);
	const uint64_t from = n ? (task * part + loop * (uint64_t)RUN_WORDS) % n : 0;

	if (!n)
		return;
	if (o->zero_memory && !o->random_walk) {
		memset(words, 0, bytes);
	} else if (o->random_walk) {
		numa_walk(o, words, n, (task + 1) * 0x9e3779b9u + loop);
	} else if (o->backwards && (task + loop) % 2 == 0) {
		for (uint64_t i = n; i--;)
			numa_touch(o, words + (from + i) % n);
	} else {
		numa_run_of_words(o, words, from, n);
		numa_run_of_words(o, words, 0, from);
	}
	__asm__ volatile("" : : "r"(words) : "memory");
}

void numa_bind_thread(const struct numa_binding *to)
{
	if (to->cpu >= 0 && to->cpu < CPU_SETSIZE) {
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(to->cpu, &one);
		(void)sched_setaffinity(0, sizeof(one), &one);
	}
	if (to->node >= 0 && to->node < NUMA_NODES_MAX) {
		const unsigned long mask = 1ul << to->node;

		(void)syscall(SYS_set_mempolicy, MPOL_BIND, &mask, NUMA_NODES_MAX + 1);
	}
}
