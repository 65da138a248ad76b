// SPDX-License-Identifier: MIT
/* What the stage that makes call chains knows of processes at the time of a sample. */
#include "unit.h"

#include "base/buf.h"
#include "capture/session/chains.h"
#include "capture/synth/record_writer.h"

#define PLACE 0x10000

struct test {
	struct event_set events;
	struct capture capture;
	struct synth_options synth;
	struct chains chains;
	struct buf b, out;
};

static void begin(struct test *t)
{
	struct event *ev;

	*t = (struct test){0};
	ev = event_set_add(&t->events, "cpu-clock");
	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
				 .flags = ATTR_SAMPLE_ID_ALL};
	ev->unwind_stack = 1024;
	t->capture.events = &t->events;
	t->capture.opts.ring_size = 65536;
	chains_init(&t->chains, &t->capture, &t->synth);
}

static void end(struct test *t)
{
	chains_release(&t->chains);
	event_set_release(&t->events);
	buf_release(&t->b);
	buf_release(&t->out);
}

/* The kernel writes what the recorder writes, with a time behind it. */
static void see(struct test *t, uint64_t time)
{
	memcpy(t->b.at + t->b.n - sizeof(time), &time, sizeof(time));
	chains_see_all(&t->chains, t->b.at, t->b.n);
	buf_clear(&t->b);
}

static struct record_writer wire(struct test *t)
{
	return (struct record_writer){.b = &t->b, .sample_type = SAMPLE_TID | SAMPLE_TIME};
}

static void map(struct test *t, uint32_t pid, const char *name, uint64_t time)
{
	struct record_writer w = wire(t);
	struct proc_map m = {.start = PLACE, .end = PLACE + 4096, .prot = 5, .name = name};

	record_write_mmap2(&w, MISC_USER, pid, &m);
	see(t, time);
}

static void forked(struct test *t, uint32_t pid, uint32_t parent, uint64_t time)
{
	struct record_writer w = wire(t);

	record_write_fork(&w, pid, pid, parent, parent);
	((struct record_header *)t->b.at)->misc = time ? 0 : MISC_FORK_EXEC;
	see(t, time);
}

static void named(struct test *t, uint32_t pid, uint64_t time)
{
	struct record_writer w = wire(t);

	record_write_comm(&w, pid, pid, "name");
	((struct record_header *)t->b.at)->misc |= time ? MISC_COMM_EXEC : 0;
	see(t, time);
}

/* What a sample of that time would be unwound with. */
static const char *lies(struct test *t, uint32_t pid, uint64_t time)
{
	struct {
		struct record_header h;
		uint64_t ip;
		uint32_t pid, tid;
		uint64_t time, abi, stack_size;
	} sample = {{.type = RECORD_SAMPLE, .misc = MISC_USER, .size = sizeof(sample)},
		    PLACE,
		    pid,
		    pid,
		    time,
		    0,
		    0};
	struct world *w = t->chains.world;
	struct place p;

	assert_int_equal(chains_unwind(&t->chains, (const uint8_t *)&sample, true, &t->out),
			 CAPTURE_TAKEN);
	p = world_place(w, world_epoch_then(w, world_thread(w, pid, pid, time), time), MISC_USER,
			PLACE);
	return p.map ? p.dso->long_name : "";
}

/* Samples of one ring after those of another; side-band records that a ring tells later than
 * another its own. */
static void a_sample_has_the_maps_of_its_time(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	map(&t, 7, "/a", 10);
	map(&t, 7, "/b", 20);
	map(&t, 7, "/c", 30);
	assert_string_equal(lies(&t, 7, 25), "/b");
	assert_string_equal(lies(&t, 7, 12), "/a");
	chains_settle(&t.chains);
	/* it had not been told when the pass began; and a sample had come in between */
	map(&t, 7, "/late", 27);
	assert_string_equal(lies(&t, 7, 28), "/late");
	assert_string_equal(lies(&t, 7, 35), "/c");
	assert_string_equal(lies(&t, 7, 15), "/a");
	assert_string_equal(lies(&t, 7, 26), "/b");
	end(&t);
}

/* What is read from /proc while it records: of whom the kernel told from the beginning, and of
 * others. */
static void what_proc_says_is_no_news_of_the_young(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	forked(&t, 8, 1, 10);
	map(&t, 8, "/a", 12);
	named(&t, 9, 10);
	map(&t, 9, "/a", 12);
	assert_string_equal(lies(&t, 8, 14), "/a");
	for (uint32_t pid = 8; pid <= 10; pid++) {
		forked(&t, pid, 1, 0);
		named(&t, pid, 0);
		map(&t, pid, "/b", 0);
		map(&t, pid, "/b", 20);
	}
	for (uint32_t pid = 8; pid <= 9; pid++) {
		assert_string_equal(lies(&t, pid, 15), "/a");
		assert_string_equal(lies(&t, pid, 25), "/b");
	}
	assert_string_equal(lies(&t, 10, 25), "/b");
	assert_string_equal(lies(&t, 10, 15), "/b");
	end(&t);
}

/* Records that no sample reaches don't pile up. */
static void what_waits_is_bounded(void **state)
{
	struct test t;

	(void)state;
	begin(&t);
	map(&t, 7, "/a", 5);
	assert_string_equal(lies(&t, 7, 6), "/a");
	for (uint64_t time = 10; time < 40000; time++) {
		map(&t, 7, time & 1 ? "/a" : "/b", time);
		if (time % 1000 == 0)
			chains_settle(&t.chains);
		assert_true(t.chains.early.n < (2u << 20));
	}
	/* nor those that samples have reached, when others wait always */
	for (uint64_t time = 40000; time < 80000; time++) {
		map(&t, 7, time & 1 ? "/a" : "/b", time);
		if (time % 1000 == 500) {
			assert_string_equal(lies(&t, 7, time - 1), time & 1 ? "/b" : "/a");
			chains_settle(&t.chains);
			assert_true(t.chains.order.n <= 1);
		}
	}
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_has_the_maps_of_its_time),
		cmocka_unit_test(what_proc_says_is_no_news_of_the_young),
		cmocka_unit_test(what_waits_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
