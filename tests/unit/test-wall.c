// SPDX-License-Identifier: MIT
/* Wall-clock profiles of recordings made in memory, with known times. */
#include "recordings.h"

#include "analysis/balance/balance.h"
#include "analysis/waits/waits.h"
#include "analysis/wall/wall.h"
#include "data/wall_sum.h"
#include "os/bpf/state/scheduler_state.h"
#include "profile/table/key/wait_reason.h"

#define RAW (BASIC | SAMPLE_RAW | SAMPLE_IDENTIFIER)

enum { CLOCK, SWITCH, WAKING, EVENTS };

#define SLEEPS	  1
#define STOPS	  4
#define DIES	  0x20
#define PREEMPTED 0x100
#define HARDIRQ	  8

static const char *const formats[] = {
	"name: sched_switch\nID: 1\nformat:\n"
	"\tfield:pid_t prev_pid;\toffset:0;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:pid_t next_pid;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n",
	"name: sched_waking\nID: 2\nformat:\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:4;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n",
};

struct made {
	bool sums; /* the clock is "wall-sums" */
	struct buf data, bytes;
	struct recording *rec;
	struct world *world;
	struct samples *samples;
	struct wall wall;
};

static void put_event(struct made *m, int event, uint64_t time, uint32_t tid, const void *raw,
		      size_t n)
{
	struct record r = {.header.type = RECORD_SAMPLE, .header.misc = MISC_USER};

	r.sample = (struct sample){.type = RAW,
				   .id = (uint64_t)event + 100,
				   .ip = 0x1000,
				   .pid = 7,
				   .tid = tid,
				   .time = time,
				   .period = 1,
				   .raw = raw,
				   .raw_size = (uint32_t)n};
	assert_int_equal(record_encode(&r, RAW, true, &m->data), 0);
}

static void put_switch(struct made *m, uint64_t time, int32_t from, uint64_t state, int32_t to)
{
	const struct {
		int32_t prev, pad;
		uint64_t state;
		int32_t next, more;
	} s = {from, 0, state, to, 0};

	put_event(m, SWITCH, time, (uint32_t)from, &s, sizeof(s));
}

/* A switch away from a task that could go on, as a BPF program tells it. */
static void put_told_switch(struct made *m, uint64_t time, int32_t from, uint32_t preemption)
{
	struct {
		int32_t prev, pad;
		uint64_t state;
		int32_t next, more;
		uint8_t rest[SCHEDULER_SWITCH_SIZE - 24];
	} s = {.prev = from, .state = PREEMPTED};

	memcpy((uint8_t *)&s + offsetof(struct scheduler_switch, preemption), &preemption,
	       sizeof(preemption));
	put_event(m, SWITCH, time, (uint32_t)from, &s, SCHEDULER_SWITCH_SIZE);
}

static void put_waking(struct made *m, uint64_t time, uint32_t waker, uint8_t flags, int32_t tid)
{
	const struct {
		uint16_t type;
		uint8_t flags, pad;
		int32_t pid;
	} w = {0, flags, 0, tid};

	put_event(m, WAKING, time, waker, &w, sizeof(w));
}

static void put_clock(struct made *m, uint64_t time, uint32_t tid)
{
	put_event(m, CLOCK, time, tid, "", 0);
}

static void put_sum(struct made *m, uint32_t tid, uint32_t kind, uint32_t waker, uint64_t ns)
{
	const struct wall_sum_raw raw = {.version = WALL_SUM_VERSION,
					 .kind = kind,
					 .waker_pid = 7,
					 .waker_tid = waker,
					 .times = 2,
					 .last = 500};
	struct record r = {.header.type = RECORD_SAMPLE, .header.misc = MISC_USER};

	r.sample = (struct sample){.type = RAW,
				   .id = 100,
				   .ip = 0x1000,
				   .pid = 7,
				   .tid = tid,
				   .time = 1000,
				   .period = ns,
				   .raw = (const uint8_t *)&raw,
				   .raw_size = WALL_SUM_RAW_SIZE};
	assert_int_equal(record_encode(&r, RAW, true, &m->data), 0);
}

