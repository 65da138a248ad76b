// SPDX-License-Identifier: MIT
/* Replay: order, fields of tracepoints, state through forks and reuse of tids, filters, switches,
 * losses. */
#include "recordings.h"

#include "analysis-switches.h"

#include <inttypes.h>

#define RAW (BASIC | SAMPLE_RAW)

static const char switch_format[] =
	"name: sched_switch\nID: 314\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:short prev_prio;\toffset:28;\tsize:2;\tsigned:1;\n"
	"\tfield:unsigned short flags;\toffset:30;\tsize:2;\tsigned:0;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:pid_t next_pid;\toffset:40;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] next_comm;\toffset:44;\tsize:4;\tsigned:0;\n"
	"\tfield:int words[3];\toffset:48;\tsize:12;\tsigned:1;\n"
	"\nprint fmt: \"%d\", REC->prev_pid\n";

struct raw_switch {
	uint16_t type, pad[3];
	char prev_comm[16];
	int32_t prev_pid;
	int16_t prev_prio;
	uint16_t flags;
	int64_t prev_state;
	int32_t next_pid;
	uint32_t next_comm;
	int32_t words[3];
	char text[4];
};

static struct attr tracepoint(void)
{
	struct attr a = attr_of(RAW);

	a.type = TYPE_TRACEPOINT;
	a.config = 314;
	return a;
}

static void put_raw(struct buf *b, const struct attr *a, uint64_t time, uint32_t cpu,
		    const void *raw, size_t n)
{
	struct record r = {.header.type = RECORD_SAMPLE, .header.misc = MISC_KERNEL};

	r.sample = (struct sample){.type = a->sample_type,
				   .pid = 1,
				   .tid = 1,
				   .time = time,
				   .cpu = cpu,
				   .period = 1,
				   .raw = raw,
				   .raw_size = (uint32_t)n};
	put_record(b, a, r);
}

static void put_switch(struct buf *b, const struct attr *a, uint64_t time, uint32_t cpu,
		       int32_t from, int32_t to)
{
	const struct raw_switch s = {.type = 314,
				     .prev_comm = "sixteen letters.",
				     .prev_pid = from,
				     .prev_prio = -3,
				     .flags = 0xfffe,
				     .prev_state = -2,
				     .next_pid = to,
				     .next_comm = 4 << 16 | 60,
				     .words = {1, -2, 3},
				     .text = "abc"};

	put_raw(b, a, time, cpu, &s, sizeof(s));
}

static void put_fork(struct buf *b, const struct attr *a, uint64_t time, uint32_t pid, uint32_t tid)
{
	struct record r = {.header.type = RECORD_FORK, .id = {.time = time}};

	r.task = (struct rec_task){.pid = pid, .ppid = 1, .tid = tid, .ptid = 1, .time = time};
	put_record(b, a, r);
}

static void put_exit(struct buf *b, const struct attr *a, uint64_t time, uint32_t pid, uint32_t tid)
{
	struct record r = {.header.type = RECORD_EXIT, .id = {.time = time}};

	r.task = (struct rec_task){.pid = pid, .ppid = 1, .tid = tid, .ptid = 1, .time = time};
	put_record(b, a, r);
}

static void put_lost(struct buf *b, const struct attr *a, uint64_t time, uint32_t cpu, uint64_t n)
{
	struct record r = {.header.type = RECORD_LOST, .id = {.time = time, .cpu = cpu}};

	r.lost = (struct rec_lost){.id = 100, .lost = n};
	put_record(b, a, r);
}

struct made {
	struct buf bytes;
	struct recording *rec;
	struct world *world;
};

static struct made make(const struct buf *data)
{
	static const struct symbol_options none;
	const struct attr a = tracepoint();
	struct made m = {.bytes = make_file(&a, 1, data)};

	m.rec = open_bytes(&m.bytes);
	assert_non_null(tp_formats_add(&m.rec->m.formats, "sched", switch_format,
				       strlen(switch_format), NULL));
	m.world = world_of_recording(m.rec, &none);
	world_present_only(m.world);
	return m;
}

