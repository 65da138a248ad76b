// SPDX-License-Identifier: MIT
/* The recorder's parts: options to attributes, what is told of before the start. */
#include "unit.h"

#include "capture/session/chains.h"
#include "capture/session/control.h"
#include "capture/open/sampling.h"
#include "capture/open/option_values.h"
#include "capture/synth/record_writer.h"
#include "data/record/record.h"
#include "os/machine/cpus.h"
#include "os/machine/host.h"
#include "os/process/close_slowly.h"
#include "os/proc/proc.h"
#include "os/process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct event *clock_event(struct event_set *set, const char *name)
{
	struct event *ev = event_set_add(set, name);

	ev->attr.type = TYPE_SOFTWARE;
	return ev;
}

static const struct sampling plain = {.frequency = 4000, .inherit = true, .bpf_events = true,
				      .starts_command = true, .max_frequency = 100000};

/* What attr_show says of the first event (or of the last), under these options. */
static const char *shown(const struct sampling *s, struct event_set *set, bool last, struct buf *b)
{
	struct err e = {0};
	struct buf notices = {0};

	if (sampling_apply(s, set, &notices, &e))
		fail_msg("%s", e.text);
	buf_clear(b);
	attr_show(&set->events.at[last ? set->events.n - 1 : 0]->attr, b);
	buf_release(&notices);
	return buf_text(b);
}

static void a_command_is_sampled_from_its_exec(void **state)
{
	struct event_set set = {0};
	struct buf b = {0};

	(void)state;
	clock_event(&set, "cpu-clock");
	assert_string_equal(
		shown(&plain, &set, false, &b),
		"type: 1, size: 128, { sample_period, sample_freq }: 4000, "
		"sample_type: IP|TID|TIME|PERIOD, read_format: ID|LOST, disabled: 1, inherit: 1, "
		"mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, task: 1, sample_id_all: 1, mmap2: "
		"1, "
		"comm_exec: 1, ksymbol: 1, bpf_event: 1");
	assert_int_equal(set.events.n, 1);
	event_set_release(&set);
	buf_release(&b);
}

static void whole_cpus_are_tracked_by_a_dummy(void **state)
{
	struct sampling s = plain;
	struct event_set set = {0};
	struct buf b = {0};

	(void)state;
	s.system_wide = true;
	s.starts_command = false;
	clock_event(&set, "cpu-clock");
	assert_string_equal(shown(&s, &set, false, &b),
			    "type: 1, size: 128, { sample_period, sample_freq }: 4000, "
			    "sample_type: IP|TID|TIME|CPU|PERIOD|IDENTIFIER, "
			    "read_format: ID|LOST, disabled: 1, inherit: 1, freq: 1, "
			    "sample_id_all: 1");
	assert_int_equal(set.events.n, 2);
	assert_string_equal(set.events.at[1]->name, "dummy:HG");
	buf_clear(&b);
	attr_show(&set.events.at[1]->attr, &b);
	assert_string_equal(buf_text(&b),
			    "type: 1, size: 128, config: 0x9, { sample_period, sample_freq }: 1, "
			    "sample_type: IP|TID|TIME|CPU|IDENTIFIER, read_format: ID|LOST, "
			    "inherit: 1, mmap: 1, comm: 1, task: 1, sample_id_all: 1, mmap2: 1, "
			    "comm_exec: 1, ksymbol: 1, bpf_event: 1");
	event_set_release(&set);
	buf_release(&b);
}

