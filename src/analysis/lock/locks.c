// SPDX-License-Identifier: MIT
#include "analysis/lock/locks.h"

#include <stdlib.h>

static const struct {
	const char *name;
	uint32_t flags;
} lock_types[] = {
	{"semaphore", 0},
	{"spinlock", LOCK_F_SPIN},
	{"rwlock:R", LOCK_F_SPIN | LOCK_F_READ},
	{"rwlock:W", LOCK_F_SPIN | LOCK_F_WRITE},
	{"rwsem:R", LOCK_F_READ},
	{"rwsem:W", LOCK_F_WRITE},
	{"rtmutex", LOCK_F_RT},
	{"rwlock-rt:R", LOCK_F_RT | LOCK_F_READ},
	{"rwlock-rt:W", LOCK_F_RT | LOCK_F_WRITE},
	{"pcpu-sem:R", LOCK_F_PERCPU | LOCK_F_READ},
	{"pcpu-sem:W", LOCK_F_PERCPU | LOCK_F_WRITE},
	{"mutex", LOCK_F_MUTEX},
	{"mutex", LOCK_F_MUTEX | LOCK_F_SPIN},
};

const char *lock_type_name(uint64_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(lock_types); i++)
		if (lock_types[i].flags == flags)
			return lock_types[i].name;
	return "unknown";
}

/* The types of a name: "rwsem" stands for "rwsem:R" and "rwsem:W", "percpu-rwmem" is perf's own
 * word for "pcpu-sem". */
static uint64_t types_of_name(const char *name, size_t n)
{
	static const char percpu[] = "percpu-rwmem";
	uint64_t types = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lock_types); i++) {
		const char *type = lock_types[i].name;
		const bool renamed = !strncmp(type, "pcpu-sem", 8) && n >= 12 &&
				     !strncmp(name, percpu, 12);
		const char *rest = renamed ? type + 8 : type, *word = renamed ? name + 12 : name;
		const size_t left = renamed ? n - 12 : n;

		if (!strncmp(rest, word, left) && (!rest[left] || rest[left] == ':'))
			types |= 1ull << lock_types[i].flags;
	}
	return types;
}

int lock_filter_add_types(struct lock_filter *f, const char *text, struct err *err)
{
	for (size_t n; *text; text += n) {
		uint64_t types;

		text += strspn(text, ", ");
		n = strcspn(text, ", ");
		if (!n)
			break;
		types = types_of_name(text, n);
		if (!types)
			return err_set(err, ERR_USAGE, "Unknown lock flags: %.*s", (int)n, text);
		f->types |= types;
	}
	return 0;
}

void lock_filter_add_locks(struct lock_filter *f, const char *text)
{
	for (size_t n; *text; text += n) {
		char *word, *end;
		uint64_t address;

		text += strspn(text, ", ");
		n = strcspn(text, ", ");
		if (!n)
			break;
		word = mem_strndup(text, n);
		address = strtoull(word, &end, 16);
		if (!*end && end != word) {
			vec_add(&f->addresses, address);
			free(word);
		} else {
			vec_add(&f->symbols, word);
		}
	}
}

void lock_filter_add_callers(struct lock_filter *f, const char *text)
{
	for (size_t n; *text; text += n) {
		text += strspn(text, ", ");
		n = strcspn(text, ", ");
		if (n)
			vec_add(&f->callers, mem_strndup(text, n));
	}
}

void lock_filter_release(struct lock_filter *f)
{
	for (size_t i = 0; i < f->symbols.n; i++)
		free(f->symbols.at[i]);
	for (size_t i = 0; i < f->callers.n; i++)
		free(f->callers.at[i]);
	vec_release(&f->addresses);
	vec_release(&f->symbols);
	vec_release(&f->callers);
}

void locks_init(struct locks *l, const struct locks_options *opts)
{
	*l = (struct locks){.opts = opts};
}

void locks_release(struct locks *l)
{
	vec_release(&l->rows);
	vec_release(&l->order);
	intern_release(&l->names);
	intern_release(&l->chains);
	vec_release(&l->of_chain);
	idmap_release(&l->by_key);
	idmap_release(&l->tasks);
	id_slots_release(&l->sequence_slots);
	vec_release(&l->sequences);
}

uint32_t locks_find(const struct locks *l, uint64_t key)
{
	return idmap_find(&l->by_key, key);
}

