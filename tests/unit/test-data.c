// SPDX-License-Identifier: MIT
/* Records and recordings: values in records, order, pipes, and whole recordings. */
#include "recordings.h"

#include "base/mem.h"
#include "data/feature/feature.h"
#include "data/simpleperf.h"
#include "data/source/read_split.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct buf some_rounds(const struct attr *a)
{
	struct buf data = {0};

	put_comm(&data, a, 0, "a");	 /* without a time: at once */
	put_sample(&data, a, 30, 1);
	put_sample(&data, a, 40, 2);
	put_sample(&data, a, 10, 3);	 /* another ring */
	put_sample(&data, a, 30, 4);	 /* as old as the first: after it */
	put_empty(&data, RECORD_FINISHED_ROUND);
	put_sample(&data, a, 35, 5);
	put_comm(&data, a, 20, "b");
	put_sample(&data, a, 50, 6);
	put_empty(&data, RECORD_FINISHED_ROUND); /* up to 40 may go */
	put_sample(&data, a, 38, 7);		 /* too late: its time is past */
	put_comm(&data, a, 0, "c");
	put_sample(&data, a, 45, 8);
	return data;
}

static void rounds_give_perf_s_order(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = some_rounds(&a), file = make_file(&a, 1, &data), out = {0};
	AUTO_BUF pipe = make_pipe(&a, &data);

	(void)state;
	AUTO(recording) *rec = open_bytes(&file);
	read_order(rec, SOURCE_FILE_ORDER, &out);
	assert_string_equal(buf_text(&out), "a 1 2 3 4 5 b 6 7 c 8 ");
	read_order(rec, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "a 3 b 1 4 5 2 c 7 8 6 ");
	assert_int_equal(rec->m.losses.kind[LOSS_ORDER].times, 1);
	read_order(rec, SOURCE_SIDE_BAND, &out);
	assert_string_equal(buf_text(&out), "a c b ");
	read_order(rec, SOURCE_SAMPLES, &out);
	assert_string_equal(buf_text(&out), "1 2 3 4 5 6 7 8 ");
	AUTO(recording) *piped = open_bytes(&pipe);
	assert_true(piped->is_pipe);
	read_order(piped, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "a 3 b 1 4 5 2 c 7 8 6 ");
	assert_int_equal(piped->m.events.events.n, 1);
	/* a second time the attribute is not taken again */
	read_order(piped, SOURCE_FILE_ORDER, &out);
	assert_int_equal(piped->m.events.events.n, 1);
}

static void without_ids_the_file_s_order_stays(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0}, out = {0};

	(void)state;
	a.flags = 0;
	put_sample(&data, &a, 30, 1);
	put_sample(&data, &a, 10, 2);
	AUTO_BUF file = make_file(&a, 1, &data);
	AUTO(recording) *rec = open_bytes(&file);
	read_order(rec, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "1 2 ");
}

/* Runs are merged, not sorted: many rings, each in order, without any round. */
static void many_runs_are_merged(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0};
	uint64_t last = 0, n = 0;

	(void)state;
	for (uint64_t ring = 0; ring < 37; ring++)
		for (uint64_t i = 0; i < 50; i++)
			put_sample(&data, &a, 1 + (i * 7919 + ring * 13) % 100000 + i * 100000,
				   ring);
	AUTO_BUF file = make_file(&a, 1, &data);
	AUTO(recording) *rec = open_bytes(&file);
	struct err e = {0};
	AUTO(source) *src = source_open(rec, &(struct source_options){.mode = SOURCE_ORDERED}, &e);
	struct record r;

	while (source_next(src, &r, &e) > 0) {
		assert_true(r.sample.time >= last);
		last = r.sample.time;
		n++;
	}
	assert_int_equal(n, 37 * 50);
	assert_false(losses_any(&rec->m.losses));
}

