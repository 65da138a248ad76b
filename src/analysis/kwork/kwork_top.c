// SPDX-License-Identifier: MIT
#include "analysis/kwork/kwork_top.h"

#include "world/replay/replay.h"

#include <stdlib.h>
#include <string.h>

struct switch_args {
	int64_t prev_pid, next_pid;
	struct replay_bytes prev_comm;
};

int kwork_top_sort_parse(struct kwork_top_options *o, const char *text, struct err *err)
{
	static const char *const names[] = {[KWORK_TOP_RATE] = "rate",
					    [KWORK_TOP_RUNTIME] = "runtime",
					    [KWORK_TOP_TID] = "tid"};

	for (text += strspn(text, ", "); *text; text += strspn(text, ", ")) {
		const size_t n = strcspn(text, ", ");
		size_t i = 0;

		while (i < ARRAY_SIZE(names) &&
		       (strlen(names[i]) != n || memcmp(text, names[i], n)))
			i++;
		if (i == ARRAY_SIZE(names))
			return err_set(err, ERR_USAGE, "Unknown --sort key: `%.*s'", (int)n, text);
		vec_add(&o->sort, (enum kwork_top_key)i);
		text += n;
	}
	return 0;
}

void kwork_top_init(struct kwork_top *t, const struct kwork_top_options *opts)
{
	memset(t, 0, sizeof(*t));
	t->opts = opts;
}

void kwork_top_release(struct kwork_top *t)
{
	vec_release(&t->tasks);
	vec_release(&t->cpus);
	vec_release(&t->parts);
	intern_release(&t->names);
	idmap_release(&t->part_of);
}

struct kwork_cpu *kwork_top_cpu(struct kwork_top *t, uint32_t cpu)
{
	if (cpu >= REPLAY_CPUS_MAX)
		return NULL;
	if (cpu >= t->cpus.n)
		(void)vec_extend(&t->cpus, cpu + 1 - t->cpus.n);
	return &t->cpus.at[cpu];
}

void kwork_top_add(struct kwork_top *t, uint32_t cpu, uint32_t tid, const char *comm, size_t n,
		   uint64_t ns)
{
	uint32_t *i = idmap_put(&t->part_of, (uint64_t)cpu << 32 | tid);

	if (*i == HASH_NONE) {
		*i = (uint32_t)t->parts.n;
		vec_add(&t->parts, (struct kwork_part){.tid = tid, .cpu = cpu});
	}
	t->parts.at[*i].comm = intern_put(&t->names, comm, n);
	t->parts.at[*i].ns += ns;
}

void kwork_top_set_process(struct kwork_top *t, uint32_t cpu, uint32_t tid, uint32_t tgid,
			   bool is_kthread)
{
	const uint32_t i = idmap_find(&t->part_of, (uint64_t)cpu << 32 | tid);

	if (i == HASH_NONE)
		return;
	t->parts.at[i].tgid = tgid;
	t->parts.at[i].is_kthread = is_kthread;
}

static void end_irq(struct kwork_cpu *c, uint64_t time)
{
	const uint64_t ns = c->in_irq && time > c->irq_since ? time - c->irq_since : 0;

	c->irq_ns += ns;
	if (c->in_softirq)
		c->nested_ns += ns;
	c->in_irq = false;
}

static void end_softirq(struct kwork_cpu *c, uint64_t time)
{
	const uint64_t ns = c->in_softirq && time > c->softirq_since ? time - c->softirq_since : 0;

	c->softirq_ns += ns > c->nested_ns ? ns - c->nested_ns : 0;
	c->in_softirq = false;
}

static void note_loss(struct kwork_top *t, const struct kwork_cpu *c, uint64_t ns)
{
	if (c->losses == t->losses)
		return;
	t->uncertain++;
	t->uncertain_ns += ns;
}

static int take_switch(struct replay *rp, const struct record *r, const void *v)
{
	const struct switch_args *a = v;
	struct kwork_top *t = rp->ctx;
	struct kwork_cpu *c = kwork_top_cpu(t, r->sample.cpu);
	uint64_t ns, taken;

	if (!c)
		return REPLAY_GO;
	if (c->is_known && rp->time >= c->since && c->tid == (uint32_t)a->prev_pid) {
		ns = rp->time - c->since;
		taken = MIN(c->irq_ns + c->softirq_ns, ns);
		kwork_top_add(t, r->sample.cpu, c->tid, a->prev_comm.at, a->prev_comm.n,
			      ns - taken);
		c->total += ns;
		c->irq += c->irq_ns;
		c->softirq += c->softirq_ns;
		note_loss(t, c, ns);
	}
	c->is_known = true;
	c->tid = (uint32_t)a->next_pid;
	c->since = rp->time;
	c->irq_ns = c->softirq_ns = 0;
	c->in_irq = c->in_softirq = false; /* there are no switches in interrupts: the exit event is
					    * missing */
	c->losses = t->losses;
	return REPLAY_GO;
}

static int take_irq_entry(struct replay *rp, const struct record *r, const void *v)
{
	struct kwork_top *t = rp->ctx;
	struct kwork_cpu *c = t->opts->irqs ? kwork_top_cpu(t, r->sample.cpu) : NULL;

	(void)v;
	if (c) {
		c->in_irq = true;
		c->irq_since = rp->time;
	}
	return REPLAY_GO;
}