static void unmake(struct made *m)
{
	world_free(m->world);
	recording_free(m->rec);
	buf_release(&m->bytes);
}

/* "tid:switches/off " for each thread that was switched from or to, '!' where records were lost
 * meanwhile. */
static void text_of(struct replay *rp, struct buf *out)
{
	struct thread *const *threads;
	void *const *at;
	size_t n = replay_thread_states(rp, &at);

	world_threads(rp->world, &threads);
	for (size_t i = 0; i < n; i++) {
		const struct switches_thread *s = at[i];

		if (s)
			buf_printf(out, "%u:%u/%u%s ", threads[i]->tid, (unsigned int)s->switches,
				   (unsigned int)s->off_ns, s->uncertain ? "!" : "");
	}
}

static void switches_are(const struct buf *data, const char *want)
{
	struct made m = make(data);
	AUTO_BUF text = {0};
	struct err e = {0};
	struct replay rp;

	replay_init(&rp, m.rec, m.world, &switches_analysis, NULL);
	assert_int_equal(replay_run(&rp, &e), 0);
	text_of(&rp, &text);
	assert_string_equal(buf_text(&text), want);
	replay_release(&rp);
	unmake(&m);
}

static void threads_are_off_between_switches(void **state)
{
	const struct attr a = tracepoint();
	AUTO_BUF data = {0};

	(void)state;
	/* two CPUs' rings, one after the other: the order is that of time */
	put_switch(&data, &a, 100, 0, 7, 8);
	put_switch(&data, &a, 300, 0, 8, 7);
	put_switch(&data, &a, 200, 1, 9, 0);
	put_switch(&data, &a, 450, 1, 0, 9);
	switches_are(&data, "0:1/0 7:1/200 8:1/0 9:1/250 ");
}

static void a_tid_that_is_used_again_begins_anew(void **state)
{
	const struct attr a = tracepoint();
	AUTO_BUF data = {0};

	(void)state;
	put_fork(&data, &a, 50, 8, 8);
	put_switch(&data, &a, 100, 0, 8, 7);
	put_exit(&data, &a, 110, 8, 8);
	put_switch(&data, &a, 150, 0, 7, 8); /* after its exit it is still the same */
	put_fork(&data, &a, 200, 8, 8);
	put_switch(&data, &a, 300, 0, 8, 7);
	switches_are(&data, "8:1/50 7:1/150 8:1/0 ");
}

static void losses_are_told_where_they_are(void **state)
{
	const struct attr a = tracepoint();
	AUTO_BUF data = {0};

	(void)state;
	put_switch(&data, &a, 100, 0, 7, 8);
	put_lost(&data, &a, 150, 0, 3);
	put_switch(&data, &a, 300, 0, 8, 7);
	switches_are(&data, "7:1/200! 8:1/0 ");
}

struct all_args {
	int64_t prio, state;
	uint64_t flags, missing, words[4];
	struct replay_bytes prev, next, array, none;
};

static const struct replay_field all_fields[] = {
	{"prev_prio", REPLAY_S64, offsetof(struct all_args, prio)},
	{"prev_state", REPLAY_S64, offsetof(struct all_args, state)},
	{"flags", REPLAY_U64, offsetof(struct all_args, flags)},
	{"not_there", REPLAY_U64, offsetof(struct all_args, missing), .optional = true},
	{"words", REPLAY_WORDS, offsetof(struct all_args, words), .words = 4},
	{"prev_comm", REPLAY_TEXT, offsetof(struct all_args, prev)},
	{"next_comm", REPLAY_TEXT, offsetof(struct all_args, next)},
	{"words", REPLAY_BYTES, offsetof(struct all_args, array)},
	{"nor_this", REPLAY_TEXT, offsetof(struct all_args, none), .optional = true},
	{0},
};