static void options_add_their_fields(void **state)
{
	static const struct {
		struct sampling set;
		uint64_t type, flags;
	} rows[] = {
		{{.address = true, .data_src = true},
		 SAMPLE_ADDR | SAMPLE_DATA_SRC,
		 ATTR_MMAP_DATA},
		{{.phys_addr = true}, SAMPLE_PHYS_ADDR, 0},
		{{.data_page_size = true, .code_page_size = true},
		 SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE,
		 0},
		{{.weight = true}, SAMPLE_WEIGHT_STRUCT, 0},
		{{.raw = true}, SAMPLE_RAW | SAMPLE_TIME | SAMPLE_CPU, 0},
		{{.transaction = true}, SAMPLE_TRANSACTION, 0},
		{{.identifier = true}, SAMPLE_IDENTIFIER, 0},
		{{.cgroups = true}, SAMPLE_CGROUP, ATTR_CGROUP},
		{{.switch_events = true, .namespaces = true},
		 0,
		 ATTR_CONTEXT_SWITCH | ATTR_NAMESPACES},
		{{.branch = 8}, SAMPLE_BRANCH_STACK, 0},
		{{.intr_regs = 5}, SAMPLE_REGS_INTR, 0},
		{{.callgraph = CALLGRAPH_FP, .user_callchains = true},
		 SAMPLE_CALLCHAIN,
		 ATTR_EXCLUDE_CALLCHAIN_KERNEL},
		{{.callgraph = CALLGRAPH_DWARF, .stack_dump = 64, .all_user_regs = 7},
		 SAMPLE_CALLCHAIN,
		 0},
		{{.callgraph = CALLGRAPH_DWARF,
		  .stack_dump = 64,
		  .all_user_regs = 7,
		  .keep_stack = true},
		 SAMPLE_CALLCHAIN | SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_ADDR |
			 SAMPLE_DATA_SRC,
		 ATTR_EXCLUDE_CALLCHAIN_USER},
		{{.all_user = true}, 0, ATTR_EXCLUDE_KERNEL},
		{{.use_clockid = true, .clockid = 1}, 0, ATTR_USE_CLOCKID},
		{{.overwrite = true}, 0, ATTR_WRITE_BACKWARD},
		{{.inherit_stat = true}, 0, ATTR_INHERIT_STAT},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sampling s = rows[i].set;
		struct event_set set = {0};
		struct err e = {0};
		const struct attr *a;

		s.frequency = 99;
		s.inherit = true;
		clock_event(&set, "cpu-clock");
		assert_int_equal(sampling_apply(&s, &set, NULL, &e), 0);
		a = &set.events.at[0]->attr;
		assert_int_equal(a->sample_type, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
							 SAMPLE_PERIOD | rows[i].type);
		assert_int_equal(a->flags & rows[i].flags, rows[i].flags);
		event_set_release(&set);
	}
}

/* Threads' rings cannot be put in order without times, of which nobody but the user can say no. */
static void threads_have_times(void **state)
{
	struct sampling s = {.frequency = 99, .per_thread = true};
	struct err e = {0};

	(void)state;
	for (s.time = UNSET; s.time <= NO; s.time++) {
		struct event_set set = {0};

		clock_event(&set, "cpu-clock");
		assert_int_equal(sampling_apply(&s, &set, NULL, &e), 0);
		assert_int_equal(set.events.at[0]->attr.sample_type & SAMPLE_TIME,
				 s.time == NO ? 0 : SAMPLE_TIME);
		event_set_release(&set);
	}
}

static void events_with_different_fields_get_identifiers(void **state)
{
	struct event_set set = {0};
	struct err e = {0};
	struct event *tp;

	(void)state;
	clock_event(&set, "cpu-clock");
	tp = event_set_add(&set, "sched:sched_switch");
	tp->attr.type = TYPE_TRACEPOINT;
	tp->attr.sample_period = 1;
	tp->attr.sample_type = SAMPLE_RAW | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD;
	assert_int_equal(sampling_apply(&plain, &set, NULL, &e), 0);
	assert_int_equal(set.events.at[0]->attr.sample_type,
			 SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD | SAMPLE_IDENTIFIER);
	assert_int_equal(tp->attr.sample_type, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU |
						       SAMPLE_PERIOD | SAMPLE_RAW |
						       SAMPLE_IDENTIFIER);
	assert_int_equal(tp->attr.sample_period, 1);
	assert_false(tp->attr.flags & (ATTR_FREQ | ATTR_MMAP));
	event_set_release(&set);
}

static void a_read_group_samples_its_leader(void **state)
{
	struct event_set set = {0};
	struct err e = {0};
	struct event *a, *b;

	(void)state;
	a = clock_event(&set, "cpu-clock");
	b = clock_event(&set, "page-faults");
	b->leader = 0;
	a->members = 2;
	a->leader_sampling = b->leader_sampling = true;
	assert_int_equal(sampling_apply(&plain, &set, NULL, &e), 0);
	assert_int_equal(b->attr.sample_type, a->attr.sample_type);
	assert_true(a->attr.sample_type & SAMPLE_READ);
	assert_int_equal(a->attr.read_format, READ_ID | READ_GROUP | READ_LOST);
	assert_int_equal(b->attr.sample_period, 0);
	assert_false(b->attr.flags & (ATTR_FREQ | ATTR_DISABLED | ATTR_INHERIT));
	assert_false(a->attr.flags & ATTR_INHERIT);
	event_set_release(&set);
}