uint32_t locks_add(struct locks *l, uint64_t key, const char *name)
{
	uint32_t *at = idmap_put(&l->by_key, key);

	if (*at == HASH_NONE) {
		*at = (uint32_t)l->rows.n;
		vec_add(&l->rows, (struct locks_row){.key = key,
						     .address = key,
						     .name = intern_str(&l->names, name),
						     .chain = HASH_NONE,
						     .value[LOCKS_WAIT_MIN] = UINT64_MAX});
	}
	return *at;
}

void locks_add_wait(struct locks_row *row, uint64_t ns)
{
	row->value[LOCKS_WAIT_TOTAL] += ns;
	row->value[LOCKS_WAIT_MIN] = MIN(row->value[LOCKS_WAIT_MIN], ns);
	row->value[LOCKS_WAIT_MAX] = MAX(row->value[LOCKS_WAIT_MAX], ns);
}

/* The kernel's multiplicative hash of a word (golden ratio of 2^64), 12 bits of it. */
uint64_t locks_bucket(uint64_t key)
{
	return key * 0x61c8864680b583ebu >> 52;
}

static uint64_t locks_value(const struct locks_row *row, enum locks_value which)
{
	const uint64_t value = row->value[which];

	return which == LOCKS_WAIT_MIN && value == UINT64_MAX ? 0 : value;
}

static int locks_compare_bucket(const struct locks *l, uint32_t a, uint32_t b)
{
	const uint64_t one = locks_bucket(l->rows.at[a].key),
		       two = locks_bucket(l->rows.at[b].key);

	return one != two ? (one > two) - (one < two) : (a < b) - (a > b);
}

static int locks_compare(const void *a, const void *b, void *ctx)
{
	const struct locks *l = ctx;
	const uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;
	const uint64_t x = locks_value(&l->rows.at[one], l->opts->sort),
		       y = locks_value(&l->rows.at[two], l->opts->sort);

	return x != y ? (x < y) - (x > y) : locks_compare_bucket(l, one, two);
}

static int locks_compare_unsorted(const void *a, const void *b, void *ctx)
{
	return locks_compare_bucket(ctx, *(const uint32_t *)a, *(const uint32_t *)b);
}

static void locks_merge(struct locks_row *to, const struct locks_row *from)
{
	to->value[LOCKS_ACQUIRED] += from->value[LOCKS_ACQUIRED];
	to->value[LOCKS_CONTENDED] += from->value[LOCKS_CONTENDED];
	to->value[LOCKS_WAIT_TOTAL] += from->value[LOCKS_WAIT_TOTAL];
	if (to->value[LOCKS_CONTENDED])
		to->value[LOCKS_AVG_WAIT] =
			to->value[LOCKS_WAIT_TOTAL] / to->value[LOCKS_CONTENDED];
	to->value[LOCKS_WAIT_MIN] = MIN(to->value[LOCKS_WAIT_MIN], from->value[LOCKS_WAIT_MIN]);
	to->value[LOCKS_WAIT_MAX] = MAX(to->value[LOCKS_WAIT_MAX], from->value[LOCKS_WAIT_MAX]);
	to->broken |= from->broken;
}

static void locks_combine(struct locks *l)
{
	struct idmap first = {0};

	qsort_r(l->order.at, l->order.n, sizeof(*l->order.at), locks_compare_unsorted, l);
	for (size_t i = 0; i < l->order.n; i++) {
		struct locks_row *row = &l->rows.at[l->order.at[i]];
		uint32_t *to = idmap_put(&first, row->name);

		if (*to == HASH_NONE) {
			*to = l->order.at[i];
			continue;
		}
		locks_merge(&l->rows.at[*to], row);
		row->combined = true;
	}
	idmap_release(&first);
}

void locks_sort(struct locks *l)
{
	size_t kept = 0;

	vec_clear(&l->order);
	for (uint32_t i = 0; i < l->rows.n; i++)
		vec_add(&l->order, i);
	if (l->opts->combine)
		locks_combine(l);
	for (size_t i = 0; i < l->order.n; i++)
		if (!l->rows.at[l->order.at[i]].combined)
			l->order.at[kept++] = l->order.at[i];
	l->order.n = kept;
	if (l->order.n)
		qsort_r(l->order.at, l->order.n, sizeof(*l->order.at), locks_compare, l);
}
