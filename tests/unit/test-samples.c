// SPDX-License-Identifier: MIT
/* Cells, and samples that tables are made of several times: on recordings made in memory, whose
 * names come from kernel symbols that they bring along. */
#include "recordings.h"

#include "profile/samples/read.h"
#include "profile/table/table.h"

#define BASE 0xffffffffc0000000ull /* where symbols lie, 0x1000 each */
#define TYPE (BASIC | SAMPLE_CALLCHAIN)

/* What each test begins with: two threads, "one" and "two", and functions "a" to "d". */
struct fixture {
	struct attr attr;
	struct buf data, file, text;
	uint64_t time;
	struct recording *rec;
	struct world *world;
	struct source *src;
};

static void put_thread(struct fixture *f, uint32_t tid, const char *comm)
{
	struct record r = {.header.type = RECORD_COMM,
			   .id = {.time = ++f->time, .pid = tid, .tid = tid}};

	r.comm = (struct rec_comm){.pid = tid, .tid = tid, .comm = comm};
	put_record(&f->data, &f->attr, r);
}

static void begin(struct fixture *f)
{
	*f = (struct fixture){.attr = attr_of(TYPE)};
	put_thread(f, 1, "one");
	put_thread(f, 2, "two");
	for (uint64_t i = 0; i < 4; i++) {
		const char name[] = {(char)('a' + i), 0};
		struct record r = {.header.type = RECORD_KSYMBOL, .id.time = f->time};

		r.ksymbol = (struct rec_ksymbol){
			.addr = BASE + i * 0x1000, .len = 0x1000, .ksym_type = 1, .name = name};
		put_record(&f->data, &f->attr, r);
	}
}

/* A sample of the thread on CPU number tid. functions: "ab" is a, called by b; at: where in a. */
static void put_call(struct fixture *f, uint32_t tid, uint64_t period, const char *functions,
		     uint64_t at)
{
	struct record r = {.header = {.type = RECORD_SAMPLE, .misc = MISC_KERNEL}};
	uint64_t words[16] = {CONTEXT_KERNEL}, n = 1;

	for (; *functions; functions++)
		words[n++] = BASE + (uint64_t)(*functions - 'a') * 0x1000 + at;
	r.sample = (struct sample){.type = TYPE,
				   .ip = words[1],
				   .pid = tid,
				   .tid = tid,
				   .cpu = tid,
				   .time = ++f->time,
				   .period = period,
				   .callchain = words,
				   .callchain_nr = n};
	put_record(&f->data, &f->attr, r);
}

/* No more records: from now on they are read. */
static void open_fixture(struct fixture *f)
{
	const struct symbol_options symbols = {.no_live = true};
	struct err e = {0};

	f->file = make_file(&f->attr, 1, &f->data);
	f->rec = open_bytes(&f->file);
	f->world = world_of_recording(f->rec, &symbols);
	f->src = source_open(f->rec, &(struct source_options){.mode = SOURCE_ORDERED}, &e);
	assert_non_null(f->src);
}

static void end(struct fixture *f)
{
	source_free(f->src);
	world_free(f->world);
	recording_free(f->rec);
	buf_release(&f->data);
	buf_release(&f->file);
	buf_release(&f->text);
}

static struct samples *samples_of(const struct fixture *f, const struct samples_options *wanted)
{
	struct samples_options o = *wanted;

	o.max_stack = 127;
	return samples_new(&f->rec->m, f->world, &o);
}

/* Adds the next n samples, with what side-band stands before them. How many there were. */
static unsigned int pull(struct fixture *f, struct samples *s, unsigned int n)
{
	struct err e = {0};
	struct record r;
	unsigned int got = 0;

	while (got < n && source_next(f->src, &r, &e) > 0) {
		if (r.header.type != RECORD_SAMPLE) {
			world_add(f->world, &r, record_time(&f->rec->m, &r));
			continue;
		}
		samples_add(s, &r);
		got++;
	}
	return got;
}

static struct table *table_of(const char *keys, struct table_options o)
{
	struct err e = {0};
	struct table *t;

	o.filter.socket = -1;
	o.layout.default_sort = keys;
	o.layout.children = o.children;
	t = table_new(&o, &e);
	if (!t)
		fail_msg("%s", e.text);
	return t;
}

/* The table's rows, made of all that the samples hold: "period samples total key key; ...",
 * filtered ones in brackets. */