static int check_all(struct replay *rp, const struct record *r, const void *v)
{
	const struct all_args *args = v;

	assert_int_equal(r->sample.cpu, 0);
	assert_int_equal(args->prio, -3);
	assert_int_equal(args->state, -2);
	assert_int_equal(args->flags, 0xfffe);
	assert_int_equal(args->missing, 0);
	assert_int_equal(args->words[0], 1);
	assert_int_equal((int64_t)args->words[1], -2);
	assert_int_equal(args->words[2], 3);
	assert_int_equal(args->words[3], 0);
	assert_int_equal(args->prev.n, 16);
	assert_memory_equal(args->prev.at, "sixteen letters.", 16);
	assert_int_equal(args->next.n, 3);
	assert_memory_equal(args->next.at, "abc", 3);
	assert_int_equal(args->array.n, 12);
	assert_null(args->none.at);
	++*(int *)rp->ctx;
	return REPLAY_GO;
}

static void fields_have_their_types(void **state)
{
	static const struct replay_tracepoint tracepoints[] = {
		{"sched:sched_switch", all_fields, sizeof(struct all_args), check_all}, {0}};
	static const struct replay_analysis analysis = {.tracepoints = tracepoints};
	const struct attr a = tracepoint();
	AUTO_BUF data = {0};
	struct err e = {0};
	struct replay rp;
	struct made m;
	int n = 0;

	(void)state;
	put_switch(&data, &a, 100, 0, 7, 8);
	put_raw(&data, &a, 200, 0, "short", 4); /* too short: damage */
	m = make(&data);
	replay_init(&rp, m.rec, m.world, &analysis, &n);
	assert_int_equal(replay_run(&rp, &e), 0);
	assert_int_equal(n, 1);
	assert_true(m.rec->m.losses.kind[LOSS_CORRUPT].times > 0);
	replay_release(&rp);
	unmake(&m);
}

static const struct replay_field next_field[] = {{"next_pid", REPLAY_S64, 0}, {0}};

/* Writes the times of samples, their numbers in the file and where they stand there. */
static int note_sample(struct replay *rp, const struct record *r, const void *v)
{
	assert_int_equal(*(const int64_t *)v, (int64_t)r->sample.cpu + 7);
	assert_int_equal(rp->time, r->sample.time);
	assert_int_equal(((const struct record_header *)r->bytes)->size, r->header.size);
	buf_printf(rp->ctx, "%" PRIu64 ":%" PRIu64 "@%" PRIu64 " ", rp->time, r->seq,
		   (r->offset - rp->rec->data_offset) / r->header.size);
	return REPLAY_GO;
}

static void note_loss(struct replay *rp, const struct replay_loss *loss)
{
	(void)loss;
	buf_printf(rp->ctx, "lost ");
}

/* Samples of several CPUs, a run of each behind the other: by time, then by place in the file. A
 * damaged one is told before the sample that follows it in time. */
static void runs_are_merged_by_time_and_place(void **state)
{
	static const struct replay_tracepoint tracepoints[] = {
		{"sched:sched_switch", next_field, sizeof(int64_t), note_sample}, {0}};
	static const struct replay_analysis analysis = {.tracepoints = tracepoints,
							.lost = note_loss};
	const struct attr a = tracepoint();
	AUTO_BUF data = {0}, got = {0};
	const struct raw_switch none = {0};
	struct err e = {0};
	struct replay rp;
	struct made m;

	(void)state;
	for (uint64_t time = 100; time < 400; time += 100) /* 0 to 2 */
		put_switch(&data, &a, time, 0, 1, 7);
	for (uint64_t time = 100; time < 400; time += 50) /* 3 to 8 */
		put_switch(&data, &a, time, 1, 1, 8);
	for (uint64_t time = 110; time < 140; time += 10) /* 9 to 11 */
		put_switch(&data, &a, time, 2, 1, 9);
	put_raw(&data, &a, 310, 0, &none, 4);
	put_switch(&data, &a, 320, 3, 1, 10);
	m = make(&data);
	replay_init(&rp, m.rec, m.world, &analysis, &got);
	assert_int_equal(replay_run(&rp, &e), 0);
	assert_string_equal(buf_text(&got),
			    "100:0@0 100:3@3 110:9@9 120:10@10 130:11@11 150:4@4 200:1@1 200:5@5 "
			    "250:6@6 300:2@2 300:7@7 lost 320:13@12 350:8@8 ");
	replay_release(&rp);
	unmake(&m);
}

