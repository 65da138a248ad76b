// SPDX-License-Identifier: MIT
#include "os/bpf/locks.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/bpf/state/follow.h"

#include <errno.h>
#include <string.h>

#include <locks.lskel.h>

#define SLOTS_PER_ROW 4

struct bpf_locks {
	struct locks_bpf *skel;
	bool is_deep, of_owner;
};

static int locks_attach(struct locks_bpf *k, bool by_task)
{
	int got = locks_bpf__on_end__attach(k);

	if (got >= 0)
		got = locks_bpf__on_begin__attach(k);
	if (got >= 0 && by_task)
		got = locks_bpf__on_rename__attach(k);
	if (got >= 0 && by_task)
		got = locks_bpf__on_new__attach(k);
	return got < 0 ? -errno : 0;
}

static int write_wanted(int map, const uint64_t *at, size_t n)
{
	static const uint8_t yes = 1;
	int got = 0;

	for (size_t i = 0; i < n && !got; i++)
		got = bpf_map_write(map, &at[i], &yes);
	return got;
}

static int locks_write_delays(int map, const struct bpf_locks_options *o)
{
	int got = 0;

	for (size_t i = 0; i < o->n_delays && !got; i++)
		got = bpf_map_write(map, &o->delays[i].address, &o->delays[i].ns);
	return got;
}

/* A stack table's slot holds one chain, by its hash: spare slots keep collisions rare. */
static void locks_size_stacks(struct bpf_locks *l, const struct bpf_locks_options *o)
{
	struct locks_bpf *k = l->skel;
	const uint32_t rows = MAX(o->rows, 1u);

	l->of_owner = o->stack && o->owner;
	l->is_deep = o->frames > LOCKS_FRAMES_USUAL && !l->of_owner;
	k->rodata->is_deep = l->is_deep;
	k->rodata->owner_stack = l->of_owner;
	k->maps.stacks.max_entries =
		o->stack && !l->is_deep && !l->of_owner ? MIN(rows, 1u << 20) * SLOTS_PER_ROW : 1;
	k->maps.deep_stacks.max_entries = o->stack && l->is_deep ? rows : 1;
	k->maps.owner_stacks.max_entries = l->of_owner ? rows : 1;
}

static int locks_load(struct bpf_locks *l, const struct bpf_locks_options *o)
{
	struct locks_bpf *k = locks_bpf__open();
	int got;

	l->skel = k;
	if (!k)
		return -errno;
	if (MAX(MAX(o->n_locks, o->n_cgroups), o->n_delays) > LOCKS_WANTED)
		return -E2BIG;
	k->rodata->follow_forks = k->rodata->by_task = o->by_task;
	k->rodata->by_cpu = o->cpus != NULL;
	k->rodata->by_lock = o->n_locks > 0;
	k->rodata->by_cgroup = o->n_cgroups > 0;
	k->rodata->key_stack = o->stack;
	k->rodata->key_tid = o->tid;
	k->rodata->key_lock = o->lock;
	k->rodata->key_cgroup = o->cgroup;
	k->rodata->of_owner = o->owner;
	k->rodata->wanted_types = o->types;
	k->maps.sums.max_entries = MAX(o->rows, 1u);
	k->maps.names.max_entries = o->tid ? MAX(o->rows, 1u) : 1;
	k->rodata->delay_mmap_ns = o->delay_mmap_ns;
	k->rodata->delay_signals_ns = o->delay_signals_ns;
	k->rodata->delays_locks = o->n_delays || o->delay_mmap_ns || o->delay_signals_ns;
	locks_size_stacks(l, o);
	got = locks_bpf__load(k);
	if (got)
		return got;
	if (o->cpus)
		bpf_want_cpus(k->bss->cpu_wanted, sizeof(k->bss->cpu_wanted), o->cpus, o->n_cpus);
	got = write_wanted(k->maps.wanted_locks.map_fd, o->locks, o->n_locks);
	if (!got)
		got = write_wanted(k->maps.wanted_cgroups.map_fd, o->cgroups, o->n_cgroups);
	if (!got)
		got = locks_write_delays(k->maps.delays_ns.map_fd, o);
	return got ? got : locks_attach(k, o->by_task);
}

struct bpf_locks *bpf_locks_new(const struct bpf_locks_options *opts, struct err *err)
{
	struct bpf_locks *l = NEW(struct bpf_locks);
	int got = locks_load(l, opts);

	if (!got)
		return l;
	bpf_locks_free(l);
	bpf_explain(err, -got, "summing up waits for locks");
	/* the verifier refuses a call of a function that the kernel lacks */
	if (opts->stack && opts->owner && got == -EACCES)
		err_hint(err,
			 "call chains of a lock's holder need Linux 6.2: '-o -t' goes without");
	return NULL;
}

void bpf_locks_free(struct bpf_locks *l)
{
	if (!l)
		return;
	locks_bpf__destroy(l->skel);
	free(l);
}

int bpf_locks_follow(struct bpf_locks *l, int tid, bool on_exec)
{
	struct followed f = {.state = on_exec ? FOLLOWED_WAITS : FOLLOWED_COUNTS};

	return bpf_task_write(l->skel->maps.followed_tasks.map_fd, tid, &f);
}

void bpf_locks_switch(struct bpf_locks *l, bool on)
{
	__atomic_store_n(&l->skel->bss->on, on, __ATOMIC_SEQ_CST);
}

bool bpf_locks_next(const struct bpf_locks *l, bool *begun, struct locks_key *key,
		    struct locks_sum *sum)
{
	_Static_assert(sizeof(*key) <= BPF_KEY_MOST, "a key of this map");

	return bpf_map_row_next(l->skel->maps.sums.map_fd, begun, key, sizeof(*key), sum);
}

size_t bpf_locks_stack(const struct bpf_locks *l, uint32_t stack, uint64_t *frames)
{
	const int map = l->of_owner  ? l->skel->maps.owner_stacks.map_fd
			: l->is_deep ? l->skel->maps.deep_stacks.map_fd
				     : l->skel->maps.stacks.map_fd;
	const size_t most = l->is_deep ? LOCKS_FRAMES : LOCKS_FRAMES_USUAL;
	size_t n = 0;

	memset(frames, 0, LOCKS_FRAMES * sizeof(*frames));
	if (stack == LOCKS_NO_STACK || bpf_map_read(map, &stack, frames))
		return 0;
	while (n < most && frames[n])
		n++;
	return n;
}

bool bpf_locks_name(const struct bpf_locks *l, int tid, char name[16])
{
	return !bpf_map_read(l->skel->maps.names.map_fd, &tid, name);
}

uint64_t bpf_locks_lost(const struct bpf_locks *l, int kind)
{
	return __atomic_load_n(&l->skel->bss->lost[kind], __ATOMIC_RELAXED);
}