static void a_ratio_gives_the_period_of_the_event_before(void **state)
{
	struct event_set set = {0};
	struct err e = {0};
	struct event *a, *b;

	(void)state;
	a = clock_event(&set, "instructions");
	b = clock_event(&set, "cycles");
	b->leader = 0;
	a->members = 2;
	b->ratio = 0.5;
	assert_int_equal(sampling_apply(&plain, &set, NULL, &e), -1);
	assert_non_null(strstr(e.text, "needs a period"));
	b->attr.flags &= ~ATTR_FREQ;
	b->attr.sample_period = 100000;
	b->fixed = FIXED_PERIOD;
	assert_int_equal(sampling_apply(&plain, &set, NULL, &e), 0);
	assert_int_equal(a->attr.sample_period, 200000);
	assert_false(a->attr.flags & ATTR_FREQ);
	event_set_release(&set);
}

static void the_term_decides_about_branches(void **state)
{
	struct sampling s = plain;
	struct event_set set = {0};
	struct err e = {0};

	(void)state;
	s.branch = 1 << 3;
	clock_event(&set, "as-the-option");
	clock_event(&set, "none")->fixed = FIXED_BRANCH;
	clock_event(&set, "more")->fixed = FIXED_BRANCH;
	set.events.at[2]->attr.branch_sample_type = 1 << 4;
	assert_int_equal(sampling_apply(&s, &set, NULL, &e), 0);
	assert_int_equal(set.events.at[0]->attr.branch_sample_type, 1 << 3);
	assert_int_equal(set.events.at[1]->attr.branch_sample_type, 0);
	assert_false(set.events.at[1]->attr.sample_type & SAMPLE_BRANCH_STACK);
	assert_int_equal(set.events.at[2]->attr.branch_sample_type, 3 << 3);
	assert_true(set.events.at[2]->attr.sample_type & SAMPLE_BRANCH_STACK);
	event_set_release(&set);
}

static void frequencies_keep_to_the_limit(void **state)
{
	struct sampling s = plain;
	struct event_set set = {0};
	struct buf notices = {0};
	struct err e = {0};

	(void)state;
	s.frequency = 200000;
	clock_event(&set, "cpu-clock");
	assert_int_equal(sampling_apply(&s, &set, &notices, &e), 0);
	assert_int_equal(set.events.at[0]->attr.sample_freq, 100000);
	assert_non_null(strstr(buf_text(&notices), "200000 Hz"));
	set.events.at[0]->attr.sample_freq = 0;
	s.strict_frequency = true;
	assert_int_equal(sampling_apply(&s, &set, &notices, &e), -1);
	event_set_release(&set);
	buf_release(&notices);
}

static void add_copies(struct stack_watch *w, int n, uint64_t size, uint64_t valid, bool ended)
{
	for (int i = 0; i < n; i++)
		stack_watch_add(w, size, valid, ended);
}

static void copies_of_stacks_are_too_short_one_time_in_20(void **state)
{
	struct stack_watch w = {.size = 8192};

	(void)state;
	assert_false(stack_watch_short(&w));
	add_copies(&w, 19, 8192, 8192, true);
	assert_false(stack_watch_short(&w));
	/* of another size, and one that holds the whole stack */
	add_copies(&w, 100, 1024, 1024, true);
	add_copies(&w, 100, 32768, 32768, true);
	add_copies(&w, 1, 8192, 8000, true);
	assert_false(stack_watch_short(&w));
	assert_int_equal(w.copies, 20);
	add_copies(&w, 1, 8192, 8192, true);
	assert_true(stack_watch_short(&w));
	add_copies(&w, 379, 8192, 8192, false);
	assert_true(stack_watch_short(&w));
	assert_int_equal(w.copies, 400);
	add_copies(&w, 1, 8192, 8192, false);
	assert_false(stack_watch_short(&w));
}