static int count_call(struct replay *rp, const struct record *r, const void *v)
{
	(void)r;
	(void)v;
	++*(int *)rp->ctx;
	return REPLAY_GO;
}

static int count_record(struct replay *rp, const struct record *r)
{
	return count_call(rp, r, NULL);
}

/* A row whose .unless is among the events leaves the tracepoint to the next row that names it, or
 * to the handler of samples. */
static void rows_give_way_to_events(void **state)
{
	static const struct replay_tracepoint given_way[] = {
		{"sched:sched_switch", next_field, sizeof(int64_t), note_sample, .unless = "one"},
		{"sched:sched_switch", NULL, 0, count_call},
		{0}};
	static const struct replay_tracepoint kept[] = {
		{"sched:sched_switch", NULL, 0, count_call, .unless = "none"},
		{"sched:sched_switch", next_field, sizeof(int64_t), note_sample},
		{0}};
	static const struct replay_tracepoint none[] = {
		{"sched:sched_switch", next_field, sizeof(int64_t), note_sample, .unless = "one"},
		{0}};
	static const struct replay_handler samples[] = {{RECORD_SAMPLE, count_record}, {0}};
	static const struct replay_analysis analyses[] = {
		{.tracepoints = given_way},
		{.tracepoints = kept},
		{.tracepoints = none, .handlers = samples},
		{.handlers = samples}};
	const struct attr a = tracepoint();
	AUTO_BUF data = {0};

	(void)state;
	put_switch(&data, &a, 100, 0, 7, 8);
	for (size_t i = 0; i < ARRAY_SIZE(analyses); i++) {
		struct made m = make(&data);
		struct err e = {0};
		struct replay rp;
		int n = 0;

		m.rec->m.events.events.at[0]->name = "one";
		replay_init(&rp, m.rec, m.world, &analyses[i], &n);
		assert_int_equal(replay_run(&rp, &e), 0);
		assert_int_equal(n, 1);
		replay_release(&rp);
		unmake(&m);
	}
}

static int note_brief(struct replay *rp, const struct record *r, const void *v)
{
	const struct sample *s = &r->sample;

	buf_printf(rp->ctx, "%llu: %llu %u %u/%u %u %lld, ", (unsigned long long)r->offset,
		   (unsigned long long)s->time, s->cpu, s->pid, s->tid,
		   (unsigned int)s->callchain_nr, (long long)*(const int64_t *)v);
	return REPLAY_GO;
}

/* The handler of a brief row sees what it would see of whole samples, and no sample that is too
 * short for its fields. */
static void brief_rows_see_what_others_see(void **state)
{
	static const struct replay_tracepoint tracepoints[][2] = {
		{{"sched:sched_switch", next_field, sizeof(int64_t), note_brief}, {0}},
		{{"sched:sched_switch", next_field, sizeof(int64_t), note_brief, .brief = true},
		 {0}}};
	const struct attr a = tracepoint();
	const uint8_t short_raw[20] = {0};
	AUTO_BUF data = {0};
	struct buf seen[2] = {0};

	(void)state;
	put_switch(&data, &a, 100, 0, 7, 8);
	put_switch(&data, &a, 300, 3, 8, -9);
	put_raw(&data, &a, 320, 0, short_raw, sizeof(short_raw));
	put_switch(&data, &a, 400, 0, 9, 10);
	put_switch(&data, &a, 350, 1, 1, 2);
	for (size_t i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		const struct replay_analysis analysis = {.tracepoints = tracepoints[i]};
		struct made m = make(&data);
		struct err e = {0};
		struct replay rp;

		replay_init(&rp, m.rec, m.world, &analysis, &seen[i]);
		assert_int_equal(replay_run(&rp, &e), 0);
		assert_int_equal(rp.records, 5);
		assert_int_equal(m.rec->m.losses.kind[LOSS_CORRUPT].times, 1);
		replay_release(&rp);
		unmake(&m);
	}
	assert_non_null(strstr(buf_text(&seen[0]), ": 300 3 1/1 0 -9, "));
	assert_string_equal(buf_text(&seen[0]), buf_text(&seen[1]));
	buf_release(&seen[0]);
	buf_release(&seen[1]);
}

