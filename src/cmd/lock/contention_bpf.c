// SPDX-License-Identifier: MIT
/* perf lock contention -b: BPF programs sum up waits in the kernel. */
#include "cmd/lock/lock_opts.h"

#include "capture/programs/programs.h"
#include "os/machine/kallsyms.h"
#include "os/bpf/locks.h"
#include "os/machine/cgroup.h"
#include "os/process/signals.h"

#include <stdio.h>
#include <string.h>

#define MOST_DELAY_NS 10000000

struct contention {
	struct lock_table *table;
	const struct lock_opts *o;
	struct bpf_locks *bpf;
	VEC(uint64_t) cgroups;
	VEC(struct bpf_lock_delay) delays;
	uint64_t delay_mmap_ns, delay_signals_ns;
};

static int contention_load(void *ctx, const struct target *target, bool by_task, struct err *err)
{
	struct contention *c = ctx;
	const struct locks_options *how = &c->table->how;
	const struct lock_filter *f = &how->filter;
	/* filters by name apply here, because BPF programs know only addresses */
	const bool names = f->symbols.n > 0;
	const struct bpf_locks_options opts = {
		.by_task = by_task,
		.cpus = target->cpus.n && target->cpus.at[0] >= 0 ? target->cpus.at : NULL,
		.n_cpus = target->cpus.n,
		.types = f->types,
		.locks = f->addresses.at,
		.n_locks = names ? 0 : f->addresses.n,
		.cgroups = c->cgroups.at,
		.n_cgroups = c->cgroups.n,
		.stack = how->by == LOCKS_BY_CALLER || f->callers.n,
		.tid = how->by == LOCKS_BY_TASK,
		.lock = how->by == LOCKS_BY_ADDRESS || names,
		.cgroup = how->by == LOCKS_BY_CGROUP,
		.owner = c->o->by_owner,
		.delays = c->delays.at,
		.n_delays = c->delays.n,
		.delay_mmap_ns = c->delay_mmap_ns,
		.delay_signals_ns = c->delay_signals_ns,
		.rows = c->o->rows,
		.frames = how->max_stack,
	};

	c->bpf = bpf_locks_new(&opts, err);
	return c->bpf ? 0 : -1;
}

static int contention_follow(void *ctx, int tid, bool on_exec)
{
	const struct contention *c = ctx;

	return bpf_locks_follow(c->bpf, tid, on_exec);
}

static void contention_turn(void *ctx, bool on)
{
	const struct contention *c = ctx;

	bpf_locks_switch(c->bpf, on);
}

static int contention_add_cgroups(struct contention *c, struct err *err)
{
	AUTO_CHAR *text = c->o->cgroups ? mem_strdup(c->o->cgroups) : NULL;
	char *rest = text, *name;

	while ((name = strsep(&rest, ","))) {
		const uint64_t id = *name ? cgroup_id("/sys", name) : 0;

		if (!id)
			return err_set(err, ERR_INPUT, "no such cgroup: '%s'", name);
		vec_add(&c->cgroups, id);
	}
	if (c->cgroups.n > LOCKS_WANTED)
		return err_set(err, ERR_USAGE, "-G takes at most %d cgroups", LOCKS_WANTED);
	if (c->table->how.filter.addresses.n > LOCKS_WANTED)
		return err_set(err, ERR_USAGE, "-L takes at most %d addresses", LOCKS_WANTED);
	return 0;
}

static const char *part_name(uint32_t kind)
{
	return kind == LOCKS_OF_MMAP ? "mmap_lock" : kind == LOCKS_OF_SIGNALS ? "siglock" : NULL;
}

/* "10ms@mmap_lock": adds the delay of one lock. */
static int contention_add_delay(struct contention *c, const struct kallsyms *symbols, char *text,
				struct err *err)
{
	char *lock = strchr(text, '@');
	uint64_t ns, address = 0;