static void only_single_events_grow(void **state)
{
	static const struct {
		uint32_t members, dump, type;
		bool grows, told;
	} cases[] = {{1, 0, TYPE_SOFTWARE, true, false}, {2, 0, TYPE_SOFTWARE, false, true},
		     {1, 4096, TYPE_SOFTWARE, false, false}, {1, 0, TYPE_BREAKPOINT, false, true}};
	struct sampling s = plain;

	(void)state;
	s.callgraph = CALLGRAPH_DWARF;
	s.stack_dump = 8192;
	s.stack_auto = s.system_wide = true;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_set set = {0};
		struct buf notices = {0};
		struct err e = {0};
		struct event *ev = clock_event(&set, "cs");

		ev->attr.type = cases[i].type;
		ev->members = cases[i].members;
		ev->stack_dump = cases[i].dump;
		assert_int_equal(sampling_apply(&s, &set, &notices, &e), 0);
		assert_int_equal(ev->unwind_auto, cases[i].grows);
		assert_int_equal(notices.n > 0, cases[i].told);
		/* the one that was added for maps and names */
		assert_int_equal(set.events.n, 2);
		assert_false(set.events.at[1]->unwind_auto);
		buf_release(&notices);
		event_set_release(&set);
	}
}

static void values_are_read_as_typed(void **state)
{
	struct sampling s = {0};
	double share;
	struct delay d = {0};
	struct rotation r = {0};
	struct err e = {0};
	uint64_t mask, hz;
	size_t size = 0, aux = 0;
	unsigned int bits;
	int clock;

	(void)state;
	assert_int_equal(value_callgraph("dwarf,4095", &s, &e), 0);
	assert_int_equal(s.stack_dump, 4096);
	assert_false(s.stack_auto);
	assert_int_equal(value_callgraph("dwarf,auto", &s, &e), 0);
	assert_true(s.stack_auto);
	assert_int_equal(s.stack_dump, 8192);
	assert_int_equal(value_callgraph("dwarf,automatic", &s, &e), -1);
	assert_int_equal(value_callgraph("dwarf", &s, &e), 0);
	assert_false(s.stack_auto);
	assert_int_equal(value_callgraph("fp,auto", &s, &e), -1);
	assert_int_equal(value_callgraph("fp,16", &s, &e), 0);
	assert_int_equal(s.max_stack, 16);
	assert_int_equal(value_callgraph("dwarf,65536", &s, &e), -1);
	assert_int_equal(value_callgraph("dwarf,x", &s, &e), -1);
	assert_int_equal(value_callgraph("up", &s, &e), -1);
	assert_int_equal(value_clock("CLOCK_MONOTONIC_RAW", &clock, &e), 0);
	assert_int_equal(clock, 4);
	assert_int_equal(value_clock("noon", &clock, &e), -1);
	assert_int_equal(value_ring("100,1M", &size, &aux, &e), 0);
	assert_int_equal(size, 128 * (size_t)sysconf(_SC_PAGESIZE));
	assert_int_equal(aux, 1 << 20);
	assert_int_equal(value_ring(",2M", &size, &aux, &e), 0);
	assert_int_equal(aux, 2 << 20);
	assert_int_equal(value_ring("0", &size, &aux, &e), -1);
	assert_int_equal(value_frequency("max", 1234, &hz, &e), 0);
	assert_int_equal(hz, 1234);
	assert_int_equal(value_frequency("fast", 1234, &hz, &e), -1);
	assert_int_equal(value_share("5%", &share, &e), 0);
	assert_true(share == 0.05);
	assert_int_equal(value_share("0.5", &share, &e), 0);
	assert_true(share == 0.005);
	assert_int_equal(value_share("0", &share, &e), -1);
	assert_int_equal(value_share("100", &share, &e), -1);
	assert_int_equal(value_share("5%%", &share, &e), -1);
	assert_int_equal(value_share("nan", &share, &e), -1);
	assert_int_equal(value_delay("10-20,30-40", &d, &e), 0);
	assert_int_equal(d.spans.n, 2);
	assert_int_equal(d.spans.at[1].to, 40);
	assert_int_equal(value_delay("30-40,10-20", &d, &e), -1);
	assert_int_equal(value_delay("20-10", &d, &e), -1);
	assert_int_equal(value_delay("500", &d, &e), 0);
	assert_int_equal(d.spans.n, 1);
	assert_int_equal(d.spans.at[0].to, 0);
	assert_int_equal(value_delay("-1", &d, &e), 0);
	assert_true(d.never);
	assert_int_equal(value_rotation("30M", &r, &e), 0);
	assert_int_equal(r.bytes, 30 << 20);
	assert_int_equal(value_rotation("2m", &r, &e), 0);
	assert_int_equal(r.seconds, 120);
	assert_int_equal(r.bytes, 0);
	assert_int_equal(value_rotation("signal", &r, &e), 0);
	assert_true(r.on_signal);
	assert_int_equal(value_rotation("soon", &r, &e), -1);
	assert_int_equal(value_rotation("12", &r, &e), -1);
	assert_int_equal(value_synth("task,mmap", &bits, &e), 0);
	assert_int_equal(bits, SYNTH_TASK | SYNTH_MMAP);
	assert_int_equal(value_synth("tasks", &bits, &e), -1);
	assert_int_equal(value_registers("nosuch", &mask, &e), -1);
	vec_release(&d.spans);
}

