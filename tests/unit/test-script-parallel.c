// SPDX-License-Identifier: MIT
/* Lines of samples by several threads: the same as by one, whatever comes in between. */
#include "unit.h"

#include "data/source/batch.h"
#include "data/sink.h"
#include "view/script/script_parallel.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define BASE 0xffffffffc0000000ull /* where the recording's kernel symbols lie */

struct fixture {
	struct event_set set;
	struct buf bytes;
	struct sink *sink;
	uint64_t time;
};

static struct fixture *begin(void)
{
	struct fixture *f = NEW(struct fixture);
	struct event *ev = event_set_add(&f->set, "cpu-clock");
	struct err e = {0};

	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .size = ATTR_SIZE_6_1,
				 .sample_period = 1000,
				 .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
						SAMPLE_PERIOD | SAMPLE_IDENTIFIER,
				 .flags = ATTR_SAMPLE_ID_ALL | ATTR_COMM | ATTR_EXCLUDE_GUEST};
	event_set_add_id(&f->set, ev, 40);
	f->sink = sink_open_memory(false, &f->bytes);
	assert_int_equal(sink_begin(f->sink, &f->set, &e), 0);
	f->time = 1000000000;
	return f;
}

static void end(struct fixture *f)
{
	sink_free(f->sink);
	event_set_release(&f->set);
	buf_release(&f->bytes);
	free(f);
}

static void put(struct fixture *f, struct record r)
{
	struct err e = {0};

	r.id = (struct record_id){.has = SAMPLE_TID | SAMPLE_TIME | SAMPLE_IDENTIFIER,
				  .pid = r.comm.pid,
				  .tid = r.comm.tid,
				  .time = f->time += 1000,
				  .id = 40};
	r.event = f->set.events.at[0];
	assert_int_equal(sink_put_record(f->sink, &r, &e), 0);
}

static void put_comm(struct fixture *f, uint32_t tid, const char *comm)
{
	put(f, (struct record){.header = {.type = RECORD_COMM},
			       .comm = {.pid = tid, .tid = tid, .comm = comm}});
}

static void put_symbol(struct fixture *f, const char *name, bool gone)
{
	put(f, (struct record){.header = {.type = RECORD_KSYMBOL},
			       .ksymbol = {.addr = BASE,
					   .len = 0x1000,
					   .ksym_type = 1,
					   .flags = gone,
					   .name = name}});
}

/* size: of the record, when less than it should be. */
static void put_sample(struct fixture *f, uint32_t tid, size_t size)
{
	struct {
		struct record_header h;
		uint64_t id, ip;
		uint32_t pid, tid;
		uint64_t time, period;
	} s = {{RECORD_SAMPLE, MISC_KERNEL, sizeof(s)},
	       40,
	       BASE + 0x10,
	       tid,
	       tid,
	       f->time += 1000,
	       7};
	struct err e = {0};

	s.h.size = (uint16_t)(size ? size : sizeof(s));
	assert_int_equal(sink_put(f->sink, &s, s.h.size, NULL, 0, &e), 0);
}

struct shown {
	struct buf text;
	struct losses losses;
};

static int feed_script(struct replay *rp, const struct record *r)
{
	return script_add(rp->ctx, r, rp->err);
}

/* workers 0: one record after the other. */
static void show(const struct fixture *f, unsigned int workers, size_t bytes,
		 unsigned int side_band, struct shown *to)
{
	AUTO(pool) *pool = workers ? pool_new(workers) : NULL;
	struct symbol_options symbols = {.no_live = true};
	static const struct replay_analysis analysis = {.any = feed_script};
	struct out out = {.fd = memfd_create("text", 0)};
	struct err e = {0};
	struct recording *rec = recording_open_memory(f->bytes.at, f->bytes.n, &e);
	struct world *world = world_of_recording(rec, &symbols);
	struct script s;
	struct replay rp;

	script_init(&s, rec, world, &out.buf);
	script_fields_init(&s.fields, true);
	assert_int_equal(script_fields_check(&s.fields, rec, &e), 0);
	s.show = side_band;
	replay_init(&rp, rec, world, &analysis, &s);
	assert_true(script_parallel_can(&s));
	if (workers) {
		const struct script_parallel how = {&s, &rp, &out, &rec->m.losses, pool, bytes};

		assert_non_null(replay_open(&rp, &e));
		assert_int_equal(script_parallel(&how, pool, &e), 0);
		assert_ptr_equal(s.out, &out.buf);
	} else {
		world_present_only(world);
		assert_int_equal(replay_run(&rp, &e), 0);
	}
	assert_true(out_flush(&out));
	*to = (struct shown){.losses = rec->m.losses};
	buf_fill(&to->text, 0, (size_t)lseek(out.fd, 0, SEEK_END));
	assert_int_equal(pread(out.fd, to->text.at, to->text.n, 0), to->text.n);
	close(out.fd);
	out_release(&out);
	replay_release(&rp);
	script_release(&s);
	world_free(world);
	recording_free(rec);
}

static void finish(struct fixture *f)
{
	struct err e = {0};

	assert_int_equal(sink_end(f->sink, &e), 0);
}

/* Shows it in many ways, and compares. */
static void same_in_all_ways(const struct fixture *f, unsigned int side_band, const char *text)
{
	static const size_t sizes[] = {1, 100, 300, 4096, 0};
	struct shown one, many;

	show(f, 0, 0, side_band, &one);
	if (text)
		assert_string_equal(buf_text(&one.text), text);
	for (unsigned int workers = 1; workers <= 5; workers += 2) {
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			show(f, workers, sizes[i], side_band, &many);
			assert_string_equal(buf_text(&many.text), buf_text(&one.text));
			assert_memory_equal(&many.losses, &one.losses, sizeof(one.losses));
			buf_release(&many.text);
		}
	}
	buf_release(&one.text);
}