static void a_sample_has_all_its_fields(void **state)
{
	static const uint64_t chain[] = {CONTEXT_KERNEL, 0xffffffff81000000, CONTEXT_USER,
					 0x401000};
	static const uint64_t regs[] = {1, 2, 3};
	static const uint64_t values[] = {1000, 100, 7, 2000, 101, 8};
	static const struct branch_entry branches[] = {{0x10, 0x20, 1}, {0x30, 0x40, 2 | 50 << 4}};
	static const uint8_t raw[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	static const uint64_t stack[] = {5, 6, 7, 8};
	struct attr a = attr_of((1ull << 25) - 1);
	struct event_set set = {0};
	AUTO_BUF b = {0}, scratch = {0}, again = {0};
	struct record r = {.header.type = RECORD_SAMPLE}, d;
	struct record_decode how = {.sample_id_all = true, .scratch = &scratch, .events = &set};

	(void)state;
	a.sample_type &= ~SAMPLE_WEIGHT;
	a.read_format = READ_GROUP | READ_ID | READ_LOST | READ_TOTAL_TIME_ENABLED;
	a.sample_regs_user = 0x10101;
	a.sample_regs_intr = 0x7;
	a.branch_sample_type = BRANCH_HW_INDEX;
	event_set_add(&set, "all")->attr = a;
	r.sample = (struct sample){
		.type = a.sample_type,
		.ip = 0x401000,
		.pid = 1,
		.tid = 2,
		.time = 3,
		.addr = 4,
		.id = 100,
		.stream_id = 6,
		.cpu = 7,
		.period = 8,
		.read = {.format = a.read_format,
			 .time_enabled = 9,
			 .nr = 2,
			 .values = values,
			 .stride = 3},
		.callchain_nr = 4,
		.callchain = chain,
		.raw_size = sizeof(raw),
		.raw = raw,
		.branch_nr = 2,
		.branch_hw_idx = 11,
		.branch_has_hw_idx = true,
		.branches = branches,
		.user_regs = {2, a.sample_regs_user, regs},
		.intr_regs = {2, a.sample_regs_intr, regs},
		.user_stack_size = 32,
		.user_stack_dyn = 24,
		.user_stack = (const uint8_t *)stack,
		.weight1 = 12,
		.weight2 = 13,
		.weight3 = 14,
		.data_src = 15,
		.transaction = 16,
		.phys_addr = 17,
		.cgroup = 18,
		.data_page_size = 19,
		.code_page_size = 20,
		.aux_size = 8,
		.aux = (const uint8_t *)stack,
	};
	put_record(&b, &a, r);
	assert_int_equal(record_decode(&how, b.at, b.n, &d), 0);
	assert_ptr_equal(d.event, set.events.at[0]);
	assert_int_equal(d.sample.ip, 0x401000);
	assert_int_equal(d.id.time, 3);
	assert_int_equal(d.id.tid, 2);
	assert_int_equal(d.sample.cpu, 7);
	assert_int_equal(d.sample.read.nr, 2);
	assert_int_equal(d.sample.read.values[3], 2000);
	assert_int_equal(d.sample.read.values[5], 8);
	assert_int_equal(d.sample.callchain_nr, 4);
	assert_int_equal(d.sample.callchain[3], 0x401000);
	assert_memory_equal(d.sample.raw, raw, sizeof(raw));
	assert_int_equal(d.sample.branch_nr, 2);
	assert_int_equal(d.sample.branch_hw_idx, 11);
	assert_memory_equal(d.sample.branches, branches, sizeof(branches));
	assert_int_equal(d.sample.user_regs.regs[2], 3);
	assert_int_equal(d.sample.user_stack_dyn, 24);
	assert_int_equal(d.sample.weight1, 12);
	assert_int_equal(d.sample.weight3, 14);
	assert_int_equal(d.sample.code_page_size, 20);
	assert_int_equal(d.sample.aux_size, 8);
	put_record(&again, &a, d);
	assert_int_equal(again.n, b.n);
	assert_memory_equal(again.at, b.at, b.n);
	/* one byte of it missing */
	assert_int_equal(record_decode(&how, b.at, b.n - 1, &d), -1);
	event_set_release(&set);
}

/* A record of every type of the kernel, with what makes its length. */
static void every_type_comes_back(void **state)
{
	static const uint64_t words[] = {1, 2, 3, 4};
	struct attr a = attr_of(BASIC | SAMPLE_ID);
	struct event_set set = {0};
	AUTO_BUF scratch = {0}, b = {0}, again = {0};
	struct record_decode how = {.sample_id_all = true, .scratch = &scratch, .events = &set};

	(void)state;
	a.read_format = READ_ID | READ_TOTAL_TIME_ENABLED;
	event_set_add(&set, "e")->attr = a;
	for (uint32_t type = 1; type < RECORD_KERNEL_MAX; type++) {
		struct record r = {.header.type = type}, d;

		r.id = (struct record_id){.pid = 1, .tid = 2, .time = 3, .id = 4, .cpu = 5};
		if (type == RECORD_MMAP || type == RECORD_MMAP2)
			r.mmap = (struct rec_mmap){.pid = 1,
						   .addr = 0x1000,
						   .len = 0x2000,
						   .prot = 5,
						   .ino = 77,
						   .filename = "/bin/x"};
		else if (type == RECORD_COMM)
			r.comm = (struct rec_comm){1, 2, "12345678"};
		else if (type == RECORD_CGROUP)
			r.cgroup = (struct rec_cgroup){9, "/a/b"};
		else if (type == RECORD_KSYMBOL)
			r.ksymbol = (struct rec_ksymbol){0x10, 4, 1, 0, "bpf_prog"};
		else if (type == RECORD_NAMESPACES)
			r.namespaces = (struct rec_namespaces){1, 2, 2, words};
		else if (type == RECORD_CALLCHAIN_DEFERRED)
			r.callchain_deferred = (struct rec_callchain_deferred){1, 4, words};
		else if (type == RECORD_TEXT_POKE)
			r.text_poke = (struct rec_text_poke){0x10, 5, 5, (const uint8_t *)words};
		else if (type == RECORD_READ)
			r.read = (struct rec_read){1, 2, {a.read_format, 5, 0, 1, words, 2}};
		else if (type == RECORD_SAMPLE)
			r.sample = (struct sample){.type = a.sample_type, .time = 3};
		else
			memset(&r.lost, 0x11, 16);
		buf_clear(&b);
		buf_clear(&again);
		put_record(&b, &a, r);
		assert_int_equal(b.n % 8, 0);
		assert_true(b.n >= record_min_size(type));
		assert_int_equal(record_decode(&how, b.at, b.n, &d), 0);
		assert_int_equal(d.id.time, 3);
		if (type == RECORD_MMAP2)
			assert_string_equal(d.mmap.filename, "/bin/x");
		if (type == RECORD_TEXT_POKE)
			assert_memory_equal(d.text_poke.bytes, words, 10);
		put_record(&again, &a, d);
		assert_int_equal(again.n, b.n);
		assert_memory_equal(again.at, b.at, b.n);
	}
	event_set_release(&set);
}

static void build_ids_stand_in_mmap2(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF scratch = {0}, b = {0};
	struct record_decode how = {.scratch = &scratch};
	struct record r = {.header = {.type = RECORD_MMAP2, .misc = MISC_MMAP_BUILD_ID}}, d;

	(void)state;
	a.flags = 0;
	r.mmap = (struct rec_mmap){
		.build_id = {1, 2, 3}, .build_id_size = 20, .prot = 5, .filename = "x"};
	put_record(&b, &a, r);
	assert_int_equal(record_decode(&how, b.at, b.n, &d), 0);
	assert_int_equal(d.mmap.build_id_size, 20);
	assert_int_equal(d.mmap.build_id[2], 3);
	assert_int_equal(d.mmap.prot, 5);
	assert_string_equal(d.mmap.filename, "x");
}

/* Big-endian words, one after the other. */
static void be32(struct buf *b, uint32_t v)
{
	put32(b, __builtin_bswap32(v));
}
static void be64(struct buf *b, uint64_t v)
{
	put64(b, __builtin_bswap64(v));
}

static void the_other_byte_order_is_undone(void **state)
{
	struct attr a = attr_of(SAMPLE_IP | SAMPLE_TID | SAMPLE_CPU | SAMPLE_CALLCHAIN |
				SAMPLE_BRANCH_STACK);
	struct event_set set = {0};
	AUTO_BUF scratch = {0}, b = {0};
	struct record_decode how = {.swap = true, .sample_id_all = true, .scratch = &scratch,
				    .events = &set};
	struct record d;

	(void)state;
	event_set_add(&set, "e")->attr = a;
	be32(&b, RECORD_SAMPLE);
	be32(&b, 2 << 16 | 88); /* misc, size */
	be64(&b, 0x401000);
	be32(&b, 1);
	be32(&b, 2);
	be32(&b, 3);
	be32(&b, 0);
	be64(&b, 2);
	be64(&b, CONTEXT_USER);
	be64(&b, 0x401000);
	be64(&b, 1);
	be64(&b, 0x10);
	be64(&b, 0x20);
	/* mispredicted, 50 cycles: bit fields from the highest bit down */
	be64(&b, 1ull << 63 | 50ull << 44);
	assert_int_equal(b.n, 96 - 8 + 0);
	assert_int_equal(record_decode(&how, b.at, b.n, &d), 0);
	assert_int_equal(d.header.misc, MISC_USER);
	assert_int_equal(d.sample.ip, 0x401000);
	assert_int_equal(d.sample.tid, 2);
	assert_int_equal(d.sample.cpu, 3);
	assert_true(d.sample.callchain[0] == CONTEXT_USER);
	assert_int_equal(d.sample.branches[0].to, 0x20);
	assert_int_equal(d.sample.branches[0].flags, 1 | 50 << 4);
	event_set_release(&set);
}

static void a_file_of_the_other_byte_order_is_read(void **state)
{
	AUTO_BUF b = {0};
	struct err e = {0};
	struct record r;

	(void)state;
	put(&b, "2ELIFREP", 8);
	be64(&b, 104);
	be64(&b, ATTR_SIZE_VER0 + 16);
	be64(&b, 104);
	be64(&b, ATTR_SIZE_VER0 + 16);
	be64(&b, 184);
	be64(&b, 72);
	be64(&b, 0);
	be64(&b, 0);
	be64(&b, 1 << FEATURE_HOSTNAME);
	for (int i = 0; i < 3; i++)
		be64(&b, 0);
	be32(&b, TYPE_SOFTWARE);
	be32(&b, ATTR_SIZE_VER0);
	be64(&b, 0);
	be64(&b, 4000);
	be64(&b, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME);
	be64(&b, 0);
	/* freq (10) and sample_id_all (18): bit fields begin at a byte's highest bit */
	put(&b, "\0\x20\x20\0\0\0\0\0", 8);
	for (int i = 0; i < 4; i++)
		be64(&b, 0); /* no ids */
	be32(&b, RECORD_COMM);
	be32(&b, 40);
	be32(&b, 5);
	be32(&b, 6);
	put(&b, "shell\0\0", 8);
	be32(&b, 5);
	be32(&b, 6);
	be64(&b, 77);
	be32(&b, RECORD_SAMPLE);
	be32(&b, MISC_USER << 16 | 32);
	be64(&b, 0x401000);
	be32(&b, 5);
	be32(&b, 6);
	be64(&b, 78);
	be64(&b, 272); /* the table of features: one */
	be64(&b, 68);
	be32(&b, 64);
	put(&b, "power", 5);
	buf_fill(&b, 0, 59);
	AUTO(recording) *rec = open_bytes(&b);
	assert_true(rec->m.swap);
	assert_true(rec->m.sample_id_all);
	assert_string_equal(rec->hostname, "power");
	assert_int_equal(rec->m.events.events.at[0]->attr.sample_freq, 4000);
	assert_int_equal(rec->m.events.events.at[0]->attr.flags, ATTR_FREQ | ATTR_SAMPLE_ID_ALL);
	AUTO(source) *src = source_open(rec, &(struct source_options){.mode = SOURCE_ORDERED}, &e);
	assert_int_equal(source_next(src, &r, &e), 1);
	assert_string_equal(r.comm.comm, "shell");
	assert_int_equal(r.comm.tid, 6);
	assert_int_equal(r.id.time, 77);
	assert_int_equal(source_next(src, &r, &e), 1);
	assert_int_equal(r.sample.ip, 0x401000);
	assert_int_equal(r.sample.time, 78);
	assert_int_equal(source_next(src, &r, &e), 0);
	assert_false(losses_any(&rec->m.losses));
}

static void events_are_told_apart_by_id(void **state)
{
	struct attr attrs[2] = {attr_of(BASIC | SAMPLE_IDENTIFIER),
				attr_of(BASIC | SAMPLE_IDENTIFIER)};
	AUTO_BUF data = {0};
	struct record r = {.header.type = RECORD_SAMPLE};
	struct err e = {0};

	(void)state;
	attrs[1].config = 1;
	r.sample = (struct sample){.type = attrs[0].sample_type, .id = 101, .time = 1};
	put_record(&data, &attrs[0], r);
	r.sample.id = 100;
	put_record(&data, &attrs[0], r);
	r.sample.id = 999;
	put_record(&data, &attrs[0], r);
	AUTO_BUF file = make_file(attrs, 2, &data);
	AUTO(recording) *rec = open_bytes(&file);
	AUTO(source) *src =
		source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &e);
	assert_int_equal(source_next(src, &r, &e), 1);
	assert_int_equal(r.event->index, 1);
	assert_int_equal(source_next(src, &r, &e), 1);
	assert_int_equal(r.event->index, 0);
	assert_int_equal(source_next(src, &r, &e), 0);
	assert_int_equal(rec->m.losses.kind[LOSS_UNKNOWN_EVENT].times, 1);
}

