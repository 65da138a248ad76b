// SPDX-License-Identifier: MIT
/*
 * Counts for many control groups with one set of counters on each CPU: where a CPU turns to a task
 * of another group, what was counted until then goes to the groups of the task before. Loaded by
 * os/bpf/cgroups.c.
 */
#include "kernel.h"
#include "os/bpf/state/cgroups_state.h"

#define DEPTH_MOST 32 /* of groups in groups */

const volatile __u32 n_cpus, n_counters;

bool on;
bool anew; /* it has just been turned on: nothing counted before this moment */

/* The groups that are measured, by the kernel's ids of them. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} slots SEC(".maps");

/* Of each CPU and counter, when a task of this group began to run. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cgroups_reading);
} begun SEC(".maps");

/* [(slot * n_cpus + cpu) * n_counters + counter] */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cgroups_reading);
} counted SEC(".maps");

/* For each counter, the events of all CPUs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, CGROUPS_COUNTERS);
	__type(key, __u32);
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
			__uint(map_flags, BPF_F_PRESERVE_ELEMS);
			__uint(max_entries, 1);
			__type(key, __u32);
			__type(value, __u32);
		});
} counters SEC(".maps");

/* Which of the measured groups the task is in. */
struct places {
	__u32 n;
	__u32 slot[DEPTH_MOST];
};

struct reading_of {
	__u32 number; /* of the CPU */
	struct places *to;
};

static __always_inline void find_places(struct task_struct *task, struct places *out)
{
	int index = bpf_core_enum_value(enum cgroup_subsys_id, perf_event_cgrp_id);
	struct cgroup *cgroup = BPF_CORE_READ(task, cgroups, subsys[index], cgroup);
	int level = BPF_CORE_READ(cgroup, level);

	out->n = 0;
	for (int i = 0; i < DEPTH_MOST && i <= level; i++) {
		__u64 id = BPF_CORE_READ(cgroup, ancestors[i], kn, id);
		__u32 *slot = bpf_map_lookup_elem(&slots, &id);

		if (slot && out->n < DEPTH_MOST)
			out->slot[out->n++] = *slot;
	}
}

static int read_counter(__u32 i, struct reading_of *of)
{
	__u32 key = of->number * n_counters + i;
	struct cgroups_reading *since = bpf_map_lookup_elem(&begun, &key), *sum;
	void *events = bpf_map_lookup_elem(&counters, &i);
	struct bpf_perf_event_value v = {};

	if (!since || !events ||
	    bpf_perf_event_read_value(events, BPF_F_CURRENT_CPU, &v, sizeof(v)))
		return 0;
	for (__u32 k = 0; k < DEPTH_MOST && k < of->to->n; k++) {
		__u32 cell = (of->to->slot[k] * n_cpus + of->number) * n_counters + i;

		sum = bpf_map_lookup_elem(&counted, &cell);
		if (!sum)
			continue;
		sum->at[0] += v.counter - since->at[0];
		sum->at[1] += v.enabled - since->at[1];
		sum->at[2] += v.running - since->at[2];
	}
	since->at[0] = v.counter;
	since->at[1] = v.enabled;
	since->at[2] = v.running;
	return 0;
}

static __noinline int turn(bool counts)
{
	struct places places;
	struct reading_of of = {.number = bpf_get_smp_processor_id(), .to = &places};

	if (counts)
		find_places(bpf_get_current_task_btf(), &places);
	else
		places.n = 0;
	bpf_loop(n_counters, read_counter, &of, 0);
	return 0;
}

/* Run by an event that counts switches between groups, before the next task has begun. */
SEC("perf_event")
int on_change(void *ctx)
{
	return on ? turn(true) : 0;
}

/* Attached to nothing: user space runs it on a CPU to have what counts there in the sums, and after
 * on has changed. */
SEC("raw_tp/none")
int on_look(void *ctx)
{
	return turn(!anew);
}
