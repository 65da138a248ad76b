// SPDX-License-Identifier: MIT
/* The same records by every way to pull them: from a file, a pipe, memory and a live origin; in
 * order, in spans, in batches, by one thread and by several. */
#include "recordings.h"

#include "data/source/batch.h"
#include "profile/samples/read.h"
#include "profile/samples/reading/tally.h"
#include "profile/table/table.h"
#include "view/report/report.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <unistd.h>

/* -- a live origin: records that arrive in buffers, a few at a time, and define nothing -- */

#define LIVE_AT_ONCE 3

struct live {
	struct source src;
	const uint8_t *p, *end; /* records that are still to come */
	struct shared_bytes *arrived;
	size_t at, in_buffer; /* in .arrived */
	uint64_t seq;
	int fails_with; /* errno at the end; 0: it ends */
};

static void live_arrive(struct live *l)
{
	struct record_header h;
	const uint8_t *to = l->p;

	for (int i = 0; i < LIVE_AT_ONCE && to < l->end; i++) {
		memcpy(&h, to, sizeof(h));
		to += h.size;
	}
	shared_bytes_drop(l->arrived);
	l->arrived = shared_bytes_new((size_t)(to - l->p));
	l->in_buffer = (size_t)(to - l->p);
	memcpy(l->arrived->at, l->p, l->in_buffer);
	l->p = to;
	l->at = 0;
}

static int live_next_raw(struct source *src, struct raw_record *raw, struct err *err)
{
	struct live *l = (struct live *)src;

	if (l->at == l->in_buffer && l->p == l->end)
		return l->fails_with ? err_sys(err, l->fails_with, "cannot read the rings") : 0;
	if (l->at == l->in_buffer)
		live_arrive(l);
	*raw = (struct raw_record){
		.p = l->arrived->at + l->at, .owner = l->arrived, .offset = l->seq, .seq = l->seq};
	memcpy(&raw->header, raw->p, sizeof(raw->header));
	l->at += raw->header.size;
	l->seq++;
	return 1;
}

static void live_free(struct source *src)
{
	struct live *l = (struct live *)src;

	shared_bytes_drop(l->arrived);
	source_release(src);
	free(l);
}

static const struct source_ops live_ops = {.next_raw = live_next_raw, .free = live_free};

static struct source *live_open(struct measurement *m, const struct buf *records, int fails_with)
{
	struct live *l = NEW(struct live);

	source_init(&l->src, &live_ops, m);
	l->p = (const uint8_t *)records->at;
	l->end = l->p + records->n;
	l->fails_with = fails_with;
	return &l->src;
}

/* -- records of several rings, in rounds -- */

#define EVENT_TYPE (BASIC | SAMPLE_IDENTIFIER | SAMPLE_CALLCHAIN)

static struct attr event_attr(uint64_t more)
{
	struct attr a = attr_of(EVENT_TYPE | more);

	a.flags |= ATTR_DEFER_CALLCHAIN;
	if (more & SAMPLE_READ)
		a.read_format = READ_ID | READ_GROUP;
	return a;
}

static void put_chain_sample(struct buf *b, const struct attr *a, uint32_t tid, uint64_t time,
			     uint64_t cookie)
{
	const uint64_t words[] = {CONTEXT_KERNEL, 0xffffffff81000000 + tid, CONTEXT_USER_DEFERRED,
				  cookie};
	const uint64_t values[] = {time * 10, 100};
	struct record r = {.header.type = RECORD_SAMPLE, .header.misc = MISC_KERNEL};

	r.sample = (struct sample){
		.type = a->sample_type,
		.id = 100,
		.ip = words[1],
		.pid = 10,
		.tid = tid,
		.time = time,
		.cpu = tid,
		.period = 5,
		.callchain = words,
		.callchain_nr = cookie ? 4 : 2,
		.read = {.format = a->read_format, .nr = 1, .stride = 2, .values = values}};
	put_record(b, a, r);
}

static void put_user_chain(struct buf *b, const struct attr *a, uint32_t tid, uint64_t time,
			   uint64_t cookie)
{
	static const uint64_t ips[] = {CONTEXT_USER, 0x401000};
	struct record r = {.header.type = RECORD_CALLCHAIN_DEFERRED,
			   .id = {.pid = 10, .tid = tid, .time = time, .id = 100, .cpu = tid}};

	r.callchain_deferred =
		(struct rec_callchain_deferred){.cookie = cookie, .nr = 2, .ips = ips};
	put_record(b, a, r);
}

