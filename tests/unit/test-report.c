// SPDX-License-Identifier: MIT
/* Samples folded into entries, sorted, and shown: on recordings made in memory, whose names come
 * from kernel symbols that the recording itself brings along. */
#include "reported.h"

#include "profile/samples/reading/tally.h"
#include "view/report/folded.h"

static void samples_are_counted_where_they_fell(void **state)
{
	struct fixture *f = begin(2, false);
	struct table_options o = {0};

	(void)state;
	put_sample(f, 0, 1, BASE + 0x10, 300);
	put_sample(f, 0, 2, BASE + 0x1010, 100);
	put_sample(f, 0, 1, BASE + 0x20, 300);
	put_sample(f, 0, 1, BASE + 0x1020, 100);
	put_sample(f, 0, 2, 0x10, 200);
	put_sample(f, 1, 2, BASE, 1);
	assert_string_equal(
		shown(f, &o, "comm,sym"),
		"#\n# Total Lost Samples: 0\n#\n"
		"# Samples: 5  of event 'cpu-clock'\n"
		"# Event count (approx.): 1000\n#\n"
		"# Overhead  Command  Symbol                \n"
		"# ........  .......  ......................\n#\n"
		"    60.00%  one      [k] alpha\n"
		"    20.00%  two      [k] 0x0000000000000010\n"
		"    10.00%  one      [k] beta\n"
		"    10.00%  two      [k] beta\n\n\n"
		"# Samples: 1  of event 'page-faults'\n"
		"# Event count (approx.): 1\n#\n"
		"# Overhead  Command  Symbol   \n"
		"# ........  .......  .........\n#\n"
		"   100.00%  two      [k] alpha\n\n\n");
	f->view.quiet = true;
	o.layout.show_samples = true;
	assert_string_equal(shown(f, &o, "pid"),
			    "    70.00%             3        1:one    \n"
			    "    30.00%             2        2:two    \n\n\n"
			    "   100.00%             1        2:two    \n\n\n");
	f->view.separator = ",";
	assert_string_equal(shown(f, &o, "cpu"), " 70.00% , 3          ,001\n"
						 " 30.00% , 2          ,002\n\n\n"
						 " 100.00%, 1          ,002\n\n\n");
	end(f);
}

static void equals_stand_in_the_order_of_their_keys(void **state)
{
	struct fixture *f = begin(1, false);
	struct table_options o = {0};

	(void)state;
	f->view.quiet = true;
	put_sample(f, 0, 2, BASE + 0x2000, 1);
	put_sample(f, 0, 1, 0x7000, 1);
	put_sample(f, 0, 1, 0x6000, 1);
	put_sample(f, 0, 1, BASE + 0x1000, 1);
	assert_string_equal(shown(f, &o, "sym"), "    25.00%  [k] beta\n"
						 "    25.00%  [k] gamma\n"
						 "    25.00%  [k] 0x0000000000006000\n"
						 "    25.00%  [k] 0x0000000000007000\n\n\n");
	assert_string_equal(shown(f, &o, "comm,sym"),
			    "    25.00%  one      [k] beta\n"
			    "    25.00%  one      [k] 0x0000000000006000\n"
			    "    25.00%  one      [k] 0x0000000000007000\n"
			    "    25.00%  two      [k] gamma\n\n\n");
	end(f);
}

static void callers_get_entries_once_a_sample(void **state)
{
	struct fixture *f = begin(1, true);
	struct table_options o = {.children = true, .caller_order = true};

	(void)state;
	f->view.quiet = true;
	put_chain(f, 1, 300, "012");
	put_chain(f, 1, 100, "12");
	put_chain(f, 1, 100, "01012"); /* recursion */
	assert_string_equal(shown(f, &o, "sym"), "   100.00%    20.00%  [k] beta\n"
						 "   100.00%     0.00%  [k] gamma\n"
						 "    80.00%    80.00%  [k] alpha\n\n\n");
	o.children = false;
	o.caller_order = false;
	o.chains = true;
	assert_string_equal(shown(f, &o, "comm,sym"),
			    "    80.00%  one      [k] alpha\n"
			    "            |\n"
			    "            ---alpha\n"
			    "               beta\n"
			    "               |          \n"
			    "               |--60.00%--gamma\n"
			    "               |          \n"
			    "                --20.00%--alpha\n"
			    "                          beta\n"
			    "                          gamma\n\n"
			    "    20.00%  one      [k] beta\n"
			    "            |\n"
			    "            ---beta\n"
			    "               gamma\n\n\n\n");
	end(f);
}

