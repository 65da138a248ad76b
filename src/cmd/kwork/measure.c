// SPDX-License-Identifier: MIT
/* perf kwork report -b and latency -b: BPF programs sum up times in the kernel. */
#include "cmd/kwork/kwork_opts.h"

#include "base/monotonic.h"
#include "capture/programs/kernel_world.h"
#include "capture/programs/programs.h"
#include "os/bpf/kwork.h"
#include "os/process/signals.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)KWORK_OF_IRQ == (int)KWORK_IRQ && (int)KWORK_OF_SOFTIRQ == (int)KWORK_SOFTIRQ &&
		       (int)KWORK_OF_WORKQUEUE == (int)KWORK_WORKQUEUE,
	       "the kernel's programs number classes as enum kwork_class does");

#define ROWS 65536

struct kwork_measurement {
	struct kwork *k;
	const struct kwork_opts *o;
	struct bpf_kwork *bpf;
};

static int measure_load(void *ctx, const struct target *target, bool by_task, struct err *err)
{
	struct kwork_measurement *m = ctx;
	struct bpf_kwork_options opts = {
		.delays = m->k->opts->question == KWORK_DELAY,
		.cpus = target->cpus.n && target->cpus.at[0] >= 0 ? target->cpus.at : NULL,
		.n_cpus = target->cpus.n,
		.rows = ROWS,
	};

	(void)by_task; /* the kernel's work is measured, for whichever task */
	for (int i = 0; i < KWORK_OF_CLASSES; i++)
		opts.classes[i] = kwork_classes_have(&m->k->opts->classes, (enum kwork_class)i);
	m->bpf = bpf_kwork_new(&opts, err);
	if (!m->bpf)
		return -1;
	kwork_say_begun(m->o);
	return 0;
}

static void measure_turn(void *ctx, bool on)
{
	struct kwork_measurement *m = ctx;

	bpf_kwork_switch(m->bpf, on);
	*(on ? &m->k->first : &m->k->last) = monotonic_ns();
}

static void measure_read(struct kwork_measurement *m, struct world *world)
{
	struct kwork *k = m->k;
	struct kwork_slot key;
	struct kwork_sum sum;
	bool begun = false;

	while (bpf_kwork_next(m->bpf, &begun, &key, &sum)) {
		const char *vector = key.class == KWORK_SOFTIRQ ? kwork_vector_name(key.id) : NULL;
		struct kwork_work *w;
		uint32_t name;

		sum.name[sizeof(sum.name) - 1] = 0;
		if (key.class == KWORK_WORKQUEUE)
			name = kwork_function(k, world, sum.function);
		else if (vector || *sum.name)
			name = intern_str(&k->names, vector ? vector : sum.name);
		else
			name = HASH_NONE;
		if (k->opts->name && name != HASH_NONE &&
		    strcmp(k->opts->name, intern_text(&k->names, name)))
			continue;
		w = kwork_get(k, (enum kwork_class)key.class, key.cpu, key.id);
		w->name = name;
		w->count = sum.count;
		w->total_ns = sum.total_ns;
		w->max_ns = sum.max_ns;
		w->max_start = sum.max_start;
		w->max_end = sum.max_end;
	}
	if (bpf_kwork_lost(m->bpf))
		fprintf(stderr, "perf: %llu times are missing: the table of %u rows is full\n",
			(unsigned long long)bpf_kwork_lost(m->bpf), ROWS);
}

int kwork_measure(struct kwork *k, const struct kwork_opts *o, struct err *err)
{
	const struct programs_options how = {.target = {.cpus = o->cpus, .system_wide = true},
					     .command = o->command};
	struct kwork_measurement m = {.k = k, .o = o};
	const struct programs programs = {measure_load, NULL, measure_turn, &m};
	struct programs_result result = {0};
	struct kernel_world kernel;
	int status = -1;

	if (!programs_run(&programs, &how, &result, err)) {
		signals_die(result.signal, o->command != NULL);
		if (!kernel_world_open(&kernel, &o->symbols))
			fputs("perf: the kernel hides its addresses: functions have no names\n",
			      stderr);
		measure_read(&m, kernel.world);
		kernel_world_release(&kernel);
		status = result.exit_status;
	}
	bpf_kwork_free(m.bpf);
	return status;
}