/* Three rings, each in order, emptied one after the other: all times are different. */
static struct buf made_records(const struct attr *a)
{
	struct buf b = {0};

	put_record(&b, a,
		   (struct record){.header.type = RECORD_COMM,
				   .id = {.pid = 10, .tid = 11, .time = 1, .id = 100},
				   .comm = {.pid = 10, .tid = 11, .comm = "one"}});
	for (uint64_t round = 0; round < 20; round++) {
		for (uint32_t ring = 0; ring < 3; ring++) {
			const uint64_t t = 1000 * round + 100 * ring + 10;
			const uint32_t tid = 11 + ring;

			put_chain_sample(&b, a, tid, t + 1, 0);
			put_chain_sample(&b, a, tid, t + 20 * (3 - ring), 7000 + t);
			put_user_chain(&b, a, tid, t + 500, 7000 + t);
			put_chain_sample(&b, a, tid, t + 501, 0);
		}
		put_empty(&b, RECORD_FINISHED_ROUND);
	}
	return b;
}

/* -- what is compared -- */

/* All that a source gives of the kernel's records and rounds. Where they stood is not the same in a
 * pipe. */
static void pull_all(struct source *src, struct buf *out)
{
	struct err e = {0};
	struct record r;
	int got;

	buf_clear(out);
	while ((got = source_next(src, &r, &e)) > 0) {
		if (r.header.type >= RECORD_HEADER_ATTR && r.header.type != RECORD_FINISHED_ROUND)
			continue;
		buf_printf(out, "%s", record_type_name(r.header.type));
		if (r.header.type == RECORD_SAMPLE) {
			buf_printf(out, " %llu %llu:", (unsigned long long)r.sample.time,
				   (unsigned long long)r.sample.period);
			for (uint64_t i = 0; i < r.sample.callchain_nr; i++)
				buf_printf(out, " %llx", (unsigned long long)r.sample.callchain[i]);
		} else {
			buf_printf(out, " %llu", (unsigned long long)r.id.time);
		}
		buf_char(out, '\n');
	}
	assert_int_equal(got, 0);
	source_free(src);
}

static const struct samples_options *asked_by(const struct table *t)
{
	static struct samples_options wanted;

	wanted = (struct samples_options){
		.filter = t->opts.filter, .max_stack = 127, .keep_outer = t->opts.caller_order};
	table_ask(t, &wanted);
	return &wanted;
}

/* The report of samples that are read, and what is known to be lost of them. */
static void show_table(struct table *t, struct samples *s, const struct measurement *m,
		       struct buf *text)
{
	struct calltree_params tree;
	struct report_view view = {.table = t, .sort = t->opts.layout.sort, .tree = &tree};
	struct out out = {.fd = -1};
	struct err e = {0};

	samples_settle(s);
	assert_int_equal(table_make(t, s, &e), 0);
	calltree_params_default(&tree, false);
	assert_true(report_show(&view, &out));
	buf_add(text, out.buf.at, out.buf.n);
	buf_release(&out.buf);
	losses_show(&m->losses, text);
	buf_printf(text, " bare %llu of %llu, cut %llu, damage %d\n",
		   (unsigned long long)t->losses.chains_bare,
		   (unsigned long long)t->losses.chains_seen,
		   (unsigned long long)t->losses.chains_cut, losses_damage(&m->losses));
}

static struct table *table_by(const char *sort)
{
	struct table_options o = {.layout = {.sort = sort, .default_sort = sort}, .chains = true};
	struct err e = {0};
	struct table *t;

	o.filter.socket = -1;
	t = table_new(&o, &e);
	if (!t)
		fail_msg("%s", e.text);
	return t;
}

static void table_of_source(struct source *src, const struct recording *rec, struct buf *text)
{
	const struct symbol_options symbols = {.no_live = true};
	struct measurement *m = source_measurement(src);
	AUTO(world) *w = rec ? world_of_recording(rec, &symbols) : world_new(m, &symbols);
	AUTO(table) *t = table_by("comm,pid,cpu,sym");
	AUTO(samples) *s = samples_new(m, w, asked_by(t));
	struct samples_reading how = {0};
	struct err e = {0};

	buf_clear(text);
	assert_int_equal(samples_pull(s, src, &how, &e), 0);
	show_table(t, s, m, text);
	source_free(src);
}