static void put_switch(struct fixture *f, uint32_t tid, bool out)
{
	struct record r = {.header = {.type = RECORD_SWITCH, .misc = out ? MISC_SWITCH_OUT : 0}};
	struct err e = {0};

	r.id = (struct record_id){.has = SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_IDENTIFIER,
				  .pid = tid, .tid = tid, .time = ++f->time, .id = 40};
	r.event = f->set.events.at[0];
	if (sink_put_record(f->sink, &r, &e))
		fail_msg("%s", e.text);
}

static struct fixture *begin_with_switches(void)
{
	struct fixture *f = begin(1, false);

	f->set.events.at[0]->attr.flags |= ATTR_CONTEXT_SWITCH;
	sink_free(f->sink);
	buf_clear(&f->bytes);
	f->sink = sink_open_memory(false, &f->bytes);
	assert_int_equal(sink_begin(f->sink, &f->set, NULL), 0);
	f->view.quiet = true;
	return f;
}

/* The example of upstream's page on latency: 9 s in one thread, then 1 s in 128 threads at once. */
static void latency_is_that_of_upstreams_example(void **state)
{
	struct fixture *f = begin_with_switches();
	struct table_options o = {0};

	(void)state;
	put_comm(f, 1, "serial");
	for (uint32_t tid = 2; tid <= 129; tid++)
		put_comm(f, tid, "parallel");
	put_switch(f, 1, false);
	put_sample(f, 0, 1, BASE, 9000000);
	put_switch(f, 1, true);
	for (uint32_t tid = 2; tid <= 129; tid++)
		put_switch(f, tid, false);
	for (uint32_t tid = 2; tid <= 129; tid++)
		put_sample(f, 0, tid, BASE, 1000000);
	o.layout.latency = true;
	assert_string_equal(shown(f, &o, "comm"), "    90.00%     6.57%  serial  \n"
						  "    10.00%    93.43%  parallel\n\n\n");
	end(f);
}

/* Time that two spend at once is half the time for each. */
static void latency_is_shared_by_who_runs(void **state)
{
	struct fixture *f = begin_with_switches();
	struct table_options o = {0};

	(void)state;
	put_comm(f, 1, "one");
	put_comm(f, 2, "two");
	put_switch(f, 1, false);
	put_sample(f, 0, 1, BASE, 200);
	put_switch(f, 2, false);
	put_sample(f, 0, 1, BASE, 100);
	put_sample(f, 0, 2, BASE, 100);
	put_switch(f, 1, true);
	put_sample(f, 0, 2, BASE, 100);
	o.layout.latency = true;
	assert_string_equal(shown(f, &o, "comm"), "    62.50%    60.00%  one    \n"
						  "    37.50%    40.00%  two    \n\n\n");
	o.layout.latency = false;
	assert_string_equal(shown(f, &o, "parallelism"), "    60.00%            1\n"
							 "    40.00%            2\n\n\n");
	assert_int_equal(number_list_parse(&o.filter.parallelism, "2", "counts", NULL), 0);
	assert_string_equal(shown(f, &o, "comm"), "    50.00%  one    \n"
						  "    50.00%  two    \n\n\n");
	filter_release(&o.filter);
	end(f);
}

/* A process takes over the thread id of another one. */
static void put_fork(struct fixture *f, uint32_t pid, uint32_t by)
{
	struct record r = {
		.header = {.type = RECORD_FORK},
		.task = {.pid = pid, .tid = pid, .ppid = by, .ptid = by, .time = f->time + 1}};

	put(f, &r);
}