static struct record side_band(uint32_t type, uint64_t time, uint32_t tid)
{
	return (struct record){
		.header.type = type,
		.id = {.time = time, .pid = 7, .tid = tid, .id = 100, .has = SAMPLE_IDENTIFIER}};
}

static void put_side_band(struct made *m, struct record r)
{
	assert_int_equal(record_encode(&r, RAW, true, &m->data), 0);
}

static void put_exec(struct made *m, uint64_t time)
{
	struct record r = side_band(RECORD_COMM, time, 7);

	r.header.misc = MISC_COMM_EXEC;
	r.comm = (struct rec_comm){.pid = 7, .tid = 7, .comm = "a"};
	put_side_band(m, r);
}

static void put_task(struct made *m, uint32_t type, uint64_t time, uint32_t tid)
{
	struct record r = side_band(type, time, tid);

	r.task = (struct rec_task){.pid = 7, .ppid = 7, .tid = tid, .ptid = 7, .time = time};
	put_side_band(m, r);
}

static void put_context_switch(struct made *m, uint64_t time, uint16_t misc)
{
	struct record r = side_band(RECORD_SWITCH, time, 7);

	r.header.misc = misc;
	put_side_band(m, r);
}

static void put_lost(struct made *m, uint64_t time)
{
	struct record r = side_band(RECORD_LOST, time, 7);

	r.lost = (struct rec_lost){.id = 100, .lost = 3};
	put_side_band(m, r);
}

static void put_lost_samples(struct made *m, uint64_t time)
{
	struct record r = side_band(RECORD_LOST_SAMPLES, time, 7);

	r.lost_samples = (struct rec_lost_samples){.lost = 5};
	put_side_band(m, r);
}

static void open_made(struct made *m, uint64_t flags)
{
	static const struct symbol_options none;
	const struct samples_options keep = {.mode = MODE_WALL,
					     .columns = COL_BIT(COL_THREAD) | COL_BIT(COL_STATE) |
							COL_BIT(COL_WAKER) | COL_BIT(COL_WAKERS) |
							COL_BIT(COL_WAKER_STACKS) |
							COL_BIT(COL_DELAY) | COL_BIT(COL_TIME) |
							COL_BIT(COL_REASON) |
							COL_BIT(COL_PARALLELISM)};
	struct attr attrs[EVENTS];

	for (size_t i = 0; i < EVENTS; i++) {
		attrs[i] = attr_of(RAW);
		attrs[i].type = i ? TYPE_TRACEPOINT : TYPE_SOFTWARE;
		attrs[i].config = i;
	}
	attrs[CLOCK].flags |= flags;
	m->bytes = make_file(attrs, flags ? 1 : EVENTS, &m->data);
	m->rec = open_bytes(&m->bytes);
	if (m->sums)
		m->rec->m.events.events.at[CLOCK]->name = WALL_SUMS_EVENT;
	for (size_t i = 1; i < m->rec->m.events.events.n; i++) {
		struct tp_format *f = tp_formats_add(&m->rec->m.formats, "sched", formats[i - 1],
						     strlen(formats[i - 1]), NULL);

		assert_non_null(f);
		m->rec->m.events.events.at[i]->name =
			arena_printf(&m->rec->m.events.arena, "sched:%s", f->name);
	}
	m->world = world_of_recording(m->rec, &none);
	m->samples = samples_new(&m->rec->m, m->world, &keep);
}

static void close_made(struct made *m)
{
	samples_free(m->samples);
	world_free(m->world);
	recording_free(m->rec);
	buf_release(&m->bytes);
	buf_release(&m->data);
}

/* Appends the tid of a waker, "irq", or nothing. */
static void waker_text(const struct made *m, uint64_t waker, struct buf *out)
{
	struct thread *const *threads;

	world_threads(m->world, &threads);
	if (waker == WALL_INTERRUPT)
		buf_str(out, "<irq");
	else if (waker != WALL_NO_WAKER)
		buf_printf(out, "<%u", threads[waker - 1]->tid);
}

