// SPDX-License-Identifier: MIT
#include "os/bpf/wall.h"

#include "base/mem.h"
#include "base/monotonic.h"
#include "os/bpf/bpf.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <wall.lskel.h>

struct bpf_wall {
	struct wall_bpf *skel;
};

static int wall_programs_attach(struct wall_bpf *k, bool by_task)
{
	int got = wall_bpf__on_new__attach(k);

	if (got >= 0 && by_task)
		got = wall_bpf__on_rename__attach(k);
	if (got >= 0)
		got = wall_bpf__on_waking__attach(k);
	if (got >= 0)
		got = wall_bpf__on_switch__attach(k);
	if (got >= 0)
		got = wall_bpf__on_exit__attach(k);
	if (got >= 0)
		got = wall_bpf__on_look__attach(k);
	return got < 0 ? -errno : 0;
}

static int wall_programs_load(struct bpf_wall *w, bool by_task)
{
	struct wall_bpf *k = wall_bpf__open();
	int got;

	w->skel = k;
	if (!k)
		return -errno;
	k->rodata->by_task = by_task;
	got = wall_bpf__load(k);
	if (!got)
		got = wall_programs_attach(k, by_task);
	if (!got)
		__atomic_store_n(&k->bss->on, true, __ATOMIC_SEQ_CST);
	return got;
}

struct bpf_wall *bpf_wall_new(bool by_task, struct err *err)
{
	struct bpf_wall *w = NEW(struct bpf_wall);
	const int got = wall_programs_load(w, by_task);

	if (!got)
		return w;
	bpf_wall_free(w);
	bpf_explain(err, -got, "summing up the time of tasks");
	return NULL;
}

void bpf_wall_free(struct bpf_wall *w)
{
	if (!w)
		return;
	wall_bpf__destroy(w->skel);
	free(w);
}

int bpf_wall_clock(const struct bpf_wall *w)
{
	return w->skel->progs.on_clock.prog_fd;
}

int bpf_wall_follow(struct bpf_wall *w, int tid, bool on_exec)
{
	const struct wall_task t = {.state = on_exec ? WALL_SUM_EXECS : WALL_SUM_UNSEEN,
				    .since = monotonic_ns()};

	return bpf_task_write(w->skel->maps.tasks.map_fd, tid, &t);
}

int bpf_wall_end(struct bpf_wall *w)
{
	char nothing[64];
	int fd, got = 0;

	if (!__atomic_exchange_n(&w->skel->bss->on, false, __ATOMIC_SEQ_CST))
		return 0;
	fd = bpf_iterate(w->skel->links.on_look_fd);
	if (fd < 0)
		return fd;
	/* a program that writes nothing: reading walks over all tasks */
	if (read(fd, nothing, sizeof(nothing)) < 0)
		got = -errno;
	close(fd);
	return got;
}

bool bpf_wall_next(const struct bpf_wall *w, bool *begun, struct wall_sum_key *key,
		   struct wall_sum *sum)
{
	_Static_assert(sizeof(*key) <= BPF_KEY_MOST, "a key of this map");

	return bpf_map_row_next(w->skel->maps.sums.map_fd, begun, key, sizeof(*key), sum);
}

size_t bpf_wall_stack(const struct bpf_wall *w, bool user, int32_t stack, uint64_t *frames)
{
	const int map =
		user ? w->skel->maps.user_stacks.map_fd : w->skel->maps.kernel_stacks.map_fd;
	size_t n = 0;

	memset(frames, 0, WALL_FRAMES * sizeof(*frames));
	if (stack == WALL_NO_STACK || bpf_map_read(map, &stack, frames))
		return 0;
	while (n < WALL_FRAMES && frames[n])
		n++;
	return n;
}

void bpf_wall_lost(const struct bpf_wall *w, struct bpf_wall_lost *out)
{
	out->sums = __atomic_load_n(&w->skel->bss->lost_sums, __ATOMIC_RELAXED);
	out->ns = __atomic_load_n(&w->skel->bss->lost_ns, __ATOMIC_RELAXED);
	out->stacks = __atomic_load_n(&w->skel->bss->lost_stacks, __ATOMIC_RELAXED);
}