static void a_field_that_is_missing_is_an_error(void **state)
{
	static const struct replay_field fields[] = {{"prev_cpu", REPLAY_U64, 0}, {0}};
	static const struct replay_tracepoint tracepoints[] = {
		{"sched:sched_switch", fields, 8, check_all}, {0}};
	static const struct replay_analysis analysis = {.tracepoints = tracepoints};
	const struct attr a = tracepoint();
	AUTO_BUF data = {0};
	struct err e = {0};
	struct replay rp;
	struct made m;

	(void)state;
	put_switch(&data, &a, 100, 0, 7, 8);
	m = make(&data);
	replay_init(&rp, m.rec, m.world, &analysis, NULL);
	assert_int_equal(replay_run(&rp, &e), -1);
	assert_string_equal(e.text, "the recording's 'sched:sched_switch' has no field 'prev_cpu'");
	replay_release(&rp);
	unmake(&m);
}

/* Samples of a tracepoint that no row names count as records, and give their time; one that is
 * damaged is told. */
static void samples_nobody_takes_are_records(void **state)
{
	static const struct replay_tracepoint tracepoints[] = {
		{"sched:sched_wakeup", NULL, 0, check_all}, {0}};
	static const struct replay_analysis analysis = {.tracepoints = tracepoints};
	const struct attr a = tracepoint();
	AUTO_BUF data = {0};
	struct err e = {0};
	struct replay rp;
	struct made m;
	uint32_t size;

	(void)state;
	put_switch(&data, &a, 100, 0, 7, 8);
	put_switch(&data, &a, 300, 0, 8, 7);
	put_switch(&data, &a, 400, 0, 7, 8);
	/* the size of its raw data goes beyond the record */
	size = (uint32_t)data.n;
	memcpy(data.at + data.n - sizeof(struct raw_switch) - 8, &size, sizeof(size));
	put_switch(&data, &a, 350, 1, 1, 2);
	m = make(&data);
	replay_init(&rp, m.rec, m.world, &analysis, NULL);
	assert_int_equal(replay_run(&rp, &e), 0);
	assert_int_equal(rp.records, 3);
	assert_int_equal(rp.time, 350);
	assert_true(m.rec->m.losses.kind[LOSS_CORRUPT].times > 0);
	replay_release(&rp);
	unmake(&m);
}

/* The times of samples that arrive. */
static int note_time(struct replay *rp, const struct record *r)
{
	buf_printf(rp->ctx, "%u ", (unsigned int)r->sample.time);
	return r->sample.time == 500 ? REPLAY_STOP : REPLAY_GO;
}

static void samples_pass_filter_and_switches(void **state)
{
	static const struct replay_handler handlers[] = {{RECORD_SAMPLE, note_time}, {0}};
	static const struct replay_analysis analysis = {.handlers = handlers};
	const struct attr a = tracepoint();
	struct filter f = {0};
	AUTO_BUF data = {0};
	AUTO_BUF times = {0};
	struct err e = {0};
	struct made m;

	(void)state;
	for (uint32_t i = 1; i < 8; i++)
		put_switch(&data, &a, i * 100, i & 1, 7, 8);
	assert_int_equal(filter_times_parse(&f, "0.000000200,", 0, 0, &e), 0);
	assert_int_equal(number_list_parse(&f.cpus, "1", "cpus", &e), 0);
	f.cpus.given = true;
	m = make(&data);
	for (int with = 0; with < 3; with++) {
		struct replay rp;

		replay_init(&rp, m.rec, m.world, &analysis, &times);
		rp.filter = with ? &f : NULL;
		if (with == 2)
			rp.switches.off = m.rec->m.events.events.at[0];
		assert_int_equal(replay_run(&rp, &e), 0);
		buf_str(&times, "; ");
		replay_release(&rp);
	}
	assert_string_equal(buf_text(&times), "100 200 300 400 500 ; 300 500 ; 500 ; ");
	filter_release(&f);
	unmake(&m);
}