static void counter_values_become_samples(void **state)
{
	static const uint64_t first[] = {1000, 100, 50, 101}, second[] = {1700, 100, 50, 101};
	struct attr a = attr_of(SAMPLE_READ | SAMPLE_ID);
	struct event_set set = {0};
	struct read_split split = {0};
	struct event *x = event_set_add(&set, "x"), *y = event_set_add(&set, "y"), *ev;
	struct record r = {.header.type = RECORD_SAMPLE, .event = x};
	uint64_t i = 0, period;

	(void)state;
	x->attr = y->attr = a;
	event_set_add_id(&set, x, 100);
	event_set_add_id(&set, y, 101);
	r.sample.read = (struct sample_read){
		.format = READ_GROUP | READ_ID, .nr = 2, .values = first, .stride = 2};
	assert_true(read_split_next(&split, &set, &r, &i, &ev, &period));
	assert_ptr_equal(ev, x);
	assert_int_equal(period, 1000);
	assert_true(read_split_next(&split, &set, &r, &i, &ev, &period));
	assert_ptr_equal(ev, y);
	assert_false(read_split_next(&split, &set, &r, &i, &ev, &period));
	r.sample.read.values = second;
	i = 0;
	assert_true(read_split_next(&split, &set, &r, &i, &ev, &period));
	assert_int_equal(period, 700);
	/* y has not moved: no sample of it */
	assert_false(read_split_next(&split, &set, &r, &i, &ev, &period));
	read_split_release(&split);
	event_set_release(&set);
}