/* However many read, in whatever order: the text is the same. */
static void workers_change_nothing(void **state)
{
	struct fixture *f = begin(2, true);
	struct table_options o = {.children = true, .caller_order = true, .chains = true};
	static const char *const keys[] = {"pid,comm,sym", "comm,dso,sym", "sym", "comm,dso",
					   "cpu,sym"};
	char chain[6], *alone;

	(void)state;
	for (unsigned int i = 0; i < 3000; i++) {
		unsigned int n = 0;

		for (unsigned int k = i % 5; k < 5; k++)
			chain[n++] = (char)('0' + (i * (k + 7) / 3) % 4);
		chain[n] = '\0';
		put_chain(f, i % 7 ? 1 + i % 3 : 9, i % 11, chain);
		if (i % 100 == 50)
			put_comm(f, 1 + i / 100 % 3, i % 200 == 50 ? "other" : "again");
		if (i % 500 == 70)
			put_sample(f, i / 500 % 2, 2, BASE, 1); /* its chain is missing */
		if (i % 600 == 80)
			put_fork(f, 1 + i / 600 % 3,
				 3 - i / 600 % 3); /* of 3 nothing was told before */
	}
	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		f->workers = 0;
		alone = mem_strdup(shown(f, &o, keys[k]));
		for (f->workers = 1; f->workers <= 3; f->workers++)
			assert_string_equal(shown(f, &o, keys[k]), alone);
		free(alone);
	}
	end(f);
}

static void see_samples(void *ctx, const struct span *samples)
{
	tally_add(ctx, samples);
}

/* Reads all of the recording for a report by pid and comm. True: one walk did. */
static bool tallied(struct fixture *f, struct table_options *o, struct samples **samples)
{
	struct symbol_options symbols = {.no_live = true};
	struct tally tally;
	struct source_options reading = {.mode = SOURCE_SIDE_BAND, .passed = {see_samples, &tally}};
	AUTO(source) *src = NULL;
	AUTO(table) *table = NULL;
	struct sample_runs runs;
	struct record r;
	bool good;

	shown(f, o, "pid,comm"); /* makes the recording */
	o->layout.sort = "pid,comm";
	f->world = world_of_recording(f->rec, &symbols);
	table = table_new(o, NULL);
	assert_non_null(table);
	*samples = samples_new(&f->rec->m, f->world, asked(table));
	sample_runs_init(&runs, f->rec, false);
	tally_init(&tally, *samples, f->rec, &runs);
	src = source_open(f->rec, &reading, NULL);
	while (source_next(src, &r, NULL) > 0) {
		world_add(f->world, &r, record_time(&f->rec->m, &r));
		tally_note(&tally, &r);
	}
	tally_make_threads(&tally, f->world);
	world_seal(f->world);
	good = tally_finish(&tally, *samples);
	tally_release(&tally);
	return good;
}

static void check_weights(const struct samples *s, size_t cell, uint64_t samples, uint64_t period,
			  uint64_t first)
{
	struct weights w;

	cells_weights(&s->cells, (uint32_t)cell, &w);
	assert_int_equal(w.samples, samples);
	assert_int_equal(w.period, period);
	assert_int_equal(w.sys, period);
	assert_int_equal(w.us, 0);
	assert_int_equal(w.latency, period);
	assert_int_equal(cells_at(&s->cells, (uint32_t)cell)->order, first);
}

/* Threads and their names are all that is asked for: samples are summed before the names
 * are known. */
static void one_walk_does_for_threads(void **state)
{
	struct fixture *f = begin(2, true);
	struct table_options o = {0};
	struct samples *s;

	(void)state;
	f->time = 1000;
	for (unsigned int i = 0; i < 40; i++)
		put_chain(f, 1, 3, "012"); /* at 1001 to 1040 */
	put_sample(f, 1, 2, BASE, 100);	   /* at 1041, of the other event: its chain is missing */
	assert_false(tallied(f, &o, &s));
	assert_int_equal(s->cells.n, 0);
	samples_free(s);
	world_free(f->world);
	end(f);

	f = begin(1, true);
	f->time = 1000;
	for (unsigned int i = 0; i < 40; i++)
		put_chain(f, 1 + i % 2, 3, "012");
	/* one of them was renamed meanwhile: its samples are taken one by one */
	f->time = 1010;
	put_comm(f, 1, "other"); /* at 1011, where a sample is, too */
	f->time = 2000;
	for (unsigned int i = 0; i < 500; i++)
		put_chain(f, 2, 5, "21");
	assert_true(tallied(f, &o, &s));
	assert_int_equal(s->cells.n, 3);
	check_weights(s, 0, 520, 20 * 3 + 500 * 5, 1002);
	check_weights(s, 1, 5, 15, 1001);
	check_weights(s, 2, 15, 45, 1011);
	samples_free(s);
	world_free(f->world);
	end(f);
}