/* Each sample: "TID STATE NS@FROM[<WAKER]; ". */
static void profile_is(struct made *m, uint64_t flags, const char *want)
{
	struct err e = {0};
	AUTO_BUF text = {0};
	uint64_t sum = 0;

	open_made(m, flags);
	if (wall_read(&m->wall, m->samples, m->rec, NULL, NULL, &e))
		fail_msg("%s", e.text);
	for (uint32_t i = 0; i < m->samples->cells.n; i++) {
		const struct cell *c = cells_at(&m->samples->cells, i);
		uint64_t v[COLUMNS];

		cells_spread(&m->samples->cells, i, v);
		sum += c->period;
		buf_printf(&text, "%u %s %u@%u", c->thread->tid,
			   wall_state_name((enum wall_state)v[COL_STATE]),
			   (unsigned int)c->period, (unsigned int)v[COL_TIME]);
		if (v[COL_REASON])
			buf_printf(&text, " %s", wait_reason_word((uint32_t)v[COL_REASON]));
		waker_text(m, v[COL_WAKER], &text);
		buf_str(&text, "; ");
	}
	assert_string_equal(buf_text(&text), want);
	assert_int_equal(m->wall.life_ns, sum);
	close_made(m);
}

/* Each sample: "TID STATE NS*PARALLELISM; ". */
static void parallelism_is(struct made *m, const char *want)
{
	struct err e = {0};
	AUTO_BUF text = {0};

	open_made(m, 0);
	if (wall_read(&m->wall, m->samples, m->rec, NULL, NULL, &e))
		fail_msg("%s", e.text);
	for (uint32_t i = 0; i < m->samples->cells.n; i++) {
		const struct cell *c = cells_at(&m->samples->cells, i);
		uint64_t v[COLUMNS];

		cells_spread(&m->samples->cells, i, v);
		buf_printf(&text, "%u %s %u*%u; ", c->thread->tid,
			   wall_state_name((enum wall_state)v[COL_STATE]),
			   (unsigned int)c->period, (unsigned int)v[COL_PARALLELISM]);
	}
	assert_string_equal(buf_text(&text), want);
	close_made(m);
}

static void parallelism_is_the_mean_of_threads_that_ran(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_task(&m, RECORD_FORK, 100, 8);
	put_switch(&m, 110, 0, 0, 8);
	put_clock(&m, 130, 7); /* one thread for 10 ns, two for 20 */
	put_switch(&m, 150, 8, SLEEPS, 0);
	put_clock(&m, 200, 7); /* two for 20, one for 50 */
	put_waking(&m, 210, 7, 0, 8);
	put_switch(&m, 220, 7, SLEEPS, 8);
	put_clock(&m, 240, 8); /* two for 40, itself for 20 */
	put_switch(&m, 250, 8, SLEEPS, 0);
	put_switch(&m, 300, 0, 0, 7); /* 8 for 30, nobody for 50 */
	put_clock(&m, 310, 7);
	parallelism_is(&m, "8 runnable 10*1; 7 on-cpu 30*2; 7 on-cpu 70*1; 8 blocked 60*1; "
			   "8 runnable 10*1; 8 on-cpu 60*2; 7 off-cpu 80*0; 7 on-cpu 30*1; "
			   "8 blocked 60*0; 8 on-cpu 10*1; ");
}