static const char *rows(struct fixture *f, struct table *t, struct samples *s)
{
	struct err e = {0};

	samples_resolve(s);
	if (table_make(t, s, &e))
		fail_msg("%s", e.text);
	buf_clear(&f->text);
	for (size_t i = 0; t->all.n && i < t->events.at[0].entries.n; i++) {
		const struct entry *entry = t->events.at[0].entries.at[i];

		buf_printf(&f->text, "%s%llu %llu %llu", entry->filtered ? "(" : "",
			   (unsigned long long)entry->self->period,
			   (unsigned long long)entry->self->samples,
			   (unsigned long long)entry->total);
		for (size_t k = 0; k < t->layout.keys.n; k++) {
			buf_char(&f->text, ' ');
			key_identity(t, &t->layout.keys.at[k], entry, &f->text);
		}
		buf_str(&f->text, entry->filtered ? "); " : "; ");
	}
	return buf_text(&f->text);
}

/* -- tables -- */

static void put_calls(struct fixture *f)
{
	put_call(f, 1, 300, "ab", 0x10);
	put_call(f, 1, 100, "b", 0x10);
	put_call(f, 2, 50, "ab", 0x20);
	put_call(f, 2, 20, "cb", 0x20);
	put_call(f, 1, 30, "ab", 0x10);
}

static void one_set_of_samples_answers_several_questions(void **state)
{
	const char *const whole =
		"330 2 330 one a; 100 1 100 one b; 50 1 50 two a; 20 1 20 two c; ";
	struct samples_options wanted = {0};
	struct table *by_comm, *filtered, *zoomed, *callers;
	struct samples *s;
	struct fixture f;

	(void)state;
	begin(&f);
	put_calls(&f);
	open_fixture(&f);
	by_comm = table_of("comm,sym", (struct table_options){0});
	filtered = table_of("sym", (struct table_options){0});
	name_list_add(&filtered->opts.filter.comms, "two", ",");
	zoomed = table_of("sym", (struct table_options){.zoom.comm = "two"});
	callers = table_of("sym", (struct table_options){.children = true});
	table_ask(by_comm, &wanted);
	table_ask(filtered, &wanted);
	table_ask(zoomed, &wanted);
	table_ask(callers, &wanted);
	s = samples_of(&f, &wanted);
	assert_int_equal(pull(&f, s, 100), 5);

	assert_string_equal(rows(&f, by_comm, s), whole);
	/* an entry is what its first sample is */
	assert_string_equal(rows(&f, filtered, s), "(380 3 380 a); (100 1 100 b); 20 1 20 c; ");
	assert_int_equal(filtered->events.at[0].period, 500);
	assert_string_equal(rows(&f, zoomed, s), "50 1 50 a; 20 1 20 c; ");
	assert_int_equal(zoomed->events.at[0].period, 70);
	assert_int_equal(zoomed->events.at[0].shown_period, 70);
	/* samples outside count, though they are in no entry */
	zoomed->opts.zoom.counted = true;
	assert_string_equal(rows(&f, zoomed, s), "50 1 50 a; 20 1 20 c; ");
	assert_int_equal(zoomed->events.at[0].period, 500);
	assert_int_equal(zoomed->events.at[0].samples, 5);
	assert_int_equal(zoomed->events.at[0].shown_period, 70);
	zoomed->opts.zoom.counted = false;
	assert_string_equal(rows(&f, callers, s), "100 1 500 b; 380 3 380 a; 20 1 20 c; ");
	assert_string_equal(rows(&f, by_comm, s), whole);
	assert_string_equal(rows(&f, zoomed, s), "50 1 50 a; 20 1 20 c; ");

	/* the same, when nothing can be found in the samples any more */
	samples_settle(s);
	assert_string_equal(rows(&f, by_comm, s), whole);
	assert_string_equal(rows(&f, callers, s), "100 1 500 b; 380 3 380 a; 20 1 20 c; ");
	filter_release(&filtered->opts.filter);
	table_free(by_comm);
	table_free(filtered);
	table_free(zoomed);
	table_free(callers);
	samples_free(s);
	end(&f);
}

/* True when the table, zoomed in that way, has these rows. */
static void check_zoom(struct fixture *f, struct samples *s, struct zoom zoom, const char *expected)
{
	struct table *t = table_of("sym", (struct table_options){.zoom = zoom});

	assert_string_equal(rows(f, t, s), expected);
	table_free(t);
}