static int decode(struct buf *b, struct event_set *set, struct record *r)
{
	struct buf scratch = {0};
	struct record_decode how = {.sample_id_all = true, .scratch = &scratch, .events = set};
	int got = record_decode(&how, b->at, b->n, r);

	buf_release(&scratch);
	return got;
}

/* Another recorder's mark on a record that has a device there: 254:1, then 8:1 with
 * a generation. */
static void a_mark_alone_is_no_build_id(void **state)
{
	AUTO_BUF b = {0};
	struct record_writer w = {.b = &b};
	struct proc_map m = {.end = 0x3000, .ino = 77, .min = 1, .prot = PROT_READ, .name = "x"};
	struct event_set set = {0};
	struct record r;

	(void)state;
	for (m.maj = 254; m.maj; m.maj = m.maj == 254 ? 8 : 0) {
		buf_clear(&b);
		record_write_mmap2(&w, MISC_USER, 9, &m);
		((struct record_header *)b.at)->misc |= MISC_MMAP_BUILD_ID;
		b.at[56] = 5; /* the inode's generation */
		assert_int_equal(decode(&b, &set, &r), 0);
		assert_false(r.header.misc & MISC_MMAP_BUILD_ID);
		assert_int_equal(r.mmap.build_id_size, 0);
		assert_int_equal(r.mmap.maj, m.maj);
		assert_int_equal(r.mmap.ino, 77);
		assert_int_equal(r.mmap.ino_generation, 5);
		assert_int_equal(r.mmap.prot, PROT_READ);
		assert_string_equal(r.mmap.filename, "x");
		/* cut short: an error, not a read beyond */
		for (b.n = 8; b.n < 72; b.n++)
			assert_int_equal(decode(&b, &set, &r), -1);
	}
	/* a short build-id with nothing behind it is one */
	buf_clear(&b);
	m.build_id_size = 8;
	memset(m.build_id, 7, 8);
	record_write_mmap2(&w, MISC_USER, 9, &m);
	assert_int_equal(decode(&b, &set, &r), 0);
	assert_true(r.header.misc & MISC_MMAP_BUILD_ID);
	assert_int_equal(r.mmap.build_id_size, 8);
}

/* The kernel makes these records longer for each recorder that is told of the same thing. */
static void trailers_of_other_recorders_are_passed_over(void **state)
{
	static const uint8_t code[9] = {0x90, 1, 2, 3, 4, 5, 6, 7, 8};
	const uint64_t type = SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU;
	struct record made[] = {
		{.header.type = RECORD_KSYMBOL, .ksymbol = {0xc000, 96, 1, 1, "bpf_prog_1ab"}},
		{.header.type = RECORD_KSYMBOL, .ksymbol = {0xc000, 96, 1, 1, "bpf_progs_of_23"}},
		{.header.type = RECORD_BPF_EVENT, .bpf_event = {.type = 1, .id = 77}},
		{.header.type = RECORD_TEXT_POKE, .text_poke = {0xf00, 4, 5, code}},
		{.header.type = RECORD_TEXT_POKE, .text_poke = {0xf00, 0, 4, code}},
	};
	struct event_set set = {0};
	struct event *ev = event_set_add(&set, "cycles");
	const struct record_decode how = {.sample_id_all = true, .events = &set};

	(void)state;
	ev->attr.sample_type = type;
	for (size_t i = 0; i < 5 * ARRAY_SIZE(made); i++) {
		struct record *m = &made[i / 5], r;
		AUTO_BUF b = {0};
		uint64_t time = 0;

		m->id = (struct record_id){.pid = 4, .tid = 5, .time = 1000 + i, .cpu = 3};
		assert_int_equal(record_encode(m, type, true, &b), 0);
		for (size_t n = 0; n < i % 5; n++)
			buf_add(&b, "garbage, garbage, garbage", n % 2 ? 24 : 16);
		((struct record_header *)b.at)->size = (uint16_t)b.n;
		assert_int_equal(decode(&b, &set, &r), 0);
		assert_false(r.excess);
		assert_int_equal(r.id.pid, 4);
		assert_int_equal(r.id.tid, 5);
		assert_int_equal(r.id.time, 1000 + i);
		assert_int_equal(r.id.cpu, 3);
		assert_true(record_raw_time(&how, b.at, b.n, &time));
		assert_int_equal(time, 1000 + i);
	}
	event_set_release(&set);
}