/* simpleperf has types of its own, whose sizes need not be multiples of 8. */
static void other_tools_records_are_passed_over(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0}, out = {0};

	(void)state;
	put32(&data, 32769);
	put32(&data, 12 << 16);
	put32(&data, 1);
	put_sample(&data, &a, 1, 1);
	put_sample(&data, &a, 2, 2);
	AUTO_BUF file = make_file(&a, 1, &data);
	AUTO(recording) *rec = open_bytes(&file);
	read_order(rec, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "1 2 ");
	assert_int_equal(rec->m.losses.kind[LOSS_UNKNOWN_TYPE].times, 1);
	assert_false(losses_damage(&rec->m.losses));
}

static const char *source_root(void)
{
	const char *root = getenv("TESTS");

	return root ? root : "tests";
}

/* A record in pieces of n bytes, as simpleperf writes one that is longer than 64 KiB. */
static void put_split(struct buf *b, const struct buf *record, size_t n)
{
	for (size_t at = 0; at < record->n; at += n) {
		size_t piece = record->n - at < n ? record->n - at : n;

		put32(b, SIMPLEPERF_SPLIT);
		put32(b, (uint32_t)(8 + piece) << 16);
		put(b, record->at + at, piece);
	}
	put32(b, SIMPLEPERF_SPLIT_END);
	put32(b, 8 << 16);
}