/* Each blocked time: "TID@FROM[<WAKER][<WAKER]... DELAY; ". */
static void chains_are(struct made *m, const struct wall_delayed *delayed, const char *want)
{
	struct err e = {0};
	AUTO_BUF text = {0};

	open_made(m, 0);
	m->wall.delayed = delayed;
	if (wall_read(&m->wall, m->samples, m->rec, NULL, NULL, &e))
		fail_msg("%s", e.text);
	for (uint32_t i = 0; i < m->samples->cells.n; i++) {
		const struct cell *c = cells_at(&m->samples->cells, i);
		const struct waker_link *link;
		uint64_t v[COLUMNS];

		cells_spread(&m->samples->cells, i, v);
		link = waker_links_first(&m->samples->waker_links, (uint32_t)v[COL_WAKERS]);
		assert_int_equal(v[COL_WAKER_STACKS], v[COL_WAKERS]); /* nobody has a stack here */
		if (v[COL_STATE] != WALL_BLOCKED) {
			assert_int_equal(v[COL_DELAY], WALL_DELAY_NONE);
			continue;
		}
		buf_printf(&text, "%u@%u", c->thread->tid, (unsigned int)v[COL_TIME]);
		for (; link; link = waker_links_first(&m->samples->waker_links, link->next))
			waker_text(m, link->waker, &text);
		buf_printf(&text, " %d; ", (int)v[COL_DELAY]);
	}
	assert_string_equal(buf_text(&text), want);
	close_made(m);
}

static void chains_of_wakers_follow_waits_that_end_in_the_wait(void **state)
{
	struct wall_delayed delayed = {0};
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_task(&m, RECORD_FORK, 100, 8);
	put_task(&m, RECORD_FORK, 100, 9);
	put_switch(&m, 110, 7, SLEEPS, 8);
	put_switch(&m, 120, 8, SLEEPS, 9);
	put_switch(&m, 130, 9, SLEEPS, 0);
	put_waking(&m, 140, 0, HARDIRQ, 9); /* a timer, 9, 8, 7: each while the next one waits */
	put_switch(&m, 140, 0, 0, 9);
	put_waking(&m, 150, 9, 0, 8);
	put_switch(&m, 160, 9, SLEEPS, 8);
	put_waking(&m, 170, 8, 0, 7);
	put_switch(&m, 180, 8, SLEEPS, 7);
	put_waking(&m, 190, 7, 0, 9); /* 7 waited while 9 did */
	put_switch(&m, 200, 7, SLEEPS, 9);
	put_waking(&m, 210, 9, 0, 7); /* the wait of 9 was over when that of 7 began */
	put_switch(&m, 220, 9, SLEEPS, 7);
	wall_delayed_add(&delayed, 7, 110);
	wall_delayed_add(&delayed, 9, 110);
	chains_are(&m, &delayed,
		   "9@130<irq 1; 8@120<9<irq 1; 7@110<8<9<irq 2; 9@160<7<8<9<irq 1; 7@200<9 1; "
		   "8@180 1; ");
	wall_delayed_release(&delayed);
}

static void chains_of_wakers_end_somewhere(void **state)
{
	struct waker_links links = {0};
	const struct waker_link *link;
	uint32_t chain = 0, n = 0;

	(void)state;
	for (uint32_t waker = 1; waker <= 100; waker++)
		chain = waker_links_get(&links, waker, waker % 2 ? "f" : NULL, chain);
	for (; (link = waker_links_first(&links, chain)); chain = link->next) {
		assert_int_equal(link->waker, 100 - n);
		assert_int_equal(link->function == HASH_NONE, n % 2 == 0);
		n++;
	}
	assert_int_equal(n, WAKER_LINKS_MAX);
	assert_int_equal(waker_links_get(&links, 5, NULL, 0), waker_links_get(&links, 5, NULL, 0));
	waker_links_release(&links);
}

