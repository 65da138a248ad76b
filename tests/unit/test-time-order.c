// SPDX-License-Identifier: MIT
/* Records that are put in the order of time, and the memory of what was taken. */
#include "unit.h"

#include "data/source/order.h"

#define RECORD_SIZE 32
#define RECORDS	    50000	 /* of a run: 1.5 MiB */
#define PIECE	    (512 * 1024) /* less than that is not worth to be told */

static void write_record(uint8_t *p, uint64_t time)
{
	const struct record_header h = {.type = RECORD_SAMPLE, .size = RECORD_SIZE};
	const uint64_t fields[3] = {0, 7, time};

	memcpy(p, &h, sizeof(h));
	memcpy(p + sizeof(h), fields, sizeof(fields));
}

/* Two runs, one after the other, whose times alternate. */
static void write_runs(uint8_t *p)
{
	for (uint64_t i = 0; i < 2 * RECORDS; i++)
		write_record(p + i * RECORD_SIZE, 1 + i % RECORDS * 2 + i / RECORDS);
}

static void put_record(struct order *o, const uint8_t *p, uint64_t i, uint64_t time, uint32_t part)
{
	const struct raw_record raw = {.header = {.type = RECORD_SAMPLE, .size = RECORD_SIZE},
				       .p = p + i * RECORD_SIZE,
				       .offset = 1000 + i * RECORD_SIZE,
				       .part = part,
				       .seq = i};

	order_put(o, &raw, time);
}

static void put_run(struct order *o, const uint8_t *p, uint64_t first, uint32_t part)
{
	for (uint64_t i = first; i < first + RECORDS; i++)
		put_record(o, p, i, 1 + i % RECORDS * 2 + i / RECORDS, part);
}

/* Takes all. Returns how many bytes were told as passed, all of records that had been taken. */
static uint64_t take_all(struct order *o, const struct order_how *how)
{
	uint64_t taken[2] = {1000, 1000 + RECORDS * RECORD_SIZE}, all = 0;
	const uint64_t second = taken[1];
	uint8_t *told = mem_zero(2 * RECORDS);
	struct raw_record raw;
	bool got = true;

	for (uint64_t i = 0; got; i++) {
		got = order_take(o, how, &raw);
		for (size_t k = 0; k < o->passed.n; k++) {
			const struct order_passed *p = &o->passed.at[k];

			assert_true(p->to > p->from);
			for (uint64_t at = MAX(p->from, 1000); at < p->to; at += RECORD_SIZE) {
				assert_true(at < taken[at >= second]);
				told[(at - 1000) / RECORD_SIZE] = 1;
			}
		}
		vec_clear(&o->passed);
		if (!got)
			continue;
		assert_int_equal(raw.seq, i / 2 + i % 2 * RECORDS);
		assert_int_equal(raw.header.size, RECORD_SIZE);
		taken[i % 2] = raw.offset + RECORD_SIZE;
	}
	assert_int_equal(taken[1], 1000 + 2 * RECORDS * RECORD_SIZE);
	for (size_t i = 0; i < 2 * RECORDS; i++)
		all += told[i] * RECORD_SIZE;
	free(told);
	return all;
}

/* Samples with a time, and how to read it. */
struct timed {
	struct measurement m;
	struct buf scratch;
	struct order_how how;
	struct order order;
};

static void timed_init(struct timed *t)
{
	struct event *ev;

	*t = (struct timed){.m.sample_id_all = true};
	ev = event_set_add(&t->m.events, "cpu-clock");
	ev->attr.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME;
	t->how = (struct order_how){.decode = measurement_decode(&t->m, &t->scratch),
				    .limit = UINT64_MAX};
}

static void timed_release(struct timed *t)
{
	order_release(&t->order);
	event_set_release(&t->m.events);
	buf_release(&t->scratch);
}

static void taken_bytes_are_told_once(void **state)
{
	uint8_t *p = mem_alloc(2 * RECORDS * RECORD_SIZE);
	struct timed t;

	(void)state;
	timed_init(&t);
	write_runs(p);
	put_run(&t.order, p, 0, 0);
	put_run(&t.order, p, RECORDS, 0);
	assert_in_range(take_all(&t.order, &t.how), 2 * RECORDS * RECORD_SIZE - PIECE,
			2 * RECORDS * RECORD_SIZE);
	order_release(&t.order);
	/* the second part of a directory is another file */
	put_run(&t.order, p, 0, 0);
	put_run(&t.order, p, RECORDS, 1);
	assert_in_range(take_all(&t.order, &t.how), RECORDS * RECORD_SIZE - PIECE,
			RECORDS * RECORD_SIZE);
	timed_release(&t);
	free(p);
}

