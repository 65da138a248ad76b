// SPDX-License-Identifier: MIT
/* perf ftrace latency -b: BPF programs count latencies in the kernel. */
#include "cmd/ftrace/ftrace_times.h"

#include "capture/programs/programs.h"
#include "os/bpf/latency.h"
#include "os/tracing/tracefs.h"

#include <string.h>

struct latency_measurement {
	struct ftrace_opts *o;
	struct bpf_latency *bpf;
};

static int latency_load(void *ctx, const struct target *target, bool by_task, struct err *err)
{
	struct latency_measurement *m = ctx;
	const struct duration_buckets *b = &m->o->buckets;
	const struct bpf_latency_options opts = {
		.function = m->o->events ? NULL : m->o->functions.only.at[0],
		.first = m->o->event_first,
		.second = m->o->event_second,
		.nsec = b->nsec,
		.width = b->width,
		.least = b->least,
		.most = b->most,
		.n_buckets = b->counts.n,
		.by_task = by_task,
		.cpus = target->cpus.n && target->cpus.at[0] >= 0 ? target->cpus.at : NULL,
		.n_cpus = target->cpus.n,
	};

	m->bpf = bpf_latency_new(&opts, err);
	return m->bpf ? 0 : -1;
}

static int latency_follow(void *ctx, int tid, bool on_exec)
{
	const struct latency_measurement *m = ctx;

	return bpf_latency_follow(m->bpf, tid, on_exec);
}

static void latency_turn(void *ctx, bool on)
{
	const struct latency_measurement *m = ctx;

	bpf_latency_switch(m->bpf, on);
}

/* Takes the system off an event's name. 0, or -1 with *err: no such event. */
static int latency_event_find(const char *root, char *name, struct err *err)
{
	char *colon = strchr(name, ':');
	uint64_t id;

	if (!colon)
		return 0;
	*colon = 0;
	if (root && tracefs_id(root, name, colon + 1, &id, err))
		return -1;
	memmove(name, colon + 1, strlen(colon + 1) + 1);
	return 0;
}

int ftrace_latency_measure(struct ftrace_opts *o, struct functions_result *result, struct err *err)
{
	const struct programs_options how = {.target = o->functions.target,
					     .command = o->functions.command};
	struct latency_measurement m = {.o = o};
	const struct programs programs = {latency_load, latency_follow, latency_turn, &m};
	const char *root = o->functions.root;
	struct programs_result end = {0};
	int got = -1;

	if (o->events && (latency_event_find(root, o->event_first, err) ||
			  latency_event_find(root, o->event_second, err)))
		return -1;
	if (!programs_run(&programs, &how, &end, err)) {
		got = 0;
		for (size_t i = 0; i < o->buckets.counts.n; i++) {
			o->buckets.counts.at[i] = bpf_latency_count(m.bpf, i);
			o->buckets.total += o->buckets.counts.at[i];
		}
		*result = (struct functions_result){end.exit_status, end.signal,
						    bpf_latency_lost(m.bpf)};
	}
	bpf_latency_free(m.bpf);
	return got;
}
