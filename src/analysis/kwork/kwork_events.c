// SPDX-License-Identifier: MIT
/* Makes works from tracepoint samples. */
#include "analysis/kwork/kwork.h"

#include "symbol/dso.h"
#include "world/replay/replay.h"

#include <string.h>

struct irq_args {
	uint64_t irq;
	struct replay_bytes name; /* of the entry alone */
};
struct vector_args {
	uint64_t vec;
};
struct item_args {
	uint64_t work, function;
};

uint32_t kwork_function(struct kwork *k, struct world *world, uint64_t address)
{
	const struct thread *idle;
	const struct symbol *sym;
	struct place p;
	uint32_t *id;

	if (!address)
		return HASH_NONE;
	id = idmap_put(&k->functions, address);
	if (*id != HASH_NONE)
		return *id - 1;
	idle = world_thread(world, 0, 0, WORLD_NOW);
	p = world_place(world, world_epoch(world, idle, WORLD_NOW), MISC_KERNEL, address);
	sym = place_symbol(&p);
	*id = sym ? intern_str(&k->names, dso_symbol_name(p.dso, sym)) + 1 : 0;
	return *id - 1;
}

static struct kwork_work *work_of(struct kwork *k, const struct record *r, enum kwork_class class,
				  uint64_t id, uint32_t name)
{
	struct kwork_work *w = kwork_get(k, class, r->sample.cpu, id);

	if (w->name == HASH_NONE)
		w->name = name;
	return w;
}

/* The filter of times and CPUs is replay's. */
static bool work_is_wanted(struct kwork *k, const struct kwork_work *w, uint64_t time)
{
	if (k->opts->name && w->name != HASH_NONE &&
	    strcmp(k->opts->name, intern_text(&k->names, w->name)))
		return false;
	k->first = k->first ? MIN(k->first, time) : time;
	k->last = MAX(k->last, time);
	return true;
}

static void work_measure(struct kwork *k, struct kwork_work *w, uint64_t start, uint64_t end)
{
	const uint64_t ns = end - start;

	if (end < start)
		return;
	if (ns > w->max_ns || !w->max_ns) {
		w->max_ns = ns;
		w->max_start = start;
		w->max_end = end;
	}
	w->total_ns += ns;
	w->count++;
	if (w->losses != k->losses) {
		k->uncertain++;
		k->uncertain_ns += ns;
	}
}

/*
 * A vector that is raised while its round begins runs twice: two raises, two entries. As in perf
 * 6.1, the first entry takes the newer raise, and the second one the other. Raised while it is
 * pending, it runs once, and a raise is left over: a later raise drops it.
 */
static int work_raise(struct replay *rp, struct kwork_work *w)
{
	struct kwork *k = rp->ctx;

	if (k->opts->question == KWORK_RUNTIME || !work_is_wanted(k, w, rp->time))
		return REPLAY_GO;
	if (w->is_left_over || w->n_raises == 2) {
		k->skipped[KWORK_RAISE]++;
		w->raises[0] = w->raises[1];
		w->n_raises--;
		w->is_left_over = false;
	}
	w->raises[w->n_raises++] = rp->time;
	w->losses = k->losses;
	return REPLAY_GO;
}

/* False: nothing was raised. */
static bool entry_take_raise(struct kwork_work *w, uint64_t *time)
{
	if (!w->n_raises)
		return false;
	*time = w->raises[--w->n_raises];
	w->is_left_over = w->n_raises > 0;
	return true;
}

static int work_enter(struct replay *rp, const struct record *r, struct kwork_work *w)
{
	struct kwork *k = rp->ctx;
	uint64_t raised;

	if (!work_is_wanted(k, w, rp->time))
		return REPLAY_GO;
	if (k->opts->question == KWORK_DELAY) {
		if (entry_take_raise(w, &raised))
			work_measure(k, w, raised, rp->time);
		else
			k->skipped[KWORK_ENTRY]++;
		return REPLAY_GO;
	}
	k->skipped[KWORK_ENTRY] += w->is_entered;
	w->is_entered = true;
	w->entered = rp->time;
	w->was_raised = entry_take_raise(w, &w->raised);
	if (!w->was_raised)
		w->losses = k->losses;
	w->text = k->on_entry ? k->on_entry(k->ctx, r) : HASH_NONE;
	return REPLAY_GO;
}

static int work_leave(struct replay *rp, struct kwork_work *w)
{
	struct kwork *k = rp->ctx;

	if (k->opts->question == KWORK_DELAY || !work_is_wanted(k, w, rp->time))
		return REPLAY_GO;
	if (!w->is_entered) {
		k->skipped[KWORK_EXIT]++;
		return REPLAY_GO;
	}
	w->is_entered = false;
	work_measure(k, w, w->entered, rp->time);
	return k->on_exit ? k->on_exit(k->ctx, k, w, rp->time) : REPLAY_GO;
}

static struct kwork_work *irq_of(struct replay *rp, const struct record *r, const void *v)
{
	const struct irq_args *a = v;
	struct kwork *k = rp->ctx;

	return work_of(k, r, KWORK_IRQ, a->irq,
		       a->name.at ? intern_put(&k->names, a->name.at, a->name.n) : HASH_NONE);
}

