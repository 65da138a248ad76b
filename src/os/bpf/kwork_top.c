// SPDX-License-Identifier: MIT
#include "os/bpf/kwork_top.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"
#include "os/machine/cpus.h"

#include <errno.h>

#include <kwork_top.lskel.h>

struct bpf_kwork_top {
	struct kwork_top_bpf *skel;
	struct cpu_list online;
	unsigned int cpus;
};

static int kwork_top_attach(struct kwork_top_bpf *k, const struct bpf_kwork_top_options *o)
{
	int got = kwork_top_bpf__on_switch__attach(k);

	if (got >= 0 && o->irqs)
		got = kwork_top_bpf__on_irq_entry__attach(k);
	if (got >= 0 && o->irqs)
		got = kwork_top_bpf__on_irq_exit__attach(k);
	if (got >= 0 && o->softirqs)
		got = kwork_top_bpf__on_vector_entry__attach(k);
	if (got >= 0 && o->softirqs)
		got = kwork_top_bpf__on_vector_exit__attach(k);
	return got < 0 ? -errno : 0;
}

static int kwork_top_load(struct bpf_kwork_top *t, const struct bpf_kwork_top_options *o)
{
	struct kwork_top_bpf *k = kwork_top_bpf__open();
	int got;

	t->skel = k;
	if (!k)
		return -errno;
	k->maps.cpus.max_entries = t->cpus;
	k->maps.parts.max_entries = MAX(o->rows, 1u);
	got = kwork_top_bpf__load(k);
	return got ? got : kwork_top_attach(k, o);
}

struct bpf_kwork_top *bpf_kwork_top_new(const struct bpf_kwork_top_options *opts, struct err *err)
{
	struct bpf_kwork_top *t = NEW(struct bpf_kwork_top);
	int got;

	t->cpus = MAX(bpf_cpus(), 1u);
	cpus_online("/sys", &t->online);
	got = kwork_top_load(t, opts);
	if (!got)
		return t;
	bpf_kwork_top_free(t);
	bpf_explain(err, -got, "summing up how long tasks ran");
	return NULL;
}

void bpf_kwork_top_free(struct bpf_kwork_top *t)
{
	if (!t)
		return;
	kwork_top_bpf__destroy(t->skel);
	vec_release(&t->online);
	free(t);
}

void bpf_kwork_top_switch(struct bpf_kwork_top *t, bool on)
{
	if (on)
		__atomic_store_n(&t->skel->bss->on, true, __ATOMIC_SEQ_CST);
	(void)bpf_run_on_all(t->skel->progs.on_look.prog_fd, &t->online);
	__atomic_store_n(&t->skel->bss->on, on, __ATOMIC_SEQ_CST);
}

bool bpf_kwork_top_cpu(const struct bpf_kwork_top *t, uint32_t cpu, struct kwork_top_cpu *out)
{
	return cpu < t->cpus && !bpf_map_read(t->skel->maps.cpus.map_fd, &cpu, out);
}

bool bpf_kwork_top_next(const struct bpf_kwork_top *t, bool *begun, struct kwork_top_slot *slot,
			struct kwork_top_part *part)
{
	_Static_assert(sizeof(*slot) <= BPF_KEY_MOST, "a key of this map");

	return bpf_map_row_next(t->skel->maps.parts.map_fd, begun, slot, sizeof(*slot), part);
}

uint64_t bpf_kwork_top_lost(const struct bpf_kwork_top *t)
{
	return __atomic_load_n(&t->skel->bss->lost, __ATOMIC_RELAXED);
}