static void switches_begin_and_end(void **state)
{
	struct event on = {0}, off = {0}, other = {0};
	struct replay_switches s = {.on = &on, .off = &off, .discarding = true};

	(void)state;
	assert_true(replay_switched_off(&s, &other));
	assert_true(replay_switched_off(&s, &on));
	assert_false(replay_switched_off(&s, &other));
	assert_true(replay_switched_off(&s, &off));
	assert_true(replay_switched_off(&s, &other));
	s.show = true;
	assert_false(replay_switched_off(&s, &on));
	assert_false(replay_switched_off(&s, &off));
	assert_true(replay_switched_off(&s, &off));
}

struct counted {
	int begun, ended, released;
};

static void state_begins(struct replay *rp, void *state, struct thread *of)
{
	*(struct counted **)state = rp->ctx;
	((struct counted *)rp->ctx)->begun += of != NULL;
}

static void state_ends(struct replay *rp, void *state)
{
	assert_ptr_equal(*(void **)state, rp->ctx);
	((struct counted *)rp->ctx)->ended++;
}

static void state_releases(void *state)
{
	(*(struct counted **)state)->released++;
}

static int touch_states(struct replay *rp, const struct record *r)
{
	struct thread *t = replay_thread(rp, r->task.pid, r->task.tid);

	assert_ptr_equal(replay_thread_state(rp, t), replay_thread_state(rp, t));
	assert_non_null(replay_process_state(rp, t));
	assert_non_null(replay_cpu_state(rp, 3));
	assert_null(replay_cpu_state(rp, REPLAY_CPUS_MAX));
	return REPLAY_GO;
}

static void states_end_once(void **state)
{
	static const struct replay_handler handlers[] = {{RECORD_FORK, touch_states}, {0}};
	static const struct replay_analysis analysis = {
		.handlers = handlers,
		.thread = {sizeof(void *), false, state_begins, state_ends, state_releases},
		.process = {sizeof(void *), false, state_begins, state_ends, state_releases},
		.cpu = {sizeof(void *), false, state_begins, state_ends, state_releases}};
	const struct attr a = tracepoint();
	struct counted c = {0};
	AUTO_BUF data = {0};
	struct err e = {0};
	struct replay rp;
	struct made m;

	(void)state;
	put_fork(&data, &a, 100, 8, 8);
	put_fork(&data, &a, 200, 8, 9); /* a second thread of the process */
	put_exit(&data, &a, 300, 8, 8);
	put_fork(&data, &a, 400, 8, 8); /* another one: thread and process */
	m = make(&data);
	replay_init(&rp, m.rec, m.world, &analysis, &c);
	assert_int_equal(replay_run(&rp, &e), 0);
	assert_int_equal(c.begun, 3 + 2);
	assert_int_equal(c.ended, 3 + 2 + 1);
	assert_int_equal(c.released, 2);
	replay_release(&rp);
	assert_int_equal(c.released, 6);
	unmake(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_off_between_switches),
		cmocka_unit_test(a_tid_that_is_used_again_begins_anew),
		cmocka_unit_test(losses_are_told_where_they_are),
		cmocka_unit_test(fields_have_their_types),
		cmocka_unit_test(runs_are_merged_by_time_and_place),
		cmocka_unit_test(rows_give_way_to_events),
		cmocka_unit_test(brief_rows_see_what_others_see),
		cmocka_unit_test(a_field_that_is_missing_is_an_error),
		cmocka_unit_test(samples_nobody_takes_are_records),
		cmocka_unit_test(samples_pass_filter_and_switches),
		cmocka_unit_test(switches_begin_and_end),
		cmocka_unit_test(states_end_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
