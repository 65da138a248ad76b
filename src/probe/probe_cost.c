// SPDX-License-Identifier: MIT
#include "probe/probe_cost.h"

#include "base/monotonic.h"
#include "event/attr.h"
#include "os/perf.h"
#include "os/proc/proc.h"
#include "os/process/self.h"
#include "os/tracing/tracefs.h"
#include "probe/made_probes.h"

#include <unistd.h>

#define COST_EVENT "cost"
#define TRIES	   32
#define CALLS	   8 /* in a try */

/* The function that is probed. Without arguments and result there is nothing to clone it for. */
__attribute__((noinline)) static void probe_cost_target(void)
{
	__asm__ volatile("" ::: "memory");
}

struct cost_place {
	uint64_t address; /* in this process */
	uint64_t offset;  /* in the file */
	bool found;
};

static bool cost_place_take(void *ctx, const struct proc_map *m)
{
	struct cost_place *place = ctx;

	if (place->address < m->start || place->address >= m->end)
		return true;
	place->offset = place->address - m->start + m->offset;
	place->found = true;
	return false;
}

static uint64_t probe_cost_time(void)
{
	uint64_t least = UINT64_MAX;

	probe_cost_target(); /* maps the page of single steps */
	for (int i = 0; i < TRIES; i++) {
		const uint64_t from = monotonic_ns();

		for (int k = 0; k < CALLS; k++)
			probe_cost_target();
		least = MIN(least, monotonic_ns() - from);
	}
	return MAX(least / CALLS, 1);
}

static int probe_cost_count(uint64_t id, uint64_t *ns, struct err *err)
{
	struct attr attr = {.type = TYPE_TRACEPOINT,
			    .size = ATTR_SIZE_VER0,
			    .config = id,
			    .sample_period = 1,
			    .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_RAW};
	uint8_t bytes[ATTR_SIZE_6_1] = {0};
	int fd;

	attr_encode(&attr, bytes);
	fd = perf_open(bytes, 0, -1, -1, 0);
	if (fd < 0)
		return err_sys(err, -fd, "the cost of a probe cannot be measured");
	*ns = probe_cost_time();
	close(fd);
	return 0;
}

static int probe_cost_with(const char *tracefs, const char *file, uint64_t offset,
			   struct made_probes *made, uint64_t *ns, struct err *err)
{
	struct probe_def d = {.group = made_probes_group(made),
			      .event = COST_EVENT,
			      .file = file,
			      .address = offset};
	uint64_t id;

	if (made_probes_write(made, &d, err) || tracefs_id(tracefs, d.group, d.event, &id, err))
		return -1;
	return probe_cost_count(id, ns, err);
}

int probe_cost_measure(const char *tracefs, uint64_t *ns, struct err *err)
{
	struct cost_place place = {.address = (uint64_t)(uintptr_t)probe_cost_target};
	const struct proc_maps_options options = {0};
	AUTO_CHAR *file = self_program();
	struct made_probes *made;
	int got;

	proc_maps("/proc", getpid(), &options, cost_place_take, &place);
	if (!file || !place.found)
		return err_set(
			err, ERR_UNSUPPORTED,
			"the cost of a probe cannot be measured: perf's own program is gone");
	made = made_probes_new(tracefs);
	got = probe_cost_with(tracefs, file, place.offset, made, ns, err);
	made_probes_remove(made);
	return got;
}
