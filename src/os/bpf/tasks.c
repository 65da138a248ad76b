// SPDX-License-Identifier: MIT
#include "os/bpf/tasks.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/bpf/state/tasks_state.h"
#include "os/machine/cpus.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <tasks.lskel.h>

/* Tids are below this on 64-bit kernels, whatever pid_max says (PID_MAX_LIMIT). They are those of
 * our pid namespace. */
#define TASKS_MOST (4u << 20)
/* Rows, and rows times counters, must fit in arrays of a bearable size. */
#define CELLS_MOST (1u << 24)

struct bpf_tasks {
	struct tasks_bpf *skel;
	struct bpf_tasks_options opts;
	struct cpu_list online;
	unsigned int cpus;
	size_t rows, cells;
	struct tasks_cpu *cpu;
	struct tasks_sum *sum;	       /* [row] */
	struct tasks_reading *counted; /* [row * counters + counter] */
};

/*
 * Since Linux 6.16 a task's events end right after the point where this program stops counting the
 * task. Older kernels free the task's memory between the two, which is a fifth of a short command's
 * work.
 */
bool bpf_tasks_exact(void)
{
	struct utsname u;
	int major = 0, minor = 0;

	if (uname(&u) || sscanf(u.release, "%d.%d", &major, &minor) != 2)
		return false;
	return major > 6 || (major == 6 && minor >= 16);
}

static int tasks_attach(const struct bpf_tasks *t)
{
	struct tasks_bpf *k = t->skel;

	if (!t->opts.slots)
		return 0;
	if (tasks_bpf__on_rename__attach(k) < 0 || tasks_bpf__on_exit__attach(k) < 0 ||
	    tasks_bpf__on_migrate__attach(k) < 0 || tasks_bpf__on_switch__attach(k) < 0)
		return -errno;
	return t->opts.inherit && tasks_bpf__on_new__attach(k) < 0 ? -errno : 0;
}

static int tasks_load(struct bpf_tasks *t)
{
	const struct bpf_tasks_options *o = &t->opts;
	struct tasks_bpf *k = tasks_bpf__open();
	/* With one slot each CPU has sums of its own: CPUs then do not contend for a cache line. */
	bool by_cpu = o->by_cpu || o->slots <= 1;
	int got;

	t->skel = k;
	if (!k)
		return -errno;
	t->rows = MAX(o->slots, (size_t)1) * (by_cpu ? t->cpus : 1);
	t->cells = t->rows * MAX(o->counters, (size_t)1);
	if (o->counters > BPF_TASKS_COUNTERS || t->cells > CELLS_MOST)
		return -E2BIG;
	t->opts.by_cpu = by_cpu;
	k->rodata->n_cpus = t->cpus;
	k->rodata->n_slots = (uint32_t)o->slots;
	k->rodata->n_counters = (uint32_t)o->counters;
	k->rodata->everything = !o->slots;
	k->rodata->by_cpu = by_cpu;
	k->rodata->follow_forks = o->inherit;
	for (size_t i = 0; i < o->counters; i++)
		k->rodata->kinds[i] = (uint8_t)o->kinds[i];
	k->maps.member_bits.max_entries = o->slots ? TASKS_MOST / 64 : 1;
	k->maps.cpus.max_entries = t->cpus;
	k->maps.sums.max_entries = (uint32_t)t->rows;
	k->maps.begun.max_entries = (uint32_t)(t->cpus * MAX(o->counters, (size_t)1));
	k->maps.counted.max_entries = (uint32_t)t->cells;
	got = tasks_bpf__load(k);
	if (got)
		return got;
	t->cpu = bpf_map_memory(k->maps.cpus.map_fd, t->cpus * sizeof(*t->cpu));
	t->sum = bpf_map_memory(k->maps.sums.map_fd, t->rows * sizeof(*t->sum));
	t->counted = bpf_map_memory(k->maps.counted.map_fd, t->cells * sizeof(*t->counted));
	if (!t->cpu || !t->sum || !t->counted)
		return -errno;
	return tasks_attach(t);
}

struct bpf_tasks *bpf_tasks_new(const struct bpf_tasks_options *opts, struct err *err)
{
	struct bpf_tasks *t = NEW(struct bpf_tasks);
	int got;