static void the_states_of_a_thread_are_its_life(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_clock(&m, 150, 7);
	put_switch(&m, 180, 7, SLEEPS, 9);
	put_waking(&m, 240, 9, 0, 7);
	put_switch(&m, 250, 9, SLEEPS, 7);
	put_clock(&m, 270, 7); /* since 150: 30 and 20 on the CPU */
	put_task(&m, RECORD_FORK, 280, 8);
	put_switch(&m, 300, 7, PREEMPTED, 8);
	put_task(&m, RECORD_EXIT, 325, 8);
	put_switch(&m, 330, 8, DIES, 7);
	put_waking(&m, 340, 9, 0, 7); /* in vain: it runs */
	put_switch(&m, 350, 7, SLEEPS, 0);
	put_switch(&m, 380, 0, 0, 7); /* nobody woke it up */
	put_task(&m, RECORD_EXIT, 400, 7);
	put_clock(&m, 410, UINT32_MAX); /* it has given up its tid */
	profile_is(&m, 0,
		   "7 on-cpu 50@150; 7 blocked 60@180<9; 7 runnable 10@240<9; 7 on-cpu 50@270; "
		   "8 runnable 20@280; 8 on-cpu 25@300; 7 runnable 30@300; 7 off-cpu 30@350; "
		   "7 on-cpu 70@380; ");
	assert_int_equal(m.wall.threads, 2);
	assert_int_equal(m.wall.life_ns, 300 + 45);
	assert_int_equal(m.wall.ns[WALL_BLOCKED], 60);
}

static void interrupts_wake_threads_and_signals_stop_them(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_switch(&m, 110, 7, STOPS, 0);
	put_waking(&m, 150, 9, HARDIRQ, 7);
	put_switch(&m, 160, 0, 0, 7);
	put_switch(&m, 170, 7, SLEEPS, 0);
	put_waking(&m, 190, 0, 0, 7); /* the idle task: an interrupt that says no more */
	put_clock(&m, 200, 9);	      /* another thread of the process, told of by its sample */
	profile_is(&m, 0,
		   "7 blocked 40@110<irq; 7 runnable 10@150<irq; 7 blocked 20@170<irq; "
		   "9 on-cpu 100@200; 7 runnable 10@190<irq; 7 on-cpu 20@190; ");
}

static void time_with_losses_is_unknown(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_switch(&m, 110, 7, SLEEPS, 0);
	put_lost(&m, 120);
	put_lost_samples(&m, 130);
	put_waking(&m, 150, 9, 0, 7);
	put_switch(&m, 160, 0, 0, 7);
	put_clock(&m, 180, 7);
	profile_is(&m, 0, "7 unknown 40@110<9; 7 runnable 10@150<9; 7 on-cpu 30@180; ");
	assert_int_equal(m.wall.lost_samples, 5);
}

static void a_switch_that_was_dropped_ends_the_state_before_it(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_switch(&m, 110, 7, SLEEPS, 0);
	put_waking(&m, 120, 9, 0, 7);
	put_switch(&m, 130, 7, SLEEPS, 0); /* it ran, which nobody saw */
	put_waking(&m, 170, 9, 0, 7);
	put_switch(&m, 180, 0, 0, 7);
	profile_is(&m, 0,
		   "7 blocked 10@110<9; 7 runnable 10@120<9; 7 blocked 40@130<9; "
		   "7 runnable 10@170<9; 7 on-cpu 10@180; ");
}

static void context_switches_alone_do_not_tell_blocked_from_ready(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_context_switch(&m, 120, MISC_SWITCH_OUT);
	put_context_switch(&m, 150, 0);
	put_context_switch(&m, 160, MISC_SWITCH_OUT | MISC_SWITCH_PREEMPT);
	put_context_switch(&m, 170, 0);
	put_task(&m, RECORD_EXIT, 200, 7);
	profile_is(&m, ATTR_CONTEXT_SWITCH,
		   "7 off-cpu 30@120; 7 runnable 10@160; 7 on-cpu 60@170; ");
}

static void the_kernel_tells_why_a_task_that_could_run_does_not(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_told_switch(&m, 110, 7, SCHEDULER_PREEMPTED);
	put_switch(&m, 115, 0, 0, 7);
	put_told_switch(&m, 120, 7, SCHEDULER_THROTTLED);
	put_switch(&m, 140, 0, 0, 7);
	put_told_switch(&m, 150, 7, 0); /* a tracepoint's padding */
	put_switch(&m, 160, 0, 0, 7);
	put_task(&m, RECORD_EXIT, 170, 7);
	profile_is(&m, 0,
		   "7 runnable 5@110 preempted; 7 runnable 20@120 throttled; 7 runnable 10@150; "
		   "7 on-cpu 35@160; ");
}

