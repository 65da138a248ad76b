// SPDX-License-Identifier: MIT
#include "os/bpf/syscalls.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/bpf/state/follow.h"

#include <errno.h>
#include <sys/mman.h>
#include <syscalls.lskel.h>

struct bpf_syscalls {
	struct syscalls_bpf *skel;
	struct bpf_syscalls_options opts;
	unsigned int cpus; /* 1 when they aren't told apart */
	uint64_t *values;
	size_t bytes;
};

/* Rows are small and many: what is asked for must fit in an array of 32-bit indices. */
#define VALUES_MOST (1u << 27)

static int syscalls_attach(struct syscalls_bpf *k, bool tasks, bool inherit)
{
	int got = syscalls_bpf__on_enter__attach(k);

	if (got >= 0)
		got = syscalls_bpf__on_exit__attach(k);
	if (got >= 0 && tasks)
		got = syscalls_bpf__on_rename__attach(k);
	if (got >= 0 && tasks && inherit)
		got = syscalls_bpf__on_new__attach(k);
	return got < 0 ? -errno : 0;
}

static int syscalls_load(struct bpf_syscalls *s)
{
	const struct bpf_syscalls_options *o = &s->opts;
	size_t n = MAX(o->slots, (size_t)1) * s->cpus * o->counters;
	struct syscalls_bpf *k = syscalls_bpf__open();
	int got;

	s->skel = k;
	if (!k)
		return -errno;
	if (!n || n > VALUES_MOST)
		return -E2BIG;
	k->rodata->by_task = o->slots > 0;
	k->rodata->by_cpu = o->by_cpu;
	k->rodata->follow_forks = o->inherit;
	k->rodata->n_cpus = s->cpus;
	k->rodata->n_counters = (uint32_t)o->counters;
	k->maps.counts.max_entries = (uint32_t)n;
	got = syscalls_bpf__load(k);
	if (got)
		return got;
	s->bytes = n * sizeof(*s->values);
	s->values = bpf_map_memory(k->maps.counts.map_fd, s->bytes);
	if (!s->values)
		return -errno;
	return syscalls_attach(k, o->slots > 0, o->inherit);
}

struct bpf_syscalls *bpf_syscalls_new(const struct bpf_syscalls_options *opts, struct err *err)
{
	struct bpf_syscalls *s = NEW(struct bpf_syscalls);
	int got;

	s->opts = *opts;
	s->cpus = opts->by_cpu ? bpf_cpus() : 1;
	got = syscalls_load(s);
	if (!got)
		return s;
	bpf_syscalls_free(s);
	bpf_explain(err, -got, "counting system calls");
	return NULL;
}

void bpf_syscalls_free(struct bpf_syscalls *s)
{
	if (!s)
		return;
	if (s->values)
		munmap(s->values, s->bytes);
	syscalls_bpf__destroy(s->skel);
	free(s);
}

bool bpf_syscalls_assign(struct bpf_syscalls *s, bool at_end, unsigned int number, int counter)
{
	struct syscalls_bpf__bss *b = s->skel->bss;

	if (number >= ARRAY_SIZE(b->enter_counter))
		return false;
	(at_end ? b->exit_counter : b->enter_counter)[number] = (uint16_t)(counter + 1);
	return true;
}

int bpf_syscalls_follow(struct bpf_syscalls *s, int tid, uint32_t slot, bool on_exec)
{
	struct followed f = {.state = on_exec ? FOLLOWED_WAITS : FOLLOWED_COUNTS, .slot = slot};

	return bpf_task_write(s->skel->maps.followed_tasks.map_fd, tid, &f);
}

void bpf_syscalls_switch(struct bpf_syscalls *s, bool on)
{
	s->skel->bss->on = on;
}

uint64_t bpf_syscalls_value(const struct bpf_syscalls *s, size_t slot, int cpu, size_t counter)
{
	const volatile uint64_t *at = s->values + slot * s->cpus * s->opts.counters + counter;
	uint64_t sum = 0;

	for (unsigned int c = 0; c < s->cpus; c++)
		if (cpu < 0 || !s->opts.by_cpu || (unsigned int)cpu == c)
			sum += at[c * s->opts.counters];
	return sum;
}