static void a_line_says_what_was_true_at_its_time(void **state)
{
	struct fixture *f = begin();

	(void)state;
	put_sample(f, 5, 0);
	put_comm(f, 5, "before");
	put_symbol(f, "old", false);
	put_sample(f, 5, 0);
	put_sample(f, 6, 0);
	put_comm(f, 5, "after");
	put_symbol(f, "old", true);
	put_sample(f, 5, 0);
	put_symbol(f, "new", false);
	put_sample(f, 5, 0);
	finish(f);
	same_in_all_ways(f, 0,
			 "              :5     5     1.000001:          7 cpu-clock:  "
			 "ffffffffc0000010 [unknown] ([unknown])\n"
			 "          before     5     1.000004:          7 cpu-clock:  "
			 "ffffffffc0000010 old+0x10 (old)\n"
			 "              :6     6     1.000005:          7 cpu-clock:  "
			 "ffffffffc0000010 old+0x10 (old)\n"
			 "           after     5     1.000008:          7 cpu-clock:  "
			 "ffffffffc0000010 [unknown] ([unknown])\n"
			 "           after     5     1.000010:          7 cpu-clock:  "
			 "ffffffffc0000010 new+0x10 (new)\n");
	end(f);
}

static void other_records_stand_between_the_samples(void **state)
{
	struct fixture *f = begin();

	(void)state;
	put_comm(f, 5, "one");
	put_sample(f, 5, 0);
	put_comm(f, 5, "two");
	finish(f);
	same_in_all_ways(f, SHOW_TASK,
			 "             one     5     1.000001: PERF_RECORD_COMM: one:5/5\n"
			 "             one     5     1.000002:          7 cpu-clock:  "
			 "ffffffffc0000010 [unknown] ([unknown])\n"
			 "             two     5     1.000003: PERF_RECORD_COMM: two:5/5\n");
	end(f);
}

static void thousands_keep_their_order(void **state)
{
	struct fixture *f = begin();
	char name[16];

	(void)state;
	for (unsigned int i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "name-%u", i);
		if (i % 7 == 0)
			put_comm(f, i % 3 + 1, name);
		/* one is cut: counted, not shown */
		put_sample(f, i % 5 + 1, i == 999 ? 24 : 0);
	}
	finish(f);
	same_in_all_ways(f, SHOW_TASK, NULL);
	end(f);
}

/* The script of what the fixture holds, to be asked questions; -> its recording, which is owned
 * with it. */
static struct recording *asked(const struct fixture *f, struct script *s)
{
	static const struct symbol_options symbols = {.no_live = true};
	struct err e = {0};
	struct recording *rec = recording_open_memory(f->bytes.at, f->bytes.n, &e);

	script_init(s, rec, world_of_recording(rec, &symbols), NULL);
	script_fields_init(&s->fields, true);
	assert_int_equal(script_fields_check(&s->fields, rec, &e), 0);
	return rec;
}

static void asked_no_more(struct fixture *f, struct script *s, struct recording *rec)
{
	struct world *world = s->world;

	script_release(s);
	world_free(world);
	recording_free(rec);
	end(f);
}

static void threads_are_for_what_takes_long(void **state)
{
	struct fixture *f = begin();
	struct recording *rec;
	struct script s;
	uint64_t *type;

	(void)state;
	finish(f);
	rec = asked(f, &s);
	assert_false(script_parallel_pays(&s)); /* only text is made */
	type = &rec->m.events.events.at[0]->attr.sample_type;
	*type |= SAMPLE_CALLCHAIN;
	s.fields.chains = true;
	assert_false(script_parallel_pays(&s)); /* their texts are kept */
	*type |= SAMPLE_REGS_USER | SAMPLE_STACK_USER;
	assert_true(script_parallel_pays(&s)); /* copies are unwound */
	s.fields.types[TYPE_SOFTWARE].fields &= ~FIELD_IP;
	assert_false(script_parallel_pays(&s)); /* or passed */
	asked_no_more(f, &s, rec);
}

static void what_depends_on_the_line_before_is_for_one_thread(void **state)
{
	struct fixture *f = begin();
	struct recording *rec;
	struct script s;

	(void)state;
	put_sample(f, 5, 0);
	finish(f);
	rec = asked(f, &s);
	assert_true(script_parallel_can(&s));
	s.deltatime = true;
	assert_false(script_parallel_can(&s));
	s.deltatime = false;
	s.reltime = true;
	assert_false(script_parallel_can(&s));
	s.reltime = false;
	s.switches.on = rec->m.events.events.at[0];
	assert_false(script_parallel_can(&s));
	s.switches.on = NULL;
	rec->m.events.events.at[0]->attr.sample_type |= SAMPLE_READ;
	assert_false(script_parallel_can(&s));
	rec->m.events.events.at[0]->attr.sample_type &= ~(uint64_t)(SAMPLE_READ | SAMPLE_TIME);
	assert_false(script_parallel_can(&s));
	asked_no_more(f, &s, rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_says_what_was_true_at_its_time),
		cmocka_unit_test(other_records_stand_between_the_samples),
		cmocka_unit_test(thousands_keep_their_order),
		cmocka_unit_test(threads_are_for_what_takes_long),
		cmocka_unit_test(what_depends_on_the_line_before_is_for_one_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