/* Whatever is renamed and born when: the text is that of reading in order. */
static void one_walk_finds_the_names_of_the_time(void **state)
{
	struct fixture *f = begin(2, true);
	struct table_options o = {.layout.show_samples = true, .layout.show_cpu_utilization = true};
	char *alone;

	(void)state;
	for (unsigned int i = 0; i < 4000; i++) {
		if (i % 50 == 49)
			f->time -=
				61; /* as another CPU's ring would have it; no time comes twice */
		put_chain(f, 1 + i / 7 % 5, i % 11, &"0123"[i % 3]);
		f->time++;
		if (i % 100 == 50) {
			put_comm(f, 1 + i / 100 % 5, i % 200 == 50 ? "other" : "again");
			f->time++;
		}
		if (i % 300 == 99) {
			struct record r = {.header = {.type = RECORD_FORK}};

			r.task = (struct rec_task){.pid = 4,
						   .tid = 4,
						   .ppid = 1 + i % 2,
						   .ptid = 1 + i % 2,
						   .time = f->time + 1};
			put(f, &r);
			f->time++;
		}
	}
	/* of one CPU, as all are: nothing is summed then */
	assert_int_equal(number_list_parse(&o.filter.cpus, "0", "CPUs", NULL), 0);
	f->workers = 1;
	alone = mem_strdup(shown(f, &o, "pid,comm"));
	filter_release(&o.filter);
	memset(&o.filter, 0, sizeof(o.filter));
	assert_string_equal(shown(f, &o, "pid,comm"), alone);
	free(alone);
	end(f);
}

static void filters_keep_or_change_what_percentages_are_of(void **state)
{
	struct fixture *f = begin(1, false);
	struct table_options o = {0};

	(void)state;
	f->view.quiet = true;
	put_sample(f, 0, 1, BASE, 300);
	put_sample(f, 0, 2, BASE, 100);
	name_list_add(&o.filter.comms, "two", ",");
	assert_string_equal(shown(f, &o, "comm"), "    25.00%  two    \n\n\n");
	o.relative = true;
	assert_string_equal(shown(f, &o, "comm"), "   100.00%  two    \n\n\n");
	filter_release(&o.filter);
	memset(&o.filter, 0, sizeof(o.filter));
	o.relative = false;
	assert_int_equal(number_list_parse(&o.filter.cpus, "2", "cpus", NULL), 0);
	assert_string_equal(shown(f, &o, "comm"), "   100.00%  two    \n\n\n");
	filter_release(&o.filter);
	end(f);
}

static void groups_stand_side_by_side(void **state)
{
	struct fixture *f = begin(2, false);
	struct table_options o = {.group = true};

	(void)state;
	f->view.quiet = true;
	put_sample(f, 0, 1, BASE, 300);
	put_sample(f, 0, 2, BASE, 100);
	put_sample(f, 1, 2, BASE, 3);
	put_sample(f, 1, 2, BASE + 0x1000, 1);
	assert_string_equal(shown(f, &o, "comm,sym"),
			    "    75.00%   0.00%  one      [k] alpha\n"
			    "    25.00%  75.00%  two      [k] alpha\n"
			    "     0.00%  25.00%  two      [k] beta\n\n\n");
	o.layout.hierarchy = true;
	assert_string_equal(shown(f, &o, "comm,sym"),
			    "    75.00%   0.00%     one    \n"
			    "       75.00%   0.00%     [k] alpha\n"
			    "    25.00% 100.00%     two    \n"
			    "       25.00%  75.00%     [k] alpha\n"
			    "        0.00%  25.00%     [k] beta\n\n\n");
	end(f);
}

