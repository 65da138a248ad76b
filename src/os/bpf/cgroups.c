// SPDX-License-Identifier: MIT
#include "os/bpf/cgroups.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/bpf/state/cgroups_state.h"
#include "os/machine/cpus.h"
#include "os/perf.h"

#include <errno.h>
#include <sys/mman.h>

#include <cgroups.lskel.h>

#define CELLS_MOST (1u << 24)

struct bpf_cgroups {
	struct cgroups_bpf *skel;
	struct bpf_cgroups_options opts;
	struct cpu_list online;
	unsigned int cpus;
	size_t cells;
	struct cgroups_reading *counted; /* [(group * cpus + cpu) * counters + counter] */
	bool on;
};

static int cgroups_load(struct bpf_cgroups *g)
{
	struct cgroups_bpf *k = cgroups_bpf__open();
	int got;

	g->skel = k;
	if (!k)
		return -errno;
	g->cells = g->opts.groups * g->cpus * g->opts.counters;
	if (!g->cells || g->cells > CELLS_MOST || g->opts.counters > BPF_CGROUPS_COUNTERS)
		return -E2BIG;
	k->rodata->n_cpus = g->cpus;
	k->rodata->n_counters = (uint32_t)g->opts.counters;
	k->maps.slots.max_entries = (uint32_t)g->opts.groups;
	k->maps.begun.max_entries = (uint32_t)(g->cpus * g->opts.counters);
	k->maps.counted.max_entries = (uint32_t)g->cells;
	got = cgroups_bpf__load(k);
	for (uint32_t i = 0; i < g->opts.groups && !got; i++)
		got = bpf_map_write(k->maps.slots.map_fd, &g->opts.ids[i], &i);
	if (got)
		return got;
	g->counted = bpf_map_memory(k->maps.counted.map_fd, g->cells * sizeof(*g->counted));
	return g->counted ? 0 : -errno;
}

struct bpf_cgroups *bpf_cgroups_new(const struct bpf_cgroups_options *opts, struct err *err)
{
	struct bpf_cgroups *g = NEW(struct bpf_cgroups);
	int got;

	g->opts = *opts;
	g->cpus = bpf_cpus();
	cpus_online("/sys", &g->online);
	got = cgroups_load(g);
	g->opts.ids = NULL;
	if (!got)
		return g;
	bpf_cgroups_free(g);
	bpf_explain(err, -got, "counting for control groups");
	return NULL;
}

void bpf_cgroups_free(struct bpf_cgroups *g)
{
	if (!g)
		return;
	if (g->counted)
		munmap(g->counted, g->cells * sizeof(*g->counted));
	cgroups_bpf__destroy(g->skel);
	vec_release(&g->online);
	free(g);
}

int bpf_cgroups_counter(struct bpf_cgroups *g, size_t counter, int events)
{
	uint32_t key = (uint32_t)counter;

	return bpf_map_write(g->skel->maps.counters.map_fd, &key, &events);
}

int bpf_cgroups_attach(struct bpf_cgroups *g, int event_fd)
{
	return perf_set_bpf(event_fd, g->skel->progs.on_change.prog_fd);
}

int bpf_cgroups_look(struct bpf_cgroups *g)
{
	return bpf_run_on_all(g->skel->progs.on_look.prog_fd, &g->online);
}

int bpf_cgroups_switch(struct bpf_cgroups *g, bool on)
{
	struct cgroups_bpf__bss *b = g->skel->bss;
	int got;

	if (g->on == on)
		return 0;
	g->on = on;
	b->anew = on;
	if (on)
		__atomic_store_n(&b->on, true, __ATOMIC_SEQ_CST);
	got = bpf_cgroups_look(g);
	b->anew = false;
	__atomic_store_n(&b->on, on, __ATOMIC_SEQ_CST);
	return got;
}

void bpf_cgroups_count(const struct bpf_cgroups *g, size_t group, int cpu, size_t counter,
		       uint64_t out[3])
{
	size_t row = group * g->cpus + (size_t)cpu;
	const volatile struct cgroups_reading *r = &g->counted[row * g->opts.counters + counter];

	for (size_t w = 0; w < 3; w++)
		out[w] += r->at[w];
}