static void what_we_write_decodes_to_what_we_meant(void **state)
{
	struct event_set set = {0};
	struct buf b = {0};
	struct record_writer w = {.b = &b, .sample_type = SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU};
	struct proc_map m = {.start = 0x1000, .end = 0x3000, .offset = 0x2000, .ino = 77, .maj = 8,
			     .min = 1, .prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE,
			     .name = "/bin/x"};
	struct record r;

	(void)state;
	event_set_add(&set, "e")->attr = (struct attr){
		.sample_type = SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU, .flags = ATTR_SAMPLE_ID_ALL};
	record_write_comm(&w, 5, 6, "seven77");
	assert_int_equal(decode(&b, &set, &r), 0);
	assert_int_equal(r.header.size, b.n);
	assert_string_equal(r.comm.comm, "seven77");
	assert_int_equal(r.comm.tid, 6);
	buf_clear(&b);
	record_write_fork(&w, 10, 11, 12, 13);
	assert_int_equal(decode(&b, &set, &r), 0);
	assert_int_equal(r.task.pid, 10);
	assert_int_equal(r.task.tid, 11);
	assert_int_equal(r.task.ppid, 12);
	assert_int_equal(r.task.ptid, 13);
	assert_int_equal(r.header.misc, MISC_FORK_EXEC);
	buf_clear(&b);
	record_write_mmap2(&w, MISC_USER, 9, &m);
	assert_int_equal(decode(&b, &set, &r), 0);
	assert_int_equal(r.mmap.len, 0x2000);
	assert_int_equal(r.mmap.ino, 77);
	assert_int_equal(r.mmap.build_id_size, 0);
	assert_string_equal(r.mmap.filename, "/bin/x");
	buf_clear(&b);
	m.build_id_size = 20;
	memset(m.build_id, 0xab, 20);
	record_write_mmap2(&w, MISC_USER, 9, &m);
	assert_int_equal(decode(&b, &set, &r), 0);
	assert_int_equal(r.mmap.build_id_size, 20);
	assert_int_equal(r.mmap.build_id[19], 0xab);
	buf_clear(&b);
	record_write_kernel_mmap(&w, 0xff00, 0x100, 0xff00, "[kernel.kallsyms]_text");
	assert_int_equal(decode(&b, &set, &r), 0);
	assert_int_equal(r.mmap.pgoff, 0xff00);
	buf_clear(&b);
	record_write_lost_samples(&b, 12, SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU, 99, 3);
	assert_int_equal(decode(&b, &set, &r), 0);
	assert_int_equal(r.lost_samples.lost, 12);
	assert_int_equal(r.id.cpu, 3);
	event_set_release(&set);
	buf_release(&b);
}

static void commands_of_control_are_words(void **state)
{
	struct control_command c;

	(void)state;
	control_parse("enable", &c);
	assert_int_equal(c.verb, CONTROL_ENABLE);
	assert_string_equal(c.argument, "");
	control_parse("disable  cpu-clock", &c);
	assert_int_equal(c.verb, CONTROL_DISABLE);
	assert_string_equal(c.argument, "cpu-clock");
	control_parse("stopping", &c);
	assert_int_equal(c.verb, CONTROL_UNKNOWN);
	control_parse("", &c);
	assert_int_equal(c.verb, CONTROL_UNKNOWN);
}

