// SPDX-License-Identifier: MIT
#include "capture/record/wait_states.h"

#include "base/monotonic.h"
#include "data/record/record.h"
#include "data/wait_state.h"
#include "event/calls/calls.h"
#include "os/proc/wait_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#define LOOK_NS	     2000000u  /* between looks, at least */
#define PROCESSES_NS 50000000u /* between looks for new processes */
#define COST_SHARE   50	       /* a look may take 1/COST_SHARE of the time to the next */

void wait_states_begin(struct wait_states *w, const struct event_set *events,
		       const struct target *target, const char *proc_root)
{
	struct utsname machine = {0};

	*w = (struct wait_states){.proc_root = proc_root, .abi = -1};
	for (size_t i = 0; i < events->events.n; i++) {
		if (wait_states_is_event(events->events.at[i]))
			w->event = events->events.at[i];
		w->once |= events->events.at[i]->task_fields[0] != 0;
	}
	if (!w->event)
		return;
	if (!uname(&machine))
		w->abi = call_abi_of_machine(machine.machine);
	for (size_t i = 0; i < target->pids.n; i++)
		vec_add(&w->pids, target->pids.at[i]);
	w->targets = w->pids.n;
}

void wait_states_release(struct wait_states *w)
{
	vec_release(&w->pids);
	vec_release(&w->tasks);
	idmap_release(&w->told);
	*w = (struct wait_states){0};
}

int wait_states_due(const struct wait_states *w)
{
	const uint64_t now = monotonic_ns();

	if (!w->event || !w->targets || w->due_ns == UINT64_MAX)
		return INT32_MAX;
	return w->due_ns > now ? (int)((w->due_ns - now) / 1000000 + 1) : 0;
}

static void add_children_of_task(struct wait_states *w, int pid, int tid)
{
	char path[96], text[4096], *p = text, *end;

	/* is there where the kernel has CONFIG_PROC_CHILDREN */
	snprintf(path, sizeof(path), "task/%d/children", tid);
	if (!proc_line(w->proc_root, pid, path, text, sizeof(text)))
		return;
	for (;; p = end) {
		const long child = strtol(p, &end, 10);

		if (end == p)
			return;
		vec_add(&w->pids, (int)child);
	}
}

static void find_processes(struct wait_states *w)
{
	w->pids.n = w->targets;
	for (size_t i = 0; i < w->pids.n; i++) {
		const int pid = w->pids.at[i];

		w->tasks.n = 0;
		if (proc_tasks(w->proc_root, pid, &w->tasks))
			continue;
		for (size_t k = 0; k < w->tasks.n; k++)
			add_children_of_task(w, pid, w->tasks.at[k]);
	}
}

static bool write_wait_state(struct wait_states *w, int pid, int tid, uint64_t time,
			     const struct wait_place *place, struct buf *out)
{
	const uint64_t id = w->event->ids.n ? w->event->ids.at[0] : 0;
	const struct call_desc *call = w->abi >= 0 && place->call >= 0
					       ? call_find((enum call_abi)w->abi, place->call)
					       : NULL;
	struct wait_state_raw raw = {.version = WAIT_STATE_VERSION};
	struct record r = {.header = {.type = RECORD_SAMPLE, .misc = MISC_USER},
			   .sample = {.type = w->event->attr.sample_type,
				      .pid = (uint32_t)pid,
				      .tid = (uint32_t)tid,
				      .time = time,
				      .id = id,
				      .stream_id = id,
				      .period = 1,
				      .raw_size = WAIT_STATE_RAW_SIZE,
				      .raw = (const uint8_t *)&raw}};

	snprintf(raw.function, sizeof(raw.function), "%s", place->function);
	snprintf(raw.call, sizeof(raw.call), "%.23s", call ? call->name : "");
	return !record_encode(&r, 0, true, out);
}

/* at_end: only of a wait that was told. */
static void look_at_thread(struct wait_states *w, int pid, int tid, bool at_end, struct buf *out)
{
	uint64_t runs = 0, after = 0, time;
	const bool counted = wait_place_runs(w->proc_root, pid, tid, &runs);
	uint32_t *told = idmap_put(&w->told, (uint64_t)tid);
	struct wait_place place;

	if ((counted && *told == ((uint32_t)runs & INT32_MAX)) != at_end ||
	    !wait_place_read(w->proc_root, pid, tid, &place))
		return;
	time = clock_ns(w->event->attr.clockid);
	/* it has run meanwhile: whether that time is in the wait is not known */
	if (counted && (!wait_place_runs(w->proc_root, pid, tid, &after) || after != runs))
		return;
	if (!write_wait_state(w, pid, tid, time, &place, out))
		return;
	w->samples++;
	*told = (uint32_t)runs & INT32_MAX;
}

static void look_at_threads(struct wait_states *w, bool at_end, struct buf *out)
{
	for (size_t i = 0; i < w->pids.n; i++) {
		w->tasks.n = 0;
		if (proc_tasks(w->proc_root, w->pids.at[i], &w->tasks))
			continue;
		for (size_t k = 0; k < w->tasks.n; k++)
			look_at_thread(w, w->pids.at[i], w->tasks.at[k], at_end, out);
	}
}

uint64_t wait_states_look(struct wait_states *w, struct buf *out)
{
	const uint64_t before = w->samples, begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t now = monotonic_ns();

	if (!w->event || !w->targets || now < w->due_ns)
		return 0;
	if (now >= w->processes_ns) {
		find_processes(w);
		w->processes_ns = now + PROCESSES_NS;
	}
	look_at_threads(w, false, out);
	now = monotonic_ns();
	w->due_ns = w->once ? UINT64_MAX
			    : now + MAX((uint64_t)LOOK_NS,
					(clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun) * COST_SHARE);
	return w->samples - before;
}

uint64_t wait_states_end(struct wait_states *w, struct buf *out)
{
	const uint64_t before = w->samples;

	if (w->event && w->targets)
		look_at_threads(w, true, out);
	return w->samples - before;
}
