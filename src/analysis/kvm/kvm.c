// SPDX-License-Identifier: MIT
#include "analysis/kvm/kvm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_KEY UINT64_MAX

/* A thread that has entered a guest. */
struct vcpu {
	bool is_known;	    /* from its first entry on */
	uint64_t id, begun; /* ns; 0: nothing has begun */
	uint64_t losses;    /* of the recording, when it began */
	uint32_t row;	    /* UINT32_MAX: what has begun is known at its end */
};

struct entry_args {
	uint64_t vcpu_id;
};
struct exit_args {
	uint64_t exit_reason, ret, esr_ec, scause;
};
struct mmio_args {
	uint64_t type, gpa;
};
struct pio_args {
	uint64_t rw, port;
};
enum { MMIO_READ = 1, MMIO_WRITE = 2 };

static uint32_t row_get(struct kvm *k, uint64_t key, uint64_t info)
{
	const uint64_t both[2] = {key, info};
	uint32_t id = intern_put(&k->keys, both, sizeof(both));

	if (id == k->sums.n)
		vec_add(&k->sums, (struct kvm_row){.key = key, .info = info, .made = id});
	return id;
}

static void row_add(struct kvm_row *row, uint64_t ns)
{
	double delta = (double)ns - row->mean;

	row->min_ns = row->count ? MIN(row->min_ns, ns) : ns;
	row->max_ns = MAX(row->max_ns, ns);
	row->count++;
	row->time_ns += ns;
	row->mean += delta / (double)row->count;
	row->squares += delta * ((double)ns - row->mean);
}

double kvm_row_spread(const struct kvm_row *row)
{
	double n = (double)row->count;

	if (row->count < 2 || row->mean == 0)
		return 0;
	return 100 * sqrt(row->squares / (n - 1) / n) / row->mean;
}

/* The virtual CPU of the sample's thread, when it is one that counts. */
static struct vcpu *vcpu_of(struct replay *rp, const struct record *r)
{
	const struct kvm *k = rp->ctx;
	struct vcpu *v = replay_thread_state(rp, replay_thread(rp, r->sample.pid, r->sample.tid));

	return v->is_known && (k->opts.vcpu < 0 || v->id == (uint64_t)k->opts.vcpu) ? v : NULL;
}

static int kvm_begin(struct replay *rp, const struct record *r, uint64_t key, uint64_t info)
{
	struct vcpu *v = vcpu_of(rp, r);
	struct kvm *k = rp->ctx;

	if (!v)
		return REPLAY_GO;
	v->row = key == NO_KEY ? UINT32_MAX : row_get(k, key, info);
	v->begun = rp->time;
	v->losses = k->losses;
	return REPLAY_GO;
}

/* True when what ends with this record counts. */
static bool kvm_filter_has_end(const struct replay *rp, const struct record *r)
{
	const struct kvm *k = rp->ctx;
	const struct filter *f = k->opts.filter;

	return !f || (filter_has_time(f, rp->time) &&
		      (!f->cpus.given || number_list_has(&f->cpus, r->sample.cpu)));
}

/* Adds the time since what has begun to its row. */
static void kvm_add_time(struct replay *rp, const struct record *r, const struct vcpu *v)
{
	struct kvm *k = rp->ctx;
	struct kvm_row *row = &k->sums.at[v->row];
	const uint64_t ns = rp->time - v->begun;
	const struct kvm_slow slow = {rp->time, ns, r->sample.pid, v->id, row->key, row->info};

	row_add(row, ns);
	k->uncertain += v->losses != k->losses;
	if (k->opts.slow && ns > k->opts.slow_ns)
		k->opts.slow(k->opts.slow_ctx, &slow);
}

static int end(struct replay *rp, const struct record *r, uint64_t key, uint64_t info)
{
	struct vcpu *v = vcpu_of(rp, r);
	struct kvm *k = rp->ctx;

	if (!v || !v->begun || (v->row == UINT32_MAX && key == NO_KEY))
		return REPLAY_GO;
	if (v->row == UINT32_MAX)
		v->row = row_get(k, key, info);
	if (rp->time >= v->begun && kvm_filter_has_end(rp, r))
		kvm_add_time(rp, r, v);
	v->begun = 0;
	v->row = UINT32_MAX;
	return REPLAY_GO;
}