static void sums_are_the_states_of_threads(void **state)
{
	struct made m = {.sums = true};

	(void)state;
	put_exec(&m, 100);
	put_task(&m, RECORD_FORK, 200, 8);
	put_task(&m, RECORD_EXIT, 900, 8);
	put_sum(&m, 7, WALL_SUM_KIND_ON_CPU, 0, 40);
	put_sum(&m, 7, WALL_SUM_KIND_BLOCKED, 8, 30);
	put_sum(&m, 7, WALL_SUM_KIND_WOKEN, 8, 5);
	put_sum(&m, 8, WALL_SUM_KIND_NEW, 7, 2);
	put_sum(&m, 8, WALL_SUM_KIND_PREEMPTED, 0, 3);
	put_sum(&m, 8, WALL_SUM_KIND_STOPPED, UINT32_MAX, 4);
	put_sum(&m, 8, WALL_SUM_KIND_OFF_CPU, 0, 6);
	put_sum(&m, 8, WALL_SUM_KIND_THROTTLED, 0, 9);
	put_sum(&m, 8, 99, 0, 7);
	profile_is(&m, ATTR_USE_CLOCKID,
		   "7 on-cpu 40@500; 7 blocked 30@500<8; 7 runnable 5@500<8; 8 runnable 2@500<7; "
		   "8 runnable 3@500 preempted; 8 blocked 4@500<irq; 8 off-cpu 6@500; "
		   "8 runnable 9@500 throttled; 8 unknown 7@500; ");
	assert_int_equal(m.wall.threads, 2);
}

static void intervals_are_refused(struct made *m, const char *why)
{
	struct err e = {0};
	struct wall wall;

	open_made(m, ATTR_USE_CLOCKID);
	assert_int_equal(wall_read_intervals(&wall, m->rec, m->world, NULL, NULL, &e), -1);
	assert_string_equal(e.text, why);
	close_made(m);
}

static void sums_do_not_tell_who_waited_for_whom(void **state)
{
	struct made sums = {.sums = true}, none = {.sums = true};

	(void)state;
	put_sum(&sums, 7, WALL_SUM_KIND_BLOCKED, 8, 30);
	intervals_are_refused(&sums, "the recording has sums of waiting: when, and who for whom, "
				     "is not in it");
	put_clock(&none, 100, 7);
	intervals_are_refused(&none, "the recording doesn't say when threads waited");
}

static void recordings_without_switches_are_refused(void **state)
{
	struct made m = {0};
	struct err e = {0};

	(void)state;
	put_clock(&m, 150, 7);
	open_made(&m, ATTR_COMM);
	assert_int_equal(wall_read(&m.wall, m.samples, m.rec, NULL, NULL, &e), -1);
	assert_string_equal(e.text, "the recording doesn't say when threads waited");
	close_made(&m);
}

/* Main (7) makes 8 and 9 and waits for 8, which sleeps once; 9 waits for work until the end. */
static void put_program(struct made *m)
{
	put_exec(m, 100);
	put_task(m, RECORD_FORK, 110, 8);
	put_task(m, RECORD_FORK, 112, 9);
	put_switch(m, 115, 0, 0, 8);
	put_switch(m, 120, 7, SLEEPS, 9);
	put_switch(m, 130, 9, SLEEPS, 0);
	put_switch(m, 150, 8, SLEEPS, 0);
	put_waking(m, 190, 0, HARDIRQ, 8);
	put_switch(m, 195, 0, 0, 8);
	put_waking(m, 230, 8, 0, 7);
	put_switch(m, 235, 0, 0, 7);
	put_task(m, RECORD_EXIT, 240, 8);
	put_task(m, RECORD_EXIT, 300, 7);
}