	t->opts = *opts;
	t->cpus = bpf_cpus();
	cpus_online("/sys", &t->online);
	got = tasks_load(t);
	if (!got)
		return t;
	bpf_tasks_free(t);
	bpf_explain(err, -got, "counting");
	return NULL;
}

void bpf_tasks_free(struct bpf_tasks *t)
{
	if (!t)
		return;
	if (t->cpu)
		munmap(t->cpu, t->cpus * sizeof(*t->cpu));
	if (t->sum)
		munmap(t->sum, t->rows * sizeof(*t->sum));
	if (t->counted)
		munmap(t->counted, t->cells * sizeof(*t->counted));
	tasks_bpf__destroy(t->skel);
	vec_release(&t->online);
	free(t);
}

int bpf_tasks_counter(struct bpf_tasks *t, size_t counter, int events)
{
	uint32_t key = (uint32_t)counter;

	return bpf_map_write(t->skel->maps.counters.map_fd, &key, &events);
}

int bpf_tasks_follow(struct bpf_tasks *t, int tid, uint32_t slot, bool on_exec)
{
	struct tasks_member m = {.state = on_exec ? TASK_WAITS : TASK_JOINS, .slot = slot};
	int got;

	if (!on_exec)
		__atomic_fetch_add(&t->skel->bss->joining, 1, __ATOMIC_RELAXED);
	got = bpf_task_write(t->skel->maps.members.map_fd, tid, &m);
	if (got && !on_exec)
		__atomic_fetch_sub(&t->skel->bss->joining, 1, __ATOMIC_RELAXED);
	return got;
}

bool bpf_tasks_alive(const struct bpf_tasks *t)
{
	return __atomic_load_n(&t->skel->bss->alive, __ATOMIC_RELAXED) > 0 ||
	       __atomic_load_n(&t->skel->bss->joining, __ATOMIC_RELAXED) > 0;
}

static int look(struct bpf_tasks *t, bool everywhere)
{
	for (size_t i = 0; i < t->online.n; i++) {
		int cpu = t->online.at[i], got;

		if (!everywhere && !__atomic_load_n(&t->cpu[cpu].runs, __ATOMIC_RELAXED))
			continue;
		got = bpf_run_on(t->skel->progs.on_look.prog_fd, cpu);
		if (got && got != -ENXIO) /* the CPU has gone offline meanwhile */
			return got;
	}
	return 0;
}

int bpf_tasks_switch(struct bpf_tasks *t, bool on)
{
	int got;

	t->skel->bss->anew = on;
	__atomic_store_n(&t->skel->bss->on, on, __ATOMIC_SEQ_CST);
	got = look(t, on);
	t->skel->bss->anew = false;
	return got;
}

int bpf_tasks_look(struct bpf_tasks *t)
{
	return look(t, false);
}

/* The rows of a slot, or of one CPU of a slot: their number, and the first in *first. */
static size_t rows_of(const struct bpf_tasks *t, size_t slot, int cpu, size_t *first)
{
	if (!t->opts.by_cpu) {
		*first = slot;
		return 1;
	}
	*first = slot * t->cpus + (cpu < 0 ? 0 : (size_t)cpu);
	return cpu < 0 ? t->cpus : 1;
}

void bpf_tasks_sums(const struct bpf_tasks *t, size_t slot, int cpu, struct bpf_tasks_sums *out)
{
	size_t row, n = rows_of(t, slot, cpu, &row);

	for (; n--; row++) {
		const volatile struct tasks_sum *s = &t->sum[row];

		out->ns += s->ns;
		out->switches += s->switches;
		out->migrations += s->migrations;
	}
}

void bpf_tasks_count(const struct bpf_tasks *t, size_t slot, int cpu, size_t counter,
		     uint64_t out[3])
{
	size_t row, n = rows_of(t, slot, cpu, &row);

	for (; n--; row++) {
		const volatile struct tasks_reading *r =
			&t->counted[row * t->opts.counters + counter];

		for (size_t w = 0; w < 3; w++)
			out[w] += r->at[w];
	}
}
