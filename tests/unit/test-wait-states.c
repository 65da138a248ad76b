// SPDX-License-Identifier: MIT
/* Why threads wait, as /proc tells it: looked at, recorded, and read. */
#include "folder.h"
#include "recordings.h"

#include "analysis/wall/wall.h"
#include "capture/record/wait_states.h"
#include "data/wait_state.h"
#include "os/proc/wait_place.h"
#include "profile/table/key/wait_reason.h"

#define BASIC_RAW (BASIC | SAMPLE_RAW | SAMPLE_IDENTIFIER)

enum { CLOCK, STATES, EVENTS };

static void word_is(const char *function, const char *call, const char *want)
{
	const char *word = wait_reason_word(wait_reason_recorded(function, call));

	if (want)
		assert_string_equal(word, want);
	else
		assert_null(word);
}

static void the_function_goes_before_the_call(void **state)
{
	(void)state;
	word_is("futex_do_wait", "futex", "futex");
	word_is("anon_pipe_read", "read", "pipe");
	word_is("wait_woken", "recvfrom", "socket");
	word_is("wait_woken", "read", NULL);
	word_is("", "clock_nanosleep", "sleep");
	word_is("do_wait", "", "child");
	word_is("", "", NULL);
}

/* A process 7 with the threads 7, which sleeps, 8, which runs, and 9, of which little is told. */
static void make_proc(char *f)
{
	assert_non_null(mkdtemp(f));
	folder_put(f, "7/task/7/wchan", "hrtimer_nanosleep");
	folder_put(f, "7/task/7/syscall", "230 0x0 0x0 0x7ffc 0x0 0x0 0x0 0x7ffc 0x7f62\n");
	folder_put(f, "7/task/7/schedstat", "1000 200 5\n");
	folder_put(f, "7/task/8/wchan", "0");
	folder_put(f, "7/task/8/syscall", "running\n");
	folder_put(f, "7/task/8/schedstat", "1000 200 6\n");
	folder_put(f, "7/task/9/wchan", "pipe_read");
}

static void a_place_is_a_function_and_a_call(void **state)
{
	struct wait_place place;
	char f[] = "/tmp/perf-wait-states-XXXXXX";
	uint64_t runs = 0;

	(void)state;
	make_proc(f);
	assert_true(wait_place_read(f, 7, 7, &place));
	assert_string_equal(place.function, "hrtimer_nanosleep");
	assert_int_equal(place.call, 230);
	assert_false(wait_place_read(f, 7, 8, &place));
	assert_true(wait_place_read(f, 7, 9, &place));
	assert_string_equal(place.function, "pipe_read");
	assert_int_equal(place.call, -1);
	assert_false(wait_place_read(f, 7, 10, &place));
	assert_true(wait_place_runs(f, 7, 8, &runs));
	assert_int_equal(runs, 6);
	assert_false(wait_place_runs(f, 7, 9, &runs));
	assert_int_equal(folder_remove(f), 0);
}

static struct attr states_attr(void)
{
	struct attr a = attr_of(BASIC_RAW);

	a.type = TYPE_SOFTWARE;
	a.config = 9;
	a.flags |= ATTR_USE_CLOCKID;
	a.clockid = 1;
	return a;
}

static void a_wait_is_told_once(void **state)
{
	struct event event = {.attr = states_attr()};
	struct event_set set = {0};
	struct target target = {0};
	struct wait_states w;
	struct buf out = {0};
	char f[] = "/tmp/perf-wait-states-XXXXXX";

	(void)state;
	make_proc(f);
	vec_add(&set.events, &event);
	vec_add(&target.pids, 7);
	wait_states_begin(&w, &set, &target, f);
	assert_int_equal(wait_states_look(&w, &out), 2);
	assert_int_equal(wait_states_look(&w, &out), 0); /* it is not time yet */
	w.due_ns = 0;
	/* how often 9 ran is not known: each look may be of another wait */
	assert_int_equal(wait_states_look(&w, &out), 1);
	folder_put(f, "7/task/7/schedstat", "1300 200 6\n");
	w.due_ns = 0;
	assert_int_equal(wait_states_look(&w, &out), 2);
	assert_int_equal(w.samples, 5);
	wait_states_release(&w);
	vec_release(&set.events);
	vec_release(&target.pids);
	buf_release(&out);
	assert_int_equal(folder_remove(f), 0);
}