static bool later_half(const void *ctx, uint64_t from, uint64_t to)
{
	(void)ctx;
	(void)from;
	return to >= 10000;
}

static const struct source_options all_options[] = {
	{.mode = SOURCE_FILE_ORDER},
	{.mode = SOURCE_ORDERED},
	{.mode = SOURCE_SIDE_BAND},
	{.mode = SOURCE_SAMPLES},
	{.mode = SOURCE_ORDERED, .join_chains = true},
	{.mode = SOURCE_ORDERED, .split_reads = true},
	{.mode = SOURCE_ORDERED, .join_chains = true, .split_reads = true},
	{.mode = SOURCE_FILE_ORDER, .times = {later_half, NULL}},
	{.mode = SOURCE_ORDERED, .times = {later_half, NULL}},
	{.mode = SOURCE_SAMPLES, .times = {later_half, NULL}},
	{.mode = SOURCE_ORDERED,
	 .join_chains = true,
	 .split_reads = true,
	 .times = {later_half, NULL}},
};

static const struct source_options for_tables = {
	.mode = SOURCE_ORDERED, .join_chains = true, .split_reads = true};

/* The same bytes: mapped, read, and in memory. */
struct origins {
	struct buf records, file, pipe;
	char path[64];
	struct measurement m; /* of the live one */
};

static void origins_make(struct origins *o, uint64_t more)
{
	const struct attr a = event_attr(more);
	AUTO_BUF name = {0};
	struct event *ev;
	int fd;

	*o = (struct origins){.records = made_records(&a)};
	o->file = make_file(&a, 1, &o->records);
	o->pipe = make_pipe(&a, &o->records);
	strcpy(o->path, "/tmp/perf-test-source-XXXXXX");
	fd = mkstemp(o->path);
	assert_int_equal(write(fd, o->file.at, o->file.n), o->file.n);
	close(fd);
	o->m.sample_id_all = true;
	attr_name(&a, &name);
	ev = event_set_add(&o->m.events, buf_text(&name));
	ev->attr = a;
	event_set_add_id(&o->m.events, ev, 100);
}

static void origins_release(struct origins *o)
{
	unlink(o->path);
	buf_release(&o->records);
	buf_release(&o->file);
	buf_release(&o->pipe);
	measurement_release(&o->m);
}

enum { OF_MAP, OF_READS, OF_MEMORY, OF_PIPE, OF_KINDS };

static struct recording *origins_open(const struct origins *o, int kind)
{
	const struct recording_options how = {.no_mmap = kind == OF_READS};
	struct err e = {0};
	struct recording *rec = kind == OF_MEMORY ? recording_open_memory(o->file.at, o->file.n, &e)
				: kind == OF_PIPE ? recording_open_memory(o->pipe.at, o->pipe.n, &e)
						  : recording_open(o->path, &how, &e);

	if (!rec)
		fail_msg("%s", e.text);
	return rec;
}

static void check_origins(uint64_t more)
{
	AUTO_BUF live = {0}, text = {0};
	struct origins o;
	struct err e = {0};

	origins_make(&o, more);
	for (size_t i = 0; i < ARRAY_SIZE(all_options); i++) {
		pull_all(source_wrap(live_open(&o.m, &o.records, 0), &all_options[i]), &live);
		assert_true(live.n > 0);
		for (int kind = 0; kind < OF_KINDS; kind++) {
			AUTO(recording) *rec = origins_open(&o, kind);

			pull_all(source_open(rec, &all_options[i], &e), &text);
			assert_string_equal(buf_text(&text), buf_text(&live));
			assert_false(losses_any(&rec->m.losses));
		}
	}
	assert_false(losses_any(&o.m.losses));
	table_of_source(source_wrap(live_open(&o.m, &o.records, 0), &for_tables), NULL, &live);
	for (int kind = 0; kind < OF_KINDS; kind++) {
		AUTO(recording) *rec = origins_open(&o, kind);

		table_of_source(source_open(rec, &for_tables, &e), rec, &text);
		assert_string_equal(buf_text(&text), buf_text(&live));
	}
	origins_release(&o);
}

static void every_origin_gives_the_same_records_and_table(void **state)
{
	(void)state;
	check_origins(0);
	check_origins(SAMPLE_READ);
}

