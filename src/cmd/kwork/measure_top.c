// SPDX-License-Identifier: MIT
/* perf kwork top -b: BPF programs sum up the run time of tasks in the kernel. */
#include "cmd/kwork/kwork_opts.h"

#include "analysis/kwork/kwork_top.h"
#include "capture/programs/programs.h"
#include "os/bpf/kwork_top.h"
#include "os/process/signals.h"

#include <stdio.h>
#include <string.h>

#define ROWS 65536

struct top_measurement {
	struct kwork_top *t;
	const struct kwork_opts *o;
	struct bpf_kwork_top *bpf;
};

static int measure_top_load(void *ctx, const struct target *target, bool by_task, struct err *err)
{
	struct top_measurement *m = ctx;
	const struct bpf_kwork_top_options opts = {
		.irqs = m->t->opts->irqs, .softirqs = m->t->opts->softirqs, .rows = ROWS};

	(void)target;
	(void)by_task;
	m->bpf = bpf_kwork_top_new(&opts, err);
	if (!m->bpf)
		return -1;
	kwork_say_begun(m->o);
	return 0;
}

static void measure_top_turn(void *ctx, bool on)
{
	const struct top_measurement *m = ctx;

	bpf_kwork_top_switch(m->bpf, on);
}

static bool measure_top_wants(const struct top_measurement *m, uint32_t cpu)
{
	const struct number_list *cpus = &m->t->opts->filter.cpus;

	return !cpus->given || number_list_has(cpus, cpu);
}

static void measure_top_read_cpus(struct top_measurement *m)
{
	struct kwork_top_cpu sums;

	for (uint32_t cpu = 0; bpf_kwork_top_cpu(m->bpf, cpu, &sums); cpu++) {
		struct kwork_cpu *c = measure_top_wants(m, cpu) ? kwork_top_cpu(m->t, cpu) : NULL;

		if (!c)
			continue;
		c->total = sums.total_ns;
		c->irq = sums.irq_ns;
		c->softirq = sums.softirq_ns;
	}
}

static void measure_top_read(struct top_measurement *m)
{
	struct kwork_top_slot slot;
	struct kwork_top_part part;
	bool begun = false;
	char idle[32];

	measure_top_read_cpus(m);
	while (bpf_kwork_top_next(m->bpf, &begun, &slot, &part)) {
		const char *comm = part.comm;

		if (!measure_top_wants(m, slot.cpu))
			continue;
		part.comm[sizeof(part.comm) - 1] = 0;
		snprintf(idle, sizeof(idle), "swapper/%u", slot.cpu);
		if (!slot.tid)
			comm = idle;
		kwork_top_add(m->t, slot.cpu, slot.tid, comm, strlen(comm), part.ns);
		kwork_top_set_process(m->t, slot.cpu, slot.tid, part.tgid, part.is_kthread);
	}
	if (bpf_kwork_top_lost(m->bpf))
		fprintf(stderr, "perf: %llu times are missing: the table of %u rows is full\n",
			(unsigned long long)bpf_kwork_top_lost(m->bpf), ROWS);
}

int kwork_top_measure(struct kwork_top *t, const struct kwork_opts *o, struct err *err)
{
	const struct programs_options how = {.target = {.cpus = o->cpus, .system_wide = true},
					     .command = o->command};
	struct top_measurement m = {.t = t, .o = o};
	const struct programs programs = {measure_top_load, NULL, measure_top_turn, &m};
	struct programs_result result = {0};
	int status = -1;

	if (!programs_run(&programs, &how, &result, err)) {
		signals_die(result.signal, o->command != NULL);
		t->knows_processes = true;
		measure_top_read(&m);
		status = result.exit_status;
	}
	bpf_kwork_top_free(m.bpf);
	return status;
}
