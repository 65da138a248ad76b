// SPDX-License-Identifier: MIT
/* What share of a count has no samples. */
#include "unit.h"

#include "capture/rings/capture.h"
#include "data/record/record.h"

static double missing(uint64_t samples, uint64_t periods, uint64_t count, uint64_t tasks,
		      uint64_t lost)
{
	const struct sampled_event e = {.samples = samples, .periods = periods};

	return sampled_missing(&e, count, tasks, lost, 1000);
}

static void what_tasks_are_too_short_for_is_a_share(void **state)
{
	(void)state;
	/* 300 of 1000 periods; 3000 tasks lose one each at most */
	assert_float_equal(missing(300, 300000, 1000000, 3000, 0), 0.7, 1e-9);
	/* 200 tasks can have lost no more than 200 periods: the rest has another cause */
	assert_float_equal(missing(300, 300000, 1000000, 200, 0), 0.2, 1e-9);
	/* what the ring had no room for is told elsewhere */
	assert_float_equal(missing(300, 300000, 1000000, 3000, 300), 0.4, 1e-9);
	/* no sample: the period with which the event began */
	assert_float_equal(missing(0, 0, 1000000, 3000, 0), 1, 1e-9);
	assert_float_equal(missing(0, 0, 1000000, 600, 0), 0.6, 1e-9);
	/* too little for a word: no task, a twelfth, 19 samples, more periods than
	 * counted, nothing */
	assert_float_equal(missing(300, 300000, 1000000, 0, 0), 0, 0);
	assert_float_equal(missing(1100, 1100000, 1200000, 3000, 0), 0, 0);
	assert_float_equal(missing(1, 1000, 20000, 3000, 0), 0, 0);
	assert_float_equal(missing(300, 300000, 200000, 3000, 0), 0, 0);
	assert_float_equal(missing(0, 0, 0, 3000, 0), 0, 0);
	/* and a period that is not known */
	assert_float_equal(sampled_missing(&(struct sampled_event){0}, 1000000, 3000, 0, 0), 0, 0);
}

static struct event *clock_event(struct event_set *set, const char *name, uint64_t type,
				 uint64_t flags)
{
	struct event *ev = event_set_add(set, name);

	ev->attr.type = TYPE_SOFTWARE;
	ev->attr.sample_type = type;
	ev->attr.flags = flags;
	ev->attr.sample_period = 500;
	return ev;
}

/* Each word of a sample holds its number; but the id. */
static void add(struct sampled *s, size_t id_word, uint64_t id)
{
	uint64_t words[16];
	struct ring r = {.data = (uint8_t *)words, .size = sizeof(words)};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = 100 * i;
	words[id_word] = id;
	sampled_add(s, &r, sizeof(words) * 7, 12 * sizeof(*words));
}

static void periods_are_summed_for_each_event(void **state)
{
	static const uint64_t usual = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME;
	int tids[] = {5}, cpus[] = {0};
	struct target target = {0};
	struct event_set set = {0};
	struct capture c = {.events = &set, .target = &target};
	struct counter k = {.tid = 5};
	struct sampled s;

	(void)state;
	vec_add(&target.tids, tids[0]);
	vec_add(&target.cpus, cpus[0]);
	/* header, IP, TID, TIME, ID, PERIOD; by frequency, by period, and one that is
	 * not inherited */
	for (int i = 0; i < 3; i++) {
		k.event = clock_event(&set, "e", usual | SAMPLE_ID | (i == 1 ? 0 : SAMPLE_PERIOD),
				      i == 2 ? 0 : ATTR_INHERIT | (i == 0 ? ATTR_FREQ : 0));
		k.id = 70 + (uint64_t)i;
		vec_add(&c.counters, k);
	}
	sampled_init(&s, &c);
	assert_int_equal(s.events.n, 2);
	add(&s, 4, 70);
	add(&s, 4, 70);
	add(&s, 4, 71);
	add(&s, 4, 72);
	add(&s, 4, 99);
	assert_int_equal(s.events.at[0].samples, 2);
	assert_int_equal(s.events.at[0].periods, 1000);
	assert_int_equal(s.events.at[1].samples, 1);
	assert_int_equal(s.events.at[1].periods, 500);
	sampled_release(&s);
	/* the whole machine has one clock */
	target.system_wide = true;
	sampled_init(&s, &c);
	assert_int_equal(s.events.n, 0);
	add(&s, 4, 70);
	sampled_release(&s);
	vec_release(&c.counters);
	event_set_release(&set);
	target_release(&target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_tasks_are_too_short_for_is_a_share),
		cmocka_unit_test(periods_are_summed_for_each_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
