// SPDX-License-Identifier: MIT
/* Works, their names and their order. */
#include "analysis/kwork/kwork.h"

#include <stdlib.h>
#include <string.h>

static const char *const class_names[] = {[KWORK_IRQ] = "irq",
					  [KWORK_SOFTIRQ] = "softirq",
					  [KWORK_WORKQUEUE] = "workqueue",
					  [KWORK_SCHED] = "sched"};

const char *const *kwork_class_events(enum kwork_class class)
{
	static const char *const events[][4] = {
		[KWORK_IRQ] = {"irq:irq_handler_entry", "irq:irq_handler_exit"},
		[KWORK_SOFTIRQ] = {"irq:softirq_raise", "irq:softirq_entry", "irq:softirq_exit"},
		[KWORK_WORKQUEUE] = {"workqueue:workqueue_activate_work",
				     "workqueue:workqueue_execute_start",
				     "workqueue:workqueue_execute_end"},
		[KWORK_SCHED] = {"sched:sched_switch"}};

	return events[class];
}

/* The kernel's order (include/linux/interrupt.h). */
const char *kwork_vector_name(uint64_t vector)
{
	static const char *const names[] = {"HI",	"TIMER",   "NET_TX", "NET_RX",	"BLOCK",
					    "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};

	return vector < ARRAY_SIZE(names) ? names[vector] : NULL;
}

bool kwork_classes_have(const struct kwork_classes *c, enum kwork_class class)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (c->at[i] == class)
			return true;
	return false;
}

/* The next word of a list with commas and blanks; NULL: there is none. */
static const char *next_word(const char **text, size_t *n)
{
	const char *word = *text + strspn(*text, ", ");

	*n = strcspn(word, ", ");
	*text = word + *n;
	return *n ? word : NULL;
}

static bool kwork_is_word(const char *word, size_t n, const char *name)
{
	return strlen(name) == n && !memcmp(word, name, n);
}

int kwork_classes_parse(struct kwork_classes *c, const char *text, struct err *err)
{
	const char *word;
	size_t n;

	c->n = 0;
	while ((word = next_word(&text, &n))) {
		uint32_t i = 0;

		while (i < KWORK_CLASSES && !kwork_is_word(word, n, class_names[i]))
			i++;
		if (i == KWORK_CLASSES)
			return err_set(err, ERR_USAGE, "Unknown --event key: `%.*s'", (int)n, word);
		if (!kwork_classes_have(c, (enum kwork_class)i))
			c->at[c->n++] = (enum kwork_class)i;
	}
	return c->n ? 0 : err_set(err, ERR_USAGE, "which kind of work: '%s'", text);
}

int kwork_sort_parse(struct kwork_options *o, const char *text, struct err *err)
{
	static const char *const names[] = {[KWORK_BY_RUNTIME] = "runtime",
					    [KWORK_BY_MAX] = "max",
					    [KWORK_BY_COUNT] = "count",
					    [KWORK_BY_AVG] = "avg",
					    [KWORK_BY_ID] = "id"};
	const char *word;
	size_t n;

	while ((word = next_word(&text, &n))) {
		size_t i = 0;

		while (i < ARRAY_SIZE(names) && !kwork_is_word(word, n, names[i]))
			i++;
		if (i == ARRAY_SIZE(names))
			return err_set(err, ERR_USAGE, "Unknown --sort key: `%.*s'", (int)n, word);
		vec_add(&o->sort, (enum kwork_key)i);
	}
	return 0;
}

void kwork_init(struct kwork *k, const struct kwork_options *opts)
{
	memset(k, 0, sizeof(*k));
	k->opts = opts;
}

void kwork_release(struct kwork *k)
{
	vec_release(&k->works);
	vec_release(&k->order);
	intern_release(&k->names);
	intern_release(&k->keys);
	idmap_release(&k->functions);
}

struct kwork_work *kwork_get(struct kwork *k, enum kwork_class class, uint32_t cpu, uint64_t id)
{
	const uint64_t key[2] = {(uint64_t) class << 32 | cpu, id};
	uint32_t *recent = &k->recent[(id + cpu * 16) % KWORK_RECENT], i = *recent;
	struct kwork_work *w = i < k->works.n ? &k->works.at[i] : NULL;

	if (w && w->id == id && w->cpu == cpu && w->class == class)
		return w;
	i = *recent = intern_put(&k->keys, key, sizeof(key));
	if (i == k->works.n)
		vec_add(&k->works,
			(struct kwork_work){
				.class = class, .cpu = cpu, .id = id, .name = HASH_NONE});
	return &k->works.at[i];
}

/* perf's names end after 29 characters. */
void kwork_name(const struct kwork *k, const struct kwork_work *w, struct buf *out)
{
	const char *name = w->name == HASH_NONE ? NULL : intern_text(&k->names, w->name);
	const size_t start = out->n;

	if (w->class == KWORK_WORKQUEUE) {
		buf_str(out, "(w)");
		if (name)
			buf_safe(out, name);
		else
			buf_printf(out, "0x%llx", (unsigned long long)w->id);
	} else {
		buf_str(out, w->class == KWORK_SOFTIRQ ? "(s)" : "");
		buf_safe(out, name ? name : "unknown");
		buf_char(out, ':');
		buf_dec(out, w->id);
	}
	out->n = MIN(out->n, start + 29);
}

static int kwork_compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_works(const struct kwork_work *a, const struct kwork_work *b, enum kwork_key key)
{
	switch (key) {
	case KWORK_BY_RUNTIME:
		return kwork_compare_numbers(a->total_ns, b->total_ns);
	case KWORK_BY_MAX:
		return kwork_compare_numbers(a->max_ns, b->max_ns);
	case KWORK_BY_COUNT:
		return kwork_compare_numbers(a->count, b->count);
	case KWORK_BY_AVG:
		return kwork_compare_numbers(a->total_ns / a->count, b->total_ns / b->count);
	case KWORK_BY_ID:
		break;
	}
	return a->cpu != b->cpu ? kwork_compare_numbers(a->cpu, b->cpu)
				: kwork_compare_numbers(a->id, b->id);
}

static uint32_t class_place(const struct kwork *k, enum kwork_class class)
{
	uint32_t i = 0;

	while (i < k->opts->classes.n && k->opts->classes.at[i] != class)
		i++;
	return i;
}

/* The greatest first; equal ones by class, then by CPU and id, the greatest first too. */
static int compare_order(const void *x, const void *y, void *ctx)
{
	const struct kwork *k = ctx;
	const struct kwork_work *a = &k->works.at[*(const uint32_t *)x];
	const struct kwork_work *b = &k->works.at[*(const uint32_t *)y];
	int order = 0;

	for (size_t i = 0; i < k->opts->sort.n && !order; i++)
		order = compare_works(b, a, k->opts->sort.at[i]);
	if (!order)
		order = kwork_compare_numbers(class_place(k, a->class), class_place(k, b->class));
	return order ? order : compare_works(b, a, KWORK_BY_ID);
}

void kwork_sort(struct kwork *k)
{
	for (uint32_t i = 0; i < k->works.n; i++) {
		const struct kwork_work *w = &k->works.at[i];

		k->skipped[KWORK_RAISE] += w->n_raises;
		k->skipped[KWORK_ENTRY] += w->is_entered;
		if (w->count)
			vec_add(&k->order, i);
	}
	if (k->order.n)
		qsort_r(k->order.at, k->order.n, sizeof(*k->order.at), compare_order, k);
}