static void zooms_are_by_thread_dso_socket_and_time(void **state)
{
	static const int sockets[] = {-1, 0, 1};
	struct samples_options wanted = {.columns = ZOOM_COLUMNS, .time_quantum = 1};
	struct table *by_dso = table_of("dso", (struct table_options){0});
	struct samples *s;
	struct fixture f;
	char *dso;

	(void)state;
	begin(&f);
	put_calls(&f);
	open_fixture(&f);
	f.rec->m.socket_of_cpu = sockets;
	f.rec->m.n_sockets = 3;
	s = samples_of(&f, &wanted);
	pull(&f, s, 100);
	check_zoom(&f, s, (struct zoom){0}, "380 3 380 a; 100 1 100 b; 20 1 20 c; ");
	check_zoom(&f, s, (struct zoom){.thread = world_thread(f.world, 2, 2, f.time)},
		   "50 1 50 a; 20 1 20 c; ");
	check_zoom(&f, s, (struct zoom){.by_socket = true, .socket = 0},
		   "330 2 330 a; 100 1 100 b; ");
	check_zoom(&f, s, (struct zoom){.by_time = true, .times = {f.time - 1, f.time}},
		   "30 1 30 a; 20 1 20 c; ");
	check_zoom(&f, s, (struct zoom){.dso = "elsewhere"}, "");
	rows(&f, by_dso, s);
	/* each function that a record told of is a dso by itself */
	dso = mem_strdup(frames_dso_name(&s->frames, (uint32_t)by_dso->all.at[0]->values[0]));
	check_zoom(&f, s, (struct zoom){.dso = dso, .comm = "one"}, "330 2 330 a; ");
	free(dso);
	table_free(by_dso);
	samples_free(s);
	end(&f);
}

static void samples_that_keep_too_little_make_no_table(void **state)
{
	struct table *by_sym = table_of("sym", (struct table_options){0}),
		     *by_cpu = table_of("cpu", (struct table_options){0});
	struct samples_options wanted = {0};
	struct samples *s;
	struct err e = {0};
	struct fixture f;

	(void)state;
	begin(&f);
	put_calls(&f);
	open_fixture(&f);
	table_ask(by_sym, &wanted);
	s = samples_of(&f, &wanted);
	pull(&f, s, 100);
	samples_resolve(s);
	assert_int_equal(table_make(by_cpu, s, &e), -1);
	assert_string_equal(e.text,
			    "the samples don't keep what the table's keys and options need");
	assert_int_equal(by_cpu->all.n, 0);
	assert_int_equal(table_make(by_sym, s, &e), 0);
	table_free(by_sym);
	table_free(by_cpu);
	samples_free(s);
	end(&f);
}

/* Options that change chains change those of their table only. */
static void chains_are_the_tables_own(void **state)
{
	struct table *whole = table_of("sym", (struct table_options){.chains = true}),
		     *without = table_of("sym", (struct table_options){.chains = true,
								       .ignore_callees = "^b$"}),
		     *resolved = table_of("sym", (struct table_options){.chains = true,
									.hide_unresolved = true});
	struct samples_options wanted = {0};
	struct samples *s;
	struct fixture f;

	(void)state;
	begin(&f);
	put_calls(&f);
	put_call(&f, 1, 7, "azb", 0x10); /* z is nowhere */
	open_fixture(&f);
	table_ask(whole, &wanted);
	s = samples_of(&f, &wanted);
	pull(&f, s, 100);
	assert_string_equal(rows(&f, whole, s), "387 4 387 a; 100 1 100 b; 20 1 20 c; ");
	assert_int_equal(whole->groups.n, 5);
	assert_int_equal(chain_set_length(whole->chains, whole->groups.at[4].chain), 3);
	assert_string_equal(rows(&f, without, s), "507 6 507 b; ");
	assert_int_equal(chain_set_length(without->chains, without->groups.at[0].chain), 1);
	assert_string_equal(rows(&f, resolved, s), "387 4 387 a; 100 1 100 b; 20 1 20 c; ");
	assert_int_equal(resolved->groups.n, 4); /* "azb" is "ab" then */
	assert_int_equal(resolved->losses.frames[NAMELESS_NOT], 11);
	assert_string_equal(rows(&f, whole, s), "387 4 387 a; 100 1 100 b; 20 1 20 c; ");
	assert_int_equal(whole->groups.n, 5);
	table_free(whole);
	table_free(without);
	table_free(resolved);
	samples_free(s);
	end(&f);
}