static int take_irq_exit(struct replay *rp, const struct record *r, const void *v)
{
	struct kwork_top *t = rp->ctx;
	struct kwork_cpu *c = t->opts->irqs ? kwork_top_cpu(t, r->sample.cpu) : NULL;

	(void)v;
	if (c)
		end_irq(c, rp->time);
	return REPLAY_GO;
}

static int take_softirq_entry(struct replay *rp, const struct record *r, const void *v)
{
	struct kwork_top *t = rp->ctx;
	struct kwork_cpu *c = t->opts->softirqs ? kwork_top_cpu(t, r->sample.cpu) : NULL;

	(void)v;
	if (c) {
		c->in_softirq = true;
		c->softirq_since = rp->time;
		c->nested_ns = 0;
	}
	return REPLAY_GO;
}

static int take_softirq_exit(struct replay *rp, const struct record *r, const void *v)
{
	struct kwork_top *t = rp->ctx;
	struct kwork_cpu *c = t->opts->softirqs ? kwork_top_cpu(t, r->sample.cpu) : NULL;

	(void)v;
	if (c)
		end_softirq(c, rp->time);
	return REPLAY_GO;
}

static void kwork_top_take_loss(struct replay *rp, const struct replay_loss *loss)
{
	struct kwork_top *t = rp->ctx;

	(void)loss;
	t->losses++;
}

static const struct replay_field switch_fields[] = {
	{"prev_pid", REPLAY_S64, offsetof(struct switch_args, prev_pid)},
	{"next_pid", REPLAY_S64, offsetof(struct switch_args, next_pid)},
	{"prev_comm", REPLAY_TEXT, offsetof(struct switch_args, prev_comm)},
	{0}};
static const struct replay_field no_fields[] = {{0}};
static const struct replay_tracepoint tracepoints[] = {
	{"sched:sched_switch", switch_fields, sizeof(struct switch_args), take_switch},
	{"irq:irq_handler_entry", no_fields, 0, take_irq_entry},
	{"irq:irq_handler_exit", no_fields, 0, take_irq_exit},
	{"irq:softirq_entry", no_fields, 0, take_softirq_entry},
	{"irq:softirq_exit", no_fields, 0, take_softirq_exit},
	{0}};
static const struct replay_analysis analysis = {.tracepoints = tracepoints,
						.lost = kwork_top_take_loss};

int kwork_top_read(struct kwork_top *t, struct recording *rec, struct world *world, struct err *err)
{
	struct replay rp;
	int failed;

	world_present_only(world);
	replay_init(&rp, rec, world, &analysis, t);
	rp.filter = &t->opts->filter;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	return failed;
}

static int kwork_top_compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int kwork_top_compare_tasks(const void *x, const void *y, void *ctx)
{
	const struct kwork_task *a = x, *b = y;
	const struct kwork_top *t = ctx;
	int order = 0;

	for (size_t i = 0; i < t->opts->sort.n && !order; i++) {
		switch (t->opts->sort.at[i]) {
		case KWORK_TOP_RATE:
			order = kwork_top_compare_numbers(b->rate, a->rate);
			break;
		case KWORK_TOP_RUNTIME:
			order = kwork_top_compare_numbers(b->ns, a->ns);
			break;
		case KWORK_TOP_TID:
			order = kwork_top_compare_numbers(a->tid, b->tid);
			if (!order)
				order = kwork_top_compare_numbers(a->cpu, b->cpu);
			break;
		}
	}
	if (!order)
		order = kwork_top_compare_numbers(b->cpu, a->cpu);
	return order ? order : kwork_top_compare_numbers(b->tid, a->tid);
}

/* Tasks over all CPUs; idle tasks, each of its CPU, have one tid. */
static void merge_part(struct kwork_top *t, struct idmap *task_of, const struct kwork_part *p)
{
	struct kwork_cpu *c = kwork_top_cpu(t, p->cpu);
	uint32_t *i = idmap_put(task_of, p->tid ? p->tid : (uint64_t)1 << 32 | p->cpu);

	if (*i == HASH_NONE) {
		*i = (uint32_t)t->tasks.n;
		vec_add(&t->tasks,
			(struct kwork_task){.tid = p->tid, .cpu = p->cpu, .comm = p->comm});
	}
	t->tasks.at[*i].ns += p->ns;
	t->tasks.at[*i].comm = p->comm;
	t->tasks.at[*i].tgid = p->tgid;
	t->tasks.at[*i].is_kthread = p->is_kthread;
	t->tasks.at[*i].rate += c->total ? p->ns * 10000 / c->total : 0;
	if (p->tid)
		c->load += p->ns;
}

void kwork_top_sort(struct kwork_top *t)
{
	struct idmap task_of = {0};

	for (size_t i = 0; i < t->parts.n; i++) {
		const struct kwork_part *p = &t->parts.at[i];
		const char *name = intern_text(&t->names, p->comm);

		if (!p->ns)
			continue;
		if (!p->tid)
			t->cpus.at[p->cpu].idle += p->ns;
		if (!t->opts->name || !strcmp(name, t->opts->name))
			merge_part(t, &task_of, p);
	}
	for (size_t i = 0; i < t->cpus.n; i++) {
		const struct kwork_cpu *c = &t->cpus.at[i];

		t->n_cpus += c->total > 0;
		t->all.total += c->total;
		t->all.idle += c->idle;
		t->all.irq += c->irq;
		t->all.softirq += c->softirq;
	}
	if (t->tasks.n)
		qsort_r(t->tasks.at, t->tasks.n, sizeof(*t->tasks.at), kwork_top_compare_tasks, t);
	idmap_release(&task_of);
}