/* Joined chains, and values that are differences: known, not only equal. */
static void decorators_change_samples_alike(void **state)
{
	const struct source_options both = all_options[6];
	AUTO_BUF text = {0};
	struct origins o;

	(void)state;
	origins_make(&o, SAMPLE_READ);
	pull_all(source_wrap(live_open(&o.m, &o.records, 0), &both), &text);
	/* values grow by 10 a ns; the sample at 70 comes when its thread is back in user space */
	assert_non_null(strstr(buf_text(&text),
			       "COMM 1\n"
			       "SAMPLE 11 110: ffffffffffffff80 ffffffff8100000b\n"
			       "SAMPLE 111 410: ffffffffffffff80 ffffffff8100000c\n"));
	assert_non_null(strstr(buf_text(&text), "\nSAMPLE 70 590: "));
	assert_non_null(strstr(buf_text(&text),
			       " ffffffffffffff80 ffffffff8100000b fffffffffffffe00 401000\n"));
	assert_null(strstr(buf_text(&text), "fffffffffffffd80"));
	assert_int_equal(o.m.losses.kind[LOSS_UNWIND].times, 0);
	origins_release(&o);
}

/* The contract of err: -1 is an error of the origin, through all decorators, and not an end. */
static void an_origin_s_error_comes_through(void **state)
{
	struct origins o;

	(void)state;
	origins_make(&o, SAMPLE_READ);
	for (size_t i = 0; i < ARRAY_SIZE(all_options); i++) {
		AUTO(source) *src =
			source_wrap(live_open(&o.m, &o.records, EIO), &all_options[i]);
		struct err e = {0};
		struct record r;
		int got;

		while ((got = source_next(src, &r, &e)) > 0)
			;
		assert_int_equal(got, -1);
		assert_int_equal(e.sys, EIO);
		assert_string_equal(e.text, "cannot read the rings: Input/output error");
	}
	origins_release(&o);
}

static void capabilities_are_asked_for(void **state)
{
	struct err e = {0};
	struct origins o;

	(void)state;
	origins_make(&o, 0);
	AUTO(recording) *rec = origins_open(&o, OF_MAP);
	AUTO(source) *stored = source_open(rec, &all_options[0], &e);
	AUTO(source) *ordered = source_open(rec, &all_options[1], &e);
	AUTO(source) *joined = source_open(rec, &all_options[4], &e);
	AUTO(source) *live = source_wrap(live_open(&o.m, &o.records, 0), &all_options[0]);

	assert_true(source_has_spans(stored));
	assert_false(source_has_spans(ordered));
	assert_false(source_has_spans(live));
	assert_true(source_has_batches(stored));
	assert_true(source_has_batches(ordered));
	assert_true(source_has_batches(live));
	assert_false(source_has_batches(joined));
	assert_int_equal(source_bytes(joined), o.records.n);
	assert_int_equal(source_bytes(live), 0);
	origins_release(&o);
}

/* -- recordings of tests/data, whole and damaged, by every way to read them -- */

static void pull_batches(struct source *src, size_t bytes, struct buf *out)
{
	struct batch_reader reader = {.src = src};
	struct batch_decoder decoder = {.src = src};
	struct batch b = {0};
	struct err e = {0};
	struct record r;
	int got;

	assert_true(source_has_batches(src));
	while ((got = batch_next(&reader, &b, bytes, &e)) > 0) {
		batch_take_definition(&reader);
		for (size_t i = 0; i < b.records.n; i++)
			if (batch_decode(&decoder, &b.records.at[i], &r))
				buf_printf(out, "%u %llu %llu\n", r.header.type,
					   (unsigned long long)r.seq, (unsigned long long)r.offset);
		batch_clear(&b);
		if (reader.has_definition)
			continue; /* it comes with the next batch */
	}
	assert_int_equal(got, 0);
	losses_merge(&source_measurement(src)->losses, &decoder.losses);
	batch_release(&b);
	batch_decoder_release(&decoder);
}

static void pull_singly(struct source *src, struct buf *out)
{
	struct err e = {0};
	struct record r;
	int got;

	while ((got = source_next(src, &r, &e)) > 0)
		buf_printf(out, "%u %llu %llu\n", r.header.type, (unsigned long long)r.seq,
			   (unsigned long long)r.offset);
	assert_int_equal(got, 0);
}