static void cpu_lists_are_read(void **state)
{
	struct cpu_list l = {0};

	(void)state;
	assert_int_equal(cpus_parse("0-2,5,1\n", &l), 0);
	assert_int_equal(l.n, 4);
	assert_int_equal(l.at[3], 5);
	vec_clear(&l);
	assert_int_equal(cpus_parse("3-1", &l), -1);
	assert_int_equal(cpus_parse("", &l), -1);
	assert_int_equal(cpus_parse("0-999999999", &l), -1);
	assert_int_equal(cpus_parse("a", &l), -1);
	assert_int_equal(cpus_parse("7,8", &l), 0);
	assert_int_equal(cpus_parse("9,x", &l), -1);
	assert_int_equal(l.n, 2); /* as it was */
	vec_release(&l);
	assert_int_equal(cpus_parse("1-3e", &l), -1);
	assert_null(l.at); /* nothing to give back */
}

struct seen_maps {
	size_t n, named;
	uint64_t last, bytes;
};

static bool see_map(void *ctx, const struct proc_map *m)
{
	struct seen_maps *s = ctx;

	assert_true(m->start >= s->last && m->end > m->start);
	if (strcmp(m->name, "[vsyscall]")) { /* of the gate only the text tells */
		s->n++;
		s->bytes += m->end - m->start;
		s->named += m->name[0] == '/';
	}
	s->last = m->end;
	return true;
}