static struct buf simpleperf_record(uint32_t type, const void *p, uint32_t n)
{
	uint32_t size = 12 + n;
	struct buf b = {0};

	put32(&b, type);
	put32(&b, size >> 16 | size << 16);
	put32(&b, n);
	put(&b, p, n);
	return b;
}

/* A real recording's formats, as its header has them; *a: of its first event. */
static struct buf real_formats(struct attr *a)
{
	AUTO_CHAR *path = mem_printf("%s/data/switches.data", source_root());
	struct err e = {0};
	AUTO(recording) *rec = recording_open(path, &(struct recording_options){.force = true}, &e);
	const uint8_t *p;
	struct buf b = {0};
	size_t n;

	assert_non_null(rec);
	a->type = TYPE_TRACEPOINT;
	a->config = rec->m.events.events.at[0]->attr.config;
	p = feature_payload(rec, FEATURE_TRACING_DATA, &n);
	assert_non_null(p);
	put(&b, p, n);
	return b;
}

static void check_formats(struct recording *rec)
{
	AUTO_BUF out = {0};

	for (int pass = 0; pass < 2; pass++) {
		read_order(rec, SOURCE_ORDERED, &out);
		assert_string_equal(buf_text(&out), "1 2 ");
	}
	assert_non_null(rec->m.events.events.at[0]->format);
	assert_string_equal(rec->m.events.events.at[0]->name, "sched:sched_switch");
	assert_false(losses_any(&rec->m.losses));
}