	if (lock)
		*lock++ = 0;
	if (!lock || parse_short_time(text, &ns) || !ns)
		return err_set(err, ERR_USAGE,
			       "-J takes a time and a lock, such as 10us@mmap_lock: '%s%s%s'", text,
			       lock ? "@" : "", lock ? lock : "");
	if (ns > MOST_DELAY_NS)
		return err_set(err, ERR_USAGE, "-J holds a lock for at most 10ms: '%s'", text);
	if (!strcmp(lock, part_name(LOCKS_OF_MMAP))) {
		c->delay_mmap_ns = ns;
		return 0;
	}
	if (!strcmp(lock, part_name(LOCKS_OF_SIGNALS))) {
		c->delay_signals_ns = ns;
		return 0;
	}
	address = kallsyms_address(symbols, lock);
	if (!address) {
		char *end;

		address = strtoull(lock, &end, 16);
		if (!address || *end)
			return err_set(err, ERR_INPUT, "the kernel names no lock '%s'", lock);
	}
	if (c->delays.n == LOCKS_WANTED)
		return err_set(err, ERR_USAGE, "-J takes at most %d locks", LOCKS_WANTED);
	vec_add(&c->delays, (struct bpf_lock_delay){address, ns});
	return 0;
}

static int contention_add_delays(struct contention *c, struct err *err)
{
	AUTO_CHAR *text = c->o->delays ? mem_strdup(c->o->delays) : NULL;
	struct kallsyms symbols = {0};
	char *rest = text, *one;
	int failed = text ? kallsyms_read(&symbols, kallsyms_live, err) : 0;

	while (!failed && (one = strsep(&rest, ",")))
		failed = contention_add_delay(c, &symbols, one, err);
	kallsyms_release(&symbols);
	return failed;
}

static void names_add(struct lock_names *names, uint64_t key, const char *text)
{
	*idmap_put(&names->of, key) = intern_str(&names->texts, text);
}

static void contention_read(struct contention *c)
{
	struct lock_table *t = c->table;
	uint64_t frames[LOCKS_FRAMES];
	struct locks_key key;
	struct locks_sum sum;
	bool begun = false;
	char comm[16];

	while (bpf_locks_next(c->bpf, &begun, &key, &sum)) {
		const struct lock_sum s = {
			.address = key.lock,
			.cgroup = key.cgroup,
			.tid = key.tid,
			.flags = sum.flags,
			.count = sum.count,
			.total_ns = sum.total_ns,
			.max_ns = sum.max_ns,
			.min_ns = sum.min_ns,
			.frames = frames,
			.n_frames = bpf_locks_stack(c->bpf, key.stack, frames),
			.part_of = part_name(sum.kind),
		};

		if (t->how.filter.symbols.n &&
		    !locks_wants_address(&t->locks, t->world, key.lock, s.part_of))
			continue;
		locks_add_sum(&t->locks, t->world, &s);
		if (t->how.by == LOCKS_BY_TASK && bpf_locks_name(c->bpf, key.tid, comm))
			names_add(&t->names, (uint32_t)key.tid, comm);
	}
	for (int i = 0; i < LOCKS_FAILURES; i++)
		t->failures[i] = bpf_locks_lost(c->bpf, i);
}

static void take_cgroup(void *ctx, const char *path, uint64_t id)
{
	names_add(ctx, id, path);
}

static const char *contention_name(void *ctx, uint64_t key)
{
	const struct lock_names *names = ctx;
	const uint32_t id = idmap_find(&names->of, key);

	return id == HASH_NONE ? "Unknown" : intern_text(&names->texts, id);
}

static int contention_end(struct contention *c, const struct programs_result *result)
{
	struct lock_table *t = c->table;

	signals_die(result->signal, c->o->command != NULL);
	if (!kernel_world_open(&t->kernel, &c->o->symbols))
		fputs("perf: the kernel hides its addresses: callers have no names\n", stderr);
	t->world = t->kernel.world;
	locks_init(&t->locks, &t->how);
	if (t->how.by == LOCKS_BY_CGROUP)
		cgroup_each("/sys", take_cgroup, &t->names);
	contention_read(c);
	locks_sort(&t->locks);
	t->view.name = contention_name;
	t->view.ctx = &t->names;
	t->view.failures = t->failures;
	return result->exit_status;
}

int lock_table_measure(struct lock_table *t, const struct lock_opts *o, struct err *err)
{
	const struct programs_options how = {.target = {.pids = o->pids,
							.tids = o->tids,
							.cpus = o->cpus,
							.system_wide = o->all_cpus},
					     .command = o->command};
	struct contention c = {.table = t, .o = o};
	const struct programs programs = {contention_load, contention_follow, contention_turn, &c};
	struct programs_result result = {0};
	int status = -1;

	if (!contention_add_cgroups(&c, err) && !contention_add_delays(&c, err) &&
	    !programs_run(&programs, &how, &result, err))
		status = contention_end(&c, &result);
	bpf_locks_free(c.bpf);
	vec_release(&c.cgroups);
	vec_release(&c.delays);
	return status;
}