static int take_entry(struct replay *rp, const struct record *r, const void *args)
{
	const struct entry_args *a = args;
	struct vcpu *v = replay_thread_state(rp, replay_thread(rp, r->sample.pid, r->sample.tid));

	if (!v->is_known)
		*v = (struct vcpu){.is_known = true, .id = a->vcpu_id, .row = UINT32_MAX};
	return end(rp, r, NO_KEY, 0);
}

static int take_exit(struct replay *rp, const struct record *r, const void *args)
{
	const struct exit_args *a = args;
	const struct kvm *k = rp->ctx;
	uint64_t key = a->exit_reason;

	if (k->opts.event == KVM_PORTS)
		return REPLAY_GO;
	if (k->opts.event == KVM_MMIO) /* a read begins here */
		return kvm_begin(rp, r, NO_KEY, 0);
	if (k->isa == KVM_RISCV)
		key = a->scause;
	if (k->isa == KVM_ARM)
		key = a->ret == KVM_ARM_TRAP ? a->esr_ec | KVM_ARM_TRAPPED : a->ret;
	return kvm_begin(rp, r, key, 0);
}

static int take_mmio(struct replay *rp, const struct record *r, const void *args)
{
	const struct mmio_args *a = args;
	const struct kvm *k = rp->ctx;

	if (k->opts.event != KVM_MMIO)
		return REPLAY_GO;
	if (a->type == MMIO_WRITE)
		return kvm_begin(rp, r, a->gpa, 1);
	return a->type == MMIO_READ ? end(rp, r, a->gpa, 0) : REPLAY_GO;
}

static int take_pio(struct replay *rp, const struct record *r, const void *args)
{
	const struct pio_args *a = args;
	const struct kvm *k = rp->ctx;

	return k->opts.event == KVM_PORTS ? kvm_begin(rp, r, a->port, a->rw) : REPLAY_GO;
}

static void kvm_take_loss(struct replay *rp, const struct replay_loss *loss)
{
	struct kvm *k = rp->ctx;

	(void)loss;
	k->losses++;
}

static int take_lost(struct replay *rp, const struct record *r)
{
	struct kvm *k = rp->ctx;

	(void)r;
	k->lost++;
	return REPLAY_GO;
}

#define FIELD(type, name)                                                                          \
	{                                                                                          \
#name, REPLAY_U64, offsetof(struct type, name), 0, true                            \
	}

static const struct replay_field entry_fields[] = {FIELD(entry_args, vcpu_id), {0}};
static const struct replay_field exit_fields[] = {FIELD(exit_args, exit_reason),
						  FIELD(exit_args, ret),
						  FIELD(exit_args, esr_ec),
						  FIELD(exit_args, scause),
						  {0}};
static const struct replay_field s390_entry_fields[] = {
	{"id", REPLAY_U64, offsetof(struct entry_args, vcpu_id), 0, true}, {0}};
static const struct replay_field s390_exit_fields[] = {
	{"icptcode", REPLAY_U64, offsetof(struct exit_args, exit_reason)}, {0}};
static const struct replay_field ppc_exit_fields[] = {
	{"trap", REPLAY_U64, offsetof(struct exit_args, exit_reason)}, {0}};
static const struct replay_field mmio_fields[] = {
	FIELD(mmio_args, type), FIELD(mmio_args, gpa), {0}};
static const struct replay_field pio_fields[] = {FIELD(pio_args, rw), FIELD(pio_args, port), {0}};
static const struct replay_tracepoint tracepoints[] = {
	{"kvm:kvm_entry", entry_fields, sizeof(struct entry_args), take_entry},
	{"kvm:kvm_exit", exit_fields, sizeof(struct exit_args), take_exit},
	{"kvm:kvm_mmio", mmio_fields, sizeof(struct mmio_args), take_mmio},
	{"kvm:kvm_pio", pio_fields, sizeof(struct pio_args), take_pio},
	{"kvm_hv:kvm_guest_enter", entry_fields, sizeof(struct entry_args), take_entry},
	{"kvm_hv:kvm_guest_exit", ppc_exit_fields, sizeof(struct exit_args), take_exit},
	{"kvm:kvm_s390_sie_enter", s390_entry_fields, sizeof(struct entry_args), take_entry},
	{"kvm:kvm_s390_sie_exit", s390_exit_fields, sizeof(struct exit_args), take_exit},
	{0}};