static void split_records_are_put_together(void **state)
{
	/* with room for more than 16 bits of size; pieces end anywhere */
	static const size_t pieces[] = {65527, 9001, 8};
	struct attr a = attr_of(BASIC);
	AUTO_BUF formats = real_formats(&a);

	(void)state;
	buf_fill(&formats, 0, 70000);
	AUTO_BUF record =
		simpleperf_record(SIMPLEPERF_TRACING_DATA, formats.at, (uint32_t)formats.n);

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		AUTO_BUF data = {0};

		put_split(&data, &record, pieces[i]);
		put_sample(&data, &a, 1, 1);
		put_sample(&data, &a, 2, 2);
		AUTO_BUF file = make_file(&a, 1, &data), pipe = make_pipe(&a, &data);
		AUTO(recording) *rec = open_bytes(&file), *piped = open_bytes(&pipe);

		check_formats(rec);
		check_formats(piped);
	}
}

static void short_records_of_formats_are_read_whole(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF formats = real_formats(&a), data = {0};

	(void)state;
	AUTO_BUF record =
		simpleperf_record(SIMPLEPERF_TRACING_DATA, formats.at, (uint32_t)formats.n);

	put(&data, record.at, record.n);
	put_sample(&data, &a, 1, 1);
	put_sample(&data, &a, 2, 2);
	AUTO_BUF file = make_file(&a, 1, &data);
	AUTO(recording) *rec = open_bytes(&file);
	check_formats(rec);
}

/* One of another type is of a kind unknown, whatever its pieces look like. */
static void split_records_of_unknown_types_count_once(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0}, out = {0}, text = {0};

	(void)state;
	buf_fill(&text, 'a', 150001);
	AUTO_BUF record = simpleperf_record(32769, text.at, (uint32_t)text.n);

	put_split(&data, &record, 65527);
	put_sample(&data, &a, 1, 1);
	AUTO_BUF file = make_file(&a, 1, &data);
	AUTO(recording) *rec = open_bytes(&file);
	read_order(rec, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "1 ");
	assert_int_equal(rec->m.losses.kind[LOSS_UNKNOWN_TYPE].times, 1);
	assert_false(losses_damage(&rec->m.losses));
}

/* Pieces without an end, an end without pieces, and more or fewer bytes than the record's header
 * says. */
static void wrong_pieces_are_damage(void **state)
{
	static const uint8_t nothing[40];
	struct attr a = attr_of(BASIC);

	(void)state;
	for (int wrong = 0; wrong < 5; wrong++) {
		AUTO_BUF data = {0}, out = {0}, pieces = {0},
			 record = simpleperf_record(32769, nothing, 20);

		if (wrong == 1 || wrong == 2)
			record.at[6] += wrong == 1 ? 1 : -1;
		if (wrong == 3)
			record.n = 4;
		if (wrong != 4)
			put_split(&pieces, &record, 16);
		else
			put_split(&pieces, &(struct buf){0}, 16);
		put(&data, pieces.at, wrong ? pieces.n : pieces.n - 8);
		put_sample(&data, &a, 1, 1);
		AUTO_BUF file = make_file(&a, 1, &data);
		AUTO(recording) *rec = open_bytes(&file);
		read_order(rec, SOURCE_ORDERED, &out);
		assert_string_equal(buf_text(&out), "1 ");
		assert_true(losses_damage(&rec->m.losses));
	}
}

/* Where our own recordings are: the tests run in the project's directory. */
static glob_t recordings_of(const char *folder, const char *pattern)
{
	AUTO_CHAR *path = mem_printf("%s/%s", folder, pattern);
	glob_t g = {0};

	glob(path, 0, NULL, &g);
	return g;
}

static const char *corpus(void)
{
	const char *path = getenv("PERF_CORPUS");

	return path ? path : "../shared/corpus";
}

