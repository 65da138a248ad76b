// SPDX-License-Identifier: MIT
/* When the spill thread takes what is in the rings, and when it leaves it where it is. */
#include "unit.h"

#include "capture/rings/spill.h"
#include "data/record/record.h"

#include <time.h>

#define RING	65536u
#define CONTROL 4096u

struct test {
	struct event_set events;
	struct capture capture;
	struct spill *spill;
	uint8_t *memory;
};

static void begin(struct test *t, uint32_t records)
{
	const struct record_header h = {.type = RECORD_SAMPLE, .size = 1024};
	struct event *ev;
	struct slot *s;

	*t = (struct test){.memory = mem_zero(CONTROL + RING)};
	ev = event_set_add(&t->events, "cpu-clock");
	ev->attr = (struct attr){.type = TYPE_SOFTWARE, .sample_type = SAMPLE_IP};
	t->capture.events = &t->events;
	s = vec_extend(&t->capture.slots, 1);
	*s = (struct slot){.data = {.base = t->memory, .data = t->memory + CONTROL, .size = RING}};
	for (uint32_t i = 0; i < records; i++)
		memcpy(s->data.data + i * h.size, &h, sizeof(h));
	*(uint64_t *)(void *)(t->memory + RING_HEAD_OFFSET) = (uint64_t)records * h.size;
	t->spill = spill_new(&t->capture, NULL);
	assert_non_null(t->spill);
}

static uint64_t left(const struct test *t)
{
	const struct ring *r = &t->capture.slots.at[0].data;

	return ring_head(r) - r->tail;
}

static void end(struct test *t)
{
	spill_free(t->spill);
	vec_release(&t->capture.slots);
	event_set_release(&t->events);
	free(t->memory);
}

/* What is in the rings is unwound there: it costs less than a copy. */
static void records_stay_in_a_ring_that_has_room(void **state)
{
	struct test t;

	(void)state;
	begin(&t, RING / 1024 / 4);
	spill_begin(t.spill);
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	assert_true(spill_end(t.spill));
	assert_null(spill_next(t.spill));
	assert_int_equal(left(&t), RING / 4);
	end(&t);
}

static void records_of_a_ring_half_full_are_taken(void **state)
{
	struct spill_chunk *chunk;
	struct test t;

	(void)state;
	begin(&t, RING / 1024 / 2);
	spill_begin(t.spill);
	for (int i = 0; !(chunk = spill_next(t.spill)) && i < 1000; i++)
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	assert_non_null(chunk);
	assert_int_equal(chunk->n, RING / 2);
	spill_give_back(t.spill, chunk);
	while (!spill_end(t.spill))
		while ((chunk = spill_next(t.spill)))
			spill_give_back(t.spill, chunk);
	assert_int_equal(left(&t), 0);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_stay_in_a_ring_that_has_room),
		cmocka_unit_test(records_of_a_ring_half_full_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