/* -- reading -- */

static void put_exec(struct buf *data)
{
	struct record r = {
		.header = {.type = RECORD_COMM, .misc = MISC_COMM_EXEC},
		.comm = {.pid = 7, .tid = 7, .comm = "a"},
		.id = {.time = 100, .pid = 7, .tid = 7, .id = 100, .has = SAMPLE_IDENTIFIER}};

	assert_int_equal(record_encode(&r, BASIC_RAW, true, data), 0);
}

static void put_switch(struct buf *data, uint64_t time, uint16_t misc)
{
	struct record r = {
		.header = {.type = RECORD_SWITCH, .misc = misc},
		.id = {.time = time, .pid = 7, .tid = 7, .id = 100, .has = SAMPLE_IDENTIFIER}};

	assert_int_equal(record_encode(&r, BASIC_RAW, true, data), 0);
}

static void put_state(struct buf *data, uint64_t time, uint32_t version, const char *function)
{
	struct wait_state_raw raw = {.version = version};
	struct record r = {.header = {.type = RECORD_SAMPLE, .misc = MISC_USER},
			   .sample = {.type = BASIC_RAW,
				      .id = 101,
				      .pid = 7,
				      .tid = 7,
				      .time = time,
				      .period = 1,
				      .raw = (const uint8_t *)&raw,
				      .raw_size = WAIT_STATE_RAW_SIZE}};

	memcpy(raw.function, function, strlen(function));
	assert_int_equal(record_encode(&r, BASIC_RAW, true, data), 0);
}

static void note_interval(void *ctx, const struct wall_interval *in)
{
	if (in->state != WALL_ON_CPU)
		buf_printf(ctx, "%s %s %u@%u; ", wall_state_name(in->state),
			   in->reason ? in->reason : "-", (unsigned int)in->ns,
			   (unsigned int)in->from);
}

static void the_reason_is_of_the_wait_around_it(void **state)
{
	static const struct symbol_options none;
	struct attr attrs[EVENTS] = {attr_of(BASIC_RAW), states_attr()};
	struct buf data = {0}, bytes, text = {0};
	struct recording *rec;
	struct world *world;
	struct wall wall;
	struct err e = {0};

	(void)state;
	attrs[CLOCK].type = TYPE_SOFTWARE;
	attrs[CLOCK].config = 0;
	attrs[CLOCK].flags |= ATTR_CONTEXT_SWITCH;
	put_exec(&data);
	put_state(&data, 110, WAIT_STATE_VERSION, "do_wait"); /* it runs: no wait is meant */
	put_switch(&data, 120, MISC_SWITCH_OUT);
	put_state(&data, 130, WAIT_STATE_VERSION, "pipe_read");
	put_switch(&data, 150, 0);
	put_switch(&data, 160, MISC_SWITCH_OUT);
	put_switch(&data, 170, 0);
	put_switch(&data, 180, MISC_SWITCH_OUT);
	put_state(&data, 190, WAIT_STATE_VERSION + 1, "do_wait");
	put_switch(&data, 200, 0);
	bytes = make_file(attrs, EVENTS, &data);
	rec = open_bytes(&bytes);
	world = world_of_recording(rec, &none);
	assert_int_equal(wall_read_intervals(&wall, rec, world, note_interval, &text, &e), 0);
	assert_string_equal(buf_text(&text),
			    "off-cpu pipe 30@120; off-cpu - 10@160; unknown - 20@180; ");
	assert_true(wall.has_states);
	assert_int_equal(wall.told_ns, 30);
	assert_int_equal(wall.ns[WALL_OFF_CPU], 40);
	assert_int_equal(rec->m.losses.kind[LOSS_CORRUPT].times,
			 1); /* of a version that is not known */
	world_free(world);
	recording_free(rec);
	buf_release(&text);
	buf_release(&bytes);
	buf_release(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_function_goes_before_the_call),
		cmocka_unit_test(a_place_is_a_function_and_a_call),
		cmocka_unit_test(a_wait_is_told_once),
		cmocka_unit_test(the_reason_is_of_the_wait_around_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