const struct kvm_tracepoint kvm_tracepoints[] = {{"kvm", "kvm_entry", false},
						 {"kvm", "kvm_exit", true},
						 {"kvm", "kvm_mmio", false},
						 {"kvm", "kvm_pio", false},
						 {"kvm_hv", "kvm_guest_enter", false},
						 {"kvm_hv", "kvm_guest_exit", true},
						 {"kvm", "kvm_s390_sie_enter", false},
						 {"kvm", "kvm_s390_sie_exit", true},
						 {NULL, NULL, false}};
static const struct replay_handler handlers[] = {{RECORD_LOST, take_lost}, {0}};
const struct replay_analysis kvm_analysis = {.handlers = handlers,
					     .tracepoints = tracepoints,
					     .lost = kvm_take_loss,
					     .thread = {.size = sizeof(struct vcpu)}};

static int kvm_compare(double a, double b)
{
	return a < b ? -1 : a > b;
}

static double kvm_sort_value(const struct kvm_row *row, enum kvm_key key)
{
	switch (key) {
	case KVM_BY_TIME:
		return (double)row->time_ns;
	case KVM_BY_LEAST:
		return (double)row->min_ns;
	case KVM_BY_MOST:
		return (double)row->max_ns;
	case KVM_BY_MEAN:
		return row->mean;
	default:
		return (double)row->count;
	}
}

/* Equal rows stand as perf's table of them has them: by the lower bits of their keys,
 * those of equal bits newest first. */
static int compare_rows(const void *x, const void *y, void *ctx)
{
	const struct kvm_row *a = x, *b = y;
	const struct kvm *k = ctx;
	int order = kvm_compare(kvm_sort_value(b, k->opts.key), kvm_sort_value(a, k->opts.key));

	if (!order)
		order = kvm_compare((double)(a->key & 4095), (double)(b->key & 4095));
	return order ? order : kvm_compare(b->made, a->made);
}

void kvm_sum(struct kvm *k)
{
	k->rows.n = 0;
	k->count = k->time_ns = 0;
	for (size_t i = 0; i < k->sums.n; i++) {
		const struct kvm_row *row = &k->sums.at[i];

		if (!row->count)
			continue;
		k->count += row->count;
		k->time_ns += row->time_ns;
		vec_add(&k->rows, *row);
	}
	qsort_r(k->rows.at, k->rows.n, sizeof(*k->rows.at), compare_rows, k);
}

void kvm_zero(struct kvm *k)
{
	for (size_t i = 0; i < k->sums.n; i++) {
		const struct kvm_row *row = &k->sums.at[i];

		k->sums.at[i] =
			(struct kvm_row){.key = row->key, .info = row->info, .made = row->made};
	}
}

int kvm_init(struct kvm *k, const struct kvm_options *opts, const char *arch, const char *cpuid,
	     struct err *err)
{
	memset(k, 0, sizeof(*k));
	k->opts = *opts;
	if (kvm_isa_find(arch, cpuid, &k->isa))
		return err_set(err, ERR_UNSUPPORTED, "CPU %s is not supported.",
			       cpuid ? cpuid : "(unknown)");
	return 0;
}

int kvm_read(struct kvm *k, const struct kvm_options *opts, struct recording *rec,
	     struct world *world, struct err *err)
{
	struct filter tasks = {.socket = -1};
	struct replay rp;
	int failed;

	if (kvm_init(k, opts, rec->m.arch, rec->cpuid, err))
		return -1;
	world_present_only(world);
	replay_init(&rp, rec, world, &kvm_analysis, k);
	if (opts->filter) { /* borrowed; times and CPUs are those of ends */
		tasks.pids = opts->filter->pids;
		tasks.tids = opts->filter->tids;
		tasks.comms = opts->filter->comms;
		rp.filter = &tasks;
	}
	failed = replay_run(&rp, err);
	replay_release(&rp);
	if (!failed)
		kvm_sum(k);
	return failed;
}

void kvm_release(struct kvm *k)
{
	vec_release(&k->rows);
	vec_release(&k->sums);
	intern_release(&k->keys);
}
