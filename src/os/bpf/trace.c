// SPDX-License-Identifier: MIT
#include "os/bpf/trace.h"

#include "base/mem.h"
#include "base/monotonic.h"
#include "os/bpf/bpf.h"
#include "os/bpf/state/follow.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <trace.lskel.h>

/* The ring buffer's header of a record: Documentation/bpf/ringbuf.rst. */
#define HEADER_SIZE    8
#define HEADER_BUSY    (1u << 31)
#define HEADER_DISCARD (1u << 30)

#define RELEASES 64 /* a batch is at least the ring's size divided by this */

struct bpf_trace {
	struct trace_bpf *skel;
	uint8_t *consumer,
		*producer; /* mapped: a page with a position; the same, and the data twice */
	size_t page, size;
	uint64_t head;	  /* the producer's position when it was last read */
	uint64_t tail;	  /* the consumer's position that the kernel was told */
	uint64_t release; /* where the record that was handed out ends */
	const struct trace_sum *sums; /* mapped */
};

static int trace_attach(struct trace_bpf *k, const struct bpf_trace_options *o)
{
	int got = trace_bpf__on_enter__attach(k);

	if (got >= 0)
		got = trace_bpf__on_exit__attach(k);
	if (got >= 0 && o->by_task)
		got = trace_bpf__on_rename__attach(k);
	if (got >= 0 && o->by_task && o->inherit)
		got = trace_bpf__on_new__attach(k);
	if (got >= 0 && !o->sums)
		got = trace_bpf__on_switch__attach(k);
	if (got >= 0 && !o->sums)
		got = trace_bpf__on_fork__attach(k);
	return got < 0 ? -errno : 0;
}