static void times_are_split_by_how_many_threads_ran(void **state)
{
	struct made m = {0};
	struct err e = {0};
	struct waits w;

	(void)state;
	put_program(&m);
	open_made(&m, 0);
	if (waits_read(&w, m.rec, m.world, &e))
		fail_msg("%s", e.text);
	/* main 100-120 and 235-300, 8 115-150 and 195-240, 9 120-130 */
	assert_int_equal(w.running.n, 3);
	assert_int_equal(w.running.at[0], 45);
	assert_int_equal(w.running.at[1], 15 + 20 + 40 + 60);
	assert_int_equal(w.running.at[2], 5 + 10 + 5);
	waits_release(&w);
	close_made(&m);
}

/* Steps of the critical path, "STATE NS; ", and waits, "NS delayed NS waker; ". */
static void waits_are(struct made *m, const char *path, const char *rows)
{
	static const char *const kinds[] = {"running", "ready", "blocked", "unknown"};
	AUTO_BUF steps = {0}, list = {0};
	struct err e = {0};
	struct waits w;

	open_made(m, 0);
	if (waits_read(&w, m->rec, m->world, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < w.steps.n; i++)
		buf_printf(&steps, "%s %u; ", kinds[w.steps.at[i].kind],
			   (unsigned int)w.steps.at[i].ns);
	for (size_t i = 0; i < w.rows.n; i++)
		buf_printf(&list, "%u delayed %u %s; ", (unsigned int)w.rows.at[i].ns,
			   (unsigned int)w.rows.at[i].delayed_ns,
			   w.rows.at[i].waker ? w.rows.at[i].waker : "-");
	assert_string_equal(buf_text(&steps), path);
	assert_string_equal(buf_text(&list), rows);
	waits_release(&w);
	close_made(m);
}

static void the_critical_path_is_the_life_of_the_program(void **state)
{
	struct made m = {0};

	(void)state;
	put_program(&m);
	/* main to 110, 8 from 110 to 230 with its sleep, main to 300: 200 ns */
	waits_are(&m, "running 145; blocked 40; ready 10; ready 5; ",
		  "110 delayed 110 a; 40 delayed 40 [interrupt]; 170 delayed 0 -; ");
}

static void waiting_is_counted_for_who_is_busy(void **state)
{
	struct made m = {0};
	struct err e = {0};
	struct balance b;
	AUTO_BUF text = {0};

	(void)state;
	put_program(&m);
	open_made(&m, 0);
	if (balance_read(&b, m.rec, m.world, NULL, 0, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < b.threads.n; i++)
		buf_printf(&text, "%u busy %u waits %u idle %u waited %u; ",
			   b.threads.at[i].thread->thread->tid,
			   (unsigned int)b.threads.at[i].busy_ns,
			   (unsigned int)b.threads.at[i].waits_ns,
			   (unsigned int)b.threads.at[i].idle_ns,
			   (unsigned int)b.threads.at[i].waited_ns);
	/* 8 sleeps from 150 to 190, until an interrupt: for no reason that is known */
	assert_string_equal(buf_text(&text),
			    "8 busy 90 waits 0 idle 40 waited 70; 7 busy 90 waits 70 idle 40 "
			    "waited 0; 9 busy 18 waits 0 idle 170 waited 0; ");
	assert_int_equal(b.program_ns, 200);
	assert_int_equal(b.waited_ns, 70);
	assert_int_equal(b.busy_ns, 18 + 90 + 90);
	assert_int_equal(b.parts.at[0].thread->thread->tid, 8);
	balance_release(&b);
	close_made(&m);
}

/* 7 runs until 400, then 8 until 800, then both, in all 2 ms. */
static void phases_begin_where_other_threads_run(void **state)
{
	struct made m = {0};
	struct err e = {0};
	struct balance b;
	AUTO_BUF text = {0};

	(void)state;
	put_exec(&m, 1000000);
	put_task(&m, RECORD_FORK, 1400000, 8);
	put_switch(&m, 1400000, 7, SLEEPS, 8);
	put_waking(&m, 1800000, 8, 0, 7);
	put_switch(&m, 1800000, 0, 0, 7);
	put_task(&m, RECORD_EXIT, 3000000, 8);
	put_task(&m, RECORD_EXIT, 3000000, 7);
	open_made(&m, 0);
	if (balance_read(&b, m.rec, m.world, NULL, 0, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < b.phases.n; i++)
		buf_printf(&text, "%u busy %u waited %u; ",
			   (unsigned int)(b.phases.at[i].to - b.waits.wall.begin) / 1000,
			   (unsigned int)b.phases.at[i].busy_ns / 1000,
			   (unsigned int)b.phases.at[i].waited_ns / 1000);
	assert_string_equal(buf_text(&text),
			    "400 busy 400 waited 0; 800 busy 400 waited 400; "
			    "2000 busy 2400 waited 0; ");
	balance_release(&b);
	close_made(&m);
}

static void a_function_that_no_stack_has_is_refused(void **state)
{
	const struct balance_less less = {"nobody", 50};
	struct made m = {0};
	struct err e = {0};
	struct balance b;

	(void)state;
	put_program(&m);
	open_made(&m, 0);
	assert_int_equal(balance_read(&b, m.rec, m.world, &less, 1, &e), -1);
	assert_string_equal(e.text, "no stack has the function 'nobody'");
	balance_release(&b);
	close_made(&m);
}

static void a_program_that_goes_on_has_no_critical_path(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_switch(&m, 110, 7, SLEEPS, 0);
	put_waking(&m, 150, 9, 0, 7);
	put_switch(&m, 160, 0, 0, 7);
	waits_are(&m, "", "40 delayed 0 :9; ");
}

/* Two threads that wake up each other at one moment, which no kernel does. */
static void a_path_that_goes_in_a_circle_ends(void **state)
{
	struct made m = {0};

	(void)state;
	put_exec(&m, 100);
	put_task(&m, RECORD_FORK, 100, 8);
	put_switch(&m, 120, 7, SLEEPS, 0);
	put_switch(&m, 120, 8, SLEEPS, 0);
	put_waking(&m, 150, 7, 0, 8);
	put_waking(&m, 150, 8, 0, 7);
	put_switch(&m, 150, 0, 0, 7);
	put_task(&m, RECORD_EXIT, 200, 7);
	waits_are(&m, "running 50; ", "60 delayed 60 a; ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_states_of_a_thread_are_its_life),
		cmocka_unit_test(interrupts_wake_threads_and_signals_stop_them),
		cmocka_unit_test(chains_of_wakers_follow_waits_that_end_in_the_wait),
		cmocka_unit_test(chains_of_wakers_end_somewhere),
		cmocka_unit_test(time_with_losses_is_unknown),
		cmocka_unit_test(a_switch_that_was_dropped_ends_the_state_before_it),
		cmocka_unit_test(context_switches_alone_do_not_tell_blocked_from_ready),
		cmocka_unit_test(the_kernel_tells_why_a_task_that_could_run_does_not),
		cmocka_unit_test(sums_are_the_states_of_threads),
		cmocka_unit_test(sums_do_not_tell_who_waited_for_whom),
		cmocka_unit_test(recordings_without_switches_are_refused),
		cmocka_unit_test(times_are_split_by_how_many_threads_ran),
		cmocka_unit_test(the_critical_path_is_the_life_of_the_program),
		cmocka_unit_test(waiting_is_counted_for_who_is_busy),
		cmocka_unit_test(phases_begin_where_other_threads_run),
		cmocka_unit_test(a_function_that_no_stack_has_is_refused),
		cmocka_unit_test(a_program_that_goes_on_has_no_critical_path),
		cmocka_unit_test(a_path_that_goes_in_a_circle_ends),
		cmocka_unit_test(parallelism_is_the_mean_of_threads_that_ran),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