/* As annotate sorts functions: what members have doesn't part equals. */
static void groups_can_be_sorted_by_their_leader_alone(void **state)
{
	struct fixture *f = begin(2, false);
	struct table_options o = {.group = true};

	(void)state;
	f->view.quiet = true;
	for (uint32_t cpu = 1; cpu <= 2; cpu++) {
		put_sample(f, 0, cpu, BASE, 100);
		put_sample(f, 0, cpu, BASE + 0x1000, 100);
	}
	put_sample(f, 1, 1, BASE, 1);
	put_sample(f, 1, 1, BASE + 0x1000, 3);
	assert_string_equal(shown(f, &o, "sym"), "    50.00%  75.00%  [k] beta\n"
						 "    50.00%  25.00%  [k] alpha\n\n\n");
	o.leader_order = true;
	assert_string_equal(shown(f, &o, "sym"), "    50.00%  25.00%  [k] alpha\n"
						 "    50.00%  75.00%  [k] beta\n\n\n");
	end(f);
}

static void layouts_follow_sort_and_fields(void **state)
{
	static const struct {
		const char *sort, *fields, *columns;
		bool children;
	} cases[] = {
		{NULL, NULL, "Overhead|Command|Shared Object|Symbol|", false},
		{NULL, NULL, "Children|Self|Command|Shared Object|Symbol|", true},
		{"pid,c", NULL, "Overhead|    Pid:Command|Command|", false},
		{"+cpu", NULL, "Overhead|Command|Shared Object|Symbol|CPU|", false},
		{"symbol", NULL, "Overhead|Symbol|IPC   [IPC Coverage]|", false},
		{"sym", NULL, "Overhead|Symbol|", false},
		{NULL, "comm,overhead", "Command|Overhead|", false},
		{NULL, "+period", "Overhead|Period|Command|Shared Object|Symbol|", false},
		{"dso", "sample", "Samples|Shared Object|", false},
		{"overhead_us,comm", NULL, "Overhead|usr|Command|", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct layout_options o = {.sort = cases[i].sort, .fields = cases[i].fields,
					   .default_sort = "comm,dso,symbol",
					   .children = cases[i].children};
		struct buf columns = {0};
		struct err e = {0};
		struct layout l;

		assert_int_equal(layout_init(&l, &o, &e), 0);
		for (size_t k = 0; k < l.columns.n; k++)
			buf_printf(&columns, "%s|", l.columns.at[k].header);
		assert_string_equal(buf_text(&columns), cases[i].columns);
		buf_release(&columns);
		layout_release(&l);
	}
}

static void unknown_keys_are_named(void **state)
{
	struct layout_options o = {.sort = "comm,nonsense", .default_sort = "comm"};
	struct err e = {0};
	struct layout l;

	(void)state;
	assert_int_equal(layout_init(&l, &o, &e), -1);
	assert_string_equal(e.text, "Unknown --sort key: `nonsense'");
	o.sort = "dso_from";
	assert_int_equal(layout_init(&l, &o, &e), -1);
	assert_string_equal(e.text, "Invalid --sort key: `dso_from'");
	o.mode = MODE_BRANCH;
	assert_int_equal(layout_init(&l, &o, &e), 0);
	layout_release(&l);
}

static void times_are_ranges(void **state)
{
	static const struct {
		const char *text;
		uint64_t start, end;
	} cases[] = {
		{"1.5,2", 1500000000, 2000000000},
		{",2.25", 0, 2250000000},
		{"3,", 3000000000, UINT64_MAX},
		{"10%", 1000, 1099},
		{"10%/2", 1100, 1199},
		{"50%-100%", 1500, 2000},
		{"0%-10%", 1000, 1099},
	};
	static const char *const wrong[] = {"x",    "2,1",     "1.5,2x", "10%x",
					    "110%", "20%-10%", "50%/4"};
	struct filter f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(&f, 0, sizeof(f));
		assert_int_equal(filter_times_parse(&f, cases[i].text, 1000, 2000, NULL), 0);
		assert_int_equal(f.times.n, 1);
		assert_int_equal(f.times.at[0].start, cases[i].start);
		assert_int_equal(f.times.at[0].end, cases[i].end);
		assert_true(filter_has_time(&f, cases[i].start));
		assert_false(filter_has_time(&f, cases[i].start - 1) && cases[i].start);
		filter_release(&f);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		memset(&f, 0, sizeof(f));
		assert_int_equal(filter_times_parse(&f, wrong[i], 1000, 2000, NULL), -1);
		filter_release(&f);
	}
}