struct expected {
	uint64_t time, seq;
	bool taken;
};

static int by_time(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Takes records up to the limit, one by one or in batches that are left in the middle. They must be
 * those of the records from first to n, in order of time and place. */
static void take_up_to(struct timed *t, struct expected *e, size_t n, uint64_t limit, bool batches)
{
	struct expected *sorted = mem_alloc((n + 1) * sizeof(*sorted));
	size_t left = 0, got = 0;
	struct queued_batch b;
	struct raw_record raw;

	for (size_t i = 0; i < n; i++)
		if (!e[i].taken && e[i].time <= limit) {
			sorted[left++] = e[i];
			e[i].taken = true;
		}
	qsort(sorted, left, sizeof(*sorted), by_time);
	t->how.limit = limit;
	while (batches && order_batch(&t->order, &t->how, &b)) {
		const size_t some = b.n > 3 && got % 2 ? b.n / 3 : b.n;

		for (size_t i = 0; i < some; i++, got++) {
			const struct queued_run *run = b.runs[b.at[i].run];

			assert_true(got < left);
			assert_int_equal(b.at[i].time, sorted[got].time);
			assert_int_equal(run->seq + b.at[i].nth, sorted[got].seq);
			assert_int_equal(run->offset + b.at[i].at,
					 1000 + sorted[got].seq * RECORD_SIZE);
		}
		order_take_batch(&t->order, some);
	}
	while (order_take(&t->order, &t->how, &raw)) {
		assert_true(got < left);
		assert_int_equal(raw.seq, sorted[got].seq);
		assert_int_equal(raw.offset, 1000 + raw.seq * RECORD_SIZE);
		got++;
	}
	assert_int_equal(got, left);
	vec_clear(&t->order.passed);
	free(sorted);
}

/* n records in runs of up to so many, of times that grow by up to step, in rounds. Records may be
 * older than those that were taken. */
static void check_order(unsigned int seed, size_t n, unsigned int run, unsigned int step,
			size_t round, bool batches)
{
	uint8_t *p = mem_alloc(n * RECORD_SIZE);
	struct expected *e = mem_alloc(n * sizeof(*e));
	uint64_t time = 0, base = 5, limit;
	size_t in_run = 0;
	struct timed t;

	timed_init(&t);
	for (size_t i = 0; i < n; i++) {
		if (!in_run--) {
			in_run = (size_t)rand_r(&seed) % run;
			time = base + (uint64_t)rand_r(&seed) % (run * step / 2 + 1);
			base += step;
		}
		time += (uint64_t)rand_r(&seed) % (step + 1);
		e[i] = (struct expected){.time = time, .seq = i};
		write_record(p + i * RECORD_SIZE, time);
		put_record(&t.order, p, i, time, 0);
		if (i % round != round - 1)
			continue;
		if (order_round(&t.order, &limit))
			take_up_to(&t, e, i + 1, limit, batches);
		order_round_done(&t.order);
	}
	take_up_to(&t, e, n, UINT64_MAX, batches);
	assert_false(order_waits(&t.order));
	timed_release(&t);
	free(e);
	free(p);
}

static void records_come_in_order(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed < 41; seed++) {
		const bool batches = seed % 2;

		check_order(seed, 5000, 1 + seed * 7 % 50, seed % 5, 700, batches);
		check_order(seed, 3000, 1, 3, 100 + seed, batches);
		check_order(seed, 6000, 2000, 2, 100000, batches);
	}
	/* more than are queued when they are put; times that are all the same */
	check_order(7, 200000, 30000, 1, 1000000, true);
	check_order(8, 150000, 3000, 1, 70000, false);
	check_order(9, 30000, 9000, 0, 20000, true);
	check_order(10, 100000, 1000, 1, 300, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taken_bytes_are_told_once),
		cmocka_unit_test(records_come_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