static int map_ring(struct bpf_trace *t, size_t size)
{
	int fd = t->skel->maps.ring.map_fd;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->size = size;
	t->consumer = mmap(NULL, t->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (t->consumer == MAP_FAILED)
		t->consumer = NULL;
	t->producer = mmap(NULL, t->page + 2 * size, PROT_READ, MAP_SHARED, fd, (off_t)t->page);
	if (t->producer == MAP_FAILED)
		t->producer = NULL;
	return t->consumer && t->producer ? 0 : -errno;
}

#define SUMS_SIZE (TRACE_SUMS * sizeof(struct trace_sum))

static int map_sums(struct bpf_trace *t)
{
	void *at = mmap(NULL, SUMS_SIZE, PROT_READ, MAP_SHARED, t->skel->maps.sum_table.map_fd, 0);

	if (at == MAP_FAILED)
		return -errno;
	t->sums = at;
	return 0;
}

static int trace_load(struct bpf_trace *t, const struct bpf_trace_options *o)
{
	size_t ring = o->sums ? 4096 : o->ring_bytes;
	struct trace_bpf *k = trace_bpf__open();
	int got;

	t->skel = k;
	if (!k)
		return -errno;
	k->rodata->by_task = o->by_task;
	k->rodata->follow_forks = o->inherit;
	k->rodata->by_cgroup = o->cgroup != 0;
	k->rodata->cgroup = o->cgroup;
	k->rodata->by_cpu = o->cpus != NULL;
	k->rodata->sums = o->sums;
	k->rodata->sum_errors = o->sum_errors;
	k->rodata->sum_cgroups = o->sum_cgroups;
	k->rodata->failures = o->failures;
	k->rodata->early = o->early;
	k->rodata->least_ns = o->least_ns;
	k->rodata->string_size = MIN(o->string_size, 1024u);
	k->rodata->dumps = o->dump_fds != NULL;
	k->rodata->dump_others = o->dump_others;
	k->rodata->own_tgid = (uint32_t)getpid();
	k->rodata->wake_bytes = (uint32_t)(ring / 8);
	k->maps.ring.max_entries = (uint32_t)ring;
	k->maps.sum_rows.max_entries = o->sums ? TRACE_SUMS : 1;
	k->maps.sum_table.max_entries = o->sums ? TRACE_SUMS : 1;
	got = trace_bpf__load(k);
	if (got)
		return got;
	if (o->cpus)
		bpf_want_cpus(k->bss->cpu_wanted, sizeof(k->bss->cpu_wanted), o->cpus, o->n_cpus);
	if (o->dump_fds)
		memcpy(k->bss->dump_fds, o->dump_fds, sizeof(k->bss->dump_fds));
	got = map_ring(t, ring);
	if (!got && o->sums)
		got = map_sums(t);
	return got ? got : trace_attach(k, o);
}

struct bpf_trace *bpf_trace_new(const struct bpf_trace_options *opts, struct err *err)
{
	struct bpf_trace *t = NEW(struct bpf_trace);
	int got = trace_load(t, opts);

	if (!got)
		return t;
	bpf_trace_free(t);
	bpf_explain(err, -got, "tracing system calls");
	return NULL;
}

void bpf_trace_free(struct bpf_trace *t)
{
	if (!t)
		return;
	if (t->consumer)
		munmap(t->consumer, t->page);
	if (t->producer)
		munmap(t->producer, t->page + 2 * t->size);
	if (t->sums)
		munmap((void *)(uintptr_t)t->sums, SUMS_SIZE);
	trace_bpf__destroy(t->skel);
	free(t);
}

struct trace_plan *bpf_trace_plan(struct bpf_trace *t, unsigned int abi, int number)
{
	if (abi >= TRACE_ABIS || number < 0 || number >= TRACE_NUMBERS)
		return NULL;
	return &t->skel->bss->plans[abi * TRACE_NUMBERS + (unsigned int)number];
}

int bpf_trace_follow(struct bpf_trace *t, int tid, bool on_exec)
{
	struct followed f = {.state = on_exec ? FOLLOWED_WAITS : FOLLOWED_COUNTS};

	return bpf_task_write(t->skel->maps.followed_tasks.map_fd, tid, &f);
}

/* Notes which numbers the plans want of any caller. */
static void note_numbers(struct trace_bpf *k)
{
	for (size_t i = 0; i < TRACE_ABIS * TRACE_NUMBERS; i++) {
		if (!k->bss->plans[i].wanted)
			continue;
		k->bss->numbers_wanted[i % TRACE_NUMBERS] = 1;
		if (i / TRACE_NUMBERS == TRACE_I386)
			k->bss->numbers_wanted[I386_SOCKETCALL] =
				k->bss->numbers_wanted[I386_IPC] = 1;
	}
}

void bpf_trace_switch(struct bpf_trace *t, bool on)
{
	if (on) {
		note_numbers(t->skel);
		t->skel->bss->on_ns = monotonic_ns();
	}
	t->skel->bss->on = on;
}

int bpf_trace_fd(const struct bpf_trace *t)
{
	return t->skel->maps.ring.map_fd;
}

/* Gives the kernel the room of the records that were handed out. The BPF programs read both
 * positions for each record, so this side touches them once a batch only: their cache lines then
 * seldom move between CPUs. */
static void ring_release(struct bpf_trace *t)
{
	t->tail = t->release;
	__atomic_store_n((uint64_t *)(void *)t->consumer, t->tail, __ATOMIC_RELEASE);
}

const struct trace_record *bpf_trace_next(struct bpf_trace *t)
{
	for (;;) {
		uint8_t *at = t->producer + t->page + (t->release & (t->size - 1));
		uint32_t length;

		if (t->release - t->tail >= t->size / RELEASES)
			ring_release(t);
		if (t->release >= t->head) {
			ring_release(t);
			t->head =
				__atomic_load_n((uint64_t *)(void *)t->producer, __ATOMIC_ACQUIRE);
			if (t->release >= t->head)
				return NULL;
		}
		length = __atomic_load_n((uint32_t *)(void *)at, __ATOMIC_ACQUIRE);
		if (length & HEADER_BUSY) {
			ring_release(t);
			return NULL;
		}
		t->release += HEADER_SIZE + (((length & ~HEADER_DISCARD) + 7) & ~7u);
		if (!(length & HEADER_DISCARD))
			return (const void *)(at + HEADER_SIZE);
	}
}

uint64_t bpf_trace_lost(const struct bpf_trace *t)
{
	return __atomic_load_n(&t->skel->bss->lost, __ATOMIC_RELAXED) +
	       __atomic_load_n(&t->skel->bss->lost_sums, __ATOMIC_RELAXED);
}

uint64_t bpf_trace_lost_parts(const struct bpf_trace *t)
{
	return __atomic_load_n(&t->skel->bss->lost_parts, __ATOMIC_RELAXED);
}

const struct trace_sum *bpf_trace_sums(const struct bpf_trace *t, size_t *n)
{
	*n = t->sums ? MIN(t->skel->bss->n_sums, (uint32_t)TRACE_SUMS) : 0;
	return t->sums;
}