static void hits_come_back_as_they_were_put(void **state)
{
	static const struct { uint32_t group, from; } hits[] = {
		{0, 0}, {0, 5}, {1, 127}, {200, 128}, {70000, 3}, {UINT32_MAX - 1, UINT32_MAX},
	};
	struct entry_hits h = {0};
	struct hits_walk w;

	(void)state;
	w = hits_begin(&h);
	assert_false(hits_next(&h, &w));
	for (size_t i = 0; i < ARRAY_SIZE(hits); i++)
		hits_add(&h, hits[i].group, hits[i].from);
	assert_int_equal(h.n, 6);
	assert_int_equal(h.used, 2 + 2 + 2 + 4 + 4 + 10);
	w = hits_begin(&h);
	for (size_t i = 0; i < ARRAY_SIZE(hits); i++) {
		assert_true(hits_next(&h, &w));
		assert_int_equal(w.group, hits[i].group);
		assert_int_equal(w.from, hits[i].from);
	}
	assert_false(hits_next(&h, &w));
	hits_release(&h);
	/* few are kept inside: nothing is to be freed */
	for (size_t i = 0; i < 4; i++)
		hits_add(&h, hits[i].group, hits[i].from);
	hits_release(&h);
	assert_int_equal(h.n, 0);
	for (size_t i = 0; i < 2; i++)
		hits_add(&h, hits[i].group, hits[i].from);
	assert_int_equal(h.cap, 0);
	w = hits_begin(&h);
	assert_true(hits_next(&h, &w) && hits_next(&h, &w));
	assert_int_equal(w.from, 5);
	assert_false(hits_next(&h, &w));
}

static void units_are_those_of_thousands(void **state)
{
	char unit;

	(void)state;
	assert_int_equal(report_unit(1000, &unit), 1000);
	assert_int_equal(unit, ' ');
	assert_int_equal(report_unit(3782, &unit), 3);
	assert_int_equal(unit, 'K');
	assert_int_equal(report_unit(2500000, &unit), 2);
	assert_int_equal(unit, 'M');
}

static void names_in_stacks_are_those_of_flame_graphs(void **state)
{
	static const struct { const char *name, *native, *java;
	} cases[] = {
		{"main", "main", "main"},
		{"ns::f(int, char)", "ns::f", "ns::f"},
		{"(anonymous namespace)::g(int)", "(anonymous namespace)::g",
		 "(anonymous namespace)::g"},
		{"net/http.(*Client).Do", "net/http.(*Client).Do", "net/http.(*Client).Do"},
		{"RegExp:[&;\"']", "RegExp:[&:]", "RegExp:[&:]"},
		{"Lorg/x/Y;::call", "Lorg/x/Y:::call", "org/x/Y:::call"},
		{"La::b", "La::b", "La::b"},
		{"La/b::c->La/d::e->f", "La/b::c;La/d::e_[i];f_[i]", "a/b::c;a/d::e_[i];f_[i]"},
		{"it::operator->() const", "it::operator->", "it::operator->"},
		{"operator()", "operator", "operator"},
		{"", "", ""},
	};
	struct buf b = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		b.n = 0;
		folded_name(cases[i].name, false, &b);
		assert_string_equal(buf_text(&b), cases[i].native);
		b.n = 0;
		folded_name(cases[i].name, true, &b);
		assert_string_equal(buf_text(&b), cases[i].java);
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_counted_where_they_fell),
		cmocka_unit_test(equals_stand_in_the_order_of_their_keys),
		cmocka_unit_test(callers_get_entries_once_a_sample),
		cmocka_unit_test(latency_is_shared_by_who_runs),
		cmocka_unit_test(latency_is_that_of_upstreams_example),
		cmocka_unit_test(workers_change_nothing),
		cmocka_unit_test(one_walk_does_for_threads),
		cmocka_unit_test(one_walk_finds_the_names_of_the_time),
		cmocka_unit_test(filters_keep_or_change_what_percentages_are_of),
		cmocka_unit_test(groups_stand_side_by_side),
		cmocka_unit_test(groups_can_be_sorted_by_their_leader_alone),
		cmocka_unit_test(layouts_follow_sort_and_fields),
		cmocka_unit_test(unknown_keys_are_named),
		cmocka_unit_test(times_are_ranges),
		cmocka_unit_test(hits_come_back_as_they_were_put),
		cmocka_unit_test(names_in_stacks_are_those_of_flame_graphs),
		cmocka_unit_test(units_are_those_of_thousands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
