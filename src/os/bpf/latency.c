// SPDX-License-Identifier: MIT
#include "os/bpf/latency.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/bpf/state/follow.h"
#include "os/bpf/state/latency_state.h"

#include <errno.h>
#include <string.h>

#include <bpf/skel_internal.h>

/* The skeleton knows one function only: its data gets the wanted name before it is loaded. */
static int latency_load_renamed(struct bpf_load_and_run_opts *opts);
#define bpf_load_and_run latency_load_renamed
#include <latency.lskel.h>
#undef bpf_load_and_run

#include <between.lskel.h>

#define TEXT_(x) #x
#define TEXT(x)	 TEXT_(x)

static const char placeholder[] = TEXT(LATENCY_FUNCTION);

/* One of the skeletons is loaded. */
struct bpf_latency {
	struct latency_bpf *function;
	struct between_bpf *events;
	struct latency_state *state;
	int followed; /* a map */
};

/* Writes the name over each placeholder of the loader's data; its rest becomes zero, which ends the
 * name. */
static void latency_rename(char *data, size_t n, const char *name)
{
	for (char *p = data;
	     (p = memmem(p, n - (size_t)(p - data), placeholder, sizeof(placeholder) - 1));) {
		memset(p, 0, sizeof(placeholder) - 1);
		memcpy(p, name, strlen(name));
	}
}

static int latency_load_renamed(struct bpf_load_and_run_opts *opts)
{
	struct latency_bpf *skel = (struct latency_bpf *)opts->ctx;
	char *data = mem_alloc(opts->data_sz);
	int got;

	memcpy(data, opts->data, opts->data_sz);
	latency_rename(data, opts->data_sz, skel->rodata->function);
	opts->data = data;
	got = bpf_load_and_run(opts);
	free(data);
	return got;
}

static struct latency_wants latency_wants_of(const struct bpf_latency_options *o)
{
	return (struct latency_wants){
		.by_task = o->by_task,
		.by_cpu = o->cpus != NULL,
		.nsec = o->nsec,
		.n_buckets = (uint32_t)o->n_buckets,
		.width = o->width,
		.least = o->least,
		.most = o->most,
	};
}

static void latency_want_cpus(const struct bpf_latency *l, const struct bpf_latency_options *o)
{
	if (o->cpus)
		bpf_want_cpus(l->state->cpu_wanted, sizeof(l->state->cpu_wanted), o->cpus,
			      o->n_cpus);
}

/* What ends is attached first: what has begun then has its end. */
static int latency_load_function(struct bpf_latency *l, const struct bpf_latency_options *o)
{
	struct latency_bpf *k = latency_bpf__open();
	int got;

	l->function = k;
	if (!k)
		return -errno;
	k->rodata->wants = latency_wants_of(o);
	memcpy(k->rodata->function, o->function, strlen(o->function) + 1);
	got = latency_bpf__load(k);
	if (got)
		return got;
	l->state = &k->bss->state;
	l->followed = k->maps.followed_tasks.map_fd;
	latency_want_cpus(l, o);
	if (o->by_task)
		got = latency_bpf__on_rename__attach(k);
	if (got >= 0)
		got = latency_bpf__on_return__attach(k);
	if (got >= 0)
		got = latency_bpf__on_call__attach(k);
	return got < 0 ? -errno : 0;
}

static int latency_load_events(struct bpf_latency *l, const struct bpf_latency_options *o)
{
	struct between_bpf *k = between_bpf__open();
	int got;

	l->events = k;
	if (!k)
		return -errno;
	k->rodata->wants = latency_wants_of(o);
	got = between_bpf__load(k);
	if (got)
		return got;
	l->state = &k->bss->state;
	l->followed = k->maps.followed_tasks.map_fd;
	latency_want_cpus(l, o);
	if (o->by_task)
		got = between_bpf__on_rename__attach(k);
	if (got >= 0)
		got = k->links.on_second_fd =
			skel_raw_tracepoint_open(o->second, k->progs.on_second.prog_fd);
	if (got >= 0)
		got = k->links.on_first_fd =
			skel_raw_tracepoint_open(o->first, k->progs.on_first.prog_fd);
	return got < 0 ? -errno : 0;
}

static int latency_explain(const struct bpf_latency_options *o, int sys, struct err *err)
{
	if (sys == EPERM && o->function && bpf_allowed()) {
		err_set(err, ERR_RIGHTS,
			"the kernel lets no BPF program be attached to its functions");
		return err_hint(err, "It is locked down, or this is a container; events (-e) may "
				     "be possible.");
	}
	if (sys == EPERM || sys == E2BIG)
		return bpf_explain(err, sys, "latencies");
	err_set(err, ERR_UNSUPPORTED, "BPF programs cannot be attached to %s '%s%s%s': %s",
		o->function ? "function" : "tracepoints", o->function ? o->function : o->first,
		o->function ? "" : ",", o->function ? "" : o->second, strerror(sys));
	return o->function ? err_hint(err, "Without -b the kernel's tracer measures it; 'perf "
					   "ftrace -F' lists its functions.")
			   : err_hint(err, "They need tracepoints of the kernel (other than "
					   "syscalls:*), and Linux 5.17 or later with BTF.");
}

struct bpf_latency *bpf_latency_new(const struct bpf_latency_options *opts, struct err *err)
{
	struct bpf_latency *l;
	int got;

	if (opts->function && strlen(opts->function) >= sizeof(placeholder)) {
		err_set(err, ERR_USAGE, "the function's name is too long: '%s'", opts->function);
		return NULL;
	}
	l = NEW(struct bpf_latency);
	got = (opts->function ? latency_load_function : latency_load_events)(l, opts);
	if (!got)
		return l;
	bpf_latency_free(l);
	latency_explain(opts, -got, err);
	return NULL;
}

void bpf_latency_free(struct bpf_latency *l)
{
	if (!l)
		return;
	if (l->function)
		latency_bpf__destroy(l->function);
	if (l->events)
		between_bpf__destroy(l->events);
	free(l);
}

int bpf_latency_follow(struct bpf_latency *l, int tid, bool on_exec)
{
	struct followed f = {.state = on_exec ? FOLLOWED_WAITS : FOLLOWED_COUNTS};

	return bpf_task_write(l->followed, tid, &f);
}

void bpf_latency_switch(struct bpf_latency *l, bool on)
{
	__atomic_store_n(&l->state->on, on, __ATOMIC_SEQ_CST);
}

uint64_t bpf_latency_count(const struct bpf_latency *l, size_t bucket)
{
	return __atomic_load_n(&l->state->counts[bucket], __ATOMIC_RELAXED);
}

uint64_t bpf_latency_lost(const struct bpf_latency *l)
{
	return __atomic_load_n(&l->state->lost, __ATOMIC_RELAXED);
}