static int irq_enter(struct replay *rp, const struct record *r, const void *v)
{
	return work_enter(rp, r, irq_of(rp, r, v));
}

static int irq_leave(struct replay *rp, const struct record *r, const void *v)
{
	return work_leave(rp, irq_of(rp, r, v));
}

static struct kwork_work *vector_of(struct replay *rp, const struct record *r, const void *v)
{
	const struct vector_args *a = v;
	struct kwork *k = rp->ctx;
	struct kwork_work *w = kwork_get(k, KWORK_SOFTIRQ, r->sample.cpu, a->vec);
	const char *name = w->name == HASH_NONE ? kwork_vector_name(a->vec) : NULL;

	if (name)
		w->name = intern_str(&k->names, name);
	return w;
}

static int vector_raise(struct replay *rp, const struct record *r, const void *v)
{
	return work_raise(rp, vector_of(rp, r, v));
}

static int vector_enter(struct replay *rp, const struct record *r, const void *v)
{
	return work_enter(rp, r, vector_of(rp, r, v));
}

static int vector_leave(struct replay *rp, const struct record *r, const void *v)
{
	return work_leave(rp, vector_of(rp, r, v));
}

static struct kwork_work *item_of(struct replay *rp, const struct record *r, const void *v)
{
	const struct item_args *a = v;
	struct kwork *k = rp->ctx;

	return work_of(k, r, KWORK_WORKQUEUE, a->work, kwork_function(k, rp->world, a->function));
}

static int item_raise(struct replay *rp, const struct record *r, const void *v)
{
	return work_raise(rp, item_of(rp, r, v));
}

static int item_enter(struct replay *rp, const struct record *r, const void *v)
{
	return work_enter(rp, r, item_of(rp, r, v));
}

static int item_leave(struct replay *rp, const struct record *r, const void *v)
{
	return work_leave(rp, item_of(rp, r, v));
}

static void kwork_events_take_loss(struct replay *rp, const struct replay_loss *loss)
{
	struct kwork *k = rp->ctx;

	(void)loss;
	k->losses++;
}

static int take_lost(struct replay *rp, const struct record *r)
{
	struct kwork *k = rp->ctx;

	k->lost_events += r->lost.lost;
	k->lost_records++;
	return REPLAY_GO;
}

static const struct replay_field irq_fields[] = {
	{"irq", REPLAY_U64, offsetof(struct irq_args, irq)},
	{"name", REPLAY_TEXT, offsetof(struct irq_args, name), .optional = true},
	{0}};
static const struct replay_field vector_fields[] = {
	{"vec", REPLAY_U64, offsetof(struct vector_args, vec)}, {0}};
static const struct replay_field item_fields[] = {
	{"work", REPLAY_U64, offsetof(struct item_args, work)},
	{"function", REPLAY_U64, offsetof(struct item_args, function), .optional = true},
	{0}};
#define IRQ_SIZE    sizeof(struct irq_args)
#define VECTOR_SIZE sizeof(struct vector_args)
#define ITEM_SIZE   sizeof(struct item_args)

static const struct {
	enum kwork_class class;
	struct replay_tracepoint row;
} class_rows[] = {
	{KWORK_IRQ, {"irq:irq_handler_entry", irq_fields, IRQ_SIZE, irq_enter}},
	{KWORK_IRQ, {"irq:irq_handler_exit", irq_fields, IRQ_SIZE, irq_leave}},
	{KWORK_SOFTIRQ, {"irq:softirq_raise", vector_fields, VECTOR_SIZE, vector_raise}},
	{KWORK_SOFTIRQ, {"irq:softirq_entry", vector_fields, VECTOR_SIZE, vector_enter}},
	{KWORK_SOFTIRQ, {"irq:softirq_exit", vector_fields, VECTOR_SIZE, vector_leave}},
	{KWORK_WORKQUEUE,
	 {"workqueue:workqueue_activate_work", item_fields, ITEM_SIZE, item_raise}},
	{KWORK_WORKQUEUE,
	 {"workqueue:workqueue_execute_start", item_fields, ITEM_SIZE, item_enter}},
	{KWORK_WORKQUEUE, {"workqueue:workqueue_execute_end", item_fields, ITEM_SIZE, item_leave}},
};
static const struct replay_handler handlers[] = {{RECORD_LOST, take_lost}, {0}};

int kwork_read(struct kwork *k, struct recording *rec, struct world *world, struct err *err)
{
	struct replay_tracepoint rows[ARRAY_SIZE(class_rows) + 1] = {0};
	const struct replay_analysis analysis = {
		.handlers = handlers, .tracepoints = rows, .lost = kwork_events_take_loss};
	struct replay rp;
	size_t n = 0;
	int failed;

	for (size_t i = 0; i < ARRAY_SIZE(class_rows); i++)
		if (kwork_classes_have(&k->opts->classes, class_rows[i].class)) {
			rows[n] = class_rows[i].row;
			rows[n++].brief = REPLAY_BRIEF_CHAINS;
		}
	world_present_only(world);
	replay_init(&rp, rec, world, &analysis, k);
	rp.filter = &k->opts->filter;
	failed = replay_run(&rp, err);
	k->records = rp.records;
	replay_release(&rp);
	return failed;
}