/* -- samples that grow and fade, as perf top's do -- */

static void samples_grow_between_tables(void **state)
{
	struct table *t = table_of("comm,sym", (struct table_options){.children = true});
	struct samples_options wanted = {0};
	struct samples *s, *other;
	struct fixture f;
	size_t frames;

	(void)state;
	begin(&f);
	put_calls(&f);
	put_calls(&f);
	open_fixture(&f);
	table_ask(t, &wanted);
	s = samples_of(&f, &wanted);
	other = samples_of(&f, &wanted);
	assert_string_equal(rows(&f, t, s), "");
	assert_int_equal(pull(&f, s, 2), 2);
	assert_string_equal(rows(&f, t, s), "100 1 400 one b; 300 1 300 one a; ");
	assert_int_equal(pull(&f, s, 3), 3);
	assert_string_equal(
		rows(&f, t, s),
		"100 1 430 one b; 330 2 330 one a; 0 0 70 two b; 50 1 50 two a; 20 1 20 two c; ");
	/* what is known by now is not looked up again */
	frames = s->frames.frames.n;
	assert_int_equal(pull(&f, other, 5), 5);
	samples_merge(s, other);
	assert_string_equal(rows(&f, t, s), "200 2 860 one b; 660 4 660 one a; 0 0 140 two b; 100 "
					    "2 100 two a; 40 2 40 two c; ");
	assert_int_equal(s->frames.frames.n, frames);
	table_free(t);
	samples_free(s);
	samples_free(other);
	end(&f);
}

static void samples_fade_to_nothing(void **state)
{
	struct table *t = table_of("sym", (struct table_options){.chains = true});
	struct samples_options wanted = {0};
	struct samples *s;
	struct fixture f;

	(void)state;
	begin(&f);
	put_call(&f, 1, 800, "ab", 0x10);
	for (unsigned int i = 0; i < 80; i++)
		put_call(&f, 1, 1, "c", i); /* many of little weight */
	put_call(&f, 1, 64, "ab", 0x10);
	open_fixture(&f);
	table_ask(t, &wanted);
	s = samples_of(&f, &wanted);
	assert_int_equal(pull(&f, s, 81), 81);
	assert_string_equal(rows(&f, t, s), "800 1 800 a; 80 80 80 c; ");
	samples_decay(s);
	assert_string_equal(rows(&f, t, s), "700 0 700 a; 70 70 70 c; ");
	assert_int_equal(s->cells.n, 71);
	samples_decay(s);
	assert_string_equal(rows(&f, t, s), "612 0 612 a; 61 61 61 c; ");
	/* what comes anew finds its cell */
	assert_int_equal(pull(&f, s, 1), 1);
	assert_string_equal(rows(&f, t, s), "676 1 676 a; 61 61 61 c; ");
	assert_int_equal(s->cells.n, 62);
	for (unsigned int i = 0; i < 100; i++)
		samples_decay(s);
	assert_string_equal(rows(&f, t, s), "");
	assert_int_equal(s->cells.n, 0);
	table_free(t);
	samples_free(s);
	end(&f);
}

/* -z, hour after hour: memory follows what is sampled now. */
static void zeroed_samples_forget_what_is_stale(void **state)
{
	struct table *t = table_of("sym", (struct table_options){.chains = true});
	struct samples_options wanted = {0};
	struct samples *s;
	struct fixture f;

	(void)state;
	begin(&f);
	put_calls(&f);
	for (unsigned int i = 0; i < 20000; i++)
		put_call(&f, 1, 1, "ab",
			 i % 0x1000 | (uint64_t)(i / 0x1000) << 16); /* each another chain */
	put_calls(&f);
	open_fixture(&f);
	table_ask(t, &wanted);
	s = samples_of(&f, &wanted);
	pull(&f, s, 5);
	assert_string_equal(rows(&f, t, s), "380 3 380 a; 100 1 100 b; 20 1 20 c; ");
	samples_zero(s);
	assert_string_equal(rows(&f, t, s), "");
	assert_int_equal(s->cells.chains.entries.n, 4);
	pull(&f, s, 20000);
	samples_resolve(s);
	assert_int_equal(s->cells.n, 20000);
	assert_int_equal(s->cells.chains.entries.n, 20002); /* two of them were there before */
	samples_zero(s);
	assert_int_equal(s->cells.chains.entries.n, 0);
	assert_int_equal(s->frames.chains.all.n, 0);
	pull(&f, s, 5);
	assert_string_equal(rows(&f, t, s), "380 3 380 a; 100 1 100 b; 20 1 20 c; ");
	assert_int_equal(s->cells.chains.entries.n, 4);
	table_free(t);
	samples_free(s);
	end(&f);
}