static void check_batches(const struct buf *bytes, enum source_mode mode, const char *name)
{
	const struct source_options how = {.mode = mode};
	AUTO_BUF singly = {0};
	struct err e = {0};
	AUTO(recording) *rec = recording_open_memory(bytes->at, bytes->n, &e);
	AUTO(source) *src = rec ? source_open(rec, &how, &e) : NULL;

	if (!rec)
		return; /* too damaged to be opened */
	pull_singly(src, &singly);
	losses_show(&rec->m.losses, &singly);
	for (size_t size = 1; size <= 100000; size *= 100) {
		AUTO(recording) *other = recording_open_memory(bytes->at, bytes->n, &e);
		AUTO(source) *in_batches = source_open(other, &how, &e);
		AUTO_BUF text = {0};

		pull_batches(in_batches, size, &text);
		losses_show(&other->m.losses, &text);
		if (strcmp(buf_text(&text), buf_text(&singly)))
			fail_msg("%s: batches of %zu bytes are not what single records are", name,
				 size);
	}
}

/* parallel_from UINT64_MAX: in order, by one thread. */
static void table_of_bytes(const struct buf *bytes, const char *sort, uint64_t parallel_from,
			   unsigned int workers, struct buf *text)
{
	const struct symbol_options symbols = {.no_live = true};
	struct samples_reading how = {.parallel_from = parallel_from, .threads = workers};
	struct err e = {0};
	AUTO(recording) *rec = recording_open_memory(bytes->at, bytes->n, &e);

	if (!rec)
		return;
	AUTO(world) *w = world_of_recording(rec, &symbols);
	AUTO(table) *t = table_by(sort);
	AUTO(samples) *s = samples_new(&rec->m, w, asked_by(t));

	assert_int_equal(samples_read(s, rec, &how, &e), 0);
	show_table(t, s, &rec->m, text);
	buf_printf(text, "%llu lost samples\n", (unsigned long long)how.lost_samples);
}

/* Returns how many of the tables have samples. */
static int check_tables(const struct buf *bytes, const char *name)
{
	/* cells of samples one by one and in bulk, and a tally of threads */
	static const char *const sorts[] = {"comm,dso,sym", "pid,comm", "comm", "cpu,sym"};
	int samples = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sorts); i++) {
		AUTO_BUF in_order = {0};

		table_of_bytes(bytes, sorts[i], UINT64_MAX, 0, &in_order);
		samples += strstr(buf_text(&in_order), "# Samples: ") != NULL;
		for (unsigned int workers = 1; workers <= 3; workers++) {
			AUTO_BUF text = {0};

			table_of_bytes(bytes, sorts[i], 0, workers, &text);
			if (strcmp(buf_text(&text), buf_text(&in_order)))
				fail_msg("%s, %u workers, by %s:\n%s\nin order:\n%s", name, workers,
					 sorts[i], buf_text(&text), buf_text(&in_order));
		}
	}
	return samples;
}

static struct buf bytes_of(const char *path)
{
	struct buf b = {0};
	FILE *f = fopen(path, "rb");
	int c;

	assert_non_null(f);
	while ((c = fgetc(f)) != EOF)
		buf_char(&b, (char)c);
	fclose(f);
	return b;
}

static int check_bytes(const struct buf *b, const char *name)
{
	check_batches(b, SOURCE_FILE_ORDER, name);
	check_batches(b, SOURCE_ORDERED, name);
	return check_tables(b, name);
}

static void every_way_to_read_gives_the_same(void **state)
{
	const char *root = getenv("TESTS");
	AUTO_CHAR *pattern = mem_printf("%s/data/*.data", root ? root : "tests");
	glob_t g = {0};

	(void)state;
	glob(pattern, 0, NULL, &g);
	assert_true(g.gl_pathc > 8);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		AUTO_BUF b = bytes_of(g.gl_pathv[i]);
		const size_t n = b.n;

		assert_int_equal(check_bytes(&b, g.gl_pathv[i]), 4);
		/* cut short, and with a byte that is wrong */
		for (int tenth = 3; tenth < 10; tenth += 3) {
			b.n = n * (size_t)tenth / 10;
			check_bytes(&b, g.gl_pathv[i]);
			b.n = n;
			b.at[n * (size_t)tenth / 10] ^= 0x55;
			check_bytes(&b, g.gl_pathv[i]);
			b.at[n * (size_t)tenth / 10] ^= 0x55;
		}
	}
	globfree(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_origin_gives_the_same_records_and_table),
		cmocka_unit_test(decorators_change_samples_alike),
		cmocka_unit_test(an_origin_s_error_comes_through),
		cmocka_unit_test(capabilities_are_asked_for),
		cmocka_unit_test(every_way_to_read_gives_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