static void maps_are_the_same_by_text_and_by_query(void **state)
{
	struct proc_maps_options text = {.text_only = true}, query = {0};
	struct seen_maps a = {0}, b = {0};

	(void)state;
	assert_int_equal(proc_maps("/proc", getpid(), &text, see_map, &a), 0);
	assert_int_equal(proc_maps("/proc", getpid(), &query, see_map, &b), 0);
	assert_true(a.n >= 3 && a.named >= 2);
	assert_int_equal(a.n, b.n);
	assert_int_equal(a.bytes, b.bytes);
	assert_int_equal(a.named, b.named);
	assert_int_equal(proc_maps("/proc", 1 << 30, &query, see_map, &b), -1);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	AUTO_CHAR *path = mem_printf("%s/%s", dir, name);
	FILE *f;

	for (char *p = path + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void a_machine_can_be_a_folder(void **state)
{
	char dir[] = "/tmp/test-record-XXXXXX";
	struct proc_status st;
	struct host_kernel k;
	AUTO_CHAR *clean = NULL;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file(dir, "7/task/8/status",
		   "Name:\ta\\\\b\\nc\nTgid:\t7\nPid:\t8\nPPid:\t3\nUid:\t1000\t0\t0\t0\nVmPeak:"
		   "\t1 kB\n");
	assert_int_equal(proc_status(dir, 7, 8, &st), 0);
	assert_string_equal(st.comm, "a\\b\nc");
	assert_int_equal(st.tgid, 7);
	assert_int_equal(st.ppid, 3);
	assert_int_equal(st.uid, 1000);
	assert_false(st.kernel_thread);
	assert_int_equal(proc_status(dir, 7, 9, &st), -1);
	write_file(dir, "kallsyms", "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
				    "ffffffff81000010 t other\n");
	write_file(dir, "iomem", "00001000-0009ffff : System RAM\n"
				 "  01000000-010fffff : Kernel code\n");
	assert_true(host_kernel_text(dir, &k));
	assert_true(k.text == 0xffffffff81000000 && k.etext == 0xffffffff81100000);
	{
		struct buf b = {0};

		/* Kernels before 6.15 list per-CPU symbols first. */
		for (unsigned int i = 0; i < 2000; i++)
			buf_printf(&b, "%016x A per_cpu_%u\n", i * 64, i);
		buf_str(&b, "ffffffff9a000000 T _stext\nffffffff9a000000 T _text\n");
		write_file(dir, "kallsyms", buf_text(&b));
		buf_release(&b);
	}
	assert_true(host_kernel_text(dir, &k));
	assert_true(k.text == 0xffffffff9a000000 && k.stext == k.text);
	assert_string_equal(k.reference, "_text");
	{
		struct buf b = {0};

		/* aarch64: no _text, or one that is before what is called kernel code */
		buf_str(&b, "ffffb1a09da10000 T _stext\n");
		for (unsigned int i = 0; i < 2000; i++)
			buf_printf(&b, "%016llx t other_%u\n", 0xffffb1a09da10000ull + i * 64, i);
		write_file(dir, "kallsyms", buf_text(&b));
		buf_release(&b);
	}
	assert_true(host_kernel_text(dir, &k));
	assert_true(k.text == 0xffffb1a09da10000 && k.etext == 0xffffb1a09db10000);
	assert_string_equal(k.reference, "_stext");
	write_file(dir, "kallsyms", "ffffa49ece600000 T _text\nffffa49ece610000 T _stext\n");
	assert_true(host_kernel_text(dir, &k));
	assert_true(k.text == 0xffffa49ece600000 && k.etext == 0xffffa49ece710000);
	assert_string_equal(k.reference, "_text");
	write_file(dir, "kallsyms", "0000000000000000 T _stext\n0000000000000000 T _text\n");
	assert_false(host_kernel_text(dir, &k));
	clean = mem_printf("rm -rf %s", dir);
	assert_int_equal(system(clean), 0);
}

static void prepare(struct spawn *s, const char *text, struct err *e)
{
	char sh[] = "sh", c[] = "-c", *copy = mem_strdup(text);
	char *shell[] = {sh, c, copy, NULL}, *alone[] = {copy, NULL};

	assert_int_equal(spawn_prepare(s, *text == '/' ? alone : shell, NULL, e), 0);
	free(copy);
}

static void commands_start_in_two_steps(void **state)
{
	struct spawn s;
	struct err e = {0};

	(void)state;
	prepare(&s, "exit 7", &e);
	assert_false(spawn_ended(&s));
	assert_int_equal(spawn_go(&s, &e), 0);
	spawn_release(&s, false);
	assert_int_equal(spawn_exit_status(&s), 7);
	prepare(&s, "/no/such/thing", &e);
	assert_int_equal(spawn_go(&s, &e), -1);
	assert_int_equal(e.sys, 2);
	spawn_release(&s, false);
	prepare(&s, "kill -9 $$", &e);
	assert_int_equal(spawn_go(&s, &e), 0);
	spawn_release(&s, false);
	assert_true(spawn_was_killed(&s));
	assert_int_equal(spawn_exit_status(&s), 137);
	/* One that was never let go ends without a word. */
	prepare(&s, "exit 7", &e);
	spawn_release(&s, true);
	assert_int_equal(s.pid, 0);
}

static void somebody_else_closes(void **state)
{
	int p[2], hold;
	char c;

	(void)state;
	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	assert_int_equal(close_slowly(&p[1], 1, &hold), 0);
	close(p[1]);
	assert_int_equal(read(p[0], &c, 1), -1); /* not at its end: it is kept open */
	assert_int_equal(errno, EAGAIN);
	close(hold);
	fcntl(p[0], F_SETFL, 0);
	assert_int_equal(read(p[0], &c, 1), 0);
	close(p[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_sampled_from_its_exec),
		cmocka_unit_test(whole_cpus_are_tracked_by_a_dummy),
		cmocka_unit_test(options_add_their_fields),
		cmocka_unit_test(threads_have_times),
		cmocka_unit_test(events_with_different_fields_get_identifiers),
		cmocka_unit_test(a_read_group_samples_its_leader),
		cmocka_unit_test(a_ratio_gives_the_period_of_the_event_before),
		cmocka_unit_test(the_term_decides_about_branches),
		cmocka_unit_test(frequencies_keep_to_the_limit),
		cmocka_unit_test(copies_of_stacks_are_too_short_one_time_in_20),
		cmocka_unit_test(only_single_events_grow),
		cmocka_unit_test(values_are_read_as_typed),
		cmocka_unit_test(a_mark_alone_is_no_build_id),
		cmocka_unit_test(trailers_of_other_recorders_are_passed_over),
		cmocka_unit_test(what_we_write_decodes_to_what_we_meant),
		cmocka_unit_test(commands_of_control_are_words),
		cmocka_unit_test(cpu_lists_are_read),
		cmocka_unit_test(maps_are_the_same_by_text_and_by_query),
		cmocka_unit_test(a_machine_can_be_a_folder),
		cmocka_unit_test(commands_start_in_two_steps),
		cmocka_unit_test(somebody_else_closes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