/* -- cells -- */

/* Workers fold on their own; what they found is one, whoever was first. Kept sums and those that
 * the columns tell are the same. */
static void check_two_workers(uint32_t columns, bool latency)
{
	struct cells a, b;
	struct cell_sample s = {
		.v = {[COL_SPACE] = MISC_USER, [COL_COMM] = 7, [COL_PARALLELISM] = latency ? 2 : 0},
		.period = 6};
	struct weights w;
	uint64_t v[COLUMNS];

	cells_init(&a, columns, latency);
	cells_init(&b, a.columns, latency);
	intern_put(&a.chains, "other", 5);
	s.v[COL_CHAIN] = intern_put(&a.chains, "chain", 5);
	s.order = 10;
	cells_add(&a, &s);
	s.v[COL_CHAIN] = intern_put(&b.chains, "chain", 5);
	s.order = 9;
	cells_add(&b, &s);
	s.v[COL_COMM] = 8;
	cells_add(&b, &s);
	cells_merge(&a, &b);
	assert_int_equal(a.n, 2);
	cells_weights(&a, 0, &w);
	assert_int_equal(w.period, 12);
	assert_int_equal(w.us, 12);
	assert_int_equal(w.sys, 0);
	assert_int_equal(w.latency, latency ? 6 : 12);
	assert_int_equal(w.samples, 2);
	assert_int_equal(cells_at(&a, 0)->order, 9);
	cells_spread(&a, 1, v);
	assert_int_equal(v[COL_COMM], 8);
	assert_int_equal(v[COL_CHAIN], 1);
	cells_release(&a);
	cells_release(&b);
}

static void cells_of_two_workers_are_one(void **state)
{
	uint32_t columns = COL_BIT(COL_EVENT) | COL_BIT(COL_COMM) | COL_BIT(COL_CHAIN);

	(void)state;
	check_two_workers(columns, false);
	check_two_workers(columns | COL_BIT(COL_SPACE), false);
	check_two_workers(columns | COL_BIT(COL_SPACE), true);
}

/* Many cells are found again where they were put. */
static void cells_are_found_again(void **state)
{
	struct cells c;
	struct cell_sample s = {.period = 1};
	uint64_t v[COLUMNS];

	(void)state;
	cells_init(&c, COL_BIT(COL_IP) | COL_BIT(COL_SPACE), false);
	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t i = 0; i < 5000; i++) {
			s.v[COL_IP] = i * 4096;
			s.v[COL_SPACE] = i % 2 ? MISC_USER : MISC_KERNEL;
			s.order = 100 - round;
			cells_add(&c, &s);
		}
	assert_int_equal(c.n, 5000);
	for (uint32_t i = 0; i < c.n; i++) {
		struct weights w;

		cells_weights(&c, i, &w);
		assert_int_equal(w.samples, 3);
		assert_int_equal(i % 2 ? w.us : w.sys, 3);
		cells_spread(&c, i, v);
		assert_int_equal(v[COL_IP], i * 4096ull);
		assert_int_equal(cells_at(&c, i)->order, 98);
	}
	cells_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_set_of_samples_answers_several_questions),
		cmocka_unit_test(zooms_are_by_thread_dso_socket_and_time),
		cmocka_unit_test(samples_that_keep_too_little_make_no_table),
		cmocka_unit_test(chains_are_the_tables_own),
		cmocka_unit_test(samples_grow_between_tables),
		cmocka_unit_test(samples_fade_to_nothing),
		cmocka_unit_test(zeroed_samples_forget_what_is_stale),
		cmocka_unit_test(cells_of_two_workers_are_one),
		cmocka_unit_test(cells_are_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