static uint64_t digest(struct recording *rec, enum source_mode mode)
{
	struct err e = {0};
	AUTO(source) *src = source_open(rec, &(struct source_options){.mode = mode}, &e);
	struct record r;
	uint64_t h = 0;

	while (source_next(src, &r, &e) > 0) {
		uint64_t what[] = {h, r.header.type, r.offset, r.seq, r.id.time};

		h = hash_bytes(what, sizeof(what), 0);
		h = hash_bytes(r.bytes, r.header.size, h);
	}
	return h;
}

static uint64_t digest_of_spans(struct recording *rec)
{
	struct err e = {0};
	AUTO(source) *src =
		source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &e);
	struct span span;
	uint64_t n = 0;

	while (source_next_span(src, &span, &e) > 0) {
		struct record_header h;
		const uint8_t *p;

		assert_int_equal(span.seq, n);
		for (size_t pos = 0; span_step(&span, rec->m.swap, &pos, &p, &h);)
			n++;
		span_release(&span);
	}
	return n;
}

static uint64_t records_of(struct recording *rec)
{
	struct err e = {0};
	AUTO(source) *src =
		source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &e);
	struct record r;
	uint64_t n = 0;

	while (source_next(src, &r, &e) > 0)
		n = r.seq + 1;
	return n;
}

/* Decodes and encodes every record; and reads the file mapped, read and in spans. */
static void check_recording(const char *path)
{
	struct recording_options read_it = {.no_mmap = true, .force = true};
	struct err e = {0};
	AUTO(recording) *rec = recording_open(path, &(struct recording_options){.force = true}, &e);
	AUTO(recording) *other = recording_open(path, &read_it, &e);
	AUTO_BUF out = {0};
	struct record r;

	if (!rec || !other)
		fail_msg("%s: %s", path, e.text);
	AUTO(source) *src =
		source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &e);
	while (source_next(src, &r, &e) > 0) {
		const struct event *ev = r.event;

		if (!ev && rec->m.events.events.n)
			ev = rec->m.events.events.at[0];
		buf_clear(&out);
		assert_int_equal(record_encode(&r, ev ? ev->attr.sample_type : 0,
					       rec->m.sample_id_all, &out),
				 0);
		if (!rec->m.swap && (out.n != r.header.size || memcmp(out.at, r.bytes, out.n)))
			fail_msg("%s: %s at %#llx: %zu bytes of %u", path,
				 record_type_name(r.header.type), (unsigned long long)r.offset,
				 out.n, r.header.size);
	}
	assert_true(digest(rec, SOURCE_FILE_ORDER) == digest(other, SOURCE_FILE_ORDER));
	assert_true(digest(rec, SOURCE_ORDERED) == digest(other, SOURCE_ORDERED));
	assert_int_equal(digest_of_spans(rec), records_of(rec));
	assert_int_equal(digest_of_spans(other), records_of(other));
}

static void check_all(glob_t g)
{
	if (!g.gl_pathc) {
		globfree(&g);
		skip();
	}
	for (size_t i = 0; i < g.gl_pathc; i++)
		check_recording(g.gl_pathv[i]);
	globfree(&g);
}

static void our_recordings_encode_to_their_bytes(void **state)
{
	AUTO_CHAR *folder = mem_printf("%s/data", source_root());

	(void)state;
	check_all(recordings_of(folder, "*.data"));
}

static void other_people_s_recordings_encode_to_their_bytes(void **state)
{
	(void)state;
	check_all(recordings_of(corpus(), "good/*"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_give_perf_s_order),
		cmocka_unit_test(without_ids_the_file_s_order_stays),
		cmocka_unit_test(many_runs_are_merged),
		cmocka_unit_test(a_sample_has_all_its_fields),
		cmocka_unit_test(every_type_comes_back),
		cmocka_unit_test(build_ids_stand_in_mmap2),
		cmocka_unit_test(the_other_byte_order_is_undone),
		cmocka_unit_test(a_file_of_the_other_byte_order_is_read),
		cmocka_unit_test(events_are_told_apart_by_id),
		cmocka_unit_test(counter_values_become_samples),
		cmocka_unit_test(other_tools_records_are_passed_over),
		cmocka_unit_test(split_records_are_put_together),
		cmocka_unit_test(short_records_of_formats_are_read_whole),
		cmocka_unit_test(split_records_of_unknown_types_count_once),
		cmocka_unit_test(wrong_pieces_are_damage),
		cmocka_unit_test(our_recordings_encode_to_their_bytes),
		cmocka_unit_test(other_people_s_recordings_encode_to_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
