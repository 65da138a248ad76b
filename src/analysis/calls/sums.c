// SPDX-License-Identifier: MIT
#include "analysis/calls/sums.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

static void thread_free(struct call_thread *t)
{
	for (size_t i = 0; i < t->calls.n; i++)
		vec_release(&t->calls.at[i].by_error);
	vec_release(&t->calls);
	idmap_release(&t->by_number);
	free(t->group);
	free(t);
}

void call_sums_release(struct call_sums *s)
{
	for (size_t i = 0; i < s->threads.n; i++)
		thread_free(s->threads.at[i]);
	vec_release(&s->threads);
	idmap_release(&s->by_tid);
}

static struct call_thread *row_of(struct call_sums *s, uint64_t key)
{
	uint32_t *id = idmap_put(&s->by_tid, key);

	if (*id == HASH_NONE) {
		*id = (uint32_t)s->threads.n;
		vec_add(&s->threads, NEW(struct call_thread));
	}
	return s->threads.at[*id];
}

struct call_thread *call_sums_group(struct call_sums *s, uint64_t id, const char *path)
{
	struct call_thread *t = row_of(s, id);

	if (!t->group)
		t->group = path ? mem_strdup(path) : mem_printf("id:%llu", (unsigned long long)id);
	return t;
}

struct call_thread *call_sums_thread(struct call_sums *s, uint32_t pid, uint32_t tid,
				     const char *comm)
{
	struct call_thread *t = row_of(s, tid);

	t->tid = tid;
	t->pid = pid;
	if (comm && strncmp(t->comm, comm, sizeof(t->comm) - 1))
		strncpy(t->comm, comm, sizeof(t->comm) - 1);
	return t;
}

struct call_sum *call_thread_sum(struct call_thread *t, enum call_abi abi, int number)
{
	uint32_t *id = idmap_put(&t->by_number, (uint64_t)abi << 32 | (uint32_t)number);

	if (*id == HASH_NONE) {
		*id = (uint32_t)t->calls.n;
		vec_add(&t->calls, (struct call_sum){.abi = abi,
						     .number = number,
						     .desc = call_find(abi, number),
						     .min_ns = UINT64_MAX});
	}
	return &t->calls.at[*id];
}

void call_sum_add_error(struct call_sum *s, int number, uint64_t times)
{
	for (size_t i = 0; i < s->by_error.n; i++) {
		if (s->by_error.at[i].number == number) {
			s->by_error.at[i].times += times;
			return;
		}
	}
	vec_add(&s->by_error, (struct call_error){number, times});
}

void call_sums_add(struct call_sums *s, const struct call *c)
{
	struct call_thread *t = call_sums_thread(s, c->pid, c->tid, c->comm);
	uint64_t ns = c->entered ? c->exit_ns - c->enter_ns : 0;
	unsigned int events = c->entered + c->returned;
	struct call_sum *sum;

	t->events += events;
	s->events += events;
	if (!c->returned)
		return;
	sum = call_thread_sum(t, c->abi, c->number);
	sum->calls++;
	sum->sum += (double)ns;
	sum->squares += (double)ns * (double)ns;
	sum->min_ns = MIN(sum->min_ns, ns);
	sum->max_ns = MAX(sum->max_ns, ns);
	if (call_failed(c)) {
		sum->errors++;
		call_sum_add_error(sum, (int)-c->result, 1);
	}
}

static int compare_errors(const void *a, const void *b)
{
	return ((const struct call_error *)a)->number - ((const struct call_error *)b)->number;
}

static int compare_sums(const void *a, const void *b)
{
	const struct call_sum *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return x->number - y->number;
}

static int compare_threads(const void *a, const void *b)
{
	const struct call_thread *x = *(struct call_thread *const *)a,
				 *y = *(struct call_thread *const *)b;

	if (x->events != y->events)
		return x->events < y->events ? 1 : -1;
	if (x->group && y->group)
		return strcmp(x->group, y->group);
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void call_sums_sort(struct call_sums *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		struct call_thread *t = s->threads.at[i];

		for (size_t k = 0; k < t->calls.n; k++)
			if (t->calls.at[k].by_error.n)
				qsort(t->calls.at[k].by_error.at, t->calls.at[k].by_error.n,
				      sizeof(struct call_error), compare_errors);
		if (t->calls.n)
			qsort(t->calls.at, t->calls.n, sizeof(*t->calls.at), compare_sums);
		idmap_release(&t->by_number); /* the sort has changed the indices */
	}
	if (s->threads.n)
		qsort(s->threads.at, s->threads.n, sizeof(*s->threads.at), compare_threads);
	idmap_release(&s->by_tid);
}

static void sums_add_sum(struct call_sum *to, const struct call_sum *from)
{
	to->calls += from->calls;
	to->errors += from->errors;
	to->sum += from->sum;
	to->squares += from->squares;
	to->min_ns = MIN(to->min_ns, from->min_ns);
	to->max_ns = MAX(to->max_ns, from->max_ns);
	for (size_t i = 0; i < from->by_error.n; i++)
		call_sum_add_error(to, from->by_error.at[i].number, from->by_error.at[i].times);
}

void call_sums_total(struct call_sums *s)
{
	struct call_thread *total = NEW(struct call_thread);

	for (size_t i = 0; i < s->threads.n; i++) {
		struct call_thread *t = s->threads.at[i];

		total->events += t->events;
		total->major_faults += t->major_faults;
		total->minor_faults += t->minor_faults;
		total->runtime_ns += t->runtime_ns;
		for (size_t k = 0; k < t->calls.n; k++)
			sums_add_sum(
				call_thread_sum(total, t->calls.at[k].abi, t->calls.at[k].number),
				&t->calls.at[k]);
		thread_free(t);
	}
	vec_clear(&s->threads);
	idmap_release(&s->by_tid);
	vec_add(&s->threads, total);
}

double call_sum_mean(const struct call_sum *s)
{
	return s->calls ? s->sum / (double)s->calls : 0;
}

double call_sum_deviation(const struct call_sum *s)
{
	double n = (double)s->calls, mean = call_sum_mean(s), variance;

	if (s->calls < 2 || mean <= 0)
		return 0;
	variance = (s->squares - s->sum * mean) / (n - 1);
	return variance > 0 ? 100 * sqrt(variance / n) / mean : 0;
}
