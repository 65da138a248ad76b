// SPDX-License-Identifier: MIT
#include "os/bpf/tree.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/bpf/tree_state.h"
#include "os/machine/cpus.h"
#include "os/perf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <tree.lskel.h>

/* Numbers of tasks are below this on 64-bit kernels, whatever pid_max says (of our pid namespace). */
#define TASKS_MOST (4u << 20)

struct bpf_tree {
	struct tree_bpf *skel;
	struct bpf_tree_options opts;
	unsigned int cpus;
	struct tree_cpu *cpu;
	struct tree_reading *reading; /* [cpu * counters + counter] */
	int *fd;		      /* likewise; -1: none */
};

/*
 * Linux 6.16 ends a task's events right after the point where this program ceases to count it. Before,
 * there lies the giving back of its memory between the two, which is a fifth of what a short command does.
 */
bool bpf_tree_exact(void)
{
	struct utsname u;
	int major = 0, minor = 0;

	if (uname(&u) || sscanf(u.release, "%d.%d", &major, &minor) != 2)
		return false;
	return major > 6 || (major == 6 && minor >= 16);
}

static size_t readings(const struct bpf_tree *t)
{
	return MAX(t->cpus * t->opts.counters, (size_t)1);
}

static int load(struct bpf_tree *t)
{
	struct tree_bpf *k = tree_bpf__open();
	int got;

	t->skel = k;
	if (!k)
		return -errno;
	k->rodata->n_counters = (uint32_t)t->opts.counters;
	k->rodata->follow_forks = t->opts.inherit;
	k->maps.cpus.max_entries = t->cpus;
	k->maps.readings.max_entries = (uint32_t)readings(t);
	k->maps.counters.max_entries = (uint32_t)readings(t);
	k->maps.member_bits.max_entries = TASKS_MOST / 64;
	got = tree_bpf__load(k);
	if (got)
		return got;
	t->cpu = bpf_map_memory(k->maps.cpus.map_fd, t->cpus * sizeof(*t->cpu));
	t->reading = bpf_map_memory(k->maps.readings.map_fd, readings(t) * sizeof(*t->reading));
	if (!t->cpu || !t->reading)
		return -errno;
	if (tree_bpf__on_rename__attach(k) < 0 || tree_bpf__on_new__attach(k) < 0 ||
	    tree_bpf__on_exit__attach(k) < 0 || tree_bpf__on_migrate__attach(k) < 0 ||
	    tree_bpf__on_switch__attach(k) < 0)
		return -errno;
	return 0;
}

struct bpf_tree *bpf_tree_new(const struct bpf_tree_options *opts, struct err *err)
{
	struct bpf_tree *t = NEW(struct bpf_tree);
	int got;

	t->opts = *opts;
	t->cpus = bpf_cpus();
	t->fd = mem_alloc(readings(t) * sizeof(*t->fd));
	for (size_t i = 0; i < readings(t); i++)
		t->fd[i] = -1;
	got = load(t);
	if (!got)
		return t;
	bpf_tree_free(t);
	bpf_explain(err, -got, "counting a command");
	return NULL;
}

void bpf_tree_free(struct bpf_tree *t)
{
	if (!t)
		return;
	if (t->cpu)
		munmap(t->cpu, t->cpus * sizeof(*t->cpu));
	if (t->reading)
		munmap(t->reading, readings(t) * sizeof(*t->reading));
	tree_bpf__destroy(t->skel);
	free(t->fd);
	free(t);
}

int bpf_tree_counter(struct bpf_tree *t, int cpu, size_t counter, int fd)
{
	uint32_t key = (uint32_t)((size_t)cpu * t->opts.counters + counter);

	t->fd[key] = fd;
	return bpf_map_write(t->skel->maps.counters.map_fd, &key, &fd);
}

int bpf_tree_root(struct bpf_tree *t, int tid)
{
	struct tree_member member = {.waits = 1};

	return bpf_task_write(t->skel->maps.members.map_fd, tid, &member);
}

int bpf_tree_switch(struct bpf_tree *t, bool on)
{
	struct cpu_list online = {0};
	int got = 0;

	t->skel->bss->on = on;
	cpus_online("/sys", &online);
	for (size_t i = 0; i < online.n && !got; i++)
		got = bpf_run_on(t->skel->progs.on_toggle.prog_fd, online.at[i]);
	vec_release(&online);
	return got == -ENXIO ? 0 : got; /* it has just gone offline */
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void copy_words(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

/* What is there of a CPU while nothing of it changes; at is what comes along with it, or NULL. False:
 * it changed meanwhile. */
static bool copy_cpu(const struct tree_cpu *from, struct tree_cpu *to, const struct tree_reading *at,
		     struct tree_reading *reading)
{
	uint32_t turns = __atomic_load_n(&from->turns, __ATOMIC_ACQUIRE);

	if (turns & 1)
		return false;
	to->counted = __atomic_load_n(&from->counted, __ATOMIC_RELAXED);
	copy_words(&to->since, &from->since, 4);
	if (at)
		copy_words(reading->since, at->since, 6);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	to->turns = turns;
	return __atomic_load_n(&from->turns, __ATOMIC_RELAXED) == turns;
}

void bpf_tree_read(const struct bpf_tree *t, struct bpf_tree_sums *out)
{
	*out = (struct bpf_tree_sums){0};
	for (unsigned int i = 0; i < t->cpus; i++) {
		struct tree_cpu c;
		uint64_t now;

		do
			now = now_ns();
		while (!copy_cpu(&t->cpu[i], &c, NULL, NULL));
		out->ns += c.ns + (c.counted && now > c.since ? now - c.since : 0);
		out->switches += c.switches;
		out->migrations += c.migrations;
	}
}

void bpf_tree_read_counter(const struct bpf_tree *t, size_t counter, uint64_t out[3])
{
	for (unsigned int i = 0; i < t->cpus; i++) {
		size_t key = i * t->opts.counters + counter;
		struct tree_reading r;
		struct tree_cpu c, after;
		uint64_t now[3];

		for (;;) {
			if (!copy_cpu(&t->cpu[i], &c, &t->reading[key], &r))
				continue;
			if (!c.counted || t->fd[key] < 0 || perf_read(t->fd[key], now, 3) != sizeof(now)) {
				memcpy(now, r.since, sizeof(now));
				break;
			}
			if (copy_cpu(&t->cpu[i], &after, NULL, NULL) && after.turns == c.turns)
				break;
		}
		for (size_t w = 0; w < 3; w++)
			out[w] += r.sum[w] + now[w] - r.since[w];
	}
}
