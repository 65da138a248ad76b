// SPDX-License-Identifier: MIT
#include "os/bpf/kwork.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"

#include <errno.h>

#include <kwork.lskel.h>

struct bpf_kwork {
	struct kwork_bpf *skel;
};

static int kwork_attach(struct kwork_bpf *k, const struct bpf_kwork_options *o)
{
	const struct {
		bool is_wanted;
		int (*attach)(struct kwork_bpf *k);
	} programs[] = {
		{o->classes[KWORK_OF_IRQ] && !o->delays, kwork_bpf__on_irq_entry__attach},
		{o->classes[KWORK_OF_IRQ] && !o->delays, kwork_bpf__on_irq_exit__attach},
		{o->classes[KWORK_OF_SOFTIRQ] && o->delays, kwork_bpf__on_vector_raise__attach},
		{o->classes[KWORK_OF_SOFTIRQ], kwork_bpf__on_vector_entry__attach},
		{o->classes[KWORK_OF_SOFTIRQ] && !o->delays, kwork_bpf__on_vector_exit__attach},
		{o->classes[KWORK_OF_WORKQUEUE] && o->delays, kwork_bpf__on_item_raise__attach},
		{o->classes[KWORK_OF_WORKQUEUE], kwork_bpf__on_item_start__attach},
		{o->classes[KWORK_OF_WORKQUEUE] && !o->delays, kwork_bpf__on_item_end__attach},
	};
	int got = 0;

	for (size_t i = 0; i < ARRAY_SIZE(programs) && got >= 0; i++)
		if (programs[i].is_wanted)
			got = programs[i].attach(k);
	return got < 0 ? -errno : 0;
}

static int kwork_load(struct bpf_kwork *w, const struct bpf_kwork_options *o)
{
	struct kwork_bpf *k = kwork_bpf__open();
	int got;

	w->skel = k;
	if (!k)
		return -errno;
	k->rodata->of_delays = o->delays;
	k->rodata->by_cpu = o->cpus != NULL;
	k->maps.works.max_entries = MAX(o->rows, 1u);
	got = kwork_bpf__load(k);
	if (got)
		return got;
	if (o->cpus)
		bpf_want_cpus(k->bss->cpu_wanted, sizeof(k->bss->cpu_wanted), o->cpus, o->n_cpus);
	return kwork_attach(k, o);
}

struct bpf_kwork *bpf_kwork_new(const struct bpf_kwork_options *opts, struct err *err)
{
	struct bpf_kwork *k = NEW(struct bpf_kwork);
	int got = kwork_load(k, opts);

	if (!got)
		return k;
	bpf_kwork_free(k);
	bpf_explain(err, -got, "summing up what interrupts and work queues took");
	return NULL;
}

void bpf_kwork_free(struct bpf_kwork *k)
{
	if (!k)
		return;
	kwork_bpf__destroy(k->skel);
	free(k);
}

void bpf_kwork_switch(struct bpf_kwork *k, bool on)
{
	__atomic_store_n(&k->skel->bss->on, on, __ATOMIC_SEQ_CST);
}

bool bpf_kwork_next(const struct bpf_kwork *k, bool *begun, struct kwork_slot *key,
		    struct kwork_sum *sum)
{
	_Static_assert(sizeof(*key) <= BPF_KEY_MOST, "a key of this map");

	return bpf_map_row_next(k->skel->maps.works.map_fd, begun, key, sizeof(*key), sum);
}

uint64_t bpf_kwork_lost(const struct bpf_kwork *k)
{
	return __atomic_load_n(&k->skel->bss->lost, __ATOMIC_RELAXED);
}
