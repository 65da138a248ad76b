// SPDX-License-Identifier: MIT
#include "os/bpf/scheduler.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/bpf/state/follow.h"

#include <errno.h>

#include <scheduler.lskel.h>

struct bpf_scheduler {
	struct scheduler_bpf *skel;
};

static int scheduler_attach(struct scheduler_bpf *k, bool by_task)
{
	int got = by_task ? scheduler_bpf__on_new__attach(k) : 0;

	if (got >= 0)
		got = scheduler_bpf__on_waking__attach(k);
	if (got >= 0)
		got = scheduler_bpf__on_switch__attach(k);
	return got < 0 ? -errno : 0;
}

static int scheduler_load(struct bpf_scheduler *s, uint16_t switch_id, uint16_t waking_id,
			  bool by_task)
{
	struct scheduler_bpf *k = scheduler_bpf__open();
	int got;

	s->skel = k;
	if (!k)
		return -errno;
	k->rodata->switch_type = switch_id;
	k->rodata->waking_type = waking_id;
	k->rodata->follow_forks = by_task;
	k->bss->by_task = by_task;
	k->maps.switches.max_entries = k->maps.wakings.max_entries = MAX(bpf_cpus(), 1u);
	got = scheduler_bpf__load(k);
	return got ? got : scheduler_attach(k, by_task);
}

struct bpf_scheduler *bpf_scheduler_new(uint16_t switch_id, uint16_t waking_id, bool by_task,
					struct err *err)
{
	struct bpf_scheduler *s = NEW(struct bpf_scheduler);
	int got = scheduler_load(s, switch_id, waking_id, by_task);

	if (!got)
		return s;
	bpf_scheduler_free(s);
	bpf_explain(err, -got, "recording what the scheduler does");
	return NULL;
}

void bpf_scheduler_free(struct bpf_scheduler *s)
{
	if (!s)
		return;
	scheduler_bpf__destroy(s->skel);
	free(s);
}

int bpf_scheduler_add(struct bpf_scheduler *s, enum bpf_scheduler_event event, int cpu,
		      int event_fd)
{
	const int map = event == BPF_SCHEDULER_SWITCH ? s->skel->maps.switches.map_fd
						      : s->skel->maps.wakings.map_fd;

	return bpf_events_put(map, cpu, event_fd);
}

int bpf_scheduler_follow(struct bpf_scheduler *s, int tid)
{
	const struct followed f = {.state = FOLLOWED_COUNTS};

	return bpf_task_write(s->skel->maps.followed_tasks.map_fd, tid, &f);
}

void bpf_scheduler_follow_all(struct bpf_scheduler *s)
{
	s->skel->bss->by_task = false;
}

uint64_t bpf_scheduler_missed(const struct bpf_scheduler *s)
{
	return __atomic_load_n(&s->skel->bss->missed, __ATOMIC_RELAXED);
}
